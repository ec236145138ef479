import { ApiError } from '../api/error.ts';
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
  const { detail, hint, requestId } = factsOf(error);
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
        <p>{[what, detail, hint].filter(Boolean).map(asSentence).join(' ')}</p>
        {requestId && (
          <p>
            Request <CopyableId id={requestId} what="request id" />
          </p>
        )}
      </Note>
    </div>
  );
}

function asSentence(text = ''): string {
  const end = /[.!?]$/.test(text) ? '' : '.';
  return text.slice(0, 1).toUpperCase() + text.slice(1) + end;
}

function factsOf(error: unknown) {
  if (error instanceof ApiError) return error;
  const detail = error instanceof Error ? error.message : 'Something unexpected happened';
  return { detail, hint: undefined, requestId: undefined };
}
