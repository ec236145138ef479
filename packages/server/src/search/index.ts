import { type InteractionRequest, type InteractionStatus, SCHEMA_VERSION } from '@trawl/contract';
import { type Clock, isoTime } from '../clock.ts';
import type { Deployment } from '../deployment.ts';
import { POSTPROCESSORS, runPostprocessors } from '../postprocess/index.ts';
import type { ReportFault } from '../report-fault.ts';
import { RequestError } from '../request-error.ts';
import type { InteractionReader } from '../storage/store.ts';
import { type InteractionStore, readStore } from '../store-access.ts';
import type { UpstreamRunner } from '../upstream/types.ts';
import { checkSearch } from './check.ts';
import { type SearchCommand, searchCommand } from './command.ts';
import { executeRuns } from './execute.ts';
import { normalizeRun } from './normalize.ts';
import { planFields, planRuns } from './plan.ts';
import { type InteractionHead, interactionRecord } from './record.ts';
import { recordedText } from './respond.ts';
import { planRoutes } from './route.ts';
import { interactionStatus } from './status.ts';
import { trajectoryIds } from './trajectory-metadata.ts';

/** What a search reaches outside itself. */
export interface SearchDependencies {
  readonly deployment: Deployment;
  readonly runner: UpstreamRunner;
  readonly reader: InteractionReader;
  readonly interactions: InteractionStore;
  readonly clock: Clock;
  readonly instanceId: string;
  readonly requestDeadlineMs: number;
  readonly reportFault: ReportFault;
}

export interface SearchCaller {
  readonly projectId: string;
  readonly keyId: string;
  readonly signal: AbortSignal;
  /** When the request was accepted, in milliseconds since 1970. */
  readonly receivedAt: number;
}

/**
 * A search from checked request to recorded answer.
 * @returns the answer's JSON text, after it was committed
 * @throws RequestError when the request is refused (nothing is recorded), or could not be recorded (503)
 */
export async function runSearch(
  request: InteractionRequest,
  caller: SearchCaller,
  dependencies: SearchDependencies,
): Promise<string> {
  const { clock, deployment, runner, interactions } = dependencies;
  const command = searchCommand(request);
  const set = checkSearch(command, deployment, [...POSTPROCESSORS.keys()]);
  await checkSession(command, caller, dependencies.reader);
  await interactions.ready();

  const fields = planFields(command.options);
  const { routing, notes } = planRoutes(command.queries, set, command.options);
  const plans = planRuns(command.queries, set, command.options, fields, deployment, notes);
  const executed = await executeRuns(plans, runner, {
    signal: caller.signal,
    deadlineAt: caller.receivedAt + dependencies.requestDeadlineMs,
  });
  const includeRaw = command.options.include_raw ?? false;
  const runs = executed.map((run) => normalizeRun(run, fields, { id: clock.newId(), includeRaw }));

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

  const head = interactionHead(command, caller, status, JSON.stringify(routing), dependencies);
  const record = interactionRecord(head, runs, postprocessed, clock.newId);
  await interactions.write(record);
  return recordedText(record);
}

/** @throws RequestError 404 for a session of another project, the same as for one that cannot be read */
async function checkSession(
  { sessionId }: SearchCommand,
  { projectId }: SearchCaller,
  reader: InteractionReader,
): Promise<void> {
  if (sessionId === undefined) return;
  const owner = await readStore(() => reader.sessionOwner(sessionId));
  if (owner !== undefined && owner !== projectId) throw new RequestError(404, 'Session not found');
}

function interactionHead(
  command: SearchCommand,
  caller: SearchCaller,
  status: InteractionStatus,
  routing: string,
  { clock, instanceId }: SearchDependencies,
): InteractionHead {
  const trajectory = trajectoryIds(command.metadata);
  return {
    id: clock.newId(),
    instanceId,
    sessionId: command.sessionId ?? clock.newId(),
    projectId: caller.projectId,
    keyId: caller.keyId,
    userId: command.userId ?? null,
    status,
    createdAt: isoTime(caller.receivedAt),
    completedAt: isoTime(clock.now()),
    normalizedSchemaVersion: SCHEMA_VERSION,
    trajectoryId: trajectory.trajectoryId ?? clock.newId(),
    parentTrajectoryId: trajectory.parentTrajectoryId,
    trajectoryGoal: trajectory.trajectoryGoal,
    userInput: command.userInput === null ? null : JSON.stringify(command.userInput),
    metadata: JSON.stringify(command.metadata),
    routing: routing === 'null' ? null : routing,
  };
}
