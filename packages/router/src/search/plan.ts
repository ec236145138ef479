import { LIMITS, type ResultField, type SearchOptions, type Warning } from '@trawl/contract';
import {
  type AskedFilters,
  applyOverrides,
  cutQuery,
  deepMerge,
  type FieldPlan,
  filterWarnings,
  gapsOf,
  gapWarning,
  type HttpCall,
  type OptionalPart,
  planCount,
  type RowCount,
  type RunFilters,
  replacesQuery,
  runFilters,
  type SearchPlan,
  type Wanted,
  withoutRefused,
} from '@trawl/providers';
import { callWithout } from '@trawl/upstream';
import {
  type ConfiguredProvider,
  type Deployment,
  keylessWarning,
} from '../deployment/deployment.ts';
import type { QueryRoute } from './route.ts';

/** The plan for one provider and one query. */
export interface RunPlan {
  readonly provider: ConfiguredProvider;
  readonly batchIndex: number;
  /** As the caller wrote it. */
  readonly query: string;
  readonly search: SearchPlan;
  readonly call: HttpCall;
  /** Rows beyond this are cut. */
  readonly rowsMax: number;
  /** The caller overrides parts of the call. */
  readonly isOverridden: boolean;
  /** Active fields that its provider does not supply for this request: null in every row. */
  readonly missing: ReadonlySet<ResultField>;
  /** How the filters of the request are applied; absent where it has none. */
  readonly filters?: RunFilters;
  /** Everything known before the call: skips, clamps, cuts, gaps. */
  readonly warnings: readonly Warning[];
}

/** The facts that are the same for every query of a provider in this request. */
interface ProviderPlan {
  readonly provider: ConfiguredProvider;
  readonly wanted: Wanted;
  readonly isOverridden: boolean;
  readonly counts: Omit<RowCount, 'overrides'>;
  readonly missing: ReadonlySet<ResultField>;
  /** One for each field that is missing. */
  readonly gapWarnings: readonly Warning[];
}

export interface WantedRuns {
  readonly queries: readonly string[];
  /** One per query. */
  readonly routes: readonly QueryRoute[];
  readonly options: SearchOptions;
  readonly fields: FieldPlan;
  readonly filters?: AskedFilters | undefined;
}

/**
 * Plans every query for the providers of its route, in batch order, then in the order of the route.
 */
export function planRuns(
  { queries, routes, options, fields, filters }: WantedRuns,
  deployment: Deployment,
): readonly RunPlan[] {
  const plans = new Map<string, ProviderPlan | undefined>();
  const planOf = (slug: string): ProviderPlan | undefined => {
    if (plans.has(slug)) return plans.get(slug);
    const provider = deployment.searchProviders.get(slug);
    const plan = provider && planProvider(provider, options, fields);
    plans.set(slug, plan);
    return plan;
  };
  return queries.flatMap((query, batchIndex) => {
    const { slugs = [], skipped = [], notes = [] } = routes[batchIndex] ?? {};
    const said = [...skipped.map(skippedWarning), ...notes];
    return slugs.flatMap((slug) => {
      const plan = planOf(slug);
      return plan ? planRun(plan, { query, batchIndex, notes: said, filters }) : [];
    });
  });
}

function planProvider(
  provider: ConfiguredProvider,
  options: SearchOptions,
  fields: FieldPlan,
): ProviderPlan {
  const { declaration } = provider;
  const requested = options.num_results ?? LIMITS.resultsDefault;
  const own = options.provider_overrides?.[declaration.slug] ?? {};
  const mode = options.economy ? declaration.economy : undefined;
  const block = mode === undefined ? own : deepMerge(mode.overrides, own);
  const { overrides, ...counts } = planCount(declaration, block, requested);
  const wanted: Wanted = {
    tier: fields.tier,
    fields: fields.all,
    fullContent: options.include_full_content ?? false,
    overrides,
  };
  const gaps = gapsOf(declaration, wanted);
  return {
    provider,
    wanted,
    isOverridden: Object.keys(own).length > 0,
    counts,
    missing: new Set(gaps.map(({ field }) => field)),
    gapWarnings: gaps.map(({ field, reason }) => gapWarning(field, declaration.slug, reason)),
  };
}

/** What a run has in addition to the facts of its provider. */
interface QueryFacts {
  readonly query: string;
  readonly batchIndex: number;
  readonly notes: readonly Warning[];
  readonly filters: AskedFilters | undefined;
}

function planRun(plan: ProviderPlan, { query, batchIndex, notes, filters }: QueryFacts): RunPlan {
  const { declaration } = plan.provider;
  const { slug, queryLimit } = declaration;
  const cut = queryLimit.isRefused ? { query, limit: null } : cutQuery(query, queryLimit);
  const bare: SearchPlan = { query: cut.query, count: plan.counts.count, wanted: plan.wanted };
  const { overrides } = plan.wanted;
  const unfiltered = declaration.request(bare);
  const isReplaced = replacesQuery(unfiltered, overrides, cut.query);
  const applied =
    filters &&
    runFilters(declaration, filters, overrides, (operators) => {
      const whole = withOperators(cut.query, operators);
      // a query that is too long with its filters is refused, never sent without them
      const fits = queryLimit.isRefused || cutQuery(whole, queryLimit).limit === null;
      return !isReplaced && fits;
    });
  const search = applied ? { ...bare, query: withOperators(cut.query, applied.operators) } : bare;
  const plain = applied
    ? applyOverrides(declaration.request(search), applied.parameters)
    : unfiltered;
  const written = applyOverrides(plain, overrides, declaration.repeatedParameters);
  const call = declaration.place?.(written) ?? written;
  return {
    provider: queryLimit.isRefused && !isReplaced ? refusing(plan.provider, search) : plan.provider,
    batchIndex,
    query,
    search,
    call,
    rowsMax: plan.counts.rowsMax,
    isOverridden: plan.isOverridden,
    missing: plan.missing,
    ...(applied ? { filters: applied } : {}),
    warnings: [
      ...notes,
      ...keylessWarning(plan.provider),
      ...plan.counts.warnings,
      ...(cut.limit === null
        ? []
        : [gapWarning('query', slug, `accepts at most ${cut.limit}; the query was cut at a word`)]),
      ...(isReplaced
        ? [gapWarning('query', slug, 'was sent the one of provider_overrides instead')]
        : []),
      ...plan.gapWarnings,
      ...(applied ? filterWarnings(slug, applied) : []),
    ],
  };
}

/** The provider as it is for a query that is too long for it: not asked. */
function refusing(
  provider: ConfiguredProvider,
  { query }: Pick<SearchPlan, 'query'>,
): ConfiguredProvider {
  const { limit } = cutQuery(query, provider.declaration.queryLimit);
  if (limit === null || provider.target.obstacle !== undefined) return provider;
  const happened = `accepts at most ${limit}, and this query has ${[...query].length} with its filters; it was not asked`;
  const remedy = 'send a shorter query or fewer filters';
  const obstacle = { code: 'bad_request', happened, remedy } as const;
  return { ...provider, target: { ...provider.target, obstacle } };
}

const withOperators = (query: string, operators: string): string =>
  operators === '' ? query : `${query} ${operators}`;

/** The plan of a run whose provider refused parts of the call. */
export function planWithout(plan: RunPlan, leftOut: readonly OptionalPart[]): RunPlan {
  const { slug } = plan.provider.declaration;
  const gaps = leftOut.flatMap(({ gap }) =>
    gap && plan.search.wanted.fields.has(gap.field)
      ? [gapWarning(gap.field, slug, gap.reason)]
      : [],
  );
  const refused = leftOut.flatMap(({ filter }) => filter ?? []);
  const filtered = plan.filters && withoutRefused(plan.filters, slug, refused);
  return {
    ...plan,
    call: leftOut.reduce(callWithout, plan.call),
    ...(filtered ? { filters: filtered.filters } : {}),
    warnings: [...plan.warnings, ...gaps, ...(filtered?.warnings ?? [])],
  };
}

function skippedWarning(name: string): Warning {
  return {
    code: 'provider_skipped',
    message: `${name} is in the default set of this deployment but is not a known provider; it was left out`,
  };
}
