import { ExternalLink } from '../../../parts/external-link.tsx';
import { Markdown } from '../../../parts/markdown.tsx';
import { Note } from '../../../parts/note.tsx';
import { wholeText } from '../../../parts/number-text.ts';
import { Peek } from '../../../parts/peek.tsx';
import type { Reading } from './run-column.tsx';

/** More text than this makes a page slow. */
const SHOWN_CHARACTERS = 100_000;

interface ReaderProps {
  readonly reading: Reading;
  readonly onClose: () => void;
}

/** The text of a page. */
export function Reader({ reading: { title, url, text }, onClose }: ReaderProps) {
  const isCut = text.length > SHOWN_CHARACTERS;
  return (
    <Peek title={title} onClose={onClose}>
      <div className="stack">
        <p>
          <ExternalLink href={url}>{url}</ExternalLink>
        </p>
        {isCut && (
          <Note>
            The first {wholeText(SHOWN_CHARACTERS)} of {wholeText(text.length)} characters. The tab
            JSON has all of them.
          </Note>
        )}
        <Markdown text={isCut ? text.slice(0, SHOWN_CHARACTERS) : text} />
      </div>
    </Peek>
  );
}
