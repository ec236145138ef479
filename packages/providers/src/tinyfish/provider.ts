/** https://docs.tinyfish.ai/search-api/reference */
import { z } from 'zod';
import { refusesParameter } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import { type FilterRules, native, prefers, unsupported } from '../declaration/filters.ts';
import {
  defineSearch,
  never,
  rowCapabilities,
  type SearchPlan,
  supplied,
} from '../declaration/search.ts';
import { rowReader } from '../parsed/rows.ts';
import { dated } from '../values/dates.ts';
import { list, object, without } from '../values/json.ts';
import { joinedTexts, limitedText, limitedTitle } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';
import { tinyfishFetch } from './fetch.ts';
import { readTinyfishFailure } from './shared.ts';

/** Papers have years instead of days. Only an override asks for them. */
const papers = unsupported(
  'accepts only whole years where provider_overrides set domain_type to research_paper',
);
const arePapers = (overrides: { readonly domain_type?: unknown }) =>
  overrides.domain_type === 'research_paper';

/** The year of its first or last day; null for another day. */
const yearOf = (day = '', edge: '-01-01' | '-12-31'): number | null =>
  day.endsWith(edge) ? Number(day.slice(0, 4)) : null;

/** The tool definitions of https://github.com/tinyfish-io/tinyfish-mcp-server have them too. */
const filters: FilterRules = {
  include_domains: native('takes hosts in include_domains', ({ include_domains: hosts = [] }) => ({
    include_domains: hosts.join(','),
  })),
  exclude_domains: native('takes hosts in exclude_domains', ({ exclude_domains: hosts = [] }) => ({
    exclude_domains: hosts.join(','),
  })),
  published_after: native(
    'takes a day in after_date',
    ({ published_after: day }, { overrides }) => {
      if (!arePapers(overrides)) return { after_date: day };
      const year = yearOf(day, '-01-01');
      return year === null ? null : { pub_year_min: year };
    },
    papers,
  ),
  published_before: native(
    'takes a day in before_date',
    ({ published_before: day }, { overrides }) => {
      if (!arePapers(overrides)) return { before_date: day };
      const year = yearOf(day, '-12-31');
      return year === null ? null : { pub_year_max: year };
    },
    papers,
  ),
  country: prefers(
    'prefers pages of the country in location, which also sets the language unless one is asked for',
    ({ country }) => ({ location: country }),
  ),
  language: prefers(
    'prefers pages in the language in language, which also sets the country unless one is asked for',
    ({ language }) => ({ language }),
  ),
  safe_search: unsupported('has no safe search'),
};

/** Papers name their authors, as texts or as objects with a name. */
function authorOf(authors: unknown) {
  const names = list(authors).flatMap(
    (author) => limitedTitle(object(author).name ?? author) ?? [],
  );
  return joinedTexts(names, ', ') ?? limitedTitle(authors);
}

/**
 * A date in words that name no day ("1 year ago") is not consumed: it stays readable in
 * enrichments.
 */
const rowsIn = rowReader({
  url: 'url',
  title: 'title',
  dropped: 'all',
  more: (row) => {
    const date = dated(row.date);
    const snippet = limitedText(row.snippet);
    const thumbnail = absoluteUrl(row.thumbnail_url, row.url);
    const consumed = [
      'url',
      'title',
      snippet === null ? 'description' : 'snippet',
      ...(date.publish_date === null ? [] : ['date']),
      ...(thumbnail === null ? [] : ['thumbnail_url']),
    ];
    return {
      summary: snippet ?? limitedText(row.description),
      date,
      thumbnail,
      author: authorOf(row.authors),
      enrichments: without(row, new Set(consumed)),
    };
  },
});

function request({ query, wanted }: SearchPlan) {
  const images = wanted.fields.has('thumbnail') ? { include_thumbnail: 'true' } : {};
  return { method: 'GET', path: '/v1/search', query: { query, ...images } } as const;
}

const tinyfishSearch = defineSearch({
  description: 'Fast web search in pages of ten, free of charge.',
  docsUrl: 'https://docs.tinyfish.ai/search-api/reference',
  count: { control: 'page', max: 10 },
  capabilities: rowCapabilities({
    excerpt: never('returns one snippet per result, which is the summary'),
    full_content: never('is not asked for page text: its documents do not say how'),
    thumbnail: supplied,
    fetch_meta: never('does not say when or how it read the page'),
    answer: never('returns no answer with its results'),
    verticals: never('returns only web results, no other result blocks'),
  }),
  filters,
  timeoutMs: 15_000,
  concurrency: 10,
  request,
  optionalParts: [
    {
      in: 'query',
      name: 'include_thumbnail',
      isRefused: refusesParameter('include_thumbnail'),
      gap: { field: 'thumbnail', reason: 'refuses include_thumbnail' },
    },
  ],
  response: z.looseObject({ results: z.array(z.unknown()) }),
  parse: ({ results }) => ({ rows: rowsIn(results) }),
  readFailure: readTinyfishFailure,
});

export const tinyfish = defineProvider({
  slug: 'tinyfish',
  name: 'TinyFish',
  baseUrl: 'https://api.search.tinyfish.ai',
  // each of its hosts has one resource; behind an operator's base URL they share a host
  pathAtBaseUrl: '/',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['TINYFISH_API_KEY'],
  keyPage: {
    url: 'https://agent.tinyfish.ai/api-keys',
    free: 'all searches and pages, 30 searches a minute',
  },
  prices: { asOf: '2026-11-21', usd: { search: 0, fetch_page: 0 } },
  dataUse: {
    training: 'yes',
    retention: 'unknown',
    region: 'unknown',
    source: 'https://www.tinyfish.ai/terms',
    checked: '2026-11-23',
    note: 'As several public reviews of July to October 2026 read the standard terms: customer data, queries included, may train and fine-tune models, and the privacy policy names no period of deletion. The page itself could not be read for this check. A separate agreement may say otherwise.',
  },
  search: tinyfishSearch,
  fetch: tinyfishFetch,
});
