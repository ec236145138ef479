import { isJsonObject, type JsonObject } from '@trawl/contract/json-object';
import type { PlannedRequest } from '../../requests/planned.ts';

export type Mode = PlannedRequest['mode'];

/** What the playground starts with. */
export const emptyRequest = (mode: Mode): PlannedRequest =>
  mode === 'search' ? { mode, body: { user_input: { query: '' } } } : { mode, body: { urls: [] } };

/** Where the options of each mode are. */
const OPTIONS: Readonly<Record<Mode, string>> = { search: 'search', fetch: 'options' };

export function optionsOf({ mode, body }: PlannedRequest): JsonObject {
  const options = body[OPTIONS[mode]];
  return isJsonObject(options) ? options : {};
}

/**
 * Options after a change. One that becomes undefined is left out, and so is a group without any.
 */
export function withOptions(request: PlannedRequest, change: JsonObject): PlannedRequest {
  return withMembers(request, { [OPTIONS[request.mode]]: changed(optionsOf(request), change) });
}

/** Members of a body that the form shows without its options. */
const MAIN: readonly string[] = ['user_input', 'urls', 'search', 'options'];

/** How many options the request sets, apart from whom it asks. */
export function optionsSet(request: PlannedRequest): number {
  const own = Object.keys(optionsOf(request)).filter((name) => name !== 'providers');
  return own.length + Object.keys(request.body).filter((name) => !MAIN.includes(name)).length;
}

/** Members of the body after a change. */
export const withMembers = (request: PlannedRequest, change: JsonObject): PlannedRequest => ({
  ...request,
  body: changed(request.body, change) ?? {},
});

/** An object after a change; undefined once it has no members. */
export function changed(object: JsonObject, change: JsonObject): JsonObject | undefined {
  const entries = Object.entries({ ...object, ...change }).filter(
    ([, value]) => value !== undefined,
  );
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** The query objects; what is not one counts as an empty query. */
export function queriesOf({ body: { user_input: input } }: PlannedRequest): readonly JsonObject[] {
  const items: readonly unknown[] = Array.isArray(input) ? input : [input];
  return items.map((item) => (isJsonObject(item) ? item : { query: '' }));
}

export const withQueries = (
  request: PlannedRequest,
  queries: readonly JsonObject[],
): PlannedRequest => {
  const [only, another] = queries;
  return withMembers(request, { user_input: another ? queries : (only ?? { query: '' }) });
};

export const urlsOf = ({ body: { urls } }: PlannedRequest): readonly string[] =>
  Array.isArray(urls) ? urls.filter((url) => typeof url === 'string') : [];

/** Whether there is anything to send. The rest is for the server to judge. */
export const isRunnable = (request: PlannedRequest): boolean =>
  request.mode === 'fetch'
    ? urlsOf(request).length > 0
    : queriesOf(request).every(({ query }) => typeof query !== 'string' || query.trim() !== '');

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const namesOf = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined;
