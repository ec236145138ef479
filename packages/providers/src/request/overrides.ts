import { isJsonObject, type JsonObject, LIMITS } from '@trawl/contract';
import type { HttpCall, QueryParameters } from '../declaration/call.ts';

const COUNT_KEYS = new Set([
  'numresults',
  'maxresults',
  'count',
  'num',
  'limit',
  'topk',
  'nresults',
  'resultcount',
]);

/** Keys that would set credentials, streaming or the form of the answer. Compared without `_` and `-`. */
const REFUSED_KEYS = new Set([
  'apikey',
  'xapikey',
  'accesstoken',
  'authorization',
  'xsubscriptiontoken',
  'stream',
  'output',
  'async',
  'source',
]);

const plainKey = (key: string): string => key.toLowerCase().replace(/[_-]/g, '');

export function isCountKey(key: string): boolean {
  return COUNT_KEYS.has(plainKey(key));
}

/**
 * Keys of a provider's block that may not be overridden, as written.
 * @param own further keys of this provider that set the form of its answer
 */
export function refusedKeys(block: JsonObject, own: readonly string[] = []): readonly string[] {
  return Object.keys(block).filter((key) => REFUSED_KEYS.has(plainKey(key)) || own.includes(key));
}

/** The number in a count-type value: a number, or a string of digits. */
function countOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : null;
}

/**
 * Every count in a block, at any depth. A list under a count-type key counts too: a query string carries `[50]` as 50.
 * @param isCount the key of the value is a count-type key
 */
export function countsIn(value: unknown, isCount = false): readonly number[] {
  const count = isCount ? countOf(value) : null;
  if (count !== null) return [count];
  if (Array.isArray(value)) return value.flatMap((item) => countsIn(item, isCount));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => countsIn(inner, isCountKey(key)));
}

export interface Capped {
  readonly block: JsonObject;
  /** The counts that were lowered, as `key` and the value received. */
  readonly lowered: readonly { readonly key: string; readonly from: number }[];
}

/** The block with every count at most `max`. A string of digits stays a string. */
export function capCounts(block: JsonObject, max: number): Capped {
  const lowered: { key: string; from: number }[] = [];
  const cap = (value: unknown, countKey: string | null): unknown => {
    const count = countKey === null ? null : countOf(value);
    if (countKey !== null && count !== null) {
      if (count <= max) return value;
      lowered.push({ key: countKey, from: count });
      return typeof value === 'string' ? String(max) : max;
    }
    if (Array.isArray(value)) return value.map((item) => cap(item, countKey));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, cap(inner, isCountKey(key) ? key : null)]),
    );
  };
  return { block: cap(block, null) as JsonObject, lowered };
}

/** The value of a parameter; dots lead into objects. */
function valueAt(block: JsonObject, parameter: string): unknown {
  return parameter
    .split('.')
    .reduce<unknown>(
      (value, key) => (isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      block,
    );
}

/** A count that rows can be cut to; null for any other value. */
function rowCountOf(value: unknown): number | null {
  const count = countOf(value);
  return count !== null && Number.isInteger(count) && count >= 1 ? count : null;
}

/** The number of rows that an override asks for through the provider's own count parameter. */
export function ownCount(block: JsonObject, parameter: string | undefined): number | undefined {
  const own = parameter === undefined ? null : rowCountOf(valueAt(block, parameter));
  return own ?? undefined;
}

/** The smallest count at the top of a block; undefined when it has no count. */
export function smallestCount(block: JsonObject): number | undefined {
  const counts = Object.entries(block).flatMap(([key, value]) =>
    isCountKey(key) ? (rowCountOf(value) ?? []) : [],
  );
  return counts.length > 0 ? Math.min(...counts) : undefined;
}

/** Objects merge; everything else, null included, replaces. Neither side is changed. */
export function deepMerge(base: JsonObject, over: JsonObject): JsonObject {
  // fromEntries defines own properties, so a key such as __proto__ stays an ordinary key
  return Object.fromEntries([
    ...Object.entries(base),
    ...Object.entries(over).map(([key, value]) => {
      const below = Object.hasOwn(base, key) ? base[key] : undefined;
      return [key, isJsonObject(below) && isJsonObject(value) ? deepMerge(below, value) : value];
    }),
  ]);
}

function parameterOf(value: unknown, repeated: boolean): QueryParameters[string] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  if (!Array.isArray(value)) return JSON.stringify(value);
  const items = value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
  return repeated ? items : items.join(',');
}

/** The call with a provider's overrides in its body, or in its query string where it has no body. */
export function applyOverrides(
  call: HttpCall,
  overrides: JsonObject,
  repeatedParameters: readonly string[] = [],
): HttpCall {
  if (Object.keys(overrides).length === 0) return call;
  if (call.method === 'POST') return { ...call, body: deepMerge(call.body ?? {}, overrides) };
  // a query string has no null: replacing a parameter by null leaves it out
  const query = Object.entries(deepMerge(call.query ?? {}, overrides)).flatMap(([name, value]) =>
    value === null ? [] : [[name, parameterOf(value, repeatedParameters.includes(name))] as const],
  );
  return { ...call, query: Object.fromEntries(query) };
}

/** Whether overrides put another text in the place where a call carries its query. */
export function replacesQuery(call: HttpCall, overrides: JsonObject, query: string): boolean {
  const sent: JsonObject = call.body ?? call.query ?? {};
  const carries = (value: unknown): boolean =>
    value === query || (Array.isArray(value) && value.includes(query));
  return Object.entries(overrides).some(
    ([key, value]) => Object.hasOwn(sent, key) && carries(sent[key]) && !carries(value),
  );
}

/** Volume of a request: queries × the largest count asked for, each override count capped at 20. */
export function requestVolume(queries: number, numResults: number, overrides: JsonObject): number {
  const counts = countsIn(overrides).map((count) => Math.min(count, LIMITS.resultsMax));
  return queries * Math.max(numResults, ...counts);
}
