import { LIMITS, type PlannedCall } from '@trawl/contract';
import type { AskedFilters, FieldPlan } from '@trawl/providers';
import type { MonitoredUpstreamRunner } from '@trawl/upstream';
import type { Deployment } from '../deployment/deployment.ts';
import type { SearchCommand } from './command.ts';
import { type FallbackSet, fallbackOrder, fallbackPlans, worstCalls } from './fallback.ts';
import type { RunPlan } from './plan.ts';
import { plannedCalls } from './price.ts';
import { type RouteDependencies, type RoutePlan, topicsOf } from './route.ts';

/** The runs that a planned search may still need. */
export interface FollowUps {
  /** The runs that may follow those of a query, in their order. */
  readonly plansOf: (batchIndex: number) => Promise<readonly RunPlan[]>;
  /** Whether a run may be sent now. */
  readonly mayRun: (plan: RunPlan) => boolean;
  /** The runs that would follow at present, for these queries. */
  readonly nextPlans: (queries: readonly number[]) => Promise<readonly RunPlan[]>;
  /** The most expensive calls that may follow, for these queries. */
  readonly worstCalls: (
    queries: readonly number[],
    without?: ReadonlySet<string>,
  ) => readonly PlannedCall[];
  /** The price of every provider that may follow, for these queries. */
  readonly allCalls: (queries: readonly number[]) => readonly PlannedCall[];
  /** The same without these providers. */
  readonly without: (slugs: ReadonlySet<string>) => FollowUps;
}

interface Followed extends RoutePlan {
  readonly command: SearchCommand;
  readonly fields: FieldPlan;
  readonly filters: AskedFilters | undefined;
}

interface FollowUpDependencies extends RouteDependencies {
  readonly deployment: Deployment;
  readonly runner: Pick<MonitoredUpstreamRunner, 'health'>;
}

/** Plans what may follow. Topics are looked up when a query needs one, once for all queries. */
export function followUps(
  set: FallbackSet,
  followed: Followed,
  signal: AbortSignal,
  dependencies: FollowUpDependencies,
): FollowUps {
  const { command, fields, filters, routing, routes } = followed;
  const { deployment, ranking, runner } = dependencies;
  const { queries, options } = command;
  const plansIn = (order: readonly string[], batchIndex: number) => {
    const ran = routes[batchIndex]?.slugs ?? [];
    const wanted = { queries, options, fields, filters };
    return fallbackPlans(batchIndex, { order, ran }, wanted, deployment);
  };
  let findings: ReturnType<typeof topicsOf> | undefined;
  const topicOf = async (batchIndex: number) => {
    if (!set.isAuto) return null;
    if (routing !== null) return routing[batchIndex]?.topic ?? null;
    findings ??= topicsOf(queries, signal, dependencies);
    return (await findings)?.[batchIndex]?.topic ?? null;
  };
  const plansOf = async (batchIndex: number) =>
    plansIn(fallbackOrder(set, await topicOf(batchIndex), ranking), batchIndex);
  const mayRun = ({ provider }: RunPlan) =>
    !set.isAuto || runner.health(provider.target).state === 'closed';
  const allCalls = (wanted: readonly number[]) =>
    wanted.flatMap((batchIndex) => plannedCalls(plansIn(set.slugs, batchIndex)));
  return {
    plansOf,
    mayRun,
    nextPlans: async (wanted) => {
      const plans = await Promise.all(wanted.map(plansOf));
      return plans.flatMap((next) => next.filter(mayRun).slice(0, LIMITS.fallbackRuns));
    },
    worstCalls: (wanted, without = new Set()) =>
      wanted.flatMap((batchIndex) => {
        const calls = allCalls([batchIndex]).filter(({ provider }) => !without.has(provider));
        return worstCalls(calls, set);
      }),
    allCalls,
    without: (left) => {
      const slugs = set.slugs.filter((slug) => !left.has(slug));
      return followUps({ ...set, slugs }, followed, signal, dependencies);
    },
  };
}
