import { isoTime } from '@trawl/base';
import type { WatchRunStatus, WatchStop } from '@trawl/contract';
import type { OpenDatabase, Tables } from '@trawl/database';
import type { ExpressionBuilder, Kysely } from 'kysely';
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
   * Gives back the runs that a server left which is gone. Only where that is known: on the embedded
   * database, which has one server.
   */
  releaseLeft(): Promise<void>;
  /** Stops watches whose key ended, and answers those that this call stopped. */
  stopEnded(now: number): Promise<readonly StoppedWatch[]>;
  /** Ids of watches that should run now, the one that waits longest first. */
  due(now: number, limit: number): Promise<readonly string[]>;
  /**
   * Of servers that ask at once, one gets the run. One that was claimed and has not ended by
   * `until` can be claimed again: its process died.
   */
  claim(
    id: string,
    claim: { readonly claimId: string; readonly now: number; readonly until: number },
  ): Promise<StoredWatch | undefined>;
  /**
   * Ends a run: what is new is written, and the next run is an interval after this one was due, or
   * from now where that has passed. undefined = the watch is gone, or another process took over.
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
    due: async (now, limit) => {
      const rows = await db
        .selectFrom('watches')
        .select('id')
        .where('state', '=', 'active')
        .where('next_run_at', '<=', isoTime(now))
        .where(isFree(now))
        .orderBy('next_run_at')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
    claim: async (id, { claimId, now, until }) => {
      const { numUpdatedRows } = await db
        .updateTable('watches')
        .set({ claim_id: claimId, claimed_until: isoTime(until) })
        .where('id', '=', id)
        .where('state', '=', 'active')
        .where('next_run_at', '<=', isoTime(now))
        .where(isFree(now))
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return undefined;
      const row = await db
        .selectFrom('watches')
        .selectAll()
        .where('id', '=', id)
        .where('claim_id', '=', claimId)
        .executeTakeFirst();
      return row && watchOf(row);
    },
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

/** Whether no process makes the run, or the one that did died. */
const isFree = (now: number) => (eb: ExpressionBuilder<Tables, 'watches'>) =>
  eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', isoTime(now))]);

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
