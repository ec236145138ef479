import { describeError } from '../api/error.ts';
import { Button } from './button.tsx';
import { CopyableId } from './copy-button.tsx';
import { Note } from './note.tsx';

interface ErrorNoteProps {
  readonly error: unknown;
  /** What failed: «The keys could not be read». */
  readonly what?: string;
  readonly onRetry?: () => void;
}

/** Why something failed, with the request's id for a report. It is announced when it appears. */
export function ErrorNote({ error, what, onRetry }: ErrorNoteProps) {
  const { detail, hint, requestId } = describeError(error);
  return (
    <div role="alert">
      <Note
        tone="bad"
        actions={
          onRetry && (
            <Button size="small" icon="refresh" onClick={onRetry}>
              Try again
            </Button>
          )
        }
      >
        <p>{sentences(what, detail, hint)}</p>
        {requestId && (
          <p>
            Request <CopyableId id={requestId} what="request id" />
          </p>
        )}
      </Note>
    </div>
  );
}

const sentences = (...texts: readonly (string | null | undefined)[]): string =>
  texts.flatMap((text) => (text ? [asSentence(text)] : [])).join(' ');

function asSentence(text: string): string {
  const end = /[.!?]$/.test(text) ? '' : '.';
  return text.slice(0, 1).toUpperCase() + text.slice(1) + end;
}
