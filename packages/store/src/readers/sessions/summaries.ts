import type { JsonText } from '@trawl/base';
import type { JsonObject } from '@trawl/contract';
import type { Tables } from '@trawl/database';
import type { SessionSummary, SessionSummaryReader } from '@trawl/router';
import { type Kysely, sql } from 'kysely';
import { idsOf, readHeads } from './heads.ts';
import { outcomeCounts, readListedSessions } from './listed-sessions.ts';

/** The first input is read whole: more than any text has. */
const WHOLE = 2 ** 31 - 1;

export function createSessionSummaryReader(db: Kysely<Tables>): SessionSummaryReader {
  return async (projectId, ids) => {
    const summaries = new Map<string, SessionSummary>();
    const heads = await readHeads(db, projectId, { ids });
    for await (const batch of readListedSessions(db, projectId, heads, WHOLE)) {
      const { rows } = await sql<{ session_id: string; runs: number }>`
        select session_id, cast(count(*) as bigint) as runs
        from interactions join runs on runs.interaction_id = interactions.id
        where session_id in (${idsOf(batch.map(({ head }) => head))})
          and project_id = ${projectId} and runs.kind = 'preprocessor'
        group by session_id`.execute(db);
      for (const { head, counts, spent, first } of batch) {
        summaries.set(head.id, {
          firstInput: (first?.user_input ?? null) as JsonText<JsonObject> | null,
          runCount: rows.find(({ session_id }) => session_id === head.id)?.runs ?? 0,
          outcomes: outcomeCounts(counts),
          costMicros: spent?.micros ?? null,
          unpricedCalls: spent?.unpricedCalls ?? 0,
        });
      }
    }
    return summaries;
  };
}
