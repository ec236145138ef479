import { isJsonObject, type JsonObject, LIMITS, writeJson } from '@trawl/contract';
import type { HttpCall, QueryParameters } from '../declaration/call.ts';

/** Count-type keys, compared without `_` and `-`, in lower case. */
const COUNT_KEYS = new Set([
  'n',
  'k',
  'max',
  'size',
  'topk',
  'numresults',
  'nresults',
  'maxresults',
  'resultcount',
  'perpage',
]);

/** What the words of other count-type keys end in. */
const COUNT_ENDS = new Set([
  ...['num', 'count', 'limit', 'results', 'documents', 'rows', 'hits', 'pages', 'subpages'],
  ...['page size', 'per page', 'top k'],
]);

/** A key with such a word counts or limits something else than results. */
const OTHER_UNITS =
  /^(?:tokens?|chars?|characters?|length|words?|bytes?|time|timeout|ms|seconds?|minutes?|hours?|days?|age|depth|years?|price|cost)$/;

/**
 * Keys that would set credentials, addresses or streaming. Compared without `_` and `-`, in lower
 * case.
 */
const REFUSED_KEYS = new Set([
  ...['apikey', 'xapikey', 'accesstoken', 'authorization', 'xsubscriptiontoken'],
  ...['baseurl', 'apibase', 'endpoint', 'url', 'callback', 'callbackurl', 'webhook', 'webhookurl'],
  'stream',
]);

export const plainKey = (key: string): string => key.toLowerCase().replace(/[_-]/g, '');

/** The words of a key, split at `_`, `-` and capitals, in lower case. */
export const wordsOf = (key: string): readonly string[] =>
  key
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]+/)
    .filter((word) => word !== '');

/** Whether an override of this name asks for a number of results or pages. */
export function isCountKey(key: string): boolean {
  if (COUNT_KEYS.has(plainKey(key))) return true;
  const words = wordsOf(key);
  const ends = [words.slice(-1).join(' '), words.slice(-2).join(' ')];
  return ends.some((end) => COUNT_ENDS.has(end)) && !words.some((word) => OTHER_UNITS.test(word));
}

/**
 * Keys of a provider's block that may not be overridden, as written.
 * @param own further keys of this provider that set the form of its answer
 */
export const refusedKeys = (block: JsonObject, own: readonly string[] = []): readonly string[] =>
  keysAmong(block, [...REFUSED_KEYS, ...own]);

/** Keys of a block with one of these names, which are in lower case and without `_` and `-`. */
export const keysAmong = (block: JsonObject, names: readonly string[]): readonly string[] =>
  Object.keys(block).filter((key) => names.includes(plainKey(key)));

/** The number in a count-type value: a number, or a text that reads as one. */
function countOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string' || value.trim() === '') return null;
  const count = Number(value);
  return Number.isNaN(count) ? null : count;
}

/**
 * Every count in a block, at any depth. A list under a count-type key counts too: a query string
 * carries `[50]` as 50.
 * @param isCount the key of the value is a count-type key
 */
export function countsIn(value: unknown, isCount = false): readonly number[] {
  const counts: number[] = [];
  eachCount(value, isCount, (count) => counts.push(count));
  return counts;
}

function eachCount(value: unknown, isCount: boolean, found: (count: number) => void): void {
  const count = isCount ? countOf(value) : null;
  if (count !== null) found(count);
  else if (Array.isArray(value)) for (const item of value) eachCount(item, isCount, found);
  else if (isJsonObject(value)) {
    for (const [key, inner] of Object.entries(value)) eachCount(inner, isCountKey(key), found);
  }
}

export interface Capped {
  readonly block: JsonObject;
  /** The counts that were lowered, as `key` and the value received. */
  readonly lowered: readonly { readonly key: string; readonly from: number }[];
}

/**
 * The block with every count at most `max`. A count in a text stays a text.
 * @param knob the path of the vendor's own count parameter, whose name may be any
 */
export function capCounts(block: JsonObject, max: number, knob?: string): Capped {
  const lowered: { key: string; from: number }[] = [];
  const cap = (value: unknown, countKey: string | null, path: readonly string[]): unknown => {
    const count = countKey === null ? null : countOf(value);
    if (countKey !== null && count !== null) {
      if (count <= max) return value;
      lowered.push({ key: countKey, from: count });
      return typeof value === 'string' ? String(max) : max;
    }
    if (Array.isArray(value)) {
      return value.map((item, index) => cap(item, countKey, [...path, `${index}`]));
    }
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const place = [...path, key];
        const isCount = place.join('.') === knob || isCountKey(key);
        return [key, cap(inner, isCount ? key : null, place)];
      }),
    );
  };
  return { block: cap(block, null, []) as JsonObject, lowered };
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
  if (!Array.isArray(value)) return writeJson(value);
  const items = value.map((item) => (typeof item === 'string' ? item : writeJson(item)));
  return repeated ? items : items.join(',');
}

/**
 * The call with a provider's overrides in its body, or in its query string where it has no body.
 */
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

/** The overrides of one provider, with what is known of its count keys. */
export interface CountedBlock {
  readonly block: JsonObject;
  /**
   * The parameter that multiplies what is bought for each row, such as `contents.subpages`; absent
   * = none.
   */
  readonly multiplier?: string | undefined;
}

const capped = (count: number): number => Math.min(count, LIMITS.resultsMax);

/**
 * Results that one query may buy at a provider: the largest count, times the pages below each row.
 */
function volumeOf({ block, multiplier }: CountedBlock, numResults: number): number {
  const factor = multiplier === undefined ? null : countOf(valueAt(block, multiplier));
  const counts = [...countsIn(block)];
  // it multiplies instead of being a count itself
  if (factor !== null) counts.splice(counts.indexOf(factor), 1);
  const rows = counts.reduce((most, count) => Math.max(most, capped(count)), numResults);
  return rows * Math.max(1, capped(factor ?? 1));
}

/**
 * Volume of a request: queries × the largest volume of a query, each override count capped at 20.
 */
export function requestVolume(
  queries: number,
  numResults: number,
  blocks: readonly CountedBlock[],
): number {
  return (
    queries * blocks.reduce((most, one) => Math.max(most, volumeOf(one, numResults)), numResults)
  );
}
