/** https://docs.firecrawl.dev/api-reference/endpoint/scrape */
import { isJsonObject, type JsonObject, type PageField } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer } from '../declaration/call.ts';
import { defineFetch, type FetchPlan, pageCapabilities } from '../declaration/fetch.ts';
import { type PageReading, type ParsedPage, verdict } from '../parsed/page.ts';
import { finiteNumber, object } from '../values/json.ts';
import type { Rates } from '../values/price.ts';
import { text } from '../values/text.ts';
import { readFirecrawlPage, scrapeCode, scrapeVerdict } from './page.ts';
import { KEYLESS_PACE, readKeylessFailure } from './shared.ts';

/** Bounds of the vendor's `timeout`, in milliseconds. */
const SHORTEST_MS = 1000;
const LONGEST_MS = 300_000;

const EVERYTHING = ['markdown', 'html', 'rawHtml', 'links', 'images', 'summary', 'screenshot'];
/** Without a schema the json format, which costs extra, needs a prompt. */
const FACTS = {
  type: 'json',
  prompt:
    'List the main facts that this page states, under short descriptive keys, in the words of the page. Add nothing of your own.',
};
/** Credits of the json format, in addition to those of the page. */
const FACTS_CREDITS = 4;

/**
 * Credits of profiles and posts of X, which Grok is asked for: https://docs.firecrawl.dev/billing
 */
const X_CREDITS = 29;
const X_HOSTS = new Set(['x.com', 'twitter.com', 'mobile.twitter.com']);
/** Documented without `www.`; a plan that is too high only reserves more. */
const isOfX = (url: string): boolean => X_HOSTS.has(new URL(url).hostname.replace('www.', ''));

const FORMATS = {
  minimalist: ['markdown'],
  default: ['markdown'],
  extended: EVERYTHING,
  max: [...EVERYTHING, FACTS],
} as const;

function freshness({ noCache, maxAgeSeconds }: FetchPlan): JsonObject {
  if (noCache) return { maxAge: 0 };
  return maxAgeSeconds === null ? {} : { maxAge: maxAgeSeconds * 1000 };
}

function price({ tier, url }: FetchPlan, page: ParsedPage | null, rates: Rates) {
  // a PDF costs a credit per page
  const listed =
    Math.max(1, page?.page_count ?? 1) +
    (tier === 'max' ? FACTS_CREDITS : 0) +
    (isOfX(url) ? X_CREDITS : 0);
  const credits = finiteNumber(page?.usage?.units.credits) ?? listed;
  return { usd: credits * (rates.fetch_usd_per_credit ?? 0), kind: 'estimated' } as const;
}

/** Statuses that are about the key, the account or the load, whatever the body says. */
const OF_THE_CALL = new Set([401, 402, 403, 429]);

/**
 * Its 403 for a site on its blocklist: "This website is not currently supported, …", "… we do not
 * support this site. …". The words have changed over the years; its other 403 is a bare
 * "Forbidden".
 */
function isUnsupportedSite(body: unknown): boolean {
  const said = (text(object(body).error) ?? '').slice(0, 500);
  return /\b(?:web)?site\b/i.test(said) && /\bsupport/i.test(said);
}

function readFailedAnswer({ status, body }: FailedAnswer): PageReading | undefined {
  if (status === 403 && isUnsupportedSite(body)) return verdict('blocked', 'unsupported_site');
  if (OF_THE_CALL.has(status)) return undefined;
  const code = scrapeCode(body);
  // its 408 means that the page took too long; some have no code
  if (status === 408) return scrapeVerdict(code ?? 'SCRAPE_TIMEOUT');
  return code === null ? undefined : scrapeVerdict(code);
}

function request(plan: FetchPlan, formats: readonly unknown[]) {
  return {
    method: 'POST',
    path: '/v2/scrape',
    body: {
      url: plan.url,
      formats,
      ...freshness(plan),
      timeout: Math.min(LONGEST_MS, Math.max(SHORTEST_MS, Math.floor(plan.timeLimitMs))),
    },
  } as const;
}

/** What comes with the markdown of a page, at no extra price. */
const WITH_MARKDOWN: readonly PageField[] = [
  'title',
  'http_status',
  'canonical_url',
  'cache_state',
  'request_id',
  'js_rendered',
  'pdf_mode',
  'description',
  'page_count',
  'content_type',
  'language',
  'author',
  'publish_date',
  'favicon',
  'thumbnail',
  'metadata',
  'usage',
  'enrichments',
];

export const firecrawlFetch = defineFetch({
  description: 'Pages rendered in a browser, as markdown, HTML, links, images and a screenshot.',
  docsUrl: 'https://docs.firecrawl.dev/api-reference/endpoint/scrape',
  chain: 'default',
  lowestMaxAgeSeconds: 0,
  contentFormats: ['markdown'],
  capabilities: pageCapabilities({
    supplied: [
      ...WITH_MARKDOWN,
      'raw_html',
      'html',
      'screenshot',
      'summary',
      'links',
      'images',
      'structured',
    ],
  }),
  timeoutMs: 60_000,
  concurrency: 16,
  price,
  failedPages: 'unknown',
  request: (plan) => request(plan, FORMATS[plan.tier]),
  // `success: false` is an answer only where it says what happened to the page
  response: z
    .looseObject({})
    .refine((body) =>
      body.success === false ? scrapeCode(body) !== null : isJsonObject(body.data),
    ),
  parse: (body, { url }) => {
    const code = body.success === false ? scrapeCode(body) : null;
    return code === null ? readFirecrawlPage(object(body.data), url) : scrapeVerdict(code);
  },
  readFailedAnswer,
  keyless: {
    allowance: 'a number of pages a day per IPv4 address, which is not published',
    pace: KEYLESS_PACE,
    capabilities: pageCapabilities({ supplied: WITH_MARKDOWN }),
    request: (plan) => request(plan, FORMATS.default),
    readFailure: readKeylessFailure,
  },
});
