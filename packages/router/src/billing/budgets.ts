import { isoTime } from '@trawl/base';
import type { LedgerOwner, UsageReader } from './records.ts';

/** The amount that a key or a project may spend in a calendar month (UTC). */
export interface Budget {
  readonly owner: LedgerOwner;
  readonly limitMicros: number;
}

/** The reason why no more may be spent. */
export interface Overspent {
  readonly budget: Budget;
  readonly spentMicros: number;
  /** Reserved for requests in progress. */
  readonly reservedMicros: number;
  /** Milliseconds since 1970: when the next month begins. */
  readonly resetAt: number;
}

export interface Reservation {
  /**
   * Its row in a store that several servers share: the transaction of the record ends it. undefined
   * = in memory.
   */
  readonly leaseId: string | undefined;
  /**
   * The store has the record, or the costs that it could not record: they replace the reserved
   * amount.
   */
  settle(spentMicros: number): void;
  /** Nothing was recorded: the reserved amount is free again. */
  cancel(): void;
}

/** Money that is reserved before it is spent. */
export interface BudgetStore {
  /**
   * Reserves an amount on all budgets, or on none if one of them has less left.
   * @param at the month that pays, as a time in it in milliseconds since 1970
   */
  reserve(
    budgets: readonly Budget[],
    micros: number,
    at: number,
  ): Promise<{ readonly reservation: Reservation } | { readonly overspent: Overspent }>;
  /** The reason for which `reserve` would refuse, without reserving anything. */
  overspent(budgets: readonly Budget[], micros: number, at: number): Promise<Overspent | undefined>;
}

export interface MemoryBudgetsOptions {
  readonly ledger: Pick<UsageReader, 'spentMicros'>;
  readonly now: () => number;
  /**
   * After which the ledger is read again, because others may write to it too. Default one minute.
   */
  readonly refreshMs?: number;
}

/** One month of one budget. */
interface Account {
  spentMicros: number;
  reservedMicros: number;
  /** Settled since the ledger was last read, and maybe not yet in its answer. */
  settledMicros: number;
  readAt: number;
  reading: Promise<void> | undefined;
}

/**
 * For a store that only this server uses. In this process, over the ledger: what was spent is read
 * from it at first use and kept from then on. Reservations live only in memory, so a crash leaves
 * none behind.
 */
export function createMemoryBudgets(options: MemoryBudgetsOptions): BudgetStore {
  const fresh = createAccounts(options);
  return {
    async reserve(budgets, micros, at) {
      const held = await fresh(budgets, at);
      // no await between the check and the reservation
      const overspent = firstOverspent(budgets, held, micros, at);
      if (overspent) return { overspent };
      for (const account of held) account.reservedMicros += micros;
      return { reservation: reservationOf(held, micros) };
    },
    overspent: async (budgets, micros, at) =>
      firstOverspent(budgets, await fresh(budgets, at), micros, at),
  };
}

/**
 * @returns the accounts of budgets, not older than allowed. Callers that come while one is read
 * wait for the same read
 */
function createAccounts({ ledger, now, refreshMs = 60_000 }: MemoryBudgetsOptions) {
  const accounts = new Map<string, Account>();
  let month = 0;

  const accountOf = ({ owner }: Budget, at: number): Account => {
    const { from } = monthOf(at);
    const id = `${from} ${owner.kind} ${owner.id}`;
    const account = accounts.get(id) ?? {
      spentMicros: 0,
      reservedMicros: 0,
      settledMicros: 0,
      readAt: Number.NEGATIVE_INFINITY,
      reading: undefined,
    };
    accounts.set(id, account);
    return account;
  };

  const read = async (account: Account, { owner }: Budget, at: number): Promise<void> => {
    const { from, to } = monthOf(at);
    const askedAt = now();
    account.settledMicros = 0;
    const spent = await ledger.spentMicros(owner, isoTime(from), isoTime(to));
    account.spentMicros = spent + account.settledMicros;
    account.readAt = askedAt;
  };

  return async (budgets: readonly Budget[], at: number): Promise<readonly Account[]> => {
    const { from } = monthOf(at);
    if (from > month) forgetOthers(accounts, from);
    month = Math.max(month, from);
    const found = budgets.map((budget) => ({ budget, account: accountOf(budget, at) }));
    await Promise.all(
      found.map(({ budget, account }) => {
        if (now() - account.readAt < refreshMs) return undefined;
        account.reading ??= read(account, budget, at).finally(() => {
          account.reading = undefined;
        });
        return account.reading;
      }),
    );
    return found.map(({ account }) => account);
  };
}

/** The first budget that has less than this left. @param held the account of each budget */
function firstOverspent(
  budgets: readonly Budget[],
  held: readonly Account[],
  micros: number,
  at: number,
): Overspent | undefined {
  for (const [index, budget] of budgets.entries()) {
    const { spentMicros = 0, reservedMicros = 0 } = held[index] ?? {};
    const isOver =
      spentMicros >= budget.limitMicros ||
      spentMicros + reservedMicros + micros > budget.limitMicros;
    if (isOver) return { budget, spentMicros, reservedMicros, resetAt: monthOf(at).to };
  }
  return undefined;
}

function reservationOf(held: readonly Account[], micros: number): Reservation {
  const settle = (spentMicros: number): void => {
    for (const account of held) {
      account.reservedMicros -= micros;
      account.spentMicros += spentMicros;
      account.settledMicros += spentMicros;
    }
  };
  return { leaseId: undefined, settle, cancel: () => settle(0) };
}

/** A request from the end of last month settles on an account that is not used any more. */
function forgetOthers(accounts: Map<string, Account>, month: number): void {
  for (const id of accounts.keys()) if (!id.startsWith(`${month} `)) accounts.delete(id);
}

/** The UTC month of a time: its start and the start of the next one. */
export function monthOf(at: number): { readonly from: number; readonly to: number } {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { from: Date.UTC(year, month), to: Date.UTC(year, month + 1) };
}
