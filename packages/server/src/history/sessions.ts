import type { SessionsResponse } from '@trawl/contract';
import { arrayText, objectText } from '../search/respond.ts';
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

/** A session's history as JSON text; runs and metadata stand in it with `full`. */
export function historyText(
  instanceId: string,
  sessionId: string,
  interactions: readonly StoredInteraction[],
  full: boolean,
): string {
  return sessionText(instanceId, sessionId, {
    interactions: arrayText(interactions.map((interaction) => summaryText(interaction, full))),
  });
}

/** The members that every answer about one session starts with, then its own. */
export function sessionText(
  instanceId: string,
  sessionId: string,
  members: Readonly<Record<string, string>>,
): string {
  return objectText({
    instance_id: JSON.stringify(instanceId),
    session_id: JSON.stringify(sessionId),
    ...members,
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
