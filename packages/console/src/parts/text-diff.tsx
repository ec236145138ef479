import { useMemo } from 'react';
import styles from './text-diff.module.css';
import { type DiffPart, wordDiff } from './word-diff.ts';

interface TextDiffProps {
  readonly before: string;
  readonly after: string;
}

/** Characters of a stretch that both texts have, on each side of a change. */
const CONTEXT = 160;
/** Characters of one change that are laid out; a text of a megabyte would hold the page. */
const SHOWN_MAX = 4_000;
const PARTS_MAX = 400;

/** What differs between two texts, word by word, with a little of what is around it. */
export function TextDiff({ before, after }: TextDiffProps) {
  const parts = useMemo(() => wordDiff(before, after), [before, after]);
  const hidden = parts.length - PARTS_MAX;
  return (
    <p className={styles.diff} dir="auto">
      {parts.slice(0, PARTS_MAX).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their places
        <Part key={index} part={part} isFirst={index === 0} isLast={index === parts.length - 1} />
      ))}
      {hidden > 0 && <Left>{hidden.toLocaleString('en-US')} more changes</Left>}
    </p>
  );
}

interface PartProps {
  readonly part: DiffPart;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

function Part({ part: { kind, text }, isFirst, isLast }: PartProps) {
  if (kind === 'same') return <Same text={text} isFirst={isFirst} isLast={isLast} />;
  const Element = kind === 'gone' ? 'del' : 'ins';
  return (
    <Element className={styles[kind]}>
      <span className="visually-hidden">{kind === 'gone' ? ' [gone: ' : ' [new: '}</span>
      {text.slice(0, SHOWN_MAX)}
      {text.length > SHOWN_MAX && <Left>{count(text.length - SHOWN_MAX)} more</Left>}
      <span className="visually-hidden">] </span>
    </Element>
  );
}

/** Only what is near a change. */
function Same({
  text,
  isFirst,
  isLast,
}: {
  readonly text: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}) {
  const head = isFirst ? 0 : CONTEXT;
  const tail = isLast ? 0 : CONTEXT;
  const left = text.length - head - tail;
  if (left <= CONTEXT) return <span>{text}</span>;
  return (
    <>
      <span>{text.slice(0, head)}</span>
      <Left>{count(left)} the same</Left>
      <span>{text.slice(text.length - tail)}</span>
    </>
  );
}

const count = (characters: number): string => `${characters.toLocaleString('en-US')} characters`;

const Left = ({ children }: { readonly children: React.ReactNode }) => (
  <span className={styles.left}> … {children} … </span>
);
