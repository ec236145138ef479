import type { z } from 'zod';
import { ContextSearchOptions } from '../schemas/context.ts';
import { FetchOptions } from '../schemas/fetch.ts';
import { SearchOptions } from '../schemas/search-request.ts';

/** Keys that are refused at the top of a body, each with a sentence on what to write instead. */
export interface Misplaced {
  readonly hints: ReadonlyMap<string, string>;
  /**
   * Options of the request, and where they belong: a key that is nearly one of them is refused too.
   */
  readonly options: { readonly place: string; readonly names: readonly string[] };
  /** Whether the options are refused in the query objects of `user_input` too. */
  readonly inQueries: boolean;
}

/** The smallest bodies, as hints show them. */
export const SEARCH_FORM = '{"user_input": {"query": …}}';
export const FETCH_FORM = '{"urls": ["https://…"]}';
export const CONTEXT_FORM = '{"query": …}';
export const FEEDBACK_FORM = '{"results": [{"url": …, "verdict": "used"}]}';
const BATCH_FORM = '{"user_input": [{"query": …}, {"query": …}]}';

const dryRunOf = (path: string): [string, string] => [
  'dry_run',
  `dry_run is a query parameter: POST ${path}?dry_run=true`,
];

const QUERIES: [string, string][] = [
  ['query', `write ${SEARCH_FORM}`],
  ['q', `write ${SEARCH_FORM}`],
  ['queries', `write ${BATCH_FORM}`],
];

/**
 * Words of other APIs, with where the providers are named and what to write instead of a number of
 * results.
 */
const otherWords = (providers: string, count: string): [string, string][] => [
  ['provider', `name the providers in ${providers}`],
  ['stream', 'send the header Accept: text/event-stream for an answer in events'],
  ['limit', count],
  ['count', count],
  ['max_results', count],
];

/** @param words further keys, and what to write instead of each */
function misplaced(
  options: z.ZodObject,
  place: 'search' | 'options',
  path: string,
  words: readonly [string, string][],
): Misplaced {
  const names = Object.keys(options.shape);
  const placed = names.map((name): [string, string] => [name, `put ${name} into ${place}`]);
  return {
    hints: new Map([...words, ...placed, dryRunOf(path)]),
    options: { place, names },
    inQueries: place === 'search',
  };
}

const SEARCH: readonly [string, string][] = [
  ...otherWords('search.providers.include', 'write the number of results as search.num_results'),
  ['options', 'put options into search'],
  ['option', 'put options into search'],
  ...QUERIES,
];

export const INTERACTION_MISPLACED = misplaced(SearchOptions, 'search', '/v1/interactions', SEARCH);

export const SEARCH_MISPLACED = misplaced(SearchOptions, 'search', '/v1/search', [
  ...SEARCH,
  ['preprocessor_names', 'name the providers in search.providers.include'],
  ['postprocessor_names', 'send the request to POST /v1/interactions, which has postprocessors'],
]);

export const CONTEXT_MISPLACED = misplaced(ContextSearchOptions, 'search', '/v1/context', [
  ...otherWords('search.providers.include', 'write the number of results as search.num_results'),
  ['options', 'put options into search or fetch'],
  ['option', 'put options into search or fetch'],
  ['user_input', `write ${CONTEXT_FORM}`],
  ['q', `write ${CONTEXT_FORM}`],
  ['queries', 'send one query for each context'],
  ['max_chars', 'write the size as max_tokens'],
]);

export const FETCH_MISPLACED = misplaced(FetchOptions, 'options', '/v1/fetch', [
  ...otherWords('options.providers', 'a fetch returns each page of urls; leave it out'),
  ['url', `put it into urls: ${FETCH_FORM}`],
]);
