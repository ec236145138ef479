import { LIMITS, type PlannedCall, type SearchOptions, type Topic } from '@trawl/contract';
import { rankedProviders, type TopicRanking, UNROUTED_TOPICS } from '@trawl/providers';
import {
  type Deployment,
  inRosterOrder,
  isCandidate,
  keylessSlugs,
  lastOf,
  setUpFirst,
  wellFirst,
} from '../deployment/deployment.ts';
import { type AllowedProviders, allowedOf } from '../keys/allowed-providers.ts';
import type { NormalizedRun } from './normalize.ts';
import { planRuns, type RunPlan, type WantedRuns } from './plan.ts';
import type { QueryRoute } from './route.ts';

/** The providers that may run for a query of which no run succeeded. */
export interface FallbackSet {
  /** Slugs; in their order, unless the topic of the query decides it. */
  readonly slugs: readonly string[];
  /** Those that are asked without a key: they come after the others. */
  readonly keyless: ReadonlySet<string>;
  /** Those whose answers went bad: they come last of all, unless they are named. */
  readonly last: ReadonlySet<string>;
  /** The order is that of the topic, and only providers with a closed circuit run. */
  readonly isAuto: boolean;
}

/** The providers that a request names to run after others. */
export const fallbackNames = ({ fallback }: SearchOptions): readonly string[] =>
  typeof fallback === 'object' ? fallback : [];

/**
 * What a request may fall back to, by its own words or those of the deployment; null = nothing.
 * @param named the providers that the request names to run: `auto` never leaves them
 */
export function fallbackSet(
  options: SearchOptions,
  named: readonly string[] | undefined,
  deployment: Deployment,
  allowed: AllowedProviders,
): FallbackSet | null {
  const choice = options.fallback ?? deployment.searchFallback;
  if (choice === 'off' || choice.length === 0) return null;
  const isAuto = choice === 'auto';
  const wanted = isAuto
    ? automaticFallback(deployment).filter((slug) => named?.includes(slug) ?? true)
    : choice;
  const exclude = options.providers?.exclude ?? [];
  const slugs = allowedOf(wanted, allowed).filter((slug) => !exclude.includes(slug));
  // what a request names keeps its order
  const isNamed = typeof options.fallback === 'object' || (isAuto && named !== undefined);
  const last = isNamed ? new Set<string>() : lastOf(slugs, deployment);
  const ordered = wellFirst([...new Set(slugs)], { last });
  return { isAuto, slugs: ordered, keyless: keylessSlugs(deployment), last };
}

/**
 * Where no topic decides, the default set comes first, since the operator chose it, then the
 * others.
 */
function automaticFallback(deployment: Deployment): readonly string[] {
  const { searchProviders, defaultSet } = deployment;
  return [...defaultSet, ...inRosterOrder(deployment)].filter((slug) => {
    const provider = searchProviders.get(slug);
    return provider && isCandidate(provider) && provider.declaration.autoRoutable;
  });
}

/** @param topic of the query; null = not known */
export function fallbackOrder(
  { slugs, keyless, last, isAuto }: FallbackSet,
  topic: Topic | null,
  ranking: TopicRanking,
): readonly string[] {
  if (!isAuto || topic === null || UNROUTED_TOPICS.has(topic)) return slugs;
  return wellFirst(setUpFirst(rankedProviders(topic, slugs, ranking), keyless), { last });
}

const NO_RUNS: QueryRoute = { slugs: [], skipped: [], notes: [] };

/**
 * The runs that may follow those of one query, in the order given. A provider that already ran is
 * ignored.
 */
export function fallbackPlans(
  batchIndex: number,
  { order, ran }: { readonly order: readonly string[]; readonly ran: readonly string[] },
  wanted: Omit<WantedRuns, 'routes'>,
  deployment: Deployment,
): readonly RunPlan[] {
  const own = { ...NO_RUNS, slugs: order.filter((slug) => !ran.includes(slug)) };
  const routes = wanted.queries.map((_, index) => (index === batchIndex ? own : NO_RUNS));
  return planRuns({ ...wanted, routes }, deployment);
}

/** A run with the warning that says which failed runs of its query it replaces. */
export function replacing(plan: RunPlan, failed: readonly NormalizedRun[]): RunPlan {
  const { slug } = plan.provider.declaration;
  const others = failed.map(({ run }) => {
    const { preprocessor_name, error } = run.value;
    return `${preprocessor_name} (${error?.code})`;
  });
  const message = `fallback: ${slug} was asked because ${others.join(', ')} failed`;
  return { ...plan, warnings: [{ code: 'fallback_used', message }, ...plan.warnings] };
}

/** Calls that are made only where others fail. */
export const conditional = (calls: readonly PlannedCall[]): readonly PlannedCall[] =>
  calls.map((call) => ({ ...call, conditional: true }));

/**
 * The most expensive of the calls that a query may lead to: with a list the first of them; with
 * `auto` any of them, since circuits may change until then.
 */
export function worstCalls(
  calls: readonly PlannedCall[],
  { isAuto }: FallbackSet,
): readonly PlannedCall[] {
  const byCost = isAuto ? calls.toSorted((a, b) => (b.cost_usd ?? 0) - (a.cost_usd ?? 0)) : calls;
  return conditional(byCost.slice(0, LIMITS.fallbackRuns));
}
