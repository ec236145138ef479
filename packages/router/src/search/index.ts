import type { Clock, ReportFault } from '@trawl/base';
import {
  type DryRun,
  type InteractionRequest,
  LIMITS,
  type RoutingEntry,
  SCHEMA_VERSION,
} from '@trawl/contract';
import { askedFilters, type FieldPlan, planFields } from '@trawl/providers';
import type { MonitoredUpstreamRunner } from '@trawl/upstream';
import type { BudgetStore } from '../billing/budgets.ts';
import { dryRun } from '../billing/planned-call.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type Caller, checkSession, interactionHead } from '../interaction/head.ts';
import type { InteractionRecord } from '../interaction/records.ts';
import {
  type InteractionAnswer,
  interactionParts,
  preprocessorTexts,
} from '../interaction/respond.ts';
import { checkBudgets, spend } from '../interaction/spend.ts';
import type { InteractionReader, InteractionStore } from '../interaction/store.ts';
import type { AsRecorded } from '../replay/recorded.ts';
import { checkSearch } from './check.ts';
import { recordedSearch, type SearchCommand, searchCommand } from './command.ts';
import { executeRun } from './execute.ts';
import { replacing } from './fallback.ts';
import { type FollowUps, followUps } from './follow-up.ts';
import { type NormalizedRun, normalizeRun } from './normalize.ts';
import { planRuns, type RunPlan } from './plan.ts';
import { mergeRuns, POSTPROCESSORS, runPostprocessors } from './postprocess/index.ts';
import { plannedCalls } from './price.ts';
import { interactionRecord } from './record.ts';
import { planRoutes, type RouteDependencies, type RoutePlan } from './route.ts';
import { interactionStatus } from './status.ts';

/** The dependencies of a search. */
export interface SearchDependencies extends RouteDependencies {
  readonly deployment: Deployment;
  readonly runner: MonitoredUpstreamRunner;
  readonly reader: InteractionReader;
  readonly interactions: InteractionStore;
  readonly budgets: BudgetStore;
  readonly clock: Clock;
  readonly instanceId: string;
  readonly reportFault: ReportFault;
}

export interface Search {
  /**
   * A search from checked request to recorded answer.
   * @returns the answer, after it was committed
   * @throws RequestError when the request is refused (nothing is recorded), or could not be
   * recorded (503)
   */
  readonly run: (request: InteractionRequest, caller: Caller) => Promise<InteractionAnswer>;
  /**
   * The calls that `run` would make, their prices, and with auto-routing how each query is routed.
   * @throws RequestError as `run` would, before anything is sent
   */
  readonly price: (request: InteractionRequest, caller: Caller) => Promise<DryRun>;
  /** The request as its record would have it. */
  readonly asRecorded: (request: InteractionRequest) => AsRecorded;
}

export function createSearch(dependencies: SearchDependencies): Search {
  return {
    run: async (request, caller) => {
      const planned = await planSearch(request, caller, dependencies);
      const price = async () => mostCalls(planned);
      const work = () => executeSearch(planned, caller, dependencies);
      const { record } = await spend(caller, price, dependencies, work);
      return {
        text: interactionParts(record),
        parts: () => preprocessorTexts(record).map((text) => ({ event: 'run', text })),
      };
    },
    asRecorded: (request) => recordedSearch(searchCommand(request)),
    price: async (request, caller) => {
      const planned = await planSearch(request, caller, dependencies);
      await checkBudgets(caller, mostCalls(planned), dependencies.budgets);
      const { plans, next, routing } = planned;
      const prices = dryRun(plannedCalls(plans), await next?.conditionalCalls());
      return { ...prices, ...(routing && { routing: [...routing] }) };
    },
  };
}

interface PlannedSearch extends Pick<RoutePlan, 'routing'> {
  readonly command: SearchCommand;
  readonly fields: FieldPlan;
  readonly plans: readonly RunPlan[];
  /** What runs for queries of which no run succeeded; null = nothing. */
  readonly next: FollowUps | null;
}

/** The calls of the most expensive path. */
const mostCalls = ({ plans, next }: PlannedSearch) => [
  ...plannedCalls(plans),
  ...(next?.worstCalls() ?? []),
];

/** Checks and plans a search. */
async function planSearch(
  request: InteractionRequest,
  caller: Caller,
  dependencies: SearchDependencies,
): Promise<PlannedSearch> {
  const { deployment, reader } = dependencies;
  const command = searchCommand(request);
  const { queries, options } = command;
  const filters = askedFilters(options.filters, caller.receivedAt);
  const postprocessors = [...POSTPROCESSORS.keys()];
  const { allowedProviders: allowed, isOwnChoice } = caller;
  const bounds = { postprocessors, allowed, filters, isOwnChoice };
  const set = checkSearch(command, deployment, bounds);
  await checkSession(command.sessionId, caller, reader);
  const fields = planFields(options);
  const route = await planRoutes(queries, set, caller.signal, dependencies);
  const callerNotes = caller.notes ?? [];
  const routes = route.routes.map((one) => ({ ...one, notes: [...callerNotes, ...one.notes] }));
  const plans = planRuns({ queries, routes, options, fields, filters }, deployment);
  const { signal } = caller;
  const followed = { command, fields, filters, ...route };
  const next = set.fallback && followUps(set.fallback, followed, signal, dependencies);
  const { routing } = route;
  return { command, fields, routing, plans, next };
}

/** Executes a planned search, and makes its record. */
async function executeSearch(
  { command, fields, routing, plans, next }: PlannedSearch,
  caller: Caller,
  dependencies: SearchDependencies,
): Promise<{ readonly record: InteractionRecord }> {
  const { clock, runner } = dependencies;
  const includeRaw = command.options.include_raw ?? false;
  const ask = async (plan: RunPlan): Promise<NormalizedRun> => {
    const executed = await executeRun(plan, runner, caller);
    const normalized = normalizeRun(executed, fields, { id: clock.newId(), includeRaw });
    caller.emit?.({ event: 'run', text: normalized.run.text });
    return normalized;
  };
  const isOver = () => caller.signal.aborted || clock.now() >= caller.deadlineAt;
  // all at once
  const answered = await Promise.all(
    command.queries.map(async (_, batchIndex) => {
      const own = plans.filter((plan) => plan.batchIndex === batchIndex);
      const first = await Promise.all(own.map(ask));
      const more = next ? await runFallbacks(next, batchIndex, first, { ask, isOver }) : [];
      return { first, more };
    }),
  );
  const runs = answered.flatMap(({ first, more }) => [...first, ...more]);
  const { postprocessorNames, queries } = command;
  const postprocessed = runPostprocessors(postprocessorNames, queries, runs, dependencies);
  const facts = {
    sessionId: command.sessionId,
    userId: command.userId ?? null,
    ...recordedSearch(command),
    metadata: command.metadata,
    status: interactionStatus(
      runs.map(({ run }) => run.value),
      postprocessed,
    ),
    normalizedSchemaVersion: SCHEMA_VERSION,
    routing: routing?.map((entry, index) => withMore(entry, answered[index]?.more)) ?? null,
  };
  const head = interactionHead(facts, caller, dependencies);
  const merged = command.options.merge ? mergeRuns(queries, runs, dependencies) : [];
  const made = { postprocessorRuns: postprocessed, merged };
  const record = interactionRecord(head, runs, made, clock.newId);
  caller.observer?.executed(record);
  return { record };
}

interface Asking {
  readonly ask: (plan: RunPlan) => Promise<NormalizedRun>;
  /** Whether no further run can be answered in time. */
  readonly isOver: () => boolean;
}

/** Asks the next providers for a query, one after the other, until one succeeds. */
async function runFallbacks(
  next: FollowUps,
  batchIndex: number,
  first: readonly NormalizedRun[],
  { ask, isOver }: Asking,
): Promise<readonly NormalizedRun[]> {
  const more: NormalizedRun[] = [];
  const hasAnswer = () => [...first, ...more].some(({ run }) => run.value.error === null);
  if (hasAnswer()) return more;
  for (const plan of await next.plansOf(batchIndex)) {
    if (hasAnswer() || isOver() || more.length >= LIMITS.fallbackRuns) break;
    if (next.mayRun(plan)) more.push(await ask(replacing(plan, [...first, ...more])));
  }
  return more;
}

/** The providers of an entry with those that ran after them. */
const withMore = (entry: RoutingEntry, more: readonly NormalizedRun[] = []): RoutingEntry => ({
  ...entry,
  providers: [...entry.providers, ...more.map(({ run }) => run.value.preprocessor_name)],
});
