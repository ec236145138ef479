/** What a search finds. */
import synonyms from '../search-synonyms.json' with { type: 'json' };

const MOST_RESULTS = 12;

/** Words of a question that do not describe its subject. */
const EMPTY_WORDS = new Set(
  'a an and are at be can do does for from how i in is it me my of on or the this to want what where with you'.split(
    ' ',
  ),
);

/** Swapped letters count as two changes, so a word of six may have as many. */
const TYPING_ERRORS = { fuzzy: (word) => (word.length > 5 ? 0.34 : 0.2) };

/**
 * All words or their synonyms; else the same with typing errors; else any of the words.
 * @param {import('minisearch').default} index
 * @param {string} text As typed.
 */
export function find(index, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const telling = words.filter((word) => !EMPTY_WORDS.has(word));
  const queries = (telling.length > 0 ? telling : words).map(withSynonyms);
  const attempts = [
    { combineWith: 'AND', queries },
    { combineWith: 'AND', queries, ...TYPING_ERRORS },
    { combineWith: 'OR', queries, ...TYPING_ERRORS },
  ];
  for (const attempt of attempts) {
    const found = index.search(attempt);
    if (found.length > 0) return found.slice(0, MOST_RESULTS);
  }
  return [];
}

function withSynonyms(word) {
  const others = Object.hasOwn(synonyms, word) ? synonyms[word] : [];
  const queries = [word, ...others].map((query) => ({ combineWith: 'AND', queries: [query] }));
  return { combineWith: 'OR', queries };
}
