import { comparableUrl } from '@trawl/contract';

/** One page by its URL, or any page of a domain and its subdomains. */
export type Truth = { readonly url: string } | { readonly domain: string };

/**
 * For each of the first rows, whether it is right. Each truth counts once: a second page of the
 * same right site adds nothing.
 */
export function relevantRows(
  urls: readonly string[],
  truths: readonly Truth[],
  depth: number,
): readonly boolean[] {
  const left = new Set(truths);
  return urls.slice(0, depth).map((url) => {
    const met = [...left].find((truth) => matchesTruth(url, truth));
    if (met !== undefined) left.delete(met);
    return met !== undefined;
  });
}

/**
 * Normalized discounted cumulative gain of the first rows, 0 to 1: right rows count less further
 * down.
 */
export function ndcg(urls: readonly string[], truths: readonly Truth[], depth: number): number {
  const gain = (isRight: readonly boolean[]) =>
    isRight.reduce((sum, right, index) => sum + (right ? 1 / Math.log2(index + 2) : 0), 0);
  const best = gain(Array(Math.min(depth, truths.length)).fill(true));
  return best === 0 ? 0 : gain(relevantRows(urls, truths, depth)) / best;
}

/** 1 if one of the first rows is right, otherwise 0. */
export const success = (urls: readonly string[], truths: readonly Truth[], depth: number): number =>
  Number(relevantRows(urls, truths, depth).includes(true));

function matchesTruth(url: string, truth: Truth): boolean {
  if ('url' in truth) return pageOf(url) === pageOf(truth.url);
  const host = comparableUrl(url)?.domain;
  return host !== undefined && (host === truth.domain || host.endsWith(`.${truth.domain}`));
}

/** One spelling per page: ignores the scheme, `www.` and a trailing slash. */
export function pageOf(url: string): string {
  const comparable = comparableUrl(url)?.url ?? url;
  return comparable.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/(?=$|\?)/, '');
}
