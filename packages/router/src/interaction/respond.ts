import type { InteractionRecord, StoredInteraction } from './records.ts';

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

/** JSON text in parts, to be sent one after the other. Large texts are not copied to be joined. */
export type TextParts = readonly string[];

/** Text of one run, or its parts. */
export type RunText = string | TextParts;

/** The answer's JSON, made of texts that exist already: no run is serialized twice, and GET answers what POST answered. */
export function interactionParts(
  head: AnswerHead,
  preprocessorRuns: readonly RunText[],
  postprocessorRuns: readonly RunText[],
  more: Readonly<Record<string, string>> = {},
): TextParts {
  const before: Record<string, string> = {
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
  };
  const after: Record<string, string> = {
    created_at: JSON.stringify(head.createdAt),
    completed_at: JSON.stringify(head.completedAt),
    normalized_schema_version: JSON.stringify(head.normalizedSchemaVersion),
    routing: head.routing ?? 'null',
    ...more,
  };
  return [
    `${objectText(before).slice(0, -1)},"preprocessor_runs":[`,
    ...separated(preprocessorRuns),
    '],"postprocessor_runs":[',
    ...separated(postprocessorRuns),
    `],${objectText(after).slice(1)}`,
  ];
}

/**
 * A new interaction's answer.
 * @param preprocessorRuns the texts of those runs in parts, where they are at hand; as recorded when absent
 */
export function recordedParts(
  record: InteractionRecord,
  preprocessorRuns: readonly RunText[] = textsOf(record, 'preprocessor'),
): TextParts {
  return interactionParts(record, preprocessorRuns, textsOf(record, 'postprocessor'));
}

const textsOf = ({ runs }: InteractionRecord, wanted: 'preprocessor' | 'postprocessor') =>
  runs.filter(({ kind }) => kind === wanted).map(({ text }) => text);

/** What a recorded interaction was answered with. */
export function recordedAnswer(stored: StoredInteraction): TextParts {
  return interactionParts(stored, stored.preprocessorRuns, stored.postprocessorRuns);
}

/** The same interaction read back. */
export function detailsParts(stored: StoredInteraction): TextParts {
  return interactionParts(stored, stored.preprocessorRuns, stored.postprocessorRuns, {
    user_input: stored.userInput ?? 'null',
    metadata: stored.metadata,
  });
}

/** The parts of several texts, with a comma between each text and the next. */
export const separated = (texts: readonly RunText[]): TextParts =>
  texts.flatMap((text, index) => (index === 0 ? text : [',', text].flat()));

export function arrayText(items: readonly string[]): string {
  return `[${items.join(',')}]`;
}

export function objectText(members: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(members).map(([key, text]) => `${JSON.stringify(key)}:${text}`);
  return `{${pairs.join(',')}}`;
}
