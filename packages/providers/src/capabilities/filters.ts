import {
  type AppliedFilters,
  FILTERS,
  type FilterMethod,
  type FilterName,
  type FilterSupport,
  isJsonObject,
  type JsonObject,
} from '@trawl/contract';
import type { FilterContext, FilterRule, FilterRules, Filters } from '../declaration/filters.ts';
import { deepMerge } from '../request/overrides.ts';

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
  readonly isChecked?: true | undefined;
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
    const parameters = rule.parameters(filters, context);
    return parameters === null
      ? applicationOf(rule.otherwise ?? NOT_ACCEPTED, filters, context, fits)
      : { method: kind, reason, parameters, isChecked: rule.isChecked };
  }
  if (kind === 'query') {
    const operators = rule.operators(filters, context);
    return operators !== null && fits(operators)
      ? { method: kind, reason, operators }
      : applicationOf(rule.otherwise, filters, context, fits);
  }
  return { method: kind, reason };
}

const NOT_ACCEPTED = { kind: 'unsupported', reason: 'does not accept this value' } as const;

/**
 * Applies the filters of a request by a provider's rules.
 * @param fits whether operators fit into the query that is sent; those that do not fit are checked
 * here
 */
export function planFilters(
  rules: FilterRules,
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
    if (isChecked(filter, one)) checks.push(filter);
    if (one.method === 'unsupported') unsupported.push({ filter, reason: one.reason });
    if (one.parameters === undefined) continue;
    parameters = deepMerge(parameters, one.parameters);
    const parameter = overriddenIn(one.parameters, context.overrides);
    if (parameter !== undefined) overridden.push({ filter, parameter });
  }
  return { methods, parameters, operators, checks: only(filters, checks), unsupported, overridden };
}

/**
 * Vendors treat operators as preferences, so rows are checked for hosts and days in addition to
 * them.
 */
const isChecked = (filter: FilterName, { method, isChecked }: Application): boolean =>
  isChecked === true || method === 'checked' || (method === 'query' && !UNCHECKABLE.has(filter));

/** Rows do not say these. */
const UNCHECKABLE: ReadonlySet<FilterName> = new Set(['country', 'language', 'safe_search']);

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
  rules: FilterRules,
  filters: Filters,
  context: FilterContext,
): readonly FilterName[] =>
  planFilters(rules, filters, context, () => false).unsupported.map(({ filter }) => filter);

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

/** The facts of a row that can be checked. */
export interface CheckedRow {
  readonly domain: string;
  /** ISO date or date-time in UTC, or only its year or month. */
  readonly publish_date: string | null;
}

/**
 * The first filter that a row breaks; undefined = it may stay.
 * @param strict rows without a date break a date filter
 */
export function brokenFilter(
  row: CheckedRow,
  checks: Filters,
  strict: boolean,
): FilterName | undefined {
  const isOf = (host: string) => row.domain === host || row.domain.endsWith(`.${host}`);
  // a month or a year may stay if any of its days may: as text, `day` is its first day, and
  // `lastDay` its last one
  const day = row.publish_date?.slice(0, 10);
  const lastDay = day?.padEnd(10, '~');
  const { include_domains: included, exclude_domains: excluded } = checks;
  const { published_after: after, published_before: before } = checks;
  if (included !== undefined && !included.some(isOf)) return 'include_domains';
  if (excluded?.some(isOf)) return 'exclude_domains';
  if (after !== undefined && (lastDay === undefined ? strict : lastDay < after))
    return 'published_after';
  if (before !== undefined && (day === undefined ? strict : day > before))
    return 'published_before';
  return undefined;
}
