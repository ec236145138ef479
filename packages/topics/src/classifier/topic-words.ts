import { readTableFile, type TableFormat } from '@trawl/base';
import { TOPICS } from '@trawl/contract';
import { z } from 'zod';

/** The most words in a term with `match` words. */
export const TERM_WORDS_MAX = 3;
/** The least number of letters before the `*` of a term. */
export const BEGINNING_MIN = 3;
const TERM_LENGTH_MAX = 100;
/** Each term with `match` anywhere is searched for in each query of its script. */
const OPERATOR_TERMS_MAX = 2_000;

const oneOf = <const Value extends string>(values: readonly Value[]) =>
  z.enum(values, `must be one of ${values.join(', ')}`);

/**
 * One row: words of one language that indicate a topic. The comments at the top of `lexicon.tsv`
 * explain the columns.
 */
const TOPIC_WORDS = z
  .object({
    language: z
      .string()
      .regex(/^[a-z]{2,3}(?:-[A-Za-z]{2,4})?$/, 'must be a language code such as de'),
    match: oneOf(['words', 'anywhere']),
    topic: oneOf(TOPICS),
    weight: oneOf(['1', '2', '3']).transform(Number),
    terms: z.string().transform((list) =>
      list
        .split(',')
        .map((term) => term.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim())
        .filter((term) => term !== ''),
    ),
  })
  .superRefine(({ match, terms }, context) => {
    const message =
      terms.length === 0
        ? 'is empty; write terms with commas between them'
        : terms.map((term) => problemOf(term, match)).find((problem) => problem !== undefined);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['terms'], message });
  });

export type TopicWords = z.output<typeof TOPIC_WORDS>;

/** The format of the built-in table and of an operator's. */
export const TOPIC_WORDS_TABLE: TableFormat<typeof TOPIC_WORDS> = {
  row: TOPIC_WORDS,
  maxRows: 1_000,
};

function problemOf(term: string, match: 'words' | 'anywhere'): string | undefined {
  if (term.length > TERM_LENGTH_MAX) {
    return `has a term of ${term.length} characters; write at most ${TERM_LENGTH_MAX}`;
  }
  if (match === 'anywhere') {
    return term.includes('*') ? 'has a term with *, which needs match words' : undefined;
  }
  const words = term.split(' ').length;
  if (words > TERM_WORDS_MAX)
    return `has a term of ${words} words; write at most ${TERM_WORDS_MAX}`;
  if (term.endsWith('*') && term.length <= BEGINNING_MIN) {
    return `has a term with less than ${BEGINNING_MIN} letters before its *; write more of the word`;
  }
  return undefined;
}

/**
 * The rows of an operator's file of topic words.
 * @returns the problem if the file cannot be used: the end of a sentence that begins with the
 * setting's name
 */
export function readTopicWords(
  path: string,
): { readonly rows: readonly TopicWords[] } | { readonly problem: string } {
  const inFile = (problem: string) => ({
    problem: `must name a table of topic words: ${path} ${problem}`,
  });
  const read = readTableFile(path, TOPIC_WORDS_TABLE);
  if ('problem' in read) return inFile(read.problem);
  const terms = read.rows.reduce((count, row) => count + row.terms.length, 0);
  return terms > OPERATOR_TERMS_MAX
    ? inFile(`has ${terms} terms; write at most ${OPERATOR_TERMS_MAX}`)
    : read;
}
