/** The three kinds of LinkedIn records, by their addresses. */
export type RecordKind = 'company' | 'job' | 'post';

/** The vendor's collection for each kind. Profiles of people have one too, which is never asked. */
export const DATASETS: Readonly<Record<RecordKind, string>> = {
  company: 'gd_l1vikfnt1wgvvqz95w',
  job: 'gd_lpfll7v5hcqtkxl6l',
  post: 'gd_lyy3tktm25m4avu764',
};

/**
 * Escaped letters of any script, but no escaped slash, backslash, blank or control character: those
 * would mean another page.
 */
const SLUG = '(?:[^/%]|%(?:[34689a-f][0-9a-f]|2[1-9a-e]|5[0-9abdef]|7[0-9a-e]))+';
const path = (pattern: string) => new RegExp(`^${pattern}/?$`, 'i');

const PATHS: readonly (readonly [RecordKind, RegExp])[] = [
  ['company', path(`/(?:company|showcase)/${SLUG}`)],
  ['job', path(String.raw`/jobs/view/(?:${SLUG}-)?\d+`)],
  ['post', path(`/posts/${SLUG}`)],
  ['post', /^\/feed\/update\/urn(?::|%3A)li(?::|%3A)activity(?::|%3A)\d{1,30}\/?$/i],
];

const HOST = /^(?:[^.]+\.)*linkedin\.com$/;

export const isLinkedIn = ({ hostname, port }: URL): boolean => HOST.test(hostname) && port === '';

/**
 * The kind of record at an address; null for pages that are not collected, such as those of people.
 */
export function recordKind(url: URL): RecordKind | null {
  if (!isLinkedIn(url)) return null;
  return PATHS.find(([, path]) => path.test(url.pathname))?.[0] ?? null;
}

/**
 * The address in the form that the vendor knows: on the main host, its fixed words in lower case,
 * without query.
 */
export function collectedUrl(url: URL): string {
  const address = url.pathname
    .replace(/%3A/gi, ':')
    .replace(/\/$/, '')
    .replace(/^\/(?:company|showcase|jobs\/view|posts|feed\/update)/i, (words) =>
      words.toLowerCase(),
    );
  return `https://www.linkedin.com${address}`;
}
