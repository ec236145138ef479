import { readTableFile, type TableFormat } from '@trawl/base';
import { z } from 'zod';
import { namesOf, pageFamilyRows } from './page-families.ts';

const PARTS = ['title', 'weak_title', 'phrase', 'label', 'hint', 'topic', 'mark', 'about'] as const;
/** One such text is enough for a short page; texts shorter than this are on too many pages. */
const PROVING_PARTS: readonly string[] = ['title', 'phrase', 'mark'];
const PROVING_LENGTH_MIN = 4;
const LENGTH_MAX = 200;

const familyNames = (): readonly string[] => pageFamilyRows().map(({ family }) => family);

/** The format of a row: of the built-in table, and of an operator's file. */
export const RULE = z
  .object({
    family: z
      .string()
      .refine((list) => namesOf(list).every((name) => familyNames().includes(name)), {
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
