/** https://docs.tavily.com/documentation/api-reference/endpoint/extract */
import type { JsonObject, Warning } from '@trawl/contract';
import { z } from 'zod';
import { defineFetch, type FetchPlan, pageCapabilities } from '../declaration/fetch.ts';
import { type PageReading, shortReason, verdict } from '../parsed/page.ts';
import { pageReader } from '../parsed/page-table.ts';
import { list, objects } from '../values/json.ts';
import { hasRelativeLinks } from '../values/markdown-links.ts';
import { text } from '../values/text.ts';
import { webUrls } from '../values/urls.ts';
import {
  KEYLESS_HEADERS,
  KEYLESS_PACE,
  readKeylessFailure,
  readTavilyFailure,
  tavilyImageUrl,
  tavilyUsage,
} from './shared.ts';

const RELATIVE_LINKS: Warning = {
  code: 'relative_links',
  message: 'tavily returned site-relative links in the page text; they were left as they are',
};

interface Answer {
  readonly results: readonly unknown[];
  readonly failed_results?: unknown;
  readonly usage?: unknown;
  readonly request_id?: unknown;
}

const pageIn = pageReader({
  content: 'raw_content',
  title: 'title',
  canonical_url: 'url',
  favicon: 'favicon',
  images: {
    at: 'images',
    read: (images, page) => webUrls(list(images).map(tavilyImageUrl), page),
  },
  more: ({ raw_content }) => ({
    remarks: hasRelativeLinks(text(raw_content) ?? '') ? [RELATIVE_LINKS] : [],
  }),
});

const readPage = (row: JsonObject, { request_id, usage }: Answer, asked: string): PageReading =>
  pageIn(row, asked, { request_id: text(request_id), usage: tavilyUsage(usage) });

/** The reason for a failed page is only a text, without a code or a status. */
function readFailedResult({ failed_results: failed, usage }: Answer): PageReading {
  const reason = shortReason(objects(failed)[0]?.error, 'no_result');
  return verdict('provider_error', reason, null, { usage: tavilyUsage(usage) });
}

const request = ({ url, fields }: FetchPlan) =>
  ({
    method: 'POST',
    path: '/extract',
    body: {
      urls: [url],
      extract_depth: 'basic',
      format: 'markdown',
      ...(fields.has('images') ? { include_images: true } : {}),
      ...(fields.has('favicon') ? { include_favicon: true } : {}),
      ...(fields.has('usage') ? { include_usage: true } : {}),
    },
  }) as const;

export const tavilyFetch = defineFetch({
  description: 'Page text as markdown, with title, favicon and images.',
  docsUrl: 'https://docs.tavily.com/documentation/api-reference/endpoint/extract',
  chain: 'default',
  lowestMaxAgeSeconds: null,
  contentFormats: ['markdown'],
  capabilities: pageCapabilities({
    supplied: ['title', 'canonical_url', 'request_id', 'favicon', 'images', 'usage', 'enrichments'],
  }),
  timeoutMs: 35_000,
  concurrency: 32,
  // a credit buys five delivered pages, so one page costs a fifth of it
  price: (_plan, _page, rates) => ({ usd: rates.fetch_page ?? 0, kind: 'estimated' }),
  failedPages: 'free',
  request,
  response: z.looseObject({ results: z.array(z.unknown()) }),
  parse: (body, { url }) => {
    const [row] = objects(body.results);
    return row ? readPage(row, body, url) : readFailedResult(body);
  },
  readFailure: readTavilyFailure,
  // https://docs.tavily.com/documentation/keyless
  keyless: {
    allowance: 'light use, whose limit is not published',
    pace: KEYLESS_PACE,
    request: (plan) => ({ ...request(plan), headers: KEYLESS_HEADERS }),
    readFailure: readKeylessFailure,
  },
});
