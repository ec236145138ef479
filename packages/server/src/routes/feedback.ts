import { type Clock, isoTime, jsonText } from '@trawl/base';
import type { FeedbackRequest, FeedbackResponse } from '@trawl/contract';
import {
  changeStore,
  type FeedbackRow,
  heldResults,
  type InteractionReader,
  type MatchProblem,
  matchResults,
  type Recorder,
  RequestError,
  readStore,
  type StoredInteraction,
} from '@trawl/router';
import { valueError } from '../http/answer/fault-kinds.ts';
import { echoedInput, entry } from '../http/answer/validation-issues.ts';
import type { Handlers } from '../http/handler.ts';
import { apiKeyOf, callerOf } from './caller.ts';
import { recordedInteraction } from './interactions.ts';

export interface FeedbackStore {
  readonly reader: InteractionReader;
  readonly recorder: Pick<Recorder, 'recordFeedback'>;
}

/**
 * POST …/feedback keeps feedback on results of a recorded interaction; GET …/feedback returns the
 * latest verdict on each.
 */
export function feedbackRoutes(
  { reader, recorder }: FeedbackStore,
  clock: Clock,
): Pick<Handlers, 'giveFeedback' | 'readFeedback'> {
  return {
    giveFeedback: async ({ params, body }, context) => {
      const { projectId } = callerOf(context);
      const { replaySession } = apiKeyOf(context);
      const interaction = await readStore(() =>
        recordedInteraction(reader, projectId, params.interaction_id),
      );
      if (!interaction) throw unknownInteraction();
      const rows = feedbackRows(body, interaction, isoTime(clock.now()));
      const feedback = { projectId, interactionId: interaction.id, rows };
      // a test that replays a session must not change what people said; the session may be deleted
      const isKept =
        replaySession !== null || (await changeStore(() => recorder.recordFeedback(feedback)));
      if (!isKept) throw unknownInteraction();
      return { text: jsonText(feedbackResponse(interaction, rows)) };
    },
    readFeedback: async ({ params: { interaction_id: id } }, context) => {
      const { projectId } = callerOf(context);
      const sessionId = await readStore(() => reader.sessionOf(projectId, id));
      if (sessionId === undefined) throw unknownInteraction();
      const rows = await readStore(() => reader.feedback(id));
      return { text: jsonText(feedbackResponse({ id, sessionId }, rows)) };
    },
  };
}

const unknownInteraction = () => new RequestError(404, 'Interaction not found');

/** @throws RequestError 422 if a result does not exist, or has two verdicts */
function feedbackRows(
  { results, user_id, note }: FeedbackRequest,
  { preprocessorRuns }: StoredInteraction,
  createdAt: string,
): readonly FeedbackRow[] {
  const { judged, problems } = matchResults(results, heldResults(preprocessorRuns));
  if (problems.length > 0) {
    throw new RequestError(
      422,
      problems.map((problem) => issueOf(problem, results)),
    );
  }
  return judged.map(({ result: { addresses: _, ...result }, verdict }) => ({
    ...result,
    verdict,
    userId: user_id ?? null,
    note: note ?? null,
    createdAt,
  }));
}

function issueOf({ index, field, problem }: MatchProblem, results: FeedbackRequest['results']) {
  const input = echoedInput(results[index]?.[field]);
  return entry(['body', 'results', index, field], valueError(problem), input);
}

function feedbackResponse(
  { id, sessionId }: Pick<StoredInteraction, 'id' | 'sessionId'>,
  rows: readonly FeedbackRow[],
): FeedbackResponse {
  return {
    session_id: sessionId,
    interaction_id: id,
    results: rows.map((row) => ({
      run_id: row.runId,
      batch_index: row.batchIndex,
      provider: row.provider,
      rank: row.rank,
      url: row.url,
      verdict: row.verdict,
      user_id: row.userId,
      note: row.note,
      created_at: row.createdAt,
    })),
  };
}
