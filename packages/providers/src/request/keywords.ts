/**
 * English words that say nothing about what is looked for. Indexes that want every word find
 * nothing with them.
 */
const EMPTY_WORDS = new Set(
  'a an and are as at be been by can could did do does for from had has have how i in into is it its me my not of on or our should so such than that the their there these they this those to was we were what when where which who whom whose why will with would you your'.split(
    ' ',
  ),
);

/** Characters with a meaning in the languages of searches. */
const SYNTAX = /[\s"'“”‘’()[\]{}:;,!?*~^\\/|&<>=]+/;

/**
 * The words of a query that say what it is about, without the syntax of any search; all of its
 * words where none would be left.
 */
export function keywordsOf(query: string): readonly string[] {
  // a leading minus would exclude the word, and a full stop ends a sentence
  const words = query
    .split(SYNTAX)
    .map((word) => word.replace(/^[-+.]{1,9}|\.{1,9}$/g, ''))
    .filter((word) => word !== '');
  const telling = words.filter((word) => !EMPTY_WORDS.has(word.toLowerCase()));
  return telling.length > 0 ? telling : words;
}
