import type { Warning } from '@trawl/contract';
import { Icon } from '../../parts/icon.tsx';
import styles from './results.module.css';

/** Of one value; the tab JSON has all of it. */
const SHOWN_CHARACTERS = 300;

interface FieldValueProps {
  readonly field: string;
  readonly value: unknown;
  readonly gaps: ReadonlyMap<string, string>;
}

/**
 * A value, or why it is missing: a provider that cannot supply a field is not one that found
 * nothing.
 */
export function FieldValue({ field, value, gaps }: FieldValueProps) {
  if (!isEmptyValue(value)) return <span className={styles.value}>{shortText(value)}</span>;
  const gap = gaps.get(field);
  return gap === undefined ? (
    <Missing why="empty">empty</Missing>
  ) : (
    <Missing why="gap" title={gap}>
      cannot supply
    </Missing>
  );
}

const shortText = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
};

interface MissingProps {
  readonly why: Absence;
  readonly title?: string;
  readonly children: string;
}

/** Why a value is not there, by a pattern and a word. */
export const Missing = ({ why, title, children }: MissingProps) => (
  <span className={why === 'gap' ? styles.gap : styles.empty} data-absence={why} title={title}>
    {why === 'gap' && <Icon name="minus" size={12} />}
    {children}
  </span>
);

/** What the two kinds of missing values mean. */
export const Legend = () => (
  <p className={styles.legend}>
    <Missing why="gap">cannot supply</Missing> the provider does not offer this field here
    <Missing why="empty">empty</Missing> it does, and sent nothing
  </p>
);

/** Why a value is not there. */
type Absence = 'gap' | 'empty' | 'not-asked';

/**
 * The fields that a provider cannot supply for this request, each with the sentence that says so. A
 * warning may name several fields, and several such parts:
 * `title, author: x cannot supply these; html: only at tier max`.
 */
export function gapsOf(warnings: readonly Warning[]): ReadonlyMap<string, string> {
  const gaps = new Map<string, string>();
  for (const { code, message } of warnings) {
    if (code !== 'capability_gap') continue;
    for (const part of message.split('; ')) {
      const names = /^([a-z_]+(?:, [a-z_]+)*): /.exec(part)?.[1] ?? '';
      for (const name of names.split(', '))
        if (name !== '' && !gaps.has(name)) gaps.set(name, part);
    }
  }
  return gaps;
}

/** A value that says nothing. */
export const isEmptyValue = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);
