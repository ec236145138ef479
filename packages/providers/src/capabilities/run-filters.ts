import type { FilterName, JsonObject, SearchFilters, Warning } from '@trawl/contract';
import type { FilterRules, Filters } from '../declaration/filters.ts';
import type { IgnoredFilter } from '../parsed/search.ts';
import {
  brokenFilter,
  type CheckedRow,
  type FilterPlan,
  inapplicable,
  namesOf,
  planFilters,
} from './filters.ts';

/** The filters of a request; at least one has a value. */
export interface AskedFilters {
  readonly filters: Filters;
  readonly strict: boolean;
  /** The day of the request (UTC). */
  readonly today: string;
}

/** The filters of a request; undefined when it has none. @param now milliseconds since 1970 */
export function askedFilters(
  asked: SearchFilters | undefined,
  now: number,
): AskedFilters | undefined {
  const { mode, ...filters } = asked ?? {};
  if (namesOf(filters).length === 0) return undefined;
  const today = new Date(now).toISOString().slice(0, 10);
  return { filters, strict: mode === 'strict', today };
}

/** How the filters of a request are applied to one run. */
export interface RunFilters extends FilterPlan {
  readonly strict: boolean;
}

/** @param fits whether operators fit into the query that is sent */
export function runFilters(
  rules: FilterRules,
  { filters, strict, today }: AskedFilters,
  overrides: JsonObject,
  fits: (operators: string) => boolean,
): RunFilters {
  return { ...planFilters(rules, filters, { today, overrides, strict }, fits), strict };
}

/** Filters that keep a provider from running, where they are strict. */
export const strictlyMissing = (
  rules: FilterRules,
  { filters, strict, today }: AskedFilters,
  overrides: JsonObject,
): readonly FilterName[] =>
  strict ? inapplicable(rules, filters, { today, overrides, strict }) : [];

/** What the run says about its filters. */
export const filterWarnings = (
  slug: string,
  { unsupported, overridden }: RunFilters,
): readonly Warning[] => [
  ...unsupported.map(({ filter, reason }) => unsupportedFilter(filter, slug, reason)),
  ...overridden.map(
    ({ filter, parameter }): Warning => ({
      code: 'filter_overridden',
      message: `${filter}: ${slug} was sent the ${parameter} of provider_overrides instead`,
    }),
  ),
];

const unsupportedFilter = (filter: string, slug: string, reason: string): Warning => ({
  code: 'filter_unsupported',
  message: `${filter}: ${slug} ${reason}`,
});

/**
 * The filters of a run without those that its provider refused or ignored, and what the run says
 * about it.
 */
export function withoutRefused(
  filters: RunFilters,
  slug: string,
  refused: readonly IgnoredFilter[],
): { readonly filters: RunFilters; readonly warnings: readonly Warning[] } {
  const lost = refused.filter(({ name }) => filters.methods[name] !== undefined);
  const methods = Object.fromEntries(lost.map(({ name }) => [name, 'unsupported']));
  return {
    filters: { ...filters, methods: { ...filters.methods, ...methods } },
    warnings: lost.map(({ name, reason }) => unsupportedFilter(name, slug, reason)),
  };
}

/** The rows that stay, and a warning that counts the others. */
export function filterRows<Row extends CheckedRow>(
  rows: readonly Row[],
  slug: string,
  filters: RunFilters | undefined,
): { readonly rows: readonly Row[]; readonly warnings: readonly Warning[] } {
  if (filters === undefined || namesOf(filters.checks).length === 0) return { rows, warnings: [] };
  const kept: Row[] = [];
  const broken = new Set<string>();
  for (const row of rows) {
    const filter = brokenFilter(row, filters.checks, filters.strict);
    if (filter === undefined) kept.push(row);
    else broken.add(filter);
  }
  const dropped = rows.length - kept.length;
  if (dropped === 0) return { rows, warnings: [] };
  const sent = `${slug} sent ${dropped} ${dropped === 1 ? 'row' : 'rows'}`;
  const message = `results: ${sent} outside ${[...broken].join(', ')}; left out`;
  return { rows: kept, warnings: [{ code: 'upstream_warning', message }] };
}
