import { isoTime } from '@trawl/base';
import type { WatchRunStatus, WatchStop } from '@trawl/contract';
import type { OpenDatabase, Tables } from '@trawl/database';
import { type Kysely, sql, type Transaction } from 'kysely';
import { claimed, endRun, type WatchFound } from './end-run.ts';
import { type StoredWatch, type WatchError, watchOf } from './watch-rows.ts';

/** A watch whose key ended. */
export interface StoppedWatch {
  readonly id: string;
  readonly reason: WatchStop;
}

/** A run that this process may make. */
export interface WatchClaim {
  readonly claimId: string;
  readonly watch: StoredWatch;
  /** It was asked for: the next run stays when it is due. */
  readonly isExtra: boolean;
}

/** How a run ended. Times are milliseconds since 1970. */
export interface WatchRunEnd {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly status: WatchRunStatus;
  readonly error: WatchError | null;
  /** null = nothing was recorded. */
  readonly interactionId: string | null;
  readonly found: WatchFound;
}

/** What of a run is new. */
export interface RunNews {
  readonly count: number;
  /** The place before the first of them, to ask for them. */
  readonly after: number;
}

/**
 * The runs of watches, over all servers of the database. Times are milliseconds since 1970.
 */
export interface WatchRuns {
  /**
   * Gives back the runs of a server that has ended. Only where that is known: on the embedded
   * database, which has one server.
   */
  releaseLeft(): Promise<void>;
  /** Stops watches whose key ended, and answers those that this call stopped. */
  stopEnded(now: number): Promise<readonly StoppedWatch[]>;
  /**
   * Ids of watches that should run now: of each project the one that waits longest, the project
   * first whose last run began longest ago. None of a project of which a run is in progress.
   * @param busy projects of further runs, whose watches were deleted meanwhile
   */
  due(now: number, limit: number, busy?: readonly string[]): Promise<readonly string[]>;
  /**
   * Of servers that ask at once, one gets the run, and a project has one run in progress. One that
   * was claimed and has not ended by `until` can be claimed again: its process died. An extra run
   * needs only a watch that is not stopped and has no run in progress.
   */
  claim(
    id: string,
    claim: {
      readonly claimId: string;
      readonly now: number;
      readonly until: number;
      readonly isExtra?: boolean;
    },
  ): Promise<WatchClaim | undefined>;
  /**
   * Ends a run: what is new is written, and the next run is an interval after this one was due, or
   * from now where that has passed. undefined = it was deleted, or another process took over.
   */
  end(claim: WatchClaim, end: WatchRunEnd): Promise<RunNews | undefined>;
  /** Gives a run back that was not made: it stays due. */
  release(claim: WatchClaim): Promise<void>;
  /** Keeps the claim of a run that could not be made: another process may take it at `until`. */
  postpone(claim: WatchClaim, until: number): Promise<void>;
}

export function createWatchRuns({
  db,
  isEmbedded,
}: Pick<OpenDatabase, 'db' | 'isEmbedded'>): WatchRuns {
  return {
    releaseLeft: async () => {
      if (!isEmbedded) return;
      await db
        .updateTable('watches')
        .set({ claim_id: null, claimed_until: null })
        .where('claim_id', 'is not', null)
        .execute();
    },
    stopEnded: (now) => stopEnded(db, isoTime(now)),
    due: (now, limit, busy = []) => due(db, { now, limit, busy }),
    claim: (id, claim) =>
      db.transaction().execute((transaction) => claimRun(transaction, id, claim)),
    end: (claim, end) => db.transaction().execute((transaction) => endRun(transaction, claim, end)),
    release: async (claim) => {
      await claimed(db, claim).set({ claim_id: null, claimed_until: null }).execute();
    },
    postpone: async (claim, until) => {
      await claimed(db, claim)
        .set({ claimed_until: isoTime(until) })
        .execute();
    },
  };
}

async function due(
  db: Kysely<Tables>,
  { now, limit, busy }: { now: number; limit: number; busy: readonly string[] },
): Promise<readonly string[]> {
  const waiting = db
    .selectFrom('watches as waiting')
    .select(['id', 'project_id', 'next_run_at'])
    .select(
      sql<number>`row_number() over (partition by project_id order by next_run_at, id)`.as('place'),
    )
    .where('state', '=', 'active')
    .where('next_run_at', '<=', isoTime(now))
    .$if(busy.length > 0, (query) => query.where('project_id', 'not in', busy))
    .where(hasNoRun('waiting', now));
  const rows = await db
    .selectFrom(waiting.as('first'))
    .select('first.id')
    .where('place', '=', 1)
    .orderBy(
      sql`(select coalesce(max(last_run_at), '') from watches where project_id = first.project_id)`,
    )
    .orderBy('next_run_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

async function claimRun(
  transaction: Transaction<Tables>,
  id: string,
  { claimId, now, until, isExtra = false }: Parameters<WatchRuns['claim']>[1],
): Promise<WatchClaim | undefined> {
  // locks the project: another server may claim another of its watches
  await transaction
    .updateTable('projects')
    .set((eb) => ({ id: eb.ref('id') }))
    .where('id', 'in', (eb) => eb.selectFrom('watches').select('project_id').where('id', '=', id))
    .execute();
  const row = await transaction
    .updateTable('watches')
    .set({ claim_id: claimId, claimed_until: isoTime(until) })
    .where('id', '=', id)
    .where((eb) =>
      isExtra
        ? eb.and([eb('state', '<>', 'stopped'), isFree(now)])
        : eb.and([
            eb('state', '=', 'active'),
            eb('next_run_at', '<=', isoTime(now)),
            hasNoRun('watches', now),
          ]),
    )
    .returningAll()
    .executeTakeFirst();
  return row && { claimId, watch: watchOf(row), isExtra };
}

const isFree = (now: number) =>
  sql<boolean>`(claimed_until is null or claimed_until <= ${isoTime(now)})`;

/** Whether no process makes a run of the watch's project, or the one that did died. */
const hasNoRun = (watch: 'waiting' | 'watches', now: number) =>
  sql<boolean>`not exists (
    select 1 from watches as running
    where running.project_id = ${sql.ref(`${watch}.project_id`)}
      and running.claimed_until > ${isoTime(now)})`;

async function stopEnded(db: Kysely<Tables>, now: string): Promise<readonly StoppedWatch[]> {
  const rows = await db
    .selectFrom('watches')
    .innerJoin('api_keys', 'api_keys.id', 'watches.key_id')
    .select(['watches.id', 'deleted_at', 'revoked_at', 'disabled_at'])
    .where('watches.state', '<>', 'stopped')
    .where((eb) =>
      eb.or([
        eb('deleted_at', 'is not', null),
        eb('revoked_at', 'is not', null),
        eb('disabled_at', 'is not', null),
        eb('expires_at', '<=', now),
      ]),
    )
    .execute();
  const stopped: StoppedWatch[] = [];
  for (const { id, deleted_at, revoked_at, disabled_at } of rows) {
    const others = disabled_at === null ? 'expired' : 'disabled';
    const ended = revoked_at === null ? others : 'revoked';
    const reason: WatchStop = deleted_at === null ? ended : 'deleted';
    const { numUpdatedRows } = await db
      .updateTable('watches')
      .set({ state: 'stopped', stop_reason: reason })
      .where('id', '=', id)
      .where('state', '<>', 'stopped')
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) stopped.push({ id, reason });
  }
  return stopped;
}
