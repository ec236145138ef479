import {
  FILTERS,
  type FilterName,
  type JsonObject,
  type SearchFilters,
  type Warning,
  type WebRule,
} from '@trawl/contract';
import type { FilterContext, FilteringProvider, Filters } from '../declaration/filters.ts';
import type { IgnoredFilter } from '../parsed/search.ts';
import { dayOf } from '../values/dates.ts';
import { type FilterPlan, inapplicable, namesOf, planFilters, type RowChecks } from './filters.ts';

/** The filters of a request; at least one has a value. */
export interface AskedFilters {
  readonly filters: Filters;
  readonly strict: boolean;
  /** The time of the request, in milliseconds since 1970. */
  readonly now: number;
}

/** The filters of a request; undefined when it has none. @param now milliseconds since 1970 */
export function askedFilters(
  asked: SearchFilters | undefined,
  now: number,
): AskedFilters | undefined {
  const { mode, ...filters } = asked ?? {};
  if (namesOf(filters).length === 0) return undefined;
  return { filters, strict: mode === 'strict', now };
}

/** How the filters of a request are applied to one run. */
export type RunFilters = FilterPlan & RowChecks;

const contextOf = (
  { strict, now }: Omit<AskedFilters, 'filters'>,
  overrides: JsonObject,
): FilterContext => ({ today: dayOf(now), overrides, strict });

/** @param fits whether operators fit into the query that is sent */
export function runFilters(
  provider: FilteringProvider,
  { filters, ...asked }: AskedFilters,
  overrides: JsonObject,
  fits: (operators: string) => boolean,
): RunFilters {
  return { ...planFilters(provider, filters, contextOf(asked, overrides), fits), ...asked };
}

/** Filters that keep a provider from running, where they are strict. */
export const strictlyMissing = (
  provider: FilteringProvider,
  { filters, ...asked }: AskedFilters,
  overrides: JsonObject,
): readonly FilterName[] =>
  asked.strict ? inapplicable(provider, filters, contextOf(asked, overrides)) : [];

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

/** The web rules on hosts, in their order. */
const HOST_RULES = ['hosts.deny', 'hosts.allow'] as const satisfies readonly WebRule[];

/**
 * Why a row is dropped: its address, a web rule on its host, the first filter that it breaks, or an
 * earlier row.
 */
export type DropReason = 'unusable' | WebRule | FilterName | 'repeated';

/** The one warning that counts them; none when no row was dropped. */
export function droppedWarnings(
  slug: string,
  dropped: ReadonlyMap<DropReason, number>,
): readonly Warning[] {
  if (dropped.size === 0) return [];
  const reasons: readonly DropReason[] = ['unusable', ...HOST_RULES, ...FILTERS, 'repeated'];
  const said = reasons.flatMap((reason) => {
    const count = dropped.get(reason);
    if (count === undefined) return [];
    const rows = count === 1 ? '1 row' : `${count} rows`;
    const were = `${count === 1 ? 'was' : 'were'} dropped`;
    if (reason === 'unusable') {
      return `results: ${slug} sent ${rows} without a usable http(s) URL; left out`;
    }
    if (HOST_RULES.some((rule) => rule === reason)) {
      return `web rule ${reason}: ${rows} of a denied host ${were}`;
    }
    return reason === 'repeated'
      ? `results: ${rows} with the URL of an earlier one ${were}`
      : `${reason}: ${rows} outside it ${were}`;
  });
  return [{ code: 'upstream_warning', message: said.join('; ') }];
}
