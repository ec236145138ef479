import { parsedUrl } from '../../parsed-url.ts';
/** The kinds of records, and the forms of the addresses they are collected from. */
export type RecordKind = 'company' | 'job' | 'post';

export const DATASETS: Readonly<Record<RecordKind, string>> = {
  company: 'gd_l1vikfnt1wgvvqz95w',
  job: 'gd_lpfll7v5hcqtkxl6l',
  post: 'gd_lyy3tktm25m4avu764',
};

/** A data set of people, which no answer is made of. */
export const PEOPLE_DATASET = 'gd_l1viktl72bvl7bjuj0';

export const RECORD_KINDS: readonly RecordKind[] = ['company', 'job', 'post'];

const PATHS: Readonly<Record<RecordKind, RegExp>> = {
  company: /^\/(?:company|showcase)\/([^/]+)\/?$/,
  job: /^\/jobs\/view\/([^/]*\d+)\/?$/,
  post: /^\/(?:posts\/([^/]+)|feed\/update\/urn:li:activity:(\d+))\/?$/,
};

/** What the address names: a slug or an id. Undefined when it is none of this kind. */
export function nameIn(kind: RecordKind, address: string): string | undefined {
  const url = parsedUrl(address);
  if (url === null) return undefined;
  const { protocol, hostname, pathname } = url;
  if (!/^https?:$/.test(protocol) || !/(^|\.)linkedin\.com$/.test(hostname)) return undefined;
  const found = PATHS[kind].exec(pathname);
  return found ? (found[1] ?? found[2]) : undefined;
}
