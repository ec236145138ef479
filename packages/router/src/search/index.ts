import type { Clock, ReportFault } from '@trawl/base';
import { type DryRun, type InteractionRequest, SCHEMA_VERSION } from '@trawl/contract';
import type { BudgetStore } from '../billing/budgets.ts';
import { dryRun } from '../billing/planned-call.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type Caller, checkSession, interactionHead } from '../interaction/head.ts';
import type { InteractionRecord } from '../interaction/records.ts';
import { type Answer, interactionParts, preprocessorTexts } from '../interaction/respond.ts';
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

/** The dependencies of a search. */
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

export interface Search {
  /**
   * A search from checked request to recorded answer.
   * @returns the answer, after it was committed
   * @throws RequestError when the request is refused (nothing is recorded), or could not be recorded (503)
   */
  readonly run: (request: InteractionRequest, caller: Caller) => Promise<Answer>;
  /** The calls that `run` would make, and their prices. @throws RequestError as `run` would, before anything is sent */
  readonly price: (request: InteractionRequest, caller: Caller) => Promise<DryRun>;
}

export function createSearch(dependencies: SearchDependencies): Search {
  const plan = createPlanner(dependencies);
  const execute = createExecution(dependencies);
  return {
    run: async (request, caller) => {
      const planned = await plan(request, caller);
      const price = async () => plannedCalls(planned.plans);
      const { record } = await spend(caller, price, dependencies, async () => ({
        record: await execute(planned, caller),
      }));
      return {
        text: interactionParts(record),
        parts: () => preprocessorTexts(record).map((text) => ({ event: 'run', text })),
      };
    },
    price: async (request, caller) => {
      const calls = plannedCalls((await plan(request, caller)).plans);
      await checkBudgets(caller, calls, dependencies.budgets);
      return dryRun(calls);
    },
  };
}

interface PlannedSearch extends Pick<RoutePlan, 'routing'> {
  readonly command: SearchCommand;
  readonly fields: FieldPlan;
  readonly plans: readonly RunPlan[];
}

type PlannerDependencies = Pick<SearchDependencies, 'deployment' | 'reader'> & RouteDependencies;

/** Checks and plans a search. */
function createPlanner({ deployment, reader, ...routing }: PlannerDependencies) {
  return async (request: InteractionRequest, caller: Caller): Promise<PlannedSearch> => {
    const command = searchCommand(request);
    const set = checkSearch(
      command,
      deployment,
      [...POSTPROCESSORS.keys()],
      caller.allowedProviders,
    );
    await checkSession(command.sessionId, caller, reader);
    const { queries, options } = command;
    const fields = planFields(options);
    const route = await planRoutes(queries, set, caller.signal, routing);
    const plans = planRuns({ queries, routes: route.routes, options, fields }, deployment);
    return { command, fields, routing: route.routing, plans };
  };
}

type ExecutionDependencies = Pick<
  SearchDependencies,
  'clock' | 'instanceId' | 'reportFault' | 'requestDeadlineMs' | 'runner'
>;

/** Executes a planned search, and makes its record. */
function createExecution(dependencies: ExecutionDependencies) {
  const { clock, requestDeadlineMs, runner } = dependencies;
  return async (
    { command, fields, routing, plans }: PlannedSearch,
    caller: Caller,
  ): Promise<InteractionRecord> => {
    const limits = {
      callerId: caller.keyId,
      signal: caller.signal,
      deadlineAt: caller.receivedAt + requestDeadlineMs,
    };
    const includeRaw = command.options.include_raw ?? false;
    // all at once
    const runs = await Promise.all(
      plans.map(async (plan) => {
        const executed = await executeRun(plan, runner, limits);
        const normalized = normalizeRun(executed, fields, { id: clock.newId(), includeRaw });
        caller.emit?.({ event: 'run', text: normalized.run.text });
        return normalized;
      }),
    );
    const { postprocessorNames, queries } = command;
    const postprocessed = runPostprocessors(postprocessorNames, queries, runs, dependencies);
    const facts = {
      sessionId: command.sessionId,
      userId: command.userId ?? null,
      userInput: command.userInput,
      metadata: command.metadata,
      status: interactionStatus(
        runs.map(({ run }) => run.value),
        postprocessed,
      ),
      normalizedSchemaVersion: SCHEMA_VERSION,
      routing,
    };
    const head = interactionHead(facts, caller, dependencies);
    return interactionRecord(head, runs, postprocessed, clock.newId);
  };
}
