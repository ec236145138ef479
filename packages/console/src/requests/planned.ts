/** A JSON object as a request holds it. */
export type JsonObject = { readonly [key: string]: unknown };

/**
 * A request of the public API that was made or may be made: what the playground holds, and what a
 * link to it carries.
 */
export interface PlannedRequest {
  readonly mode: 'search' | 'fetch';
  /** The body of the request, in the words of the API. */
  readonly body: JsonObject;
}

/** Members of a body that only the general form of a search reads. */
const GENERAL_MEMBERS = ['user_id', 'postprocessor_names', 'preprocessor_names'] as const;

/** Where a request is sent. A search with a user or with postprocessors is an interaction. */
export function endpointOf({
  mode,
  body,
}: PlannedRequest): 'POST /v1/search' | 'POST /v1/interactions' | 'POST /v1/fetch' {
  if (mode === 'fetch') return 'POST /v1/fetch';
  const isGeneral = GENERAL_MEMBERS.some((name) => (body[name] ?? null) !== null);
  return isGeneral ? 'POST /v1/interactions' : 'POST /v1/search';
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
