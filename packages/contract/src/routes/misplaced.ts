import type { z } from 'zod';
import { FetchOptions } from '../schemas/fetch.ts';
import { SearchOptions } from '../schemas/search-request.ts';

/** Keys that are refused at the top of a body, each with a sentence on what to write instead. */
export type Misplaced = ReadonlyMap<string, string>;

/** The smallest bodies, as hints show them. */
export const SEARCH_FORM = '{"user_input": {"query": …}}';
export const FETCH_FORM = '{"urls": ["https://…"]}';
export const FEEDBACK_FORM = '{"results": [{"url": …, "verdict": "used"}]}';
const BATCH_FORM = '{"user_input": [{"query": …}, {"query": …}]}';

const optionsOf = (options: z.ZodObject, place: string): [string, string][] =>
  Object.keys(options.shape).map((name) => [name, `put ${name} into ${place}`]);

const dryRunOf = (path: string): [string, string] => [
  'dry_run',
  `dry_run is a query parameter: POST ${path}?dry_run=true`,
];

const QUERIES: [string, string][] = [
  ['query', `write ${SEARCH_FORM}`],
  ['q', `write ${SEARCH_FORM}`],
  ['queries', `write ${BATCH_FORM}`],
];

export const INTERACTION_MISPLACED: Misplaced = new Map([
  ...optionsOf(SearchOptions, 'search'),
  dryRunOf('/v1/interactions'),
  ...QUERIES,
]);

export const SEARCH_MISPLACED: Misplaced = new Map([
  ...optionsOf(SearchOptions, 'search'),
  dryRunOf('/v1/search'),
  ...QUERIES,
  ['preprocessor_names', 'name the providers in search.providers.include'],
  ['postprocessor_names', 'send the request to POST /v1/interactions, which has postprocessors'],
]);

export const FETCH_MISPLACED: Misplaced = new Map([
  ...optionsOf(FetchOptions, 'options'),
  dryRunOf('/v1/fetch'),
  ['url', `put it into urls: ${FETCH_FORM}`],
]);
