import type { InteractionRecord, LedgerOwner, LedgerRecord, Recorder } from '@trawl/router';
import type { Logger } from 'pino';
import { ledgerFields } from '../recorder/rows.ts';

/**
 * Paid calls that are not in the ledger yet, in order. All are kept: nothing is paid while the
 * store fails, so there are at most the calls of the requests that were in progress, about half a
 * kilobyte each. If the process ends, the log has them.
 */
export interface Unbooked {
  /** Keeps the rows of a record with the lease of their costs, and logs each on its own line. */
  add(record: Pick<InteractionRecord, 'ledger' | 'budgetLeaseId'>): void;
  /** Removes rows that are in the ledger after all. */
  remove(rows: readonly LedgerRecord[]): void;
  /**
   * Books the rows, oldest first, then those that were refused too often. @throws when the store
   * refuses one of the others
   */
  book(): Promise<void>;
  /** The known costs of an owner from `from` until before `to`; they count towards its budgets. */
  micros(owner: LedgerOwner, from: string, to: string): number;
  /** The leases that reserve the kept costs. */
  budgetLeaseIds(): readonly string[];
  count(): number;
  /** Logs each remaining row, when the process ends. */
  logFinal(): void;
}

const ROWS_AT_ONCE = 100;
/** A row that was refused this often while others are accepted no longer blocks the server. */
const ATTEMPTS_MAX = 3;

interface UnbookedRow {
  readonly row: LedgerRecord;
  readonly budgetLeaseId: string | undefined;
  /** How often it was refused on its own. */
  attempts: number;
}

type LedgerRecorder = Pick<Recorder, 'recordLedger'>;
type UnbookedLog = Pick<Logger, 'info' | 'error'>;

export function createUnbooked(recorder: LedgerRecorder, log: UnbookedLog): Unbooked {
  const kept = new Map<string, UnbookedRow>();
  const book = createBooking(kept, recorder, log);
  return {
    add: ({ ledger, budgetLeaseId }) => {
      for (const row of ledger) {
        if (kept.has(row.id)) continue;
        kept.set(row.id, { row, budgetLeaseId, attempts: 0 });
        if (row.calls > 0) log.error(fieldsOf(row), NOT_BOOKED);
      }
    },
    remove: (rows) => forget(kept, rows),
    book: async () => {
      const before = kept.size;
      if (before === 0) return;
      await book();
      log.info(
        { booked: before - kept.size, left: kept.size },
        'calls paid during the outage are in the ledger now',
      );
    },
    micros: (owner, from, to) => {
      let sum = 0;
      for (const { row } of kept.values()) {
        const id = owner.kind === 'key' ? row.keyId : row.projectId;
        const isMeant = id === owner.id && row.createdAt >= from && row.createdAt < to;
        if (isMeant) sum += row.costMicros ?? 0;
      }
      return sum;
    },
    budgetLeaseIds: () => [...leaseIdsOf(kept.values())],
    count: () => kept.size,
    logFinal: () => {
      for (const { row } of kept.values()) {
        log.error(fieldsOf(row), 'final: a paid call is not in the ledger; book it from this line');
      }
    },
  };
}

function leaseIdsOf(rows: Iterable<UnbookedRow>): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { budgetLeaseId } of rows) if (budgetLeaseId !== undefined) ids.add(budgetLeaseId);
  return ids;
}

/** The leases of these rows that no other kept row needs. */
function endingLeaseIds(
  rows: readonly UnbookedRow[],
  kept: ReadonlyMap<string, UnbookedRow>,
): readonly string[] {
  const others = new Map(kept);
  for (const { row } of rows) others.delete(row.id);
  const needed = leaseIdsOf(others.values());
  return [...leaseIdsOf(rows)].filter((id) => !needed.has(id));
}

function forget(kept: Map<string, UnbookedRow>, rows: readonly LedgerRecord[]): void {
  for (const { id } of rows) kept.delete(id);
}

/**
 * Moves kept rows to the ledger: in groups, one by one if a group is refused, and finally those
 * that were refused too often.
 */
function createBooking(
  kept: Map<string, UnbookedRow>,
  recorder: LedgerRecorder,
  log: UnbookedLog,
): () => Promise<void> {
  const record = async (part: readonly UnbookedRow[]): Promise<void> => {
    const rows = part.map(({ row }) => row);
    await recorder.recordLedger(rows, endingLeaseIds(part, kept));
    forget(kept, rows);
  };
  const bookEach = async (part: readonly UnbookedRow[]): Promise<void> => {
    let refusal: unknown;
    for (const one of part) {
      try {
        await record([one]);
      } catch (error) {
        refusal = error;
        one.attempts += 1;
        if (one.attempts < ATTEMPTS_MAX) break;
        log.error({ ...fieldsOf(one.row), err: error }, REFUSED);
      }
    }
    if (part.some(({ row, attempts }) => kept.has(row.id) && attempts < ATTEMPTS_MAX)) {
      throw refusal;
    }
  };
  const bookAll = async (): Promise<void> => {
    for (;;) {
      const open = [...kept.values()].filter(({ attempts }) => attempts < ATTEMPTS_MAX);
      const part = open.slice(0, ROWS_AT_ONCE);
      if (part.length === 0) return;
      await record(part).catch(() => bookEach(part));
    }
  };
  /** Each on its own, because a refused row says nothing about the others. */
  const bookRefused = async (): Promise<void> => {
    const givenUp = [...kept.values()].filter(({ attempts }) => attempts >= ATTEMPTS_MAX);
    for (const one of givenUp) {
      await record([one]).catch(() => {
        // it was logged, and is kept
      });
    }
  };
  return async () => {
    await bookAll();
    await bookRefused();
  };
}

const REFUSED =
  'the ledger refuses a paid call; it is retried after the next trial write and when the server stops';

const NOT_BOOKED =
  'a paid call is not in the ledger yet: it is kept in memory and booked when the store is available again';

/** All columns of the ledger; the id is logged as the ledger's id. */
function fieldsOf(row: LedgerRecord): Record<string, unknown> {
  const { id, ...columns } = ledgerFields(row);
  return { ledger_id: id, ...columns };
}
