/** https://you.com/docs/guides/contents */
import type { JsonObject } from '@trawl/contract';
import { z } from 'zod';
import { defineFetch, type FetchPlan, pageCapabilities } from '../declaration/fetch.ts';
import { type PageReading, verdict } from '../parsed/page.ts';
import { filledObject, pageReader } from '../parsed/page-table.ts';
import { object, objects } from '../values/json.ts';
import { absoluteUrl } from '../values/urls.ts';

const CRAWL_MAX_SECONDS = 60;

const asksMetadata = ({ fields }: FetchPlan): boolean =>
  fields.has('metadata') || fields.has('favicon');

/** Always a fresh crawl: a page is asked for as it is now. */
function request(plan: FetchPlan) {
  const { url, fields, timeLimitMs } = plan;
  const formats = [
    'markdown',
    ...(fields.has('raw_html') ? ['html'] : []),
    ...(asksMetadata(plan) ? ['metadata'] : []),
  ];
  const crawl_timeout = Math.min(Math.max(Math.floor(timeLimitMs / 1000), 1), CRAWL_MAX_SECONDS);
  const body: JsonObject = { urls: [url], formats, crawl_timeout, max_age: 0 };
  return { method: 'POST', path: '/v1/contents', body } as const;
}

const pageIn = pageReader({
  content: 'markdown',
  title: 'title',
  canonical_url: 'url',
  description: 'metadata.opengraph.og:description',
  raw_html: 'html',
  metadata: { at: 'metadata', read: filledObject },
});

/** Without text the page was not retrieved, whatever markup came. */
const page = (entry: JsonObject, { url }: FetchPlan): PageReading =>
  pageIn(entry, url, {
    canonical_url: url,
    favicon: absoluteUrl(object(entry.metadata).favicon_url, url),
  });

export const youFetch = defineFetch({
  description: 'Freshly crawled pages as markdown, with their source and metadata from extended.',
  docsUrl: 'https://you.com/docs/guides/contents',
  chain: 'default',
  lowestMaxAgeSeconds: 0,
  contentFormats: ['markdown'],
  capabilities: pageCapabilities({
    supplied: ['title', 'canonical_url', 'raw_html', 'favicon', 'metadata', 'enrichments'],
    onCondition: {
      description: {
        when: asksMetadata,
        reason: 'comes, for some pages, with the metadata that tier extended asks for',
      },
    },
  }),
  timeoutMs: 30_000,
  concurrency: 10,
  price: (_plan, _page, rates) => ({ usd: rates.fetch_page ?? 0, kind: 'known' }),
  failedPages: 'unknown',
  request,
  response: z.array(z.unknown()),
  parse: (body, plan) => {
    const [entry] = objects(body);
    return entry ? page(entry, plan) : verdict('provider_error', 'no_content');
  },
});
