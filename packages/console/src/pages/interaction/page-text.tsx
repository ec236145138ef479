import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { Note } from '../../parts/note.tsx';
import { saveText } from '../../parts/save-file.ts';

/** Characters that are laid out at once: a text of a megabyte would hold the page for seconds. */
const STEP = 10_000;

interface PageTextProps {
  readonly text: string;
  /** Of a file to keep, without the ending. */
  readonly name: string;
}

/** The text of a page as markdown, a part at a time. */
export function PageText({ text, name }: PageTextProps) {
  const [place, setPlace] = useState(0);
  const end = cutAt(text, place + STEP);
  const save = () => saveText(text, `${name}.md`, 'text/markdown');
  return (
    <div className="stack-tight">
      {(place > 0 || end < text.length) && (
        <Note
          actions={
            <span className="row">
              {place > 0 && (
                <Button size="small" onClick={() => setPlace(Math.max(0, place - STEP))}>
                  Back
                </Button>
              )}
              {end < text.length && (
                <Button size="small" onClick={() => setPlace(place + STEP)}>
                  Next part
                </Button>
              )}
              <Button size="small" icon="download" onClick={save}>
                Download
              </Button>
            </span>
          }
        >
          Characters {(place + 1).toLocaleString('en-US')} to {end.toLocaleString('en-US')} of{' '}
          {text.length.toLocaleString('en-US')}.
        </Note>
      )}
      <Markdown text={text.slice(cutAt(text, place), end)} />
    </div>
  );
}

/** Not between the two halves of a character. */
function cutAt(text: string, place: number): number {
  if (place >= text.length) return text.length;
  const unit = text.charCodeAt(place);
  return unit >= 0xdc00 && unit <= 0xdfff ? place + 1 : place;
}
