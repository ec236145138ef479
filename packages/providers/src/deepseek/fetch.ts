/** https://api-docs.deepseek.com, API reference "fetch" */
import { z } from 'zod';
import { defineFetch, pageCapabilities } from '../declaration/fetch.ts';
import { shortReason, verdict } from '../parsed/page.ts';
import { pageReader } from '../parsed/page-table.ts';
import { object } from '../values/json.ts';

const pageIn = pageReader({ content: 'content', title: 'title', dropped: 'all' });

export const deepseekFetch = defineFetch({
  description: 'Page text as markdown, with its title.',
  docsUrl: 'https://api-docs.deepseek.com',
  chain: 'default',
  lowestMaxAgeSeconds: null,
  contentFormats: ['markdown'],
  capabilities: pageCapabilities({ supplied: ['title'] }),
  timeoutMs: 60_000,
  concurrency: 8,
  price: (_plan, _page, rates) => ({ usd: rates.fetch_page ?? 0, kind: 'known' }),
  failedPages: 'free',
  request: ({ url }) => ({ method: 'POST', path: '/v1/tools/fetch', body: { url } }),
  response: z.looseObject({ content: z.string() }),
  parse: (body, { url }) => pageIn(body, url),
  // the page is missing or cannot be read, or its host is unknown or private
  readFailedAnswer: ({ status, body }) =>
    status === 404
      ? verdict('provider_error', shortReason(object(object(body).error).message, 'not_read'))
      : undefined,
});
