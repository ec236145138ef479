import { builtInRows, readTableFile, type TableFormat, tableLines } from '@trawl/base';
import { ROW_ERRORS, type RowErrorCode } from '@trawl/contract';
import { z } from 'zod';
import { comparable } from './diagnose-text.ts';
import familiesTable from './page-families.tsv?raw';
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

const count = z
  .string()
  .regex(/^\d{1,3}$/, 'must be a number of words')
  .transform(Number);

const FAMILY = z.object({
  family: z.string().regex(/^[a-z_]+$/, 'must be a name of small letters and _'),
  code: z.custom<RowErrorCode>(
    (code) => typeof code === 'string' && Object.hasOwn(ROW_ERRORS, code),
    'must be a code of a failed row',
  ),
  reason: z.string().regex(/^[a-z\d_]+$/, 'must be a name of small letters and _'),
  max_words: count,
  max_total: count,
  needs_label: z.enum(['yes', 'no'], 'must be yes or no'),
  meaning: z.string(),
});
/** The format of `page-families.tsv`. */
export const PAGE_FAMILIES: TableFormat<typeof FAMILY> = { row: FAMILY, maxRows: 100 };

const PARTS = ['title', 'weak_title', 'phrase', 'label', 'hint', 'topic', 'mark', 'about'] as const;
/** One such text is enough for a short page; texts shorter than this are on too many pages. */
const PROVING_PARTS: readonly string[] = ['title', 'phrase', 'mark'];
const PROVING_LENGTH_MIN = 4;
const LENGTH_MAX = 200;
/** Marks a space at the end of a text, because editors remove plain ones. */
const VISIBLE_BLANK = '␣';

const RULE = z
  .object({
    family: z.string().refine((list) => namesOf(list).every(isFamily), {
      error: () =>
        `must be one of ${familyNames().join(', ')}, or several with commas between them`,
    }),
    part: z.enum(PARTS, `must be one of ${PARTS.join(', ')}`),
    language: z
      .string()
      .regex(
        /^(?:any|[a-z]{2,3}(?:-[A-Za-z]{2,4})?)$/,
        'must be a language code such as de, or any',
      ),
    text: z.string(),
  })
  .superRefine(({ part, text }, context) => {
    const min = PROVING_PARTS.includes(part) ? PROVING_LENGTH_MIN : 1;
    const { length } = text.trim();
    if (length >= min && length <= LENGTH_MAX) return;
    const message = `has ${length} characters; write ${min} to ${LENGTH_MAX}`;
    context.addIssue({ code: 'custom', path: ['text'], message });
  });

/** A row of a table of page rules. */
export type PageRule = z.output<typeof RULE>;

/** The format of `page-rules.tsv`. */
export const PAGE_RULES: TableFormat<typeof RULE> = { row: RULE, maxRows: 10_000 };
/** Fewer rows than the built-in table: an extraction thread compares each page with all of them. */
const OPERATOR_RULES: TableFormat<typeof RULE> = { row: RULE, maxRows: 1_000 };

/**
 * The rows of an operator's file of page rules.
 * @returns the problem if the file cannot be used: the end of a sentence that begins with the
 * setting's name
 */
export function readPageRules(
  path: string,
): { readonly rows: readonly PageRule[] } | { readonly problem: string } {
  const read = readTableFile(path, OPERATOR_RULES);
  return 'problem' in read
    ? { problem: `must name a table of page rules: ${path} ${read.problem}` }
    : read;
}

type FamilyRow = z.output<typeof FAMILY>;

let familyRows: ReadonlyMap<string, FamilyRow> | undefined;

function families(): ReadonlyMap<string, FamilyRow> {
  familyRows ??= new Map(
    builtInRows('page-families.tsv', familiesTable, PAGE_FAMILIES).map((row) => [row.family, row]),
  );
  return familyRows;
}

/** The rows of `page-families.tsv`, in the order in which the families are tried. */
export const pageFamilyRows = (): readonly FamilyRow[] => [...families().values()];

const familyNames = (): readonly string[] => [...families().keys()];
const isFamily = (name: string): boolean => families().has(name);
const namesOf = (list: string): readonly string[] => list.split(',').map((name) => name.trim());

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
  // a test checks it against its schema; doing that here would delay the first page of each thread
  // by about 20 ms
  const [, ...builtInRules] = tableLines(rulesTable);
  for (const { cells } of builtInRules) {
    const [list = '', part = '', , text = ''] = cells;
    add(list, part, text);
  }
  for (const { family, part, text } of own) add(family, part, comparable(text));
  return pageFamilyRows().map(({ family, code, reason, max_words, max_total, needs_label }) => ({
    code,
    reason,
    titles: textsOf(family, 'title'),
    weakTitles: textsOf(family, 'weak_title'),
    phrases: textsOf(family, 'phrase'),
    labels: textsOf(family, 'label'),
    needsLabel: needs_label === 'yes',
    hints: textsOf(family, 'hint'),
    topics: textsOf(family, 'topic'),
    marks: textsOf(family, 'mark'),
    about: textsOf(family, 'about'),
    hasShape: family === 'cookie_wall',
    maxWords: max_words,
    maxTotal: max_total,
  }));
}
