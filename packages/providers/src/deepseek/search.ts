/** https://api-docs.deepseek.com, API reference "search" and its guide */
import { z } from 'zod';
import { anySite, checked, inQuery, noSite, unsupported } from '../declaration/filters.ts';
import { defineSearch, rowCapabilities, supplied } from '../declaration/search.ts';
import { rowReader } from '../parsed/rows.ts';
import { limitedText, openingOf, text } from '../values/text.ts';

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

export const deepseekSearch = defineSearch({
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
