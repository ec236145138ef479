import { type Clock, isoTime, type Json, jsonText } from '@trawl/base';
import {
  type InteractionStatus,
  type JsonObject,
  outcomeOfStatus,
  type RoutingEntry,
  type StreamEvents,
  UUID,
  type Warning,
} from '@trawl/contract';
import type { Budget } from '../billing/budgets.ts';
import type { AllowedDomains } from '../keys/allowed-domains.ts';
import type { AllowedProviders } from '../keys/allowed-providers.ts';
import { RequestError } from '../requests/request-error.ts';
import { readStore } from '../requests/store-access.ts';
import type { WebRules } from '../web-rules/web-rules.ts';
import type { RequestObserver } from './observe.ts';
import type { InteractionRecord, RecordedRequest, RequestRepeat } from './records.ts';
import type { InteractionReader } from './store.ts';

/** Who asks providers, and until when. Made once for a request, and passed on as it is. */
export interface Call {
  /** The id of the API key that asks, or `OWN_CALLER`. */
  readonly keyId: string;
  /** Its project, or `OWN_CALLER`. */
  readonly projectId: string;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly deadlineAt: number;
  /** Observes what the request does; absent = nothing does. */
  readonly observer?: RequestObserver | undefined;
}

/** The caller, and the start of its request. */
export interface Caller extends Call {
  /** When the request was accepted, in milliseconds since 1970. */
  readonly receivedAt: number;
  /** The monthly budgets that pay for it. */
  readonly budgets: readonly Budget[];
  readonly allowedProviders: AllowedProviders;
  readonly allowedDomains: AllowedDomains;
  /** Of the deployment and of the project. */
  readonly rules: WebRules;
  /** Whether its key may read what was recorded. */
  readonly mayRead: boolean;
  /** Whether a watch asks: its runs are of now, and answer no other request. */
  readonly isWatch?: boolean | undefined;
  /** Whether it asks again what was asked before: that says nothing new of its providers. */
  readonly isReplay?: boolean | undefined;
  /** Whether we named the providers of its request, so that `fallback: "auto"` may ask others. */
  readonly isOwnChoice?: boolean | undefined;
  /**
   * What each run or page of its request must say, such as a provider of its key's profile that is
   * unknown now.
   */
  readonly notes?: readonly Warning[] | undefined;
  /** Gets each part of the answer as it arrives; undefined = the answer is wanted as a whole. */
  readonly emit?: EmitPart | undefined;
  /** The key under which the request may be repeated. */
  readonly repeat?: RequestRepeat | undefined;
}

/** A part of an answer as its event: a run, a page, or a source of a context. */
export type AnswerPart =
  | { readonly event: 'run'; readonly text: Json<StreamEvents['run']> }
  | { readonly event: 'page'; readonly text: Json<StreamEvents['page']> }
  | { readonly event: 'source'; readonly text: Json<StreamEvents['source']> };

export type EmitPart = (part: AnswerPart) => void;

/** An interaction record without runs, ledger and titles. */
export interface InteractionHead
  extends Omit<InteractionRecord, 'runs' | 'ledger' | 'titles' | 'counted'> {}

/** The parts of an interaction of any kind. */
export interface InteractionFacts {
  /** Absent = a new one. */
  readonly id?: string | undefined;
  readonly sessionId: string | undefined;
  readonly userId: string | null;
  readonly userInput: JsonObject | null;
  readonly metadata: JsonObject;
  readonly status: InteractionStatus;
  readonly normalizedSchemaVersion: number | null;
  readonly routing: readonly RoutingEntry[] | null;
  readonly request: RecordedRequest | null;
}

export function interactionHead(
  facts: InteractionFacts,
  caller: Caller,
  { clock, instanceId }: { readonly clock: Clock; readonly instanceId: string },
): InteractionHead {
  const trajectory = trajectoryIds(facts.metadata);
  return {
    id: facts.id ?? clock.newId(),
    instanceId,
    sessionId: facts.sessionId ?? clock.newId(),
    projectId: caller.projectId,
    keyId: caller.keyId,
    userId: facts.userId,
    status: facts.status,
    outcome: outcomeOfStatus(facts.status),
    createdAt: isoTime(caller.receivedAt),
    completedAt: isoTime(clock.now()),
    normalizedSchemaVersion: facts.normalizedSchemaVersion,
    trajectoryId: trajectory.trajectoryId ?? clock.newId(),
    parentTrajectoryId: trajectory.parentTrajectoryId,
    trajectoryGoal: trajectory.trajectoryGoal,
    userInput: facts.userInput && jsonText(facts.userInput),
    metadata: jsonText(facts.metadata),
    routing: facts.routing && jsonText([...facts.routing]),
    request: facts.request && jsonText(facts.request),
    repeat: caller.repeat,
  };
}

interface TrajectoryIds {
  readonly trajectoryId: string | undefined;
  readonly parentTrajectoryId: string | null;
  readonly trajectoryGoal: string | null;
}

/** The three trajectory keys of `metadata`; values of another form are plain metadata. */
export function trajectoryIds(metadata: JsonObject): TrajectoryIds {
  const uuid = (value: unknown) =>
    typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : undefined;
  const goal = metadata.trajectory_goal;
  return {
    trajectoryId: uuid(metadata.trajectory_id),
    parentTrajectoryId: uuid(metadata.parent_trajectory_id) ?? null,
    trajectoryGoal: typeof goal === 'string' && goal !== '' ? goal : null,
  };
}

/**
 * @throws RequestError 404 for a session of another project, the same as for one that cannot be
 * read
 */
export async function checkSession(
  sessionId: string | undefined,
  { projectId }: Pick<Caller, 'projectId'>,
  reader: InteractionReader,
): Promise<void> {
  if (sessionId === undefined) return;
  const owner = await readStore(() => reader.sessionOwner(sessionId));
  if (owner === undefined || owner === projectId) return;
  throw new RequestError(404, 'Session not found', {
    typed: { code: 'invalid_session', param: 'session_id' },
  });
}
