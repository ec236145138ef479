import { faultKind, type OutageLog, within } from '@trawl/base';
import type { Tables } from '@trawl/database';
import { type Kysely, sql } from 'kysely';

export type LeaseTable = 'budget_leases' | 'repeat_leases';

/** Keeps this server's leases alive while it needs them, and ends those that no record ends. */
export interface LeaseKeeper {
  /** The milliseconds of a new lease. */
  readonly leaseMs: number;
  /** Extends a lease until it is left or ended. */
  hold(table: LeaseTable, id: string): void;
  /** No longer extends it. The transaction of a record ends it, or the database's clock. */
  leave(table: LeaseTable, id: string): void;
  /**
   * Deletes it, now or when the database answers again. Resolves after the first try, and never
   * rejects.
   */
  end(table: LeaseTable, id: string): Promise<void>;
  /**
   * Extends what is held, ends what is left to end, and removes what others left behind. Never
   * rejects.
   */
  tend(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export interface LeaseKeeperOptions {
  readonly leaseMs: number;
  /** Leases of costs that are not in the ledger yet. */
  readonly unbooked: () => readonly string[];
  readonly outages: OutageLog;
}

const TABLES: readonly LeaseTable[] = ['repeat_leases', 'budget_leases'];
const TICK_MS = 5_000;
const SWEEP_MS = 300_000;
/**
 * A lease that is over has no effect. Its row stays this long, so that a slow server's record still
 * finds it.
 */
const SWEPT_AFTER = '1 hour';
const STOP_MS = 2_000;

export function createLeaseKeeper(
  db: Kysely<Tables>,
  { leaseMs, unbooked, outages }: LeaseKeeperOptions,
): LeaseKeeper {
  const held = { budget_leases: new Set<string>(), repeat_leases: new Set<string>() };
  const ending = { budget_leases: new Set<string>(), repeat_leases: new Set<string>() };
  let extendedAt = performance.now();
  let sweptAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let tending: Promise<void> | undefined;
  let lastEnd: Promise<void> = Promise.resolve();
  /** Waits for the last one. */
  let nextEnd: Promise<void> | undefined;

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      outages.report({
        cause: `leases ${faultKind(error)}`,
        message: 'leases cannot be extended or ended: until they expire, budgets have less left',
        error,
      });
    }
  };
  const endIn = async (table: LeaseTable): Promise<void> => {
    const ids = [...ending[table]];
    if (ids.length === 0) return;
    await db.deleteFrom(table).where('id', 'in', ids).execute();
    for (const id of ids) ending[table].delete(id);
  };
  /** One statement at a time; leases that are to end meanwhile share the next. */
  const endAll = (): Promise<void> => {
    nextEnd ??= lastEnd.then(async () => {
      nextEnd = undefined;
      for (const table of TABLES) await attempt(() => endIn(table));
    });
    lastEnd = nextEnd;
    return nextEnd;
  };
  const tendNow = async (): Promise<void> => {
    await endAll();
    const startedAt = performance.now();
    if (startedAt - extendedAt >= leaseMs / 3) {
      await extend(db, 'budget_leases', [...held.budget_leases, ...unbooked()], leaseMs);
      await extend(db, 'repeat_leases', [...held.repeat_leases], leaseMs);
      // one that failed is tried again at the next tick: a lease must not end under its request
      extendedAt = startedAt;
    }
    if (performance.now() - sweptAt >= SWEEP_MS) {
      sweptAt = performance.now();
      for (const table of TABLES) await sweep(db, table);
    }
  };
  const tend = (): Promise<void> => {
    tending ??= attempt(tendNow).finally(() => {
      tending = undefined;
    });
    return tending;
  };

  return {
    leaseMs,
    hold: (table, id) => void held[table].add(id),
    leave: (table, id) => void held[table].delete(id),
    end: (table, id) => {
      held[table].delete(id);
      ending[table].add(id);
      return endAll();
    },
    tend,
    start: () => {
      timer = setInterval(() => void tend(), Math.min(TICK_MS, leaseMs / 4)).unref();
      void tend();
    },
    stop: async () => {
      clearInterval(timer);
      await within(Promise.all([tending, endAll()]), STOP_MS);
    },
  };
}

/** Rows that a record is about to end are left out: waiting for them could block the recorder. */
async function extend(
  db: Kysely<Tables>,
  table: LeaseTable,
  ids: readonly string[],
  leaseMs: number,
): Promise<void> {
  if (ids.length === 0) return;
  const name = sql.table(table);
  await sql`
    update ${name} set expires_at = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
    where id in (select id from ${name} where id = any(${ids}) for update skip locked)`.execute(db);
}

/** Removes leases of servers that ended. */
async function sweep(db: Kysely<Tables>, table: LeaseTable): Promise<void> {
  const name = sql.table(table);
  await sql`
    delete from ${name} where id in (
      select id from ${name} where expires_at < clock_timestamp() - ${SWEPT_AFTER}::interval
      for update skip locked)`.execute(db);
}
