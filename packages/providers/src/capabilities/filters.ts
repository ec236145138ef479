import {
  type AppliedFilters,
  FILTERS,
  type FilterMethod,
  type FilterName,
  type FilterSupport,
  isJsonObject,
  type JsonObject,
} from '@trawl/contract';
import type {
  FilterContext,
  FilteringProvider,
  FilterRule,
  FilterRules,
  Filters,
} from '../declaration/filters.ts';
import { deepMerge } from '../request/overrides.ts';
import { daysOf } from '../values/dates.ts';

/** How the filters of a request are applied at one provider. */
export interface FilterPlan {
  readonly methods: AppliedFilters;
  /** Merged into the request. */
  readonly parameters: JsonObject;
  /** Added to the query; empty = nothing. */
  readonly operators: string;
  /** What rows are checked for. */
  readonly checks: Filters;
  readonly unsupported: readonly { readonly filter: FilterName; readonly reason: string }[];
  /** Filters whose own parameter an override sets. */
  readonly overridden: readonly { readonly filter: FilterName; readonly parameter: string }[];
}

/** The filters of a request that have a value, in table order. */
export const namesOf = (filters: Filters): readonly FilterName[] =>
  FILTERS.filter((name) => filters[name] !== undefined);

interface Application {
  readonly method: FilterMethod;
  readonly reason: string;
  readonly parameters?: JsonObject;
  readonly operators?: string;
}

/** @param fits whether these operators fit into the query that is sent */
function applicationOf(
  rule: FilterRule,
  filters: Filters,
  context: FilterContext,
  fits: (operators: string) => boolean,
): Application {
  const { kind, reason } = rule;
  if (kind === 'native') {
    if (rule.isPreference && context.strict) return ONLY_PREFERS;
    const parameters = rule.parameters(filters, context);
    return parameters === null
      ? applicationOf(rule.otherwise ?? NOT_ACCEPTED, filters, context, fits)
      : { method: kind, reason, parameters };
  }
  if (kind === 'query') {
    const operators = rule.operators(filters, context);
    return operators !== null && fits(operators)
      ? { method: kind, reason, operators }
      : applicationOf(rule.otherwise, filters, context, fits);
  }
  return { method: kind, reason };
}

const ONLY_PREFERS = {
  method: 'unsupported',
  reason: 'only prefers such pages, which is not enough for mode strict',
} as const;

const NOT_ACCEPTED = { kind: 'unsupported', reason: 'does not accept this value' } as const;

/**
 * Applies the filters of a request as a provider declares.
 * @param fits whether operators fit into the query that is sent; those that do not fit are checked
 * here
 */
export function planFilters(
  { filters: rules, rowDates }: FilteringProvider,
  filters: Filters,
  context: FilterContext,
  fits: (operators: string) => boolean,
): FilterPlan {
  let parameters: JsonObject = {};
  let operators = '';
  const methods: Partial<Record<FilterName, FilterMethod>> = {};
  const checks: FilterName[] = [];
  const unsupported: { filter: FilterName; reason: string }[] = [];
  const overridden: { filter: FilterName; parameter: string }[] = [];
  for (const filter of namesOf(filters)) {
    const joined = (more: string) => (operators === '' ? more : `${operators} ${more}`);
    const one = applicationOf(rules[filter], filters, context, (more) => fits(joined(more)));
    methods[filter] = one.method;
    if (one.operators !== undefined) operators = joined(one.operators);
    if (one.method === 'unsupported') unsupported.push({ filter, reason: one.reason });
    parameters = deepMerge(parameters, one.parameters ?? {});
    const parameter = overriddenIn(one.parameters ?? {}, context.overrides);
    if (parameter !== undefined) overridden.push({ filter, parameter });
    else if (one.method !== 'unsupported' && isShown(filter, rowDates)) checks.push(filter);
  }
  return { methods, parameters, operators, checks: only(filters, checks), unsupported, overridden };
}

/**
 * Whether rows show if they break a filter. Vendors treat operators as preferences and widen spans
 * of days, so rows are checked in addition to what a vendor is sent.
 */
const isShown = (filter: FilterName, rowDates: FilteringProvider['rowDates']): boolean =>
  filter.endsWith('_domains') ||
  filter === 'published_after' ||
  (filter === 'published_before' && rowDates === undefined);

const only = (filters: Filters, names: readonly FilterName[]): Filters =>
  Object.fromEntries(names.map((name) => [name, filters[name]]));

/** The path of a parameter that overrides replace; undefined = none. */
function overriddenIn(parameters: JsonObject, overrides: JsonObject): string | undefined {
  for (const [key, value] of Object.entries(parameters)) {
    if (!Object.hasOwn(overrides, key)) continue;
    const own = overrides[key];
    if (!isJsonObject(value) || !isJsonObject(own)) return key;
    const inner = overriddenIn(value, own);
    if (inner !== undefined) return `${key}.${inner}`;
  }
  return undefined;
}

/**
 * Filters that a provider cannot apply for certain. Operators may not fit, and vendors treat them
 * as preferences: they count where rows are checked in addition.
 */
export const inapplicable = (
  provider: FilteringProvider,
  filters: Filters,
  context: FilterContext,
): readonly FilterName[] =>
  planFilters(provider, filters, context, () => false).unsupported.map(({ filter }) => filter);

/** What the roster says: the best that a provider does for each filter. */
export function filterSupport(rules: FilterRules): FilterSupport {
  return Object.fromEntries(FILTERS.map((name) => [name, rules[name].kind])) as FilterSupport;
}

/** How a provider applies one filter, at best, and why. */
export interface FilterFact {
  readonly filter: FilterName;
  readonly method: FilterMethod;
  readonly reason: string;
}

/** The facts on the filters of a provider, in table order. */
export const filterFacts = (rules: FilterRules): readonly FilterFact[] =>
  FILTERS.map((filter) => ({ filter, method: rules[filter].kind, reason: rules[filter].reason }));

/**
 * What the roster adds to the words for each filter: those that only prefer rows, and dates that
 * are not those of publication; null = nothing.
 */
export function filtersNote({ filters, rowDates }: FilteringProvider): string | null {
  const preferred = FILTERS.flatMap((name) => {
    const rule = filters[name];
    return rule.kind === 'native' && rule.isPreference ? [`${name}: ${rule.reason}`] : [];
  });
  const notes = [
    ...(preferred.length > 0
      ? [`${preferred.join('; ')}; that is not enough for mode strict, where it is unsupported`]
      : []),
    ...(rowDates === undefined
      ? []
      : [`published_before: not checked in rows, whose date may be that of the ${rowDates}`]),
  ];
  return notes.length > 0 ? notes.join('. ') : null;
}

/** The facts of a row that can be checked. */
export interface CheckedRow {
  readonly domain: string;
  /** Its date in our words or the vendor's; null = none. */
  readonly date: string | null;
}

/** How the rows of a run are checked. */
export interface RowChecks extends Pick<FilterPlan, 'methods' | 'checks'> {
  readonly strict: boolean;
  /** Milliseconds since 1970, for dates such as "3 weeks ago". */
  readonly now: number;
}

/**
 * The first filter that a row breaks; undefined = it may stay. A row without a date stays where the
 * vendor was sent the days, and elsewhere unless the filters are strict.
 */
export function brokenFilter(
  { domain, date }: CheckedRow,
  { checks, methods, strict, now }: RowChecks,
): FilterName | undefined {
  const isOf = (host: string) => domain === host || domain.endsWith(`.${host}`);
  const { include_domains: included, exclude_domains: excluded } = checks;
  const { published_after: after, published_before: before } = checks;
  if (included !== undefined && !included.some(isOf)) return 'include_domains';
  if (excluded?.some(isOf)) return 'exclude_domains';
  if (after === undefined && before === undefined) return undefined;
  const days = daysOf(date, now);
  const isUndatedOut = (name: FilterName) => strict && methods[name] !== 'native';
  if (after !== undefined && (days === null ? isUndatedOut('published_after') : days.last < after))
    return 'published_after';
  if (
    before !== undefined &&
    (days === null ? isUndatedOut('published_before') : days.first > before)
  )
    return 'published_before';
  return undefined;
}
