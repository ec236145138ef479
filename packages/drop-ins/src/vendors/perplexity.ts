/**
 * https://docs.perplexity.ai/api-reference/search-post, and the search routes of LiteLLM's proxy,
 * which have the same form: https://docs.litellm.ai/docs/search
 */

import { given, LIMITS } from '@trawl/contract';
import { z } from 'zod';
import {
  type DropIn,
  type DropInAnswer,
  type DropInFault,
  type FoundPage,
  listRoute,
  queryText,
  searchRoute,
} from '../declaration/declaration.ts';
import {
  clampedCount,
  flag,
  hostOf,
  isoDay,
  OWN_LIMITS,
  shortList,
  startOf,
  wholeNumber,
} from '../declaration/values.ts';

/** The tool of LiteLLM's routes that asks the providers of the deployment. */
const DEFAULT_TOOL = 'default';

/** One query; its clients may send it in a list. */
const oneQuery = z.union([
  queryText,
  shortList(z.array(queryText).length(1, 'trawl answers one query in a request')).transform(
    ([query = '']) => query,
  ),
]);

const DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const date = z
  .string()
  .regex(DATE, 'must be a day as MM/DD/YYYY')
  .transform((text) => {
    const [, month, day, year] = DATE.exec(text) ?? [];
    return isoDay(month, day, year);
  });

const SPANS = ['hour', 'day', 'week', 'month', 'year'] as const;

const hosts = shortList(z.array(z.string())).refine(
  (list) => new Set(list.map((host) => host.startsWith('-'))).size < 2,
  'hosts to search in and hosts to leave out (with -) cannot be mixed',
);

/** Entries may have a path, which our filters lack. */
const hostsOf = (list: readonly string[] = []) => {
  const isExcluding = list[0]?.startsWith('-') === true;
  const names = list.map((entry) => hostOf(entry.replace(/^-/, '')));
  return names.length === 0 ? {} : { [isExcluding ? 'exclude_domains' : 'include_domains']: names };
};

/** Four characters are about one token. */
const CHARACTERS_OF_TOKEN = 4;

const input = z.object({
  query: oneQuery,
  max_results: clampedCount.optional(),
  country: z.string().optional(),
  search_domain_filter: hosts.optional(),
  search_language_filter: shortList(z.array(z.string())).optional(),
  search_recency_filter: z.enum(SPANS).optional(),
  search_after_date_filter: date.optional(),
  search_before_date_filter: date.optional(),
  search_type: z.enum(['web', 'fast'], 'trawl searches the web only').optional(),
  max_tokens_per_page: wholeNumber.pipe(z.int().min(1)).optional(),
  display_server_time: flag.optional(),
  search_tool_name: z.string().optional(),
});

const MAPPED = {
  query: '`user_input.query`; a list of one query is that query, more are refused',
  max_results: `\`search.num_results\`, cut to ${LIMITS.resultsMax}; 10 when absent`,
  country: '`search.filters.country`',
  search_domain_filter:
    '`search.filters.include_domains`, or `exclude_domains` where entries begin with `-`',
  search_language_filter: '`search.filters.language`: the first of the list',
  search_recency_filter: '`search.filters.published_after`, counted back from today',
  search_after_date_filter: '`search.filters.published_after`',
  search_before_date_filter: '`search.filters.published_before`',
  search_type: '`web` or `fast`, without effect; `people` is refused',
  max_tokens_per_page: `the length of a snippet, ${CHARACTERS_OF_TOKEN} characters for a token`,
  display_server_time: '`server_time`: when the search ended',
  search_tool_name: `the search provider of this name; \`${DEFAULT_TOOL}\` asks those of the deployment`,
};

const search = (path: string) =>
  searchRoute({
    path,
    ...(path.endsWith('/*') ? { rest: 'search_tool_name' } : {}),
    input,
    mapped: MAPPED,
    own: {
      last_updated_after_filter: date,
      last_updated_before_filter: date,
      search_mode: z.enum(['web', 'academic', 'sec']),
    },
    ignored: { max_tokens: OWN_LIMITS, search_context_size: OWN_LIMITS },
    names: {
      'user_input.query': 'query',
      'search.num_results': 'max_results',
      'search.filters.include_domains': 'search_domain_filter',
      'search.filters.exclude_domains': 'search_domain_filter',
      'search.filters.language': 'search_language_filter',
      'search.filters.country': 'country',
      'search.filters.published_after': 'search_after_date_filter',
      'search.filters.published_before': 'search_before_date_filter',
      'search.filters': 'search_after_date_filter',
    },
    ask: (asked, own, today) => ({
      query: asked.query,
      numResults: asked.max_results ?? 10,
      fields: ['publish_date', 'excerpt'],
      filters: given({
        ...hostsOf(asked.search_domain_filter),
        country: asked.country,
        language: asked.search_language_filter?.[0],
        published_after:
          asked.search_after_date_filter ??
          (asked.search_recency_filter && startOf(asked.search_recency_filter, today)),
        published_before: asked.search_before_date_filter,
      }),
      own,
      provider: asked.search_tool_name === DEFAULT_TOOL ? undefined : asked.search_tool_name,
    }),
    answer: ({ id, completedAt, pages }, { max_tokens_per_page: tokens, display_server_time }) => ({
      body: {
        id,
        object: 'search',
        results: pages.map((page) => resultOf(page, tokens)),
        server_time: display_server_time ? completedAt : null,
      },
    }),
  });

/** Its clients fail on a row without a text. */
function resultOf({ title, url, summary, excerpt, publish_date }: FoundPage, tokens?: number) {
  const text = excerpt ?? summary ?? '';
  return {
    title: title ?? '',
    url,
    snippet: tokens === undefined ? text : text.slice(0, tokens * CHARACTERS_OF_TOKEN),
    date: publish_date?.slice(0, 10) ?? null,
    last_updated: null,
  };
}

const tools = (path: string) =>
  listRoute(path, (providers) => ({
    body: {
      object: 'list',
      data: [
        tool(DEFAULT_TOOL, 'the search providers of this deployment'),
        ...providers.map((slug) => tool(slug, `${slug} alone`)),
      ],
    },
  }));

const tool = (name: string, description: string) => ({
  search_tool_name: name,
  search_provider: 'trawl',
  description,
});

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  404: 'not_found_error',
  422: 'invalid_request_error',
  429: 'rate_limit_error',
};

/** One body for both families of clients. */
function fault({ status: ours, message, parameter }: DropInFault): DropInAnswer {
  const status = ours === 400 ? 422 : ours;
  const type = TYPES[status] ?? 'api_error';
  const loc = parameter === undefined ? ['body'] : ['body', parameter];
  const detail = status === 422 ? { detail: [{ loc, msg: message, type: 'value_error' }] } : {};
  return {
    status,
    body: {
      error: { message, type, param: parameter ?? null, code: String(status) },
      ...detail,
    },
  };
}

export const perplexityDropIn: DropIn = {
  slug: 'perplexity',
  name: 'Perplexity',
  keys: [{ in: 'bearer' }],
  routes: [
    tools('/search/tools'),
    tools('/v1/search/tools'),
    ...['/search', '/v1/search', '/search/*', '/v1/search/*'].map(search),
  ],
  fault,
};
