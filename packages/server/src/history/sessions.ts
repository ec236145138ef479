import type { SessionsResponse } from '@trawl/contract';
import { arrayText, objectText } from '../interaction/respond.ts';
import type { StoredInteraction, StoredSession } from '../storage/store.ts';

export function sessionList(sessions: readonly StoredSession[]): SessionsResponse {
  return {
    sessions: sessions.map((session) => ({
      id: session.id,
      created_at: session.createdAt,
      updated_at: session.updatedAt,
      interaction_count: session.interactionCount,
      latest_interaction_at: session.latestInteractionAt,
    })),
  };
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
