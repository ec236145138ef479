/**
 * The built-in tables, as an extraction thread reads them when it starts. A test checks them
 * against schemas: to load those would cost each thread as much again as the rest of its start.
 */
import { tableLines } from '@trawl/base';
import type { RowErrorCode } from '@trawl/contract';
import { comparable } from './diagnose-text.ts';
import familiesTable from './page-families.tsv?raw';
import type { PageRule } from './page-rules.ts';
import rulesTable from './page-rules.tsv?raw';

/**
 * A family of pages that look like an answer but are not. All texts are normalized by `comparable`.
 * The comments at the top of `page-families.tsv` and `page-rules.tsv` explain each part.
 */
export interface PageFamily {
  readonly code: RowErrorCode;
  readonly reason: string;
  readonly titles: readonly string[];
  readonly weakTitles: readonly string[];
  readonly phrases: readonly string[];
  readonly labels: readonly string[];
  readonly needsLabel: boolean;
  readonly hints: readonly string[];
  readonly topics: readonly string[];
  readonly marks: readonly string[];
  readonly about: readonly string[];
  /** Its pages are also known by their shape, as `asksForConsent` says. */
  readonly hasShape: boolean;
  /** The most words that the family does not explain. */
  readonly maxWords: number;
  /** The most words in total, without menus. */
  readonly maxTotal: number;
}

/** A row of `page-families.tsv`. */
interface FamilyRow
  extends Pick<PageFamily, 'code' | 'reason' | 'needsLabel' | 'maxWords' | 'maxTotal'> {
  readonly family: string;
  readonly meaning: string;
}

/** Marks a space at the end of a text, because editors remove plain ones. */
const VISIBLE_BLANK = '␣';

let familyRows: readonly FamilyRow[] | undefined;

/** The rows of `page-families.tsv`, in the order in which the families are tried. */
export function pageFamilyRows(): readonly FamilyRow[] {
  familyRows ??= [...tableLines(familiesTable)].slice(1).map(({ cells }) => {
    const [family = '', code, reason = '', maxWords, maxTotal, needsLabel, meaning = ''] = cells;
    return {
      ...{ family, code: code as RowErrorCode, reason, meaning },
      ...{ maxWords: Number(maxWords), maxTotal: Number(maxTotal) },
      needsLabel: needsLabel === 'yes',
    };
  });
  return familyRows;
}

/** The names in a cell of families. */
export const namesOf = (list: string): readonly string[] =>
  list.split(',').map((name) => name.trim());

let builtIn: readonly PageFamily[] | undefined;

/** The families with the built-in rules, read at the first call. */
export function builtInFamilies(): readonly PageFamily[] {
  builtIn ??= pageFamilies([]);
  return builtIn;
}

/** Copies the text: a slice of the table takes two bytes per character and is slower to search. */
const compact = (text: string): string => Buffer.from(text).toString();

/**
 * The families with the built-in rules and an operator's own, in the order in which they are tried.
 */
export function pageFamilies(own: readonly PageRule[]): readonly PageFamily[] {
  const texts = new Map<string, string[]>();
  const textsOf = (family: string, part: string): string[] => {
    const key = `${family} ${part}`;
    const known = texts.get(key) ?? [];
    texts.set(key, known);
    return known;
  };
  const add = (list: string, part: string, text: string): void => {
    const plain = compact(text.replaceAll(VISIBLE_BLANK, ' '));
    for (const family of namesOf(list)) textsOf(family, part).push(plain);
  };
  const [, ...builtInRules] = tableLines(rulesTable);
  for (const { cells } of builtInRules) {
    const [list = '', part = '', , text = ''] = cells;
    add(list, part, text);
  }
  for (const { family, part, text } of own) add(family, part, comparable(text));
  return pageFamilyRows().map((row) => ({
    code: row.code,
    reason: row.reason,
    titles: textsOf(row.family, 'title'),
    weakTitles: textsOf(row.family, 'weak_title'),
    phrases: textsOf(row.family, 'phrase'),
    labels: textsOf(row.family, 'label'),
    needsLabel: row.needsLabel,
    hints: textsOf(row.family, 'hint'),
    topics: textsOf(row.family, 'topic'),
    marks: textsOf(row.family, 'mark'),
    about: textsOf(row.family, 'about'),
    hasShape: row.family === 'cookie_wall',
    maxWords: row.maxWords,
    maxTotal: row.maxTotal,
  }));
}
