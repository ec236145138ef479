import type { FetchRequest, SearchRequest } from '../contract/types.ts';
import { isObject } from '../values/json.ts';

/** A search with one query at the top instead of `user_input`. */
export interface QueryRequest extends Omit<SearchRequest, 'user_input'> {
  readonly query: string;
  readonly user_input?: undefined;
}

/** The input of a search: a query, `{ query }` with the other members of a request, or the request of the API. */
export type SearchInput = string | QueryRequest | SearchRequest;

/** The input of a fetch: a URL, several, or the request of the API. */
export type FetchInput = string | readonly string[] | FetchRequest;

/** The request of the API. It is not validated here: the server reports mistakes with hints. */
export function searchRequest(input: SearchInput): SearchRequest {
  if (typeof input === 'string') return { user_input: { query: input } };
  return hasQueryOnTop(input) ? withUserInput(input) : input;
}

/** `unknown`, since a caller without types may pass anything. */
const hasQueryOnTop = (input: unknown): input is QueryRequest =>
  isObject(input) && 'query' in input && input.user_input === undefined;

function withUserInput({ query, user_input: _, ...rest }: QueryRequest): SearchRequest {
  return { ...rest, user_input: { query } };
}

export function fetchRequest(input: FetchInput): FetchRequest {
  if (typeof input === 'string') return { urls: [input] };
  return Array.isArray(input) ? { urls: input } : (input as FetchRequest);
}
