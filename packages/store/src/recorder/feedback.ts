import type { FeedbackTable, Tables } from '@trawl/database';
import type { FeedbackRecord, FeedbackRow } from '@trawl/router';
import type { Kysely } from 'kysely';
import type { Result } from './recorder-protocol.ts';

/** Limits the parameters of one statement: SQLite allows 32,766. */
const ROWS_PER_INSERT = 100;

/**
 * Writes feedback in one transaction and replaces earlier feedback on the same results. Writes
 * nothing if the interaction does not exist.
 */
export async function writeFeedback(db: Kysely<Tables>, feedback: FeedbackRecord): Promise<Result> {
  const { projectId, interactionId } = feedback;
  const rows = feedback.rows.map((row) => feedbackRow(interactionId, row));
  return db.transaction().execute(async (transaction): Promise<Result> => {
    const interaction = await transaction
      .selectFrom('interactions')
      .select('id')
      .where('id', '=', interactionId)
      .where('project_id', '=', projectId)
      .executeTakeFirst();
    if (!interaction) return { status: 'committed', found: false };
    for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
      await transaction
        .insertInto('feedback')
        .values(rows.slice(from, from + ROWS_PER_INSERT))
        .onConflict((conflict) =>
          conflict.columns(['interaction_id', 'run_position', 'rank']).doUpdateSet((eb) => ({
            verdict: eb.ref('excluded.verdict'),
            user_id: eb.ref('excluded.user_id'),
            note: eb.ref('excluded.note'),
            created_at: eb.ref('excluded.created_at'),
          })),
        )
        .execute();
    }
    return { status: 'committed', found: true };
  });
}

export async function readFeedback(
  db: Kysely<Tables>,
  interactionId: string,
): Promise<readonly FeedbackRow[]> {
  const rows = await db
    .selectFrom('feedback')
    .selectAll()
    .where('interaction_id', '=', interactionId)
    .orderBy('run_position')
    .orderBy('rank')
    .execute();
  return rows.map((row) => ({
    runPosition: row.run_position,
    rank: row.rank,
    runId: row.run_id,
    batchIndex: row.batch_index,
    provider: row.provider,
    url: row.url,
    verdict: row.verdict,
    userId: row.user_id,
    note: row.note,
    createdAt: row.created_at,
  }));
}

function feedbackRow(interactionId: string, row: FeedbackRow): FeedbackTable {
  return {
    interaction_id: interactionId,
    run_position: row.runPosition,
    rank: row.rank,
    run_id: row.runId,
    batch_index: row.batchIndex,
    provider: row.provider,
    url: row.url,
    verdict: row.verdict,
    user_id: row.userId,
    note: row.note,
    created_at: row.createdAt,
  };
}
