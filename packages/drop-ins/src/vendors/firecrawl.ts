/** https://docs.firecrawl.dev/api-reference/endpoint/scrape */

import type { FetchRow } from '@trawl/contract';
import { given } from '@trawl/contract';
import { z } from 'zod';
import {
  type DropIn,
  type DropInAnswer,
  type DropInFault,
  type Fetched,
  fetchRoute,
} from '../declaration/declaration.ts';
import {
  CHAIN_DECIDES,
  CLIENT_NAME,
  PROGRAM_NAME,
  shortList,
  UNSUPPORTED,
} from '../declaration/values.ts';
import { firecrawlSearch, firecrawlSearchV1 } from './firecrawl-search.ts';

const FORMATS = [
  'markdown',
  'html',
  'rawHtml',
  'links',
  'images',
  'summary',
  'screenshot',
] as const;
const NOT_A_FORMAT = `must be one of ${FORMATS.join(', ')}`;
const format = z.union([
  z.enum(FORMATS, NOT_A_FORMAT),
  z.literal('screenshot@fullPage').transform(() => 'screenshot' as const),
  z.object({ type: z.enum(FORMATS, NOT_A_FORMAT) }).transform(({ type }) => type),
]);

const SECOND_MS = 1_000;

const REFUSED = ['actions', 'headers', 'includeTags', 'excludeTags', 'location', 'mobile'];

/** Members that version 2 added are not part of version 1, so they are ignored there. */
interface Version {
  readonly path: string;
  readonly ignored: Readonly<Record<string, string>>;
  readonly refused: readonly string[];
}

const scrapeOf = ({ path, ignored, refused }: Version) =>
  fetchRoute({
    path,
    input: z.object({
      url: z.string(),
      formats: shortList(z.array(format).min(1)).optional(),
      onlyMainContent: z.literal(true, 'trawl returns the main content only').optional(),
      maxAge: z.int().min(0).optional(),
      timeout: z.int().min(1).optional(),
    }),
    mapped: {
      url: '`urls`; `http://` is added where a scheme is missing',
      formats: '`markdown` is the content; the others are fields of tier `extended`',
      onlyMainContent: '`true`; `false` is refused',
      maxAge: '`options.max_age_seconds`; 0 is `options.no_cache`',
      timeout: 'the page is aborted after it, with 408',
    },
    ignored: {
      storeInCache: CHAIN_DECIDES,
      waitFor: CHAIN_DECIDES,
      skipTlsVerification: CHAIN_DECIDES,
      removeBase64Images: CHAIN_DECIDES,
      blockAds: CHAIN_DECIDES,
      proxy: CHAIN_DECIDES,
      origin: CLIENT_NAME,
      integration: PROGRAM_NAME,
      ...ignored,
    },
    refused: Object.fromEntries([...REFUSED, ...refused].map((name) => [name, UNSUPPORTED])),
    names: { urls: 'url' },
    ask: ({ url, formats, maxAge, timeout }) => ({
      urls: [/^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(url) ? url : `http://${url}`],
      timeLimitMs: timeout,
      tier: (formats ?? []).every((name) => name === 'markdown') ? 'default' : 'extended',
      contentFormat: 'markdown',
      maxAgeSeconds: maxAge === undefined ? undefined : Math.ceil(maxAge / SECOND_MS),
    }),
    answer: (fetched, { formats }) => scraped(fetched, new Set(formats ?? ['markdown'])),
  });

const scrape = scrapeOf({
  path: '/v2/scrape',
  ignored: { parsers: CHAIN_DECIDES, fastMode: CHAIN_DECIDES },
  refused: [
    'minAge',
    'lockdown',
    'onlyCleanContent',
    'profile',
    'zeroDataRetention',
    'redactPII',
    'threatProtection',
    'auditMetadata',
    'domainTools',
    'toolDetail',
    'useMock',
  ],
});

const scrapeV1 = scrapeOf({
  path: '/v1/scrape',
  ignored: { parsePDF: CHAIN_DECIDES },
  refused: ['extract', 'jsonOptions', 'changeTrackingOptions', 'agent'],
});

function scraped({ rows, id }: Fetched, formats: ReadonlySet<string>): DropInAnswer {
  const [row] = rows;
  if (!row || row.error !== null) return failed(row);
  const texts = {
    markdown: row.content,
    html: row.html,
    rawHtml: row.raw_html,
    links: row.links,
    images: row.images,
    summary: row.summary,
    screenshot: row.screenshot,
  };
  return {
    body: {
      success: true,
      data: {
        ...Object.fromEntries(
          Object.entries(texts).flatMap(([name, value]) =>
            formats.has(name) ? [[name, value ?? null]] : [],
          ),
        ),
        warning: row.warning,
        metadata: metadataOf(row, id),
      },
    },
  };
}

/** What is not known is left out. */
const metadataOf = (row: FetchRow, id: string) =>
  given({
    title: row.title ?? undefined,
    description: row.description ?? undefined,
    language: row.language ?? undefined,
    author: row.author ?? undefined,
    publishedTime: row.publish_date ?? undefined,
    favicon: row.favicon ?? undefined,
    ogImage: row.thumbnail ?? undefined,
    sourceURL: row.url,
    url: row.canonical_url ?? row.url,
    statusCode: row.http_status ?? undefined,
    contentType: row.content_type ?? undefined,
    numPages: row.page_count ?? undefined,
    cacheState: row.cache_state ?? undefined,
    scrapeId: id,
  });

const CODES: Readonly<Record<string, string>> = {
  timeout: 'SCRAPE_TIMEOUT',
  dns_error: 'SCRAPE_DNS_RESOLUTION_ERROR',
  unsupported_type: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
  not_found: 'SCRAPE_SITE_ERROR',
  target_error: 'SCRAPE_SITE_ERROR',
};

/** A page that was not read: 408 for its time, otherwise 500, as at Firecrawl. */
function failed(row: FetchRow | undefined): DropInAnswer {
  const { code = 'internal_error', message = 'the page was not read' } = row?.error ?? {};
  return {
    status: code === 'timeout' ? 408 : 500,
    body: {
      success: false,
      error: `${code}: ${message}`,
      code: CODES[code] ?? 'SCRAPE_ALL_ENGINES_FAILED',
    },
  };
}

/** Its client repeats a 502 three times, which would pay three times. */
const STATUSES: Readonly<Record<number, number>> = { 422: 400, 502: 500 };

const fault = ({ status, message }: DropInFault): DropInAnswer => ({
  status: STATUSES[status] ?? status,
  body: { success: false, error: message },
});

export const firecrawlDropIn: DropIn = {
  slug: 'firecrawl',
  name: 'Firecrawl',
  keys: [{ in: 'bearer' }],
  routes: [firecrawlSearch, scrape, firecrawlSearchV1, scrapeV1],
  fault,
};
