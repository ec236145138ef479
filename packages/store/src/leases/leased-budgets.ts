import { randomUUID } from 'node:crypto';
import { isoTime } from '@trawl/base';
import type { Tables } from '@trawl/database';
import {
  type Budget,
  type BudgetStore,
  monthOf,
  type Overspent,
  RETRY_AFTER,
  RequestError,
} from '@trawl/router';
import { type Kysely, sql } from 'kysely';
import type { LeaseKeeper } from './keeper.ts';

/**
 * By how much the clock of a server may differ from the database's. The month of a cost is that of
 * the server's clock, so a larger difference could spend the money of another month.
 */
export const CLOCK_TOLERANCE_MS = 3_600_000;

/** Requests that are reserved for in one call. Each takes a fraction of a millisecond. */
const REQUESTS_AT_ONCE = 50;

/** An amount that is to be reserved. */
interface Asked {
  readonly leaseId: string;
  readonly budgets: readonly Budget[];
  readonly micros: number;
  readonly at: number;
}

/**
 * Budgets that servers of one database share, exactly: spent is what the ledger's sums say,
 * reserved are the leases of requests in progress, and nothing is kept in this process. One
 * statement checks and reserves, for all requests that wait. The transaction of the record ends the
 * lease.
 */
export function createLeasedBudgets(
  db: Kysely<Tables>,
  keeper: LeaseKeeper,
  clockToleranceMs = CLOCK_TOLERANCE_MS,
): BudgetStore {
  const call = (onlyCheck: boolean, asked: readonly Asked[]) =>
    holdBudgets(db, asked, { onlyCheck, leaseMs: keeper.leaseMs, clockToleranceMs });
  /** By month, which a call has one of. */
  const batches = new Map<number, (asked: Asked) => Promise<Held>>();
  const reserve = (asked: Asked): Promise<Held> => {
    const { from } = monthOf(asked.at);
    const batch =
      batches.get(from) ??
      createBatches<Asked, Held>(REQUESTS_AT_ONCE, (together) => call(false, together));
    batches.set(from, batch);
    return batch(asked);
  };
  return {
    reserve: async (budgets, micros, at) => {
      const leaseId = randomUUID();
      const leave = () => keeper.leave('budget_leases', leaseId);
      const end = () => void keeper.end('budget_leases', leaseId);
      keeper.hold('budget_leases', leaseId);
      try {
        const row = await reserve({ leaseId, budgets, micros, at });
        if (row === 'reserved') return { reservation: { leaseId, settle: leave, cancel: end } };
        leave();
        return { overspent: overspentOf(row, budgets, at) };
      } catch (error) {
        // it may have been reserved without an answer
        end();
        throw error;
      }
    },
    overspent: async (budgets, micros, at) => {
      const [row = 'reserved'] = await call(true, [{ leaseId: '', budgets, micros, at }]);
      return row === 'reserved' ? undefined : overspentOf(row, budgets, at);
    },
  };
}

type Held = 'reserved' | RefusedRow;

interface RefusedRow {
  /** Its place, from 1. */
  readonly request: number;
  /** null = the clocks differ. */
  readonly budget_kind: Budget['owner']['kind'] | null;
  readonly limit_micros: number | null;
  readonly spent_micros: number | null;
  readonly reserved_micros: number | null;
  readonly ahead_ms: number;
}

interface HoldOptions {
  readonly onlyCheck: boolean;
  readonly leaseMs: number;
  readonly clockToleranceMs: number;
}

/** @param asked requests of one month */
async function holdBudgets(
  db: Kysely<Tables>,
  asked: readonly Asked[],
  { onlyCheck, leaseMs, clockToleranceMs }: HoldOptions,
): Promise<readonly Held[]> {
  const at = Math.max(...asked.map((one) => one.at));
  const { from, to } = monthOf(at);
  const { rows } = await sql<RefusedRow>`
    select * from hold_budgets(${onlyCheck}, ${asked.map(({ leaseId }) => leaseId)},
      ${asked.map(({ budgets }) => ownerId(budgets, 'key'))},
      ${asked.map(({ budgets }) => ownerId(budgets, 'project'))},
      ${asked.map(({ micros }) => micros)}, ${dayOf(from)}, ${dayOf(to)}, ${leaseMs}, ${at},
      ${clockToleranceMs})`.execute(db);
  const refused = new Map(rows.map((row) => [row.request, row]));
  return asked.map((_, index) => refused.get(index + 1) ?? 'reserved');
}

const ownerId = (budgets: readonly Budget[], kind: Budget['owner']['kind']): string | null =>
  budgets.find(({ owner }) => owner.kind === kind)?.owner.id ?? null;

function overspentOf(row: RefusedRow, budgets: readonly Budget[], at: number): Overspent {
  const budget = budgets.find(({ owner }) => owner.kind === row.budget_kind);
  if (!budget) throw clocksDiffer(row.ahead_ms);
  return {
    budget: { ...budget, limitMicros: row.limit_micros ?? budget.limitMicros },
    spentMicros: row.spent_micros ?? 0,
    reservedMicros: row.reserved_micros ?? 0,
    resetAt: monthOf(at).to,
  };
}

const dayOf = (at: number): string => isoTime(at).slice(0, 10);

function clocksDiffer(aheadMs: number): RequestError {
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  const where = aheadMs > 0 ? 'ahead of' : 'behind';
  return new RequestError(
    503,
    `The clock of this server is ${minutes} minutes ${where} the database's, so it is not known which month pays: requests with a budget are refused until the clocks agree. Nothing was sent or billed.`,
    { headers: RETRY_AFTER },
  );
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs one call at a time; items that come meanwhile share the next, since each call waits for a
 * commit of the database.
 * @param run returns the results in the order of the items; if it fails, all its items fail
 */
function createBatches<Item, Result>(
  itemsMax: number,
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;
  const runAll = async (): Promise<void> => {
    isRunning = true;
    while (waiting.length > 0) await runNext(waiting.splice(0, itemsMax), run);
    isRunning = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void runAll();
    });
}

async function runNext<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<void> {
  try {
    const results = await run(batch.map(({ item }) => item));
    for (const [index, result] of results.entries()) batch[index]?.resolve(result);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
