import type { InteractionRecord, LedgerOwner, LedgerRecord, Recorder } from '@trawl/router';
import type { Logger } from 'pino';
import { ledgerFields } from '../recorder/rows.ts';

const ROWS_AT_ONCE = 100;
/** A row that was refused this often while others are accepted no longer blocks the server. */
const ATTEMPTS_MAX = 3;

interface UnbookedRow {
  readonly row: LedgerRecord;
  readonly budgetLeaseId: string | undefined;
  /** How often it was refused on its own. */
  attempts: number;
}

/**
 * Paid calls that are not in the ledger yet, in order. All are kept: nothing is paid while the
 * store fails, so there are at most the calls of the requests that were in progress, about half a
 * kilobyte each. If the process ends, the log has them.
 */
export function createUnbooked(
  recorder: Pick<Recorder, 'recordLedger'>,
  log: Pick<Logger, 'info' | 'error'>,
) {
  const kept = new Map<string, UnbookedRow>();
  const keptIf = (isWanted: (one: UnbookedRow) => boolean) => [...kept.values()].filter(isWanted);
  const remove = (rows: readonly LedgerRecord[]): void => {
    for (const { id } of rows) kept.delete(id);
  };
  /** Ends the leases that no other kept row needs. */
  const record = async (part: readonly UnbookedRow[]): Promise<void> => {
    const rows = part.map(({ row }) => row);
    const needed = leaseIds(keptIf((one) => !part.includes(one)));
    await recorder.recordLedger(
      rows,
      leaseIds(part).filter((id) => !needed.includes(id)),
    );
    remove(rows);
  };
  const recordEach = async (part: readonly UnbookedRow[]): Promise<void> => {
    for (const one of part) {
      await record([one]).catch((error: unknown) => {
        one.attempts += 1;
        if (!isGivenUp(one)) throw error;
        log.error({ ...fieldsOf(one.row), err: error }, REFUSED);
      });
    }
  };
  return {
    /** Keeps the rows of a record with the lease of their costs, and logs each on its own line. */
    add: ({ ledger, budgetLeaseId }: Pick<InteractionRecord, 'ledger' | 'budgetLeaseId'>): void => {
      for (const row of ledger) {
        if (kept.has(row.id)) continue;
        kept.set(row.id, { row, budgetLeaseId, attempts: 0 });
        if (row.calls > 0) log.error(fieldsOf(row), NOT_BOOKED);
      }
    },
    /** Removes rows that are in the ledger after all. */
    remove,
    /**
     * Books the rows in groups, oldest first, then those that were refused too often. @throws when
     * the store refuses one of the others
     */
    book: async (): Promise<void> => {
      const before = kept.size;
      if (before === 0) return;
      for (;;) {
        const part = keptIf((one) => !isGivenUp(one)).slice(0, ROWS_AT_ONCE);
        if (part.length === 0) break;
        await record(part).catch(() => recordEach(part));
      }
      // each on its own: a refused row says nothing about the others. It was logged, and is kept
      for (const one of keptIf(isGivenUp)) await record([one]).catch(() => {});
      log.info({ booked: before - kept.size, left: kept.size }, BOOKED);
    },
    /** The known costs of an owner from `from` until before `to`; they count for its budgets. */
    micros: (owner: LedgerOwner, from: string, to: string): number =>
      keptIf(({ row }) => {
        const id = owner.kind === 'key' ? row.keyId : row.projectId;
        return id === owner.id && row.createdAt >= from && row.createdAt < to;
      }).reduce((sum, { row }) => sum + (row.costMicros ?? 0), 0),
    /** The leases that reserve the kept costs. */
    budgetLeaseIds: (): readonly string[] => leaseIds([...kept.values()]),
    /** Logs each remaining row, when the process ends. */
    logFinal: (): void => {
      for (const { row } of kept.values()) log.error(fieldsOf(row), FINAL);
    },
  };
}

const isGivenUp = ({ attempts }: UnbookedRow): boolean => attempts >= ATTEMPTS_MAX;

const leaseIds = (rows: readonly UnbookedRow[]): readonly string[] => [
  ...new Set(rows.flatMap(({ budgetLeaseId }) => budgetLeaseId ?? [])),
];

const REFUSED =
  'the ledger refuses a paid call; it is retried after the next trial write and when the server stops';
const NOT_BOOKED =
  'a paid call is not in the ledger yet: it is kept in memory and booked when the store is available again';
const BOOKED = 'calls paid during the outage are in the ledger now';
const FINAL = 'final: a paid call is not in the ledger; book it from this line';

/** All columns of the ledger; the id is logged as the ledger's id. */
function fieldsOf(row: LedgerRecord): Record<string, unknown> {
  const { id, ...columns } = ledgerFields(row);
  return { ledger_id: id, ...columns };
}
