import { pageOf, type Truth } from '../statistics/relevance.ts';

/** Others that must have a page before it counts as agreed. */
const VOTES_MIN = 2;

/**
 * The pages that several other providers have among their first rows. The judged provider has no
 * vote, so nothing that it alone found helps it, and it cannot make a page right. null where fewer
 * than two others answered: they cannot agree.
 */
export function agreedPages(
  others: readonly (readonly string[])[],
  depth: number,
): readonly Truth[] | null {
  const answered = others.filter((urls) => urls.length > 0);
  if (answered.length < VOTES_MIN) return null;
  const votes = new Map<string, { url: string; count: number }>();
  for (const urls of answered) {
    const pages = new Map(urls.slice(0, depth).map((url) => [pageOf(url), url]));
    for (const [page, url] of pages) {
      const before = votes.get(page);
      votes.set(page, { url: before?.url ?? url, count: (before?.count ?? 0) + 1 });
    }
  }
  return [...votes.values()].filter(({ count }) => count >= VOTES_MIN).map(({ url }) => ({ url }));
}
