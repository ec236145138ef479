import { type ReactNode, useMemo, useState } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icon.tsx';
import styles from './json-view.module.css';
import { Note } from './note.tsx';
import { bytesText } from './number-text.ts';
import { saveText } from './save-file.ts';

export interface JsonViewProps {
  readonly value: unknown;
  /** What it is, for screen readers: «Request». */
  readonly label: string;
  /** Of the file to keep, without the ending. */
  readonly fileName: string;
  /** Levels that are open at first. */
  readonly openLevels?: number;
}

/** A value as a tree; the head of one that is too large for that, and a file of it. */
export function JsonView({ value, label, fileName, openLevels = 2 }: JsonViewProps) {
  const text = useMemo(() => JSON.stringify(value, null, 2) ?? 'null', [value]);
  const isCut = text.length > CHARACTERS_MAX || isTooLarge(value);
  const save = () => saveText(text, `${fileName}.json`, 'application/json');
  return (
    <div className="stack-tight">
      <div className="row">
        <CopyButton text={text} label={`Copy as JSON: ${label}`}>
          Copy
        </CopyButton>
        <Button size="small" icon="download" onClick={save}>
          Download
        </Button>
      </div>
      {isCut && (
        <Note>
          This is the beginning only: the whole of it has {bytesText(text.length)}. Download it to
          see all.
        </Note>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus */}
      <section className={styles.frame} tabIndex={0} aria-label={label}>
        {isCut ? (
          <pre className={styles.head}>{text.slice(0, HEAD_CHARACTERS)}</pre>
        ) : (
          <ul>
            <Node value={value} openLevels={openLevels} />
          </ul>
        )}
      </section>
    </div>
  );
}

interface NodeProps {
  readonly name?: string;
  readonly value: unknown;
  readonly openLevels: number;
}

function Node({ name, value, openLevels }: NodeProps) {
  const title = name === undefined ? null : <span className={styles.name}>{name}:</span>;
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    return <Branch name={name ?? 'value'} title={title} value={value} openLevels={openLevels} />;
  }
  return (
    <li className={styles.row}>
      <span className={styles.blank} />
      {title}
      <Leaf value={value} />
    </li>
  );
}

interface BranchProps extends NodeProps {
  readonly name: string;
  readonly title: ReactNode;
  readonly value: object;
}

function Branch({ name, title, value, openLevels }: BranchProps) {
  const [isOpen, setOpen] = useState(openLevels > 0);
  return (
    <li>
      <div className={styles.row}>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          aria-label={name}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} />
        </button>
        {title}
        <span className="soft">{sizeText(value)}</span>
      </div>
      {isOpen && (
        <ul>
          {Object.entries(value).map(([key, member]) => (
            <Node key={key} name={key} value={member} openLevels={openLevels - 1} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  const kind = kindOf(value);
  return <span className={`${styles.value} ${styles[kind] ?? ''}`}>{JSON.stringify(value)}</span>;
}

/** Larger values are not shown as a tree. */
const ROWS_MAX = 3_333;
const CHARACTERS_MAX = 2_000_000;
/** Of the head that is shown instead. */
const HEAD_CHARACTERS = 20_000;

/** Whether a value has more members than a tree can show well. Stops counting there. */
function isTooLarge(value: unknown): boolean {
  const waiting: unknown[] = [value];
  let rows = 0;
  while (waiting.length > 0) {
    const next = waiting.pop();
    rows += 1;
    if (rows > ROWS_MAX) return true;
    if (typeof next === 'object' && next !== null) {
      for (const member of Object.values(next)) waiting.push(member);
    }
  }
  return false;
}

type JsonKind = 'list' | 'object' | 'text' | 'number' | 'word';

function kindOf(value: unknown): JsonKind {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object' && value !== null) return 'object';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' ? 'number' : 'word';
}

/** `3 items`, `1 member`. */
function sizeText(value: object): string {
  const size = Object.keys(value).length;
  const noun = Array.isArray(value) ? 'item' : 'member';
  return `${size} ${noun}${size === 1 ? '' : 's'}`;
}
