import {
  arrayParts,
  createArrayText,
  type JsonParts,
  jsonText,
  objectParts,
  readJson,
  treeParts,
} from '@trawl/base';
import {
  type InteractionRecordSummary,
  isJsonObject,
  type JsonObject,
  LIMITS,
  type SessionHistoryResponse,
  type SessionsResponse,
  type SessionTrajectoryResponse,
} from '@trawl/contract';
import { usdOf } from '../billing/records.ts';
import type { SessionSummary, StoredInteraction, StoredSession } from '../interaction/records.ts';
import type { ReadStep } from '../interaction/store.ts';
import { trajectoryTree } from './trajectory.ts';

/** @param summaries of the sessions, by id; absent = not requested */
export function sessionList(
  sessions: readonly StoredSession[],
  summaries?: ReadonlyMap<string, SessionSummary>,
): SessionsResponse {
  return {
    sessions: sessions.map((session) => ({
      id: session.id,
      created_at: session.createdAt,
      updated_at: session.updatedAt,
      interaction_count: session.interactionCount,
      latest_interaction_at: session.latestInteractionAt,
      ...(summaries === undefined
        ? {}
        : { summary: summaryOf(session, summaries.get(session.id)) }),
    })),
  };
}

type Summary = NonNullable<SessionsResponse['sessions'][number]['summary']>;

/** A session that was deleted in the meantime has an empty summary. */
function summaryOf({ deletedCount }: StoredSession, found: SessionSummary | undefined): Summary {
  const micros = found?.costMicros ?? null;
  return {
    first_input: found?.firstInput ? firstOf(readJson(found.firstInput)) : null,
    run_count: found?.runCount ?? 0,
    outcomes: found?.outcomes ?? { succeeded: 0, partial: 0, failed: 0 },
    cost_usd: usdOf(micros),
    unpriced_calls: found?.unpricedCalls ?? 0,
    deleted_interactions: deletedCount,
  };
}

/** The first query or URL, cut to the length for lists. */
function firstOf({ query, queries, urls }: JsonObject): string | null {
  const first = query ?? firstQuery(queries) ?? (Array.isArray(urls) ? urls[0] : null);
  if (typeof first !== 'string') return null;
  return [...first.slice(0, 2 * LIMITS.firstInputCharacters)]
    .slice(0, LIMITS.firstInputCharacters)
    .join('');
}

function firstQuery(queries: unknown): unknown {
  const [first]: readonly unknown[] = Array.isArray(queries) ? queries : [];
  return isJsonObject(first) ? first.query : null;
}

/** The page of a session that an answer shows. */
export interface SessionPage {
  readonly instanceId: string;
  readonly session: StoredSession;
  /** Read while the answer is made. */
  readonly interactions: AsyncIterable<readonly StoredInteraction[]>;
  /** Where to continue after the last one that was read; undefined = the page reaches the end. */
  readonly nextAfter: () => Promise<string | undefined>;
  /** Called between steps of the work. */
  readonly onStep: ReadStep;
}

/** @param isFull with runs and metadata */
export async function historyParts(
  page: SessionPage,
  isFull: boolean,
): Promise<JsonParts<SessionHistoryResponse>> {
  const interactions = createArrayText<InteractionRecordSummary>();
  for await (const some of page.interactions) {
    for (const one of some) {
      const parts = summaryParts(one, isFull);
      interactions.add(parts);
      await page.onStep(isFull ? ownCharacters(one) : charactersOf(parts));
    }
  }
  const nextAfter = await page.nextAfter();
  return objectParts<SessionHistoryResponse>({
    instance_id: jsonText(page.instanceId),
    session_id: jsonText(page.session.id),
    interactions: interactions.parts(),
    ...(nextAfter !== undefined && { next_after: jsonText(nextAfter) }),
  });
}

export async function trajectoryParts(
  page: SessionPage,
): Promise<JsonParts<SessionTrajectoryResponse>> {
  const tree = await trajectoryTree(page.session, page.interactions, page.onStep);
  const trajectory = await treeParts(tree, () => page.onStep(0));
  const nextAfter = await page.nextAfter();
  return objectParts<SessionTrajectoryResponse>({
    instance_id: jsonText(page.instanceId),
    session_id: jsonText(page.session.id),
    trajectory,
    ...(nextAfter !== undefined && { next_after: jsonText(nextAfter) }),
  });
}

/** Without its runs, which were counted when they were read. */
const ownCharacters = ({ metadata, userInput }: StoredInteraction): number =>
  metadata.length + (userInput?.length ?? 0);

const charactersOf = (parts: readonly string[]): number =>
  parts.reduce((sum, part) => sum + part.length, 0);

function summaryParts(
  interaction: StoredInteraction,
  isFull: boolean,
): JsonParts<InteractionRecordSummary> {
  return objectParts<InteractionRecordSummary>({
    id: jsonText(interaction.id),
    session_id: jsonText(interaction.sessionId),
    user_input: interaction.userInput ?? jsonText(null),
    status: jsonText(interaction.status),
    outcome: jsonText(interaction.outcome),
    created_at: jsonText(interaction.createdAt),
    completed_at: jsonText(interaction.completedAt),
    ...(isFull && {
      metadata: interaction.metadata,
      preprocessor_runs: arrayParts(interaction.preprocessorRuns),
      postprocessor_runs: arrayParts(interaction.postprocessorRuns),
    }),
  });
}
