import type { JsonText } from '@trawl/base';
import type { SearchRun } from '@trawl/contract';
import type { RunsTable, SearchAnswersTable, Tables } from '@trawl/database';
import type { AnswerReader, RecordedAnswer } from '@trawl/router';
import { type Kysely, sql } from 'kysely';
import { runText } from './read-runs.ts';

/** Answers of one statement; SQLite accepts 500 parts of a union. */
const AT_ONCE = 50;

interface AnswerRow extends Omit<SearchAnswersTable, 'project_id' | 'position'> {
  readonly body: RunsTable['body'] | null;
}

/** One look by project and fingerprint for each answer, in one statement. */
export function createAnswerReader(db: Kysely<Tables>): AnswerReader {
  return {
    newestAnswers: async (projectId, fingerprints, notBefore) => {
      const found = new Map<string, RecordedAnswer>();
      for (let from = 0; from < fingerprints.length; from += AT_ONCE) {
        const looks = fingerprints
          .slice(from, from + AT_ONCE)
          .map((fingerprint) => newest(projectId, fingerprint, notBefore));
        const { rows } = await sql<AnswerRow>`${sql.join(looks, sql` union all `)}`.execute(db);
        for (const row of rows) found.set(row.fingerprint, recordedAnswer(row));
      }
      return found;
    },
  };
}

const newest = (projectId: string, fingerprint: string, notBefore: string) => sql`
  select * from (
    select found.interaction_id, found.fingerprint, found.answered_at, found.cost_micros,
      found.own_warnings, found.hidden,
      case when found.answered_at >= ${notBefore} then runs.body end as body
    from search_answers as found join runs on runs.interaction_id = found.interaction_id
      and runs.kind = 'preprocessor' and runs.position = found.position
    where found.project_id = ${projectId} and found.fingerprint = ${fingerprint}
    order by found.answered_at desc limit 1) as one`;

const recordedAnswer = (row: AnswerRow): RecordedAnswer => ({
  interactionId: row.interaction_id,
  answeredAt: row.answered_at,
  costMicros: row.cost_micros,
  ownWarnings: row.own_warnings,
  hidden: row.hidden,
  // what was recorded, by its kind
  text: row.body === null ? null : (runText(row.body) as JsonText<SearchRun>),
});
