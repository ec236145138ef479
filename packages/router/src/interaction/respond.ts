import {
  arrayParts,
  type Json,
  type JsonMembers,
  type JsonParts,
  type JsonText,
  jsonText,
  objectParts,
  readJson,
} from '@trawl/base';
import type {
  FetchRow,
  InteractionDetails,
  InteractionResponse,
  MergedList,
  PostprocessorRun,
  PreprocessorRun,
} from '@trawl/contract';
import type { AnswerPart } from './head.ts';
import type { InteractionRecord, StoredInteraction } from './records.ts';

/** What a request is answered with. */
export interface InteractionAnswer {
  /** Large texts are not copied to be joined. */
  readonly text: JsonParts<InteractionResponse>;
  /** The answer's parts, as the events of a stream have them. */
  readonly parts: () => readonly AnswerPart[];
}

/** The texts of its runs, and of what was made of them. */
interface RunTexts {
  readonly preprocessorRuns: readonly Json<PreprocessorRun>[];
  readonly postprocessorRuns: readonly Json<PostprocessorRun>[];
  readonly mergedLists: readonly Json<MergedList>[];
}

/** The members of an answer that are not runs. */
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
 * The answer's members, of texts that exist already: no run is serialized twice, and GET answers
 * what POST answered.
 */
function answerMembers(
  head: AnswerHead,
  { preprocessorRuns, postprocessorRuns, mergedLists }: RunTexts,
): JsonMembers<InteractionResponse> {
  const { parentTrajectoryId, trajectoryGoal } = head;
  return {
    instance_id: jsonText(head.instanceId),
    session_id: jsonText(head.sessionId),
    interaction_id: jsonText(head.id),
    trajectory_id: jsonText(head.trajectoryId),
    parent_trajectory_id: parentTrajectoryId === null ? undefined : jsonText(parentTrajectoryId),
    trajectory_goal: trajectoryGoal === null ? undefined : jsonText(trajectoryGoal),
    status: jsonText(head.status),
    preprocessor_runs: arrayParts(preprocessorRuns),
    postprocessor_runs: arrayParts(postprocessorRuns),
    created_at: jsonText(head.createdAt),
    completed_at: jsonText(head.completedAt),
    normalized_schema_version: jsonText(head.normalizedSchemaVersion),
    routing: head.routing ?? jsonText(null),
    merged: mergedLists.length === 0 ? undefined : arrayParts(mergedLists),
  };
}

/** A new interaction's answer. */
export function interactionParts(record: InteractionRecord): JsonParts<InteractionResponse> {
  const postprocessorRuns: JsonText<PostprocessorRun>[] = [];
  const mergedLists: JsonText<MergedList>[] = [];
  for (const run of record.runs) {
    if (run.kind === 'postprocessor') postprocessorRuns.push(run.text);
    else if (run.kind === 'merged') mergedLists.push(run.text);
  }
  const preprocessorRuns = preprocessorTexts(record);
  return objectParts<InteractionResponse>(
    answerMembers(record, { preprocessorRuns, postprocessorRuns, mergedLists }),
  );
}

export function preprocessorTexts({
  runs,
}: Pick<InteractionRecord, 'runs'>): readonly Json<PreprocessorRun>[] {
  const texts: Json<PreprocessorRun>[] = [];
  for (const run of runs) if (run.kind === 'preprocessor') texts.push(run.text);
  return texts;
}

/** The answer of a recorded interaction. */
export function recordedAnswer(stored: StoredInteraction): InteractionAnswer {
  return {
    text: objectParts<InteractionResponse>(answerMembers(stored, stored)),
    parts: () => stored.preprocessorRuns.flatMap(recordedParts),
  };
}

/** The events of a recorded run: the run of a search, or the pages of a fetch. */
function recordedParts(text: JsonText<PreprocessorRun>): readonly AnswerPart[] {
  const { output_payload: output } = readJson(text);
  if (output === null || !('fetched_results' in output)) return [{ event: 'run', text }];
  return output.fetched_results.map((row) => ({ event: 'page', text: jsonText<FetchRow>(row) }));
}

/** The same interaction read back. */
export function detailsParts(stored: StoredInteraction): JsonParts<InteractionDetails> {
  const { userInput, metadata } = stored;
  return objectParts<InteractionDetails>({
    ...answerMembers(stored, stored),
    user_input: userInput ?? jsonText(null),
    metadata,
  });
}
