import { isoTime } from '@trawl/base';
import type { OpenDatabase, Tables } from '@trawl/database';
import { type Kysely, sql } from 'kysely';
import type { ProbingRecorder } from '../recorder/recorder.ts';

/** What deletes old interactions. */
export interface Sweeps {
  /**
   * Whether this server may sweep now: none did within this time. Times of servers whose clocks run
   * ahead are ignored. Calling it again with 0 keeps others away while a sweep goes on.
   */
  claim(nowMs: number, quietMs: number): Promise<boolean>;
  /** Projects that keep interactions for a limited time, in days. */
  limits(
    days: number | undefined,
  ): Promise<readonly { readonly id: string; readonly days: number }[]>;
  /** The earlier of this time and the database's own. */
  earlier(nowMs: number): Promise<number>;
  slice: ProbingRecorder['sweep'];
  /** Forgets codes and tokens of logins a day after their end. */
  tokens(nowMs: number): Promise<void>;
}

/** The setting with the time of the last sweep. */
const SWEPT_AT = 'retention_swept_at';

export function createSweeps(
  { db, isEmbedded }: Pick<OpenDatabase, 'db' | 'isEmbedded'>,
  recorder: Pick<ProbingRecorder, 'sweep'>,
  tokens: Sweeps['tokens'],
): Sweeps {
  return {
    claim: (nowMs, quietMs) => claim(db, nowMs, quietMs),
    limits: async (days) => {
      const rows = await db
        .selectFrom('projects')
        .select(['id', 'retention_days', 'deleted_at'])
        .execute();
      return rows.flatMap((row) => {
        // what a request in progress recorded after its project was deleted
        const kept = row.deleted_at === null ? (row.retention_days ?? days ?? 0) : 1;
        return kept > 0 ? [{ id: row.id, days: kept }] : [];
      });
    },
    earlier: async (nowMs) => {
      return isEmbedded ? nowMs : Math.min(nowMs, await databaseTime(db));
    },
    slice: recorder.sweep,
    tokens,
  };
}

/** By PostgreSQL's clock, in milliseconds since 1970. */
export async function databaseTime(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as ms`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the database did not say its time');
  return row.ms;
}

async function claim(db: Kysely<Tables>, nowMs: number, quietMs: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('settings')
    .values({ name: SWEPT_AT, value: isoTime(nowMs) })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => ({ value: eb.ref('excluded.value') }))
        .where((eb) =>
          eb.or([
            eb('settings.value', '<=', isoTime(nowMs - quietMs)),
            eb('settings.value', '>', isoTime(nowMs)),
          ]),
        ),
    )
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}
