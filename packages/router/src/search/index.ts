import type { Clock, ReportFault } from '@trawl/base';
import { type DryRun, LIMITS, type RoutingEntry, SCHEMA_VERSION } from '@trawl/contract';
import { askedFilters, planFields } from '@trawl/providers';
import type { MonitoredUpstreamRunner } from '@trawl/upstream';
import type { BudgetStore } from '../billing/budgets.ts';
import { dryRun } from '../billing/planned-call.ts';
import { microsOf } from '../billing/records.ts';
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
import { countedAnswers } from './answer-counts.ts';
import {
  type AnswerOptions,
  type RequestRuns,
  type RunDependencies,
  requestRuns,
} from './cache/request-runs.ts';
import { checkSearch, checkWhatLeaves } from './check.ts';
import { type AskedSearch, recordedSearch, type SearchCommand, searchCommand } from './command.ts';
import { type CostTally, leftOutByCost, leftOutWarning, tallyCost } from './cost-cap.ts';
import { conditional, replacing } from './fallback.ts';
import { type FollowUps, followUps } from './follow-up.ts';
import type { NormalizedRun } from './normalize.ts';
import { noveltyNotes, pagesToLeaveOut, type SeenPages } from './novelty.ts';
import { planRuns, type RunPlan } from './plan.ts';
import { mergeRuns, POSTPROCESSORS, runPostprocessors } from './postprocess/index.ts';
import { plannedCalls } from './price.ts';
import { namedProviders, providerSet } from './provider-set.ts';
import { interactionRecord } from './record.ts';
import { planRoutes, type RouteDependencies, type RoutePlan } from './route.ts';
import { interactionStatus } from './status.ts';

/** The dependencies of a search. */
export interface SearchDependencies extends RouteDependencies, RunDependencies, SeenPages {
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
  readonly run: (request: AskedSearch, caller: Caller) => Promise<InteractionAnswer>;
  /**
   * The calls that `run` would make, their prices, and with auto-routing how each query is routed.
   * @throws RequestError as `run` would, before anything is sent
   */
  readonly price: (request: AskedSearch, caller: Caller) => Promise<DryRun>;
  /** The request as its record would have it. */
  readonly asRecorded: (request: AskedSearch) => AsRecorded;
}

/** With every search of this many that would ask one last, one is asked in its usual place. */
const USUAL_EVERY = 20;

export function createSearch(dependencies: SearchDependencies): Search {
  let searches = 0;
  /** That of a search: a provider that went bad must be able to show that it is well. */
  const withOneAsUsual = (
    request: AskedSearch,
    { allowedProviders, isOwnChoice }: Caller,
  ): SearchDependencies => {
    const { deployment } = dependencies;
    if (deployment.last.size === 0) return dependencies;
    // searches that ask none of them last do not count
    const set = providerSet(searchCommand(request), deployment, allowedProviders, isOwnChoice);
    if (set.last.size === 0) return dependencies;
    searches += 1;
    if (searches % USUAL_EVERY !== 0) return dependencies;
    const slugs = [...set.last];
    const usual = slugs[(searches / USUAL_EVERY) % slugs.length];
    const last = new Set([...deployment.last].filter((slug) => slug !== usual));
    return { ...dependencies, deployment: { ...deployment, last } };
  };
  return {
    run: async (request, caller) => {
      const planned = await planSearch(request, caller, withOneAsUsual(request, caller));
      const price = async () => mostCalls(planned);
      const seen = await pagesToLeaveOut(planned.command, caller, dependencies);
      const recording = startRecording(dependencies);
      const work = () => executeSearch({ ...planned, seen }, recording, caller, dependencies);
      const { record } = await spend(caller, price, dependencies, work).finally(recording.end);
      return {
        text: interactionParts(record),
        parts: () => preprocessorTexts(record).map((text) => ({ event: 'run', text })),
      };
    },
    asRecorded: (request) => recordedSearch(searchCommand(request)),
    price: async (request, caller) => {
      const planned = await planSearch(request, caller, dependencies);
      await checkBudgets(caller, mostCalls(planned), dependencies.budgets);
      const { plans, next, routing, runs } = planned;
      const more = await next?.nextPlans(openQueries(planned));
      await runs.look(more ?? []);
      const mayFollow = more && conditional(plannedCalls(more, runs.isHit));
      const prices = dryRun(plannedCalls(plans, runs.isHit), mayFollow);
      return { ...prices, ...(routing && { routing: [...routing] }) };
    },
  };
}

/** An interaction that is about to be recorded. */
interface Recording {
  readonly interactionId: string;
  /** Resolves when it is recorded, or could not be. */
  readonly recorded: Promise<void>;
  readonly end: () => void;
}

function startRecording({ clock }: SearchDependencies): Recording {
  let end = () => {};
  const recorded = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { interactionId: clock.newId(), recorded, end: () => end() };
}

interface PlannedSearch extends Pick<RoutePlan, 'routing'> {
  readonly command: SearchCommand;
  /** Pages that its merged lists leave out; absent = none. */
  readonly seen?: ReadonlySet<string> | undefined;
  readonly plans: readonly RunPlan[];
  readonly runs: RequestRuns;
  /** What runs for queries of which no run succeeded; null = nothing. */
  readonly next: FollowUps | null;
  /** Absent = its cost has no cap. */
  readonly cost?: CostTally | undefined;
}

/** The calls of the most expensive path. */
const mostCalls = (planned: PlannedSearch) => [
  ...plannedCalls(planned.plans, planned.runs.isHit),
  ...(planned.next?.worstCalls(openQueries(planned)) ?? []),
];

/** The queries that no recorded answer answers, so that others may follow. */
function openQueries({ command, plans, runs }: Pick<PlannedSearch, 'command' | 'plans' | 'runs'>) {
  const answered = new Set(plans.filter(runs.isHit).map(({ batchIndex }) => batchIndex));
  return [...command.queries.keys()].filter((batchIndex) => !answered.has(batchIndex));
}

/** Checks and plans a search. */
async function planSearch(
  request: AskedSearch,
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
  checkWhatLeaves(command, caller.rules);
  await checkSession(command.sessionId, caller, reader);
  const fields = planFields(options);
  const route = await planRoutes(queries, set, caller.signal, dependencies);
  const callerNotes = [...(caller.notes ?? []), ...noveltyNotes(options)];
  const routes = route.routes.map((one) => ({ ...one, notes: [...callerNotes, ...one.notes] }));
  const plans = planRuns({ queries, routes, options, fields, filters }, deployment);
  const { signal } = caller;
  const followed = { command, fields, filters, ...route };
  const next = set.fallback && followUps(set.fallback, followed, signal, dependencies);
  const { routing } = route;
  const runs = requestRuns({ command, fields, filters, caller }, dependencies);
  await runs.look(plans);
  const isNamed = set.candidates === null && !isOwnChoice && namedProviders(command) !== undefined;
  return withinCost({ command, routing, plans, next, runs }, isNamed);
}

/** The search without the providers that do not fit into its cap. @throws RequestError 402 */
function withinCost(planned: PlannedSearch, isNamed: boolean): PlannedSearch {
  const { command, plans, next, routing, runs } = planned;
  const { max_cost_usd: maxCostUsd } = command.options;
  if (maxCostUsd === undefined) return planned;
  const open = openQueries(planned);
  const calls = plannedCalls(plans, runs.isHit);
  const left = leftOutByCost(maxCostUsd, {
    calls,
    queryCount: command.queries.length,
    followUps: (without) => next?.worstCalls(open, without) ?? [],
    mayFollow: next?.allCalls(open) ?? [],
    isNamed,
  });
  const warnings = leftOutWarning(left, maxCostUsd);
  const isLeft = (slug: string) => left.first.has(slug);
  let spareMicros = (microsOf(maxCostUsd) ?? 0) - left.micros;
  const kept = plans.flatMap((plan, index) => {
    if (isLeft(plan.provider.declaration.slug)) return [];
    const micros = microsOf(calls[index]?.cost_usd ?? 0) ?? 0;
    const isSentOnce = micros > spareMicros;
    if (!isSentOnce) spareMicros -= micros;
    return { ...plan, isSentOnce, warnings: [...warnings, ...plan.warnings] };
  });
  return {
    ...planned,
    plans: kept,
    next: next?.without(left.next) ?? null,
    routing:
      routing?.map((entry) => ({
        ...entry,
        providers: entry.providers.filter((slug) => !isLeft(slug)),
      })) ?? null,
    cost: tallyCost(maxCostUsd, left.micros),
  };
}

/** Executes a planned search, and makes its record. */
async function executeSearch(
  { command, routing, plans, next, runs: answering, cost, seen }: PlannedSearch,
  recording: Recording,
  caller: Caller,
  dependencies: SearchDependencies,
): Promise<{ readonly record: InteractionRecord }> {
  const { clock } = dependencies;
  const ask = async (plan: RunPlan): Promise<NormalizedRun> => {
    const normalized = await answering.answer(plan, recording, costRemarks(plan, cost));
    caller.emit?.({ event: 'run', text: normalized.run.text });
    return normalized;
  };
  const isOver = () => caller.signal.aborted || clock.now() >= caller.deadlineAt;
  // all at once
  const answered = await Promise.all(
    command.queries.map(async (_, batchIndex) => {
      const own = plans.filter((plan) => plan.batchIndex === batchIndex);
      const first = await Promise.all(own.map(ask));
      const more = next
        ? await runFallbacks(next, batchIndex, first, { ask, isOver, hasCap: cost !== undefined })
        : [];
      return { first, more };
    }),
  );
  const runs = answered.flatMap(({ first, more }) => [...first, ...more]);
  const { postprocessorNames, queries } = command;
  const postprocessed = runPostprocessors(postprocessorNames, queries, runs, dependencies);
  const facts = {
    id: recording.interactionId,
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
  const merged = command.options.merge ? mergeRuns(queries, runs, seen, dependencies) : [];
  const { watch_id: watchId } = command.metadata;
  const isOfWatch = caller.isWatch && typeof watchId === 'string';
  const counted = caller.isReplay ? [] : countedAnswers(runs, isOfWatch ? watchId : undefined);
  const made = { postprocessorRuns: postprocessed, merged, counted };
  const record = interactionRecord(head, runs, made, clock.newId);
  caller.observer?.executed(record);
  return { record };
}

/** What a run under a cap says of its cost. */
function costRemarks(plan: RunPlan, cost: CostTally | undefined): AnswerOptions {
  if (cost === undefined) return {};
  const [call] = plannedCalls([plan]);
  const { slug } = plan.provider.declaration;
  return { remarksOnCost: (paid) => cost.remarks(slug, call?.cost_usd ?? null, paid) };
}

interface Asking {
  readonly ask: (plan: RunPlan) => Promise<NormalizedRun>;
  /** Whether the cost of the search has a cap. */
  readonly hasCap: boolean;
  /** Whether no further run can be answered in time. */
  readonly isOver: () => boolean;
}

/** Asks the next providers for a query, one after the other, until one succeeds. */
async function runFallbacks(
  next: FollowUps,
  batchIndex: number,
  first: readonly NormalizedRun[],
  { ask, isOver, hasCap }: Asking,
): Promise<readonly NormalizedRun[]> {
  const more: NormalizedRun[] = [];
  const hasAnswer = () => [...first, ...more].some(({ run }) => run.value.error === null);
  if (hasAnswer()) return more;
  for (const plan of await next.plansOf(batchIndex)) {
    if (hasAnswer() || isOver() || more.length >= LIMITS.fallbackRuns) break;
    if (!next.mayRun(plan)) continue;
    // money is kept for one try of each
    const once = hasCap ? { ...plan, isSentOnce: true } : plan;
    more.push(await ask(replacing(once, [...first, ...more])));
  }
  return more;
}

/** The providers of an entry with those that ran after them. */
const withMore = (entry: RoutingEntry, more: readonly NormalizedRun[] = []): RoutingEntry => ({
  ...entry,
  providers: [...entry.providers, ...more.map(({ run }) => run.value.preprocessor_name)],
});
