import { LIMITS, type SessionsResponse } from '@trawl/contract';
import { MICROS } from '../billing/records.ts';
import type { SessionSummary, StoredInteraction, StoredSession } from '../interaction/records.ts';
import { arrayText, objectText } from '../interaction/respond.ts';

/** @param summaries of the sessions, by id; absent = they were not asked for */
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
      ...(summaries === undefined ? {} : { summary: summaryOf(summaries.get(session.id)) }),
    })),
  };
}

type Summary = NonNullable<SessionsResponse['sessions'][number]['summary']>;

/** A session that was deleted meanwhile has nothing left to say. */
function summaryOf(found: SessionSummary | undefined): Summary {
  const micros = found?.costMicros ?? null;
  return {
    first_input: found?.firstInput == null ? null : firstOf(JSON.parse(found.firstInput)),
    run_count: found?.runCount ?? 0,
    cost_usd: micros === null ? null : micros / MICROS,
    unpriced_calls: found?.unpricedCalls ?? 0,
  };
}

interface Input {
  readonly query?: unknown;
  readonly queries?: readonly { readonly query?: unknown }[];
  readonly urls?: readonly unknown[];
}

/** The first query or URL, cut at the length that a list has room for. */
function firstOf({ query, queries = [], urls = [] }: Input): string | null {
  const first = query ?? queries[0]?.query ?? urls[0];
  if (typeof first !== 'string') return null;
  return [...first.slice(0, 2 * LIMITS.firstInputCharacters)]
    .slice(0, LIMITS.firstInputCharacters)
    .join('');
}

/** The interactions of a history as JSON text; runs and metadata stand in it with `full`. */
export function historyText(interactions: readonly StoredInteraction[], full: boolean): string {
  return arrayText(interactions.map((interaction) => summaryText(interaction, full)));
}

/** An answer about one session: the members that all have, its own, and where to go on if it was cut. */
export function sessionText(
  instanceId: string,
  sessionId: string,
  members: Readonly<Record<string, string>>,
  nextAfter: string | undefined,
): string {
  return objectText({
    instance_id: JSON.stringify(instanceId),
    session_id: JSON.stringify(sessionId),
    ...members,
    ...(nextAfter === undefined ? {} : { next_after: JSON.stringify(nextAfter) }),
  });
}

function summaryText(interaction: StoredInteraction, full: boolean): string {
  return objectText({
    id: JSON.stringify(interaction.id),
    session_id: JSON.stringify(interaction.sessionId),
    user_input: interaction.userInput ?? 'null',
    status: JSON.stringify(interaction.status),
    created_at: JSON.stringify(interaction.createdAt),
    completed_at: JSON.stringify(interaction.completedAt),
    ...(full
      ? {
          metadata: interaction.metadata,
          preprocessor_runs: arrayText(interaction.preprocessorRuns),
          postprocessor_runs: arrayText(interaction.postprocessorRuns),
        }
      : {}),
  });
}
