import {
  DEFAULT_TIER,
  ENVELOPE_FIELDS,
  type EnvelopeField,
  fieldsOfTier,
  LIMITS,
  RESULT_FIELDS,
  type ResultField,
  ROW_FIELDS,
  type RowField,
  type SearchOptions,
  type Tier,
  type Warning,
} from '@trawl/contract';
import {
  applyOverrides,
  capCounts,
  cutQuery,
  type Gap,
  gapsOf,
  type HttpCall,
  type OptionalPart,
  ownCount,
  replacesQuery,
  type SearchPlan,
  smallestCount,
  type Wanted,
} from '@trawl/providers';
import type { ConfiguredProvider, Deployment } from '../deployment/deployment.ts';
import { callWithout } from '../upstream/optional-parts.ts';
import {
  type AskedFilters,
  filterWarnings,
  type RunFilters,
  runFilters,
  unsupportedFilter,
  withoutFilters,
} from './filters.ts';
import type { QueryRoute } from './route.ts';

/** The active fields of a request. */
export interface FieldPlan {
  /** null in fields mode. */
  readonly tier: Tier | null;
  readonly row: readonly RowField[];
  readonly envelope: readonly EnvelopeField[];
  readonly all: ReadonlySet<ResultField>;
}

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
  readonly gaps: readonly Gap[];
  /** How the filters of the request are applied; absent where it has none. */
  readonly filters?: RunFilters;
  /** Everything known before the call: skips, clamps, cuts, gaps. */
  readonly warnings: readonly Warning[];
}

export function planFields(options: SearchOptions): FieldPlan {
  const tier = options.fields ? null : (options.tier ?? DEFAULT_TIER);
  const named: readonly string[] = options.fields ?? fieldsOfTier(tier ?? DEFAULT_TIER);
  return {
    tier,
    row: ROW_FIELDS.filter((field) => named.includes(field)),
    envelope: ENVELOPE_FIELDS.filter((field) => named.includes(field)),
    all: new Set(RESULT_FIELDS.filter((field) => named.includes(field))),
  };
}

/** The facts that are the same for every query of a provider in this request. */
interface ProviderPlan {
  readonly provider: ConfiguredProvider;
  readonly wanted: Wanted;
  readonly count: number;
  readonly rowsMax: number;
  readonly gaps: readonly Gap[];
  readonly countWarnings: readonly Warning[];
}

export interface WantedRuns {
  readonly queries: readonly string[];
  /** One per query. */
  readonly routes: readonly QueryRoute[];
  readonly options: SearchOptions;
  readonly fields: FieldPlan;
  readonly filters?: AskedFilters | undefined;
}

/** Plans every query for the providers of its route, in batch order, then in the order of the route. */
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
  const { slug, count } = declaration;
  const isNative = count.control === 'native';
  const most = isNative ? Math.min(count.max, LIMITS.resultsMax) : LIMITS.resultsMax;
  const capped = capCounts(options.provider_overrides?.[slug] ?? {}, most);
  const own = ownCount(capped.block, count.parameter);
  const other = smallestCount(capped.block);
  const isPage = !isNative && !(count.parameter && Object.hasOwn(capped.block, count.parameter));
  const requested = options.num_results ?? LIMITS.resultsDefault;
  // a count key that is not the provider's own parameter cuts rows, but buys none
  const overridden = own ?? (isNative ? undefined : other);
  const rowCount = overridden ?? Math.min(requested, most);
  const rowsMax = own ?? Math.min(rowCount, other ?? rowCount);
  const wanted: Wanted = {
    tier: fields.tier,
    fields: fields.all,
    fullContent: options.include_full_content ?? false,
    overrides: capped.block,
  };
  return {
    provider,
    wanted,
    count: rowCount,
    rowsMax: isNative && count.keepsExtraRows ? Number.POSITIVE_INFINITY : rowsMax,
    gaps: gapsOf(declaration, wanted),
    countWarnings: [
      ...(overridden === undefined && requested > most
        ? [clamped(slug, most, `${requested}`)]
        : []),
      ...capped.lowered.map(({ key, from }) =>
        clamped(slug, most, `${key} ${from} of provider_overrides`),
      ),
      ...(isPage ? pageWarning(slug, count.max, rowCount, count.parameter) : []),
    ],
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
  const { slug } = declaration;
  const cut = cutQuery(query, declaration.queryLimit);
  const bare: SearchPlan = { query: cut.query, count: plan.count, wanted: plan.wanted };
  const { overrides } = plan.wanted;
  const isReplaced = replacesQuery(declaration.request(bare), overrides, cut.query);
  const applied =
    filters &&
    runFilters(declaration, filters, overrides, (operators) => {
      const whole = withOperators(cut.query, operators);
      return !isReplaced && cutQuery(whole, declaration.queryLimit).limit === null;
    });
  const search = { ...bare, query: withOperators(cut.query, applied?.operators ?? '') };
  const plain = applyOverrides(declaration.request(search), applied?.parameters ?? {});
  const call = applyOverrides(plain, overrides, declaration.repeatedParameters);
  return {
    provider: plan.provider,
    batchIndex,
    query,
    search,
    call,
    rowsMax: plan.rowsMax,
    gaps: plan.gaps,
    ...(applied ? { filters: applied } : {}),
    warnings: [
      ...notes,
      ...plan.countWarnings,
      ...(cut.limit === null
        ? []
        : [gapWarning('query', slug, `accepts at most ${cut.limit}; the query was cut at a word`)]),
      ...(isReplaced
        ? [gapWarning('query', slug, 'was sent the one of provider_overrides instead')]
        : []),
      ...plan.gaps.map(({ field, reason }) => gapWarning(field, slug, reason)),
      ...(applied ? filterWarnings(slug, applied) : []),
    ],
  };
}

const withOperators = (query: string, operators: string): string =>
  operators === '' ? query : `${query} ${operators}`;

/** The plan of a run whose provider refused parts of the call. */
export function planWithout(plan: RunPlan, leftOut: readonly OptionalPart[]): RunPlan {
  if (leftOut.length === 0) return plan;
  const { slug } = plan.provider.declaration;
  const gaps = leftOut.flatMap(({ gap }) =>
    gap && plan.search.wanted.fields.has(gap.field)
      ? [gapWarning(gap.field, slug, gap.reason)]
      : [],
  );
  const lost = leftOut.flatMap(({ filter }) =>
    filter && plan.filters?.methods[filter.name] ? [filter] : [],
  );
  return {
    ...plan,
    call: leftOut.reduce(callWithout, plan.call),
    ...(plan.filters ? { filters: withoutFilters(plan.filters, lost) } : {}),
    warnings: [
      ...plan.warnings,
      ...gaps,
      ...lost.map(({ name, reason }) => unsupportedFilter(name, slug, reason)),
    ],
  };
}

export function gapWarning(field: string, slug: string, reason: string): Warning {
  return { code: 'capability_gap', message: `${field}: ${slug} ${reason}` };
}

function clamped(slug: string, max: number, asked: string): Warning {
  return {
    code: 'count_clamped',
    message: `num_results: ${slug} takes at most ${max}; ${asked} was lowered to ${max}`,
  };
}

function pageWarning(
  slug: string,
  pageRows: number,
  rowCount: number,
  parameter: string | undefined,
): readonly Warning[] {
  if (rowCount <= pageRows) return [];
  const hint = parameter === undefined ? '' : `; ${parameter} in provider_overrides asks for more`;
  return [gapWarning('num_results', slug, `returns one page of ${pageRows} results${hint}`)];
}

function skippedWarning(name: string): Warning {
  return {
    code: 'provider_skipped',
    message: `${name} is in the default set of this deployment but is not a known provider; it was left out`,
  };
}
