import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Tables } from '@trawl/database';
import type { SessionSummary, SessionSummaryReader } from '@trawl/router';
import { type Kysely, sql } from 'kysely';
import { outcomeCounts } from './outcome-counts.ts';

/**
 * Reads one session after the other: the embedded database is read on the calling thread, and other
 * requests get their turn in between.
 */
export function createSessionSummaryReader(db: Kysely<Tables>): SessionSummaryReader {
  return async (projectId, sessionIds) => {
    const summaries = new Map<string, SessionSummary>();
    for (const sessionId of sessionIds) {
      summaries.set(sessionId, await readSummary(db, projectId, sessionId));
      await nextTurn();
    }
    return summaries;
  };
}

async function readSummary(
  db: Kysely<Tables>,
  projectId: string,
  sessionId: string,
): Promise<SessionSummary> {
  const ofSession = () =>
    db
      .selectFrom('interactions')
      .where('interactions.session_id', '=', sessionId)
      .where('interactions.project_id', '=', projectId);
  const first = await ofSession()
    .select('user_input')
    .where('user_input', 'is not', null)
    .orderBy('created_at')
    .orderBy('sequence')
    .limit(1)
    .executeTakeFirst();
  const ended = await ofSession()
    .groupBy('outcome')
    .select(['outcome', sql<number>`cast(count(*) as bigint)`.as('count')])
    .execute();
  const { runs } = await ofSession()
    .innerJoin('runs', 'runs.interaction_id', 'interactions.id')
    .where('runs.kind', '=', 'preprocessor')
    .select(sql<number>`cast(count(*) as bigint)`.as('runs'))
    .executeTakeFirstOrThrow();
  const spent = await ofSession()
    // a ledger row has the time of its interaction, so the index over project and time finds it
    .innerJoin('ledger', (join) =>
      join
        .onRef('ledger.project_id', '=', 'interactions.project_id')
        .onRef('ledger.created_at', '=', 'interactions.created_at')
        .onRef('ledger.interaction_id', '=', 'interactions.id'),
    )
    .select([
      sql<number | null>`cast(sum(ledger.cost_micros) as bigint)`.as('micros'),
      sql<number>`cast(coalesce(sum(case when ledger.cost_micros is null then ledger.calls else 0 end), 0) as bigint)`.as(
        'unpriced',
      ),
    ])
    .executeTakeFirstOrThrow();
  return {
    firstInput: first?.user_input ?? null,
    runCount: runs,
    outcomes: outcomeCounts(ended),
    costMicros: spent.micros,
    unpricedCalls: spent.unpriced,
  };
}
