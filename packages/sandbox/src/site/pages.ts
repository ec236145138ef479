import { ARTICLES } from './articles.ts';
import { BODIES } from './bodies.ts';
import { CHARSETS } from './charsets.ts';
import { DOCUMENTS } from './documents.ts';
import { ENCODINGS } from './encodings.ts';
import { REDIRECTS } from './redirects.ts';
import { STATUSES } from './statuses.ts';
import type { SitePage } from './visit.ts';

/** Every page of the site, in the order of its index. */
export const SITE_PAGES: readonly SitePage[] = [
  ...ARTICLES,
  ...DOCUMENTS,
  ...STATUSES,
  ...REDIRECTS,
  ...CHARSETS,
  ...ENCODINGS,
  ...BODIES,
];
