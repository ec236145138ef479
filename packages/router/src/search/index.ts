import type { Clock, ReportFault } from '@trawl/base';
import { type DryRun, type InteractionRequest, SCHEMA_VERSION } from '@trawl/contract';
import type { BudgetStore } from '../billing/budgets.ts';
import { dryRun } from '../billing/planned-call.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type Caller, checkSession, interactionHead } from '../interaction/head.ts';
import type { InteractionRecord } from '../interaction/records.ts';
import { recordedParts, type TextParts } from '../interaction/respond.ts';
import { checkBudgets, spend } from '../interaction/spend.ts';
import type { InteractionReader, InteractionStore } from '../interaction/store.ts';
import type { UpstreamRunner } from '../upstream/types.ts';
import { checkSearch } from './check.ts';
import { type SearchCommand, searchCommand } from './command.ts';
import { executeRun } from './execute.ts';
import { normalizeRun } from './normalize.ts';
import { type FieldPlan, planFields, planRuns, type RunPlan } from './plan.ts';
import { POSTPROCESSORS, runPostprocessors } from './postprocess/index.ts';
import { plannedCalls } from './price.ts';
import { interactionRecord } from './record.ts';
import { planRoutes, type RouteDependencies, type RoutePlan } from './route.ts';
import { interactionStatus } from './status.ts';

/** What a search reaches outside itself. */
export interface SearchDependencies extends RouteDependencies {
  readonly deployment: Deployment;
  readonly runner: UpstreamRunner;
  readonly reader: InteractionReader;
  readonly interactions: InteractionStore;
  readonly budgets: BudgetStore;
  readonly clock: Clock;
  readonly instanceId: string;
  readonly requestDeadlineMs: number;
  readonly reportFault: ReportFault;
}

/**
 * A search from checked request to recorded answer.
 * @returns the answer's JSON, after it was committed
 * @throws RequestError when the request is refused (nothing is recorded), or could not be recorded (503)
 */
export async function runSearch(
  request: InteractionRequest,
  caller: Caller,
  dependencies: SearchDependencies,
): Promise<TextParts> {
  const planned = await planSearch(request, caller, dependencies);
  const price = async () => plannedCalls(planned.plans);
  const record = await spend(caller, price, dependencies, () =>
    executeSearch(planned, caller, dependencies),
  );
  return recordedParts(record);
}

/** What `runSearch` would call and pay. @throws RequestError as it would, before anything is sent */
export async function priceSearch(
  request: InteractionRequest,
  caller: Caller,
  dependencies: SearchDependencies,
): Promise<DryRun> {
  const calls = plannedCalls((await planSearch(request, caller, dependencies)).plans);
  await checkBudgets(caller, calls, dependencies.budgets);
  return dryRun(calls);
}

interface PlannedSearch extends Pick<RoutePlan, 'routing'> {
  readonly command: SearchCommand;
  readonly fields: FieldPlan;
  readonly plans: readonly RunPlan[];
}

/** A search as checked and planned. */
async function planSearch(
  request: InteractionRequest,
  caller: Caller,
  dependencies: SearchDependencies,
): Promise<PlannedSearch> {
  const { deployment, reader } = dependencies;
  const command = searchCommand(request);
  const set = checkSearch(command, deployment, [...POSTPROCESSORS.keys()]);
  await checkSession(command.sessionId, caller, reader);
  const fields = planFields(command.options);
  const { routing, routes } = await planRoutes(command.queries, set, caller.signal, dependencies);
  const plans = planRuns(command.queries, routes, command.options, fields, deployment);
  return { command, fields, routing, plans };
}

async function executeSearch(
  { command, fields, routing, plans }: PlannedSearch,
  caller: Caller,
  dependencies: SearchDependencies,
): Promise<InteractionRecord> {
  const { clock, runner } = dependencies;
  const limits = {
    callerId: caller.keyId,
    signal: caller.signal,
    deadlineAt: caller.receivedAt + dependencies.requestDeadlineMs,
  };
  const includeRaw = command.options.include_raw ?? false;
  // all at once
  const runs = await Promise.all(
    plans.map(async (plan) => {
      const executed = await executeRun(plan, runner, limits);
      const normalized = normalizeRun(executed, fields, { id: clock.newId(), includeRaw });
      caller.emit?.('run', normalized.text);
      return normalized;
    }),
  );

  const postprocessed = runPostprocessors(
    command.postprocessorNames,
    command.queries,
    runs,
    dependencies,
  );
  const status = interactionStatus(
    runs.map(({ run }) => run),
    postprocessed,
  );

  const head = interactionHead(
    {
      sessionId: command.sessionId,
      userId: command.userId ?? null,
      userInput: command.userInput,
      metadata: command.metadata,
      status,
      normalizedSchemaVersion: SCHEMA_VERSION,
      routing: routing === null ? null : JSON.stringify(routing),
    },
    caller,
    dependencies,
  );
  return interactionRecord(head, runs, postprocessed, clock.newId);
}
