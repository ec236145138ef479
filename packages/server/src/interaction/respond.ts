import type { InteractionRecord, StoredInteraction } from '../storage/store.ts';

/** The members of an answer that are not runs, in the answer's order. */
type AnswerHead = Pick<
  InteractionRecord,
  | 'id'
  | 'instanceId'
  | 'sessionId'
  | 'status'
  | 'createdAt'
  | 'completedAt'
  | 'normalizedSchemaVersion'
  | 'trajectoryId'
  | 'parentTrajectoryId'
  | 'trajectoryGoal'
  | 'routing'
>;

/**
 * The answer's JSON text, joined from texts that exist already, so that no run is serialized twice and GET answers
 * what POST answered.
 */
export function interactionText(
  head: AnswerHead,
  preprocessorRuns: readonly string[],
  postprocessorRuns: readonly string[],
  more: Readonly<Record<string, string>> = {},
): string {
  const members: Record<string, string> = {
    instance_id: JSON.stringify(head.instanceId),
    session_id: JSON.stringify(head.sessionId),
    interaction_id: JSON.stringify(head.id),
    trajectory_id: JSON.stringify(head.trajectoryId),
    ...(head.parentTrajectoryId === null
      ? {}
      : { parent_trajectory_id: JSON.stringify(head.parentTrajectoryId) }),
    ...(head.trajectoryGoal === null
      ? {}
      : { trajectory_goal: JSON.stringify(head.trajectoryGoal) }),
    status: JSON.stringify(head.status),
    preprocessor_runs: arrayText(preprocessorRuns),
    postprocessor_runs: arrayText(postprocessorRuns),
    created_at: JSON.stringify(head.createdAt),
    completed_at: JSON.stringify(head.completedAt),
    normalized_schema_version: JSON.stringify(head.normalizedSchemaVersion),
    routing: head.routing ?? 'null',
    ...more,
  };
  return objectText(members);
}

/** A new interaction's answer. */
export function recordedText(record: InteractionRecord): string {
  const texts = (kind: 'preprocessor' | 'postprocessor') =>
    record.runs.filter((run) => run.kind === kind).map((run) => run.text);
  return interactionText(record, texts('preprocessor'), texts('postprocessor'));
}

/** What a recorded interaction was answered with. */
export function recordedAnswer(stored: StoredInteraction): string {
  return interactionText(stored, stored.preprocessorRuns, stored.postprocessorRuns);
}

/** The same interaction read back. */
export function detailsText(stored: StoredInteraction): string {
  return interactionText(stored, stored.preprocessorRuns, stored.postprocessorRuns, {
    user_input: stored.userInput ?? 'null',
    metadata: stored.metadata,
  });
}

export function arrayText(items: readonly string[]): string {
  return `[${items.join(',')}]`;
}

export function objectText(members: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(members).map(([key, text]) => `${JSON.stringify(key)}:${text}`);
  return `{${pairs.join(',')}}`;
}
