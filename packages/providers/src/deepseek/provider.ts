/** https://api-docs.deepseek.com, API reference "search" with its guide, and "fetch" */
import { z } from 'zod';
import { defineProvider } from '../declaration/declare.ts';
import { defineFetch, pageCapabilities } from '../declaration/fetch.ts';
import { anySite, checked, inQuery, noSite, unsupported } from '../declaration/filters.ts';
import { defineSearch, rowCapabilities, supplied } from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { shortReason, verdict } from '../parsed/page.ts';
import { pageReader } from '../parsed/page-table.ts';
import { rowReader } from '../parsed/rows.ts';
import { object } from '../values/json.ts';
import { limitedText, openingOf, text } from '../values/text.ts';

const pageIn = pageReader({ content: 'content', title: 'title', dropped: 'all' });

const deepseekFetch = defineFetch({
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

/** Its value for an authority that is not known. */
const UNKNOWN = -1;

const rowsIn = rowReader({
  url: 'url',
  title: 'title',
  full_content: 'content',
  date: 'date',
  favicon: 'site_icon',
  dropped: ['snippet', 'summary'],
  more: ({ snippet, summary }, { authority, site_name, ...left }) => {
    const [short, long] = [limitedText(snippet), limitedText(summary)];
    return {
      summary: short ?? openingOf(long),
      excerpt: long ?? short,
      enrichments: {
        ...left,
        ...(authority === undefined || authority === UNKNOWN ? {} : { authority }),
        ...(text(site_name) === null ? {} : { site_name }),
      },
    };
  },
});

const deepseekSearch = defineSearch({
  description:
    'Web search over an index of its own, with passages and page text, for short queries.',
  docsUrl: 'https://api-docs.deepseek.com',
  isDefaultOnlyAlone: true,
  count: { control: 'native', parameter: 'count', max: 50 },
  capabilities: rowCapabilities({
    excerpt: supplied,
    full_content: supplied,
    favicon: supplied,
  }),
  filters: {
    include_domains: inQuery('documents the operator site:, several of them with OR', anySite),
    exclude_domains: inQuery('documents the operator -site:', noSite),
    published_after: inQuery(
      'documents the operator after:',
      ({ published_after }) => `after:${published_after}`,
      checked('has no room for the operator after:'),
    ),
    published_before: inQuery(
      'documents the operator before:',
      ({ published_before }) => `before:${published_before}`,
      checked('has no room for the operator before:'),
    ),
    country: unsupported('has no filter for countries'),
    language: inQuery(
      'documents the operator lang:',
      ({ language }) => `lang:${language}`,
      unsupported('documents the operator lang: as a part of the query alone'),
    ),
    safe_search: unsupported('has no safe search'),
  },
  queryLimit: { characters: 128, isRefused: true },
  timeoutMs: 15_000,
  concurrency: 8,
  isEmptyFree: true,
  // the address of the person who asks
  personalOverrides: ['localization'],
  request: ({ query, count, wanted: { fields } }) => ({
    method: 'POST',
    path: '/v1/tools/search',
    body: { query, count, ...(fields.has('full_content') ? { need_content: true } : {}) },
  }),
  response: z.looseObject({ results: z.array(z.unknown()) }),
  parse: ({ results }) => ({ rows: rowsIn(results) }),
});

export const deepseek = defineProvider({
  slug: 'deepseek',
  name: 'DeepSeek',
  baseUrl: 'https://api.deepseek.com',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['DEEPSEEK_API_KEY'],
  keyPage: { url: 'https://platform.deepseek.com/api_keys' },
  prices: { asOf: '2026-11-28', usd: { search: 0.00075, fetch_page: 0.00075 } },
  dataUse: {
    ...UNKNOWN_USE,
    checked: '2026-11-28',
    note: 'Nothing was found on training, retention and the licence of results: the agreement of the open platform could not be read. The vendor is in China.',
  },
  search: deepseekSearch,
  fetch: deepseekFetch,
});
