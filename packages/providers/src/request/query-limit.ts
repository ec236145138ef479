export interface CutQuery {
  readonly query: string;
  /** The limit that was exceeded, for the warning; null when the query was not cut. */
  readonly limit: string | null;
}

/**
 * A query as long as a provider accepts: cut at a word where there is one. Characters are code
 * points.
 */
export function cutQuery(
  query: string,
  limit: { readonly characters?: number; readonly words?: number },
): CutQuery {
  const byWords = cutWords(query, limit.words);
  const cut = cutCharacters(byWords, limit.characters);
  if (cut === query) return { query, limit: null };
  const exceeded = [
    ...(limit.characters === undefined ? [] : [`${limit.characters} characters`]),
    ...(limit.words === undefined ? [] : [`${limit.words} words`]),
  ];
  return { query: cut, limit: exceeded.join(' and ') };
}

function cutWords(query: string, words: number | undefined): string {
  // a word and the space after it take at least two characters
  if (words === undefined || query.length < 2 * words) return query;
  let seen = 0;
  let end = 0;
  // stops at the first word too many: a hostile query may have half a million
  for (const { 0: word, index } of query.matchAll(/\S+/g)) {
    seen += 1;
    if (seen > words) return query.slice(0, end);
    end = index + word.length;
  }
  return query;
}

function cutCharacters(query: string, characters: number | undefined): string {
  if (characters === undefined || query.length <= characters) return query;
  // leading white space would use up the limit
  const points = [...query.trimStart()];
  if (points.length <= characters) return query;
  const head = points.slice(0, characters).join('');
  const endsAtWord = /\s/.test(points[characters] ?? '');
  const lastSpace = head.search(/\s\S*$/);
  return (endsAtWord || lastSpace < 1 ? head : head.slice(0, lastSpace)).trimEnd();
}
