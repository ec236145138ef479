import type { FilterName, SearchFilters, SearchOptions, Warning } from '@trawl/contract';
import {
  type AnySearchDeclaration,
  brokenFilter,
  type CheckedRow,
  type FilterContext,
  type FilterPlan,
  type Filters,
  inapplicable,
  namesOf,
  planFilters,
} from '@trawl/providers';
import type { Deployment } from '../deployment/deployment.ts';
import { RequestError } from '../requests/request-error.ts';
import { type ProviderSet, STAND_INS } from './check.ts';

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

type Declaration = Pick<AnySearchDeclaration, 'filters'>;

/** @param fits whether operators fit into the query that is sent */
export function runFilters(
  { filters: rules }: Declaration,
  { filters, strict, today }: AskedFilters,
  overrides: FilterContext['overrides'],
  fits: (operators: string) => boolean,
): RunFilters {
  return { ...planFilters(rules, filters, { today, overrides }, fits), strict };
}

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

/** The filters of a run whose provider refused the parameters of some. */
export const withoutFilters = (
  filters: RunFilters,
  lost: readonly { readonly name: FilterName }[],
): RunFilters => ({
  ...filters,
  methods: {
    ...filters.methods,
    ...Object.fromEntries(lost.map(({ name }) => [name, 'unsupported'])),
  },
});

export const unsupportedFilter = (filter: string, slug: string, reason: string): Warning => ({
  code: 'filter_unsupported',
  message: `${filter}: ${slug} ${reason}`,
});

/** The rows that stay, and why others do not. */
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

/**
 * With strict filters, the providers that can apply them all, and warnings that name the others.
 * @throws RequestError 400 when none is left
 */
export function applicableSet(
  set: ProviderSet,
  asked: AskedFilters | undefined,
  options: SearchOptions,
  { searchProviders }: Pick<Deployment, 'searchProviders'>,
): { readonly set: ProviderSet; readonly notes: readonly Warning[] } {
  if (!asked?.strict || set.slugs.length === 0) return { set, notes: [] };
  const { filters, today } = asked;
  const missingAt = (slug: string) => {
    const provider = searchProviders.get(slug);
    const overrides = options.provider_overrides?.[slug] ?? {};
    return provider
      ? inapplicable(provider.declaration.filters, filters, { today, overrides })
      : [];
  };
  const able = (slug: string) => missingAt(slug).length === 0;
  const candidates = set.candidates?.filter(able) ?? null;
  const fallback = set.fallback && { ...set.fallback, slugs: set.fallback.slugs.filter(able) };
  const named = set.slugs.filter(able);
  const slugs = named.length > 0 ? named : (candidates ?? []).slice(0, STAND_INS);
  if (slugs.length === 0) {
    const missing = set.slugs.map((slug) => `${slug} (${missingAt(slug).join(', ')})`);
    throw new RequestError(
      400,
      `search.filters: with mode strict no provider is left to run: ${missing.join(', ')} cannot apply all filters; name others in search.providers.include, or use mode best_effort`,
    );
  }
  const skipped = set.slugs.filter((slug) => !able(slug));
  return {
    set: { ...set, slugs, candidates, fallback },
    notes: skipped.map((slug) => ({
      code: 'provider_skipped',
      message: `${slug} cannot apply ${missingAt(slug).join(', ')} and did not run, as search.filters.mode is strict`,
    })),
  };
}
