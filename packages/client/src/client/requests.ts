import type {
  ContextRequest,
  FetchRequest,
  InteractionRequest,
  SearchOptions,
  SearchRequest,
} from '../contract/types.ts';
import { isObject } from '../values/json.ts';

/** The `search` block of one call. In addition, `auto_routing: 'off'` overrides the settings. */
export interface PerCallOptions extends Omit<SearchOptions, 'auto_routing'> {
  readonly auto_routing?: 'accuracy' | 'off' | null | undefined;
}

/** A request whose `search` block may turn routing off. */
export type PerCall<Request extends { readonly search?: unknown }> = Omit<Request, 'search'> & {
  readonly search?: PerCallOptions | null | undefined;
};

/** A search with one query at the top instead of `user_input`. */
export interface QueryRequest extends Omit<PerCall<SearchRequest>, 'user_input'> {
  readonly query: string;
  readonly user_input?: undefined;
}

/**
 * The input of a search: a query, `{ query }` with the other members of a request, or the request
 * of the API.
 */
export type SearchInput = string | QueryRequest | PerCall<SearchRequest>;

/** The input of a fetch: a URL, several, or the request of the API. */
export type FetchInput = string | readonly string[] | FetchRequest;

/** The input of a context: a question, or the request of the API. */
export type ContextInput = string | ContextRequest;

/** The request of the API. It is not validated here: the server reports mistakes with hints. */
export function searchRequest(input: SearchInput): PerCall<SearchRequest> {
  if (typeof input === 'string') return { user_input: { query: input } };
  return hasQueryOnTop(input) ? withUserInput(input) : input;
}

/** `unknown`, since a caller without types may pass anything. */
const hasQueryOnTop = (input: unknown): input is QueryRequest =>
  isObject(input) && 'query' in input && input.user_input === undefined;

function withUserInput({ query, user_input: _, ...rest }: QueryRequest): PerCall<SearchRequest> {
  return { ...rest, user_input: { query } };
}

/** The API has no `off`: without a value nothing is routed. */
export function withoutOff(request: PerCall<InteractionRequest>): InteractionRequest {
  const { search } = request;
  if (search?.auto_routing !== 'off') return request as InteractionRequest;
  const { auto_routing: _, ...others } = search;
  return { ...request, search: others };
}

export function fetchRequest(input: FetchInput): FetchRequest {
  if (typeof input === 'string') return { urls: [input] };
  return Array.isArray(input) ? { urls: input } : (input as FetchRequest);
}

export const contextRequest = (input: ContextInput): ContextRequest =>
  typeof input === 'string' ? { query: input } : input;
