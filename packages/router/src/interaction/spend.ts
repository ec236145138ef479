import { isoTime } from '@trawl/base';
import type { PlannedCall } from '@trawl/contract';
import type { Budget, BudgetStore, Overspent, Reservation } from '../billing/budgets.ts';
import { estimatedMicros } from '../billing/planned-call.ts';
import { usdText } from '../billing/records.ts';
import { RequestError } from '../requests/request-error.ts';
import { readStore } from '../requests/store-access.ts';
import type { InteractionRecord } from './records.ts';
import type { InteractionStore } from './store.ts';

export interface Spender {
  readonly budgets: readonly Budget[];
  /** The time whose month pays. */
  readonly receivedAt: number;
  /** Milliseconds since 1970. */
  readonly deadlineAt: number;
}

export interface SpendDependencies {
  readonly budgets: BudgetStore;
  readonly interactions: InteractionStore;
}

/** The planned calls. Only called if there is a budget. */
export type PriceCalls = () => Promise<readonly PlannedCall[]>;

/** What was done: its record, and whatever else the caller wants of it. */
interface Done {
  readonly record: InteractionRecord;
}

/**
 * Does the paid work and records it. No budget changes without a record, and nothing is sent
 * without budget.
 * @throws RequestError 402 when a budget has too little left, 503 when the ledger or the store
 * cannot be used; also errors of `work`
 */
export async function spend<Work extends Done>(
  { budgets, receivedAt, deadlineAt }: Spender,
  price: PriceCalls,
  dependencies: SpendDependencies,
  work: () => Promise<Work>,
): Promise<Work> {
  const { interactions } = dependencies;
  const reservation =
    budgets.length > 0
      ? await reserve(budgets, price, receivedAt, dependencies.budgets)
      : undefined;
  let done: Work;
  try {
    await interactions.ready();
    done = await work();
  } catch (error) {
    reservation?.cancel();
    throw error;
  }
  const record = reservation ? { budgetLeaseId: reservation.leaseId, ...done.record } : done.record;
  try {
    await interactions.write(record, deadlineAt);
    return done;
  } finally {
    reservation?.settle(record.ledger.reduce((sum, { costMicros }) => sum + (costMicros ?? 0), 0));
  }
}

/** @throws RequestError 402 or 503, as `spend` would */
export async function checkBudgets(
  { budgets, receivedAt }: Spender,
  calls: readonly PlannedCall[],
  store: BudgetStore,
): Promise<void> {
  if (budgets.length === 0 || isFree(calls)) return;
  const overspent = await readStore(() =>
    store.overspent(budgets, estimatedMicros(calls), receivedAt),
  );
  if (overspent) throw budgetExceeded(overspent, calls);
}

/** Recorded answers are served also where a budget is used up. */
const isFree = (calls: readonly PlannedCall[]): boolean =>
  calls.length > 0 && calls.every(({ cached }) => cached);

/** undefined = nothing need be kept. */
async function reserve(
  budgets: readonly Budget[],
  price: PriceCalls,
  at: number,
  store: BudgetStore,
): Promise<Reservation | undefined> {
  const calls = await price();
  if (isFree(calls)) return undefined;
  const reserved = await readStore(() => store.reserve(budgets, estimatedMicros(calls), at));
  if ('overspent' in reserved) throw budgetExceeded(reserved.overspent, calls);
  return reserved.reservation;
}

function budgetExceeded(overspent: Overspent, calls: readonly PlannedCall[]): RequestError {
  const { budget, spentMicros, reservedMicros, resetAt } = overspent;
  const whose = budget.owner.kind === 'key' ? 'this API key' : 'this project';
  const held =
    reservedMicros > 0 ? `, ${usdText(reservedMicros)} reserved for requests in progress` : '';
  const later = calls.filter(({ conditional }) => conditional);
  const laterMicros = estimatedMicros(later);
  const isFetch = later.some(({ url }) => url !== undefined);
  const what = isFetch ? 'the next providers of the chain' : 'a fallback';
  const share = laterMicros > 0 ? `, of which ${usdText(laterMicros)} is kept for ${what}` : '';
  const detail = `The monthly budget of ${whose} is ${usdText(budget.limitMicros)}: ${usdText(spentMicros)} spent${held}, and this request would cost about ${usdText(estimatedMicros(calls))}${share}. The budget starts again on ${isoTime(resetAt).slice(0, 10)} (UTC)`;
  const remedy = isFetch
    ? 'with one provider in options.providers, or with options.max_cost_usd, less is kept'
    : 'with search.fallback "off" nothing is kept for a fallback';
  const hint = laterMicros > 0 ? remedy : undefined;
  return new RequestError(402, detail, { typed: { code: 'budget_exceeded' }, hint });
}
