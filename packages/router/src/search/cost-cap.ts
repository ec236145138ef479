import type { PlannedCall, Warning } from '@trawl/contract';
import { estimatedMicros } from '../billing/planned-call.ts';
import { microsOf, usdText } from '../billing/records.ts';
import type { Cost } from '../interaction/cost.ts';
import { costsTooMuch } from '../interaction/over-cost.ts';

/** The calls of a request whose cost has a cap. */
export interface CappedCalls {
  /** Those that are made in any case, of all queries. */
  readonly calls: readonly PlannedCall[];
  readonly queryCount: number;
  /** The most expensive calls that may follow, where none of these providers may be asked. */
  readonly followUps: (without: ReadonlySet<string>) => readonly PlannedCall[];
  /** The providers that may follow, with their prices. */
  readonly mayFollow: readonly PlannedCall[];
  /** Whether the request names its providers: then none is left out. */
  readonly isNamed: boolean;
}

/** What does not fit into a cap. */
export interface LeftOut {
  /** Slugs that do not run. */
  readonly first: ReadonlySet<string>;
  /** Slugs that do not follow either. */
  readonly next: ReadonlySet<string>;
  /** The most that what is left may cost, in millionths of a US dollar. */
  readonly micros: number;
}

/**
 * Leaves out providers, the dearest first and for all queries alike, until the rest fits. One whose
 * price is not known never fits.
 * @throws RequestError 402 where what is named does not fit, or a query would have no provider left
 */
export function leftOutByCost(maxCostUsd: number, capped: CappedCalls): LeftOut {
  const capMicros = microsOf(maxCostUsd) ?? 0;
  const { calls, isNamed, queryCount } = capped;
  const first = new Set<string>();
  const rest = () => calls.filter(({ provider }) => !first.has(provider));
  while (!fits(rest(), capMicros)) {
    if (isNamed) throw costsTooMuch('search.max_cost_usd', calls, maxCostUsd);
    first.add(dearest(rest()));
  }
  const answered = new Set(rest().map(({ batch_index }) => batch_index));
  if (calls.length > 0 && answered.size < queryCount) {
    throw costsTooMuch('search.max_cost_usd', calls, maxCostUsd);
  }
  const unpriced = capped.mayFollow.filter(({ cost_usd }) => cost_usd === null);
  const next = new Set(unpriced.map(({ provider }) => provider));
  for (;;) {
    const all = [...rest(), ...capped.followUps(next)];
    if (fits(all, capMicros)) return { first, next, micros: estimatedMicros(all) };
    next.add(dearest(capped.mayFollow.filter(({ provider }) => !next.has(provider))));
  }
}

const fits = (calls: readonly PlannedCall[], capMicros: number): boolean =>
  calls.every(({ cost_usd }) => cost_usd !== null) && estimatedMicros(calls) <= capMicros;

/** By what it costs over all queries; of equal ones the last. */
function dearest(calls: readonly PlannedCall[]): string {
  const sums = new Map<string, number>();
  for (const { provider, cost_usd } of calls) {
    const cost = cost_usd ?? Number.POSITIVE_INFINITY;
    sums.set(provider, (sums.get(provider) ?? 0) + cost);
  }
  const [last] = [...sums].reverse().sort(([, one], [, other]) => other - one);
  return last?.[0] ?? '';
}

/** For every run of a search that leaves providers out. */
export function leftOutWarning({ first, next }: LeftOut, maxCostUsd: number): readonly Warning[] {
  const names = [...new Set([...first, ...next])];
  if (names.length === 0) return [];
  const message = `max_cost_usd: ${names.join(', ')} ${names.length === 1 ? 'was' : 'were'} left out, since the search may cost ${usdText(microsOf(maxCostUsd) ?? 0)} at most`;
  return [{ code: 'left_out_by_cost', message }];
}

/** Follows what a call under a cap costs. */
export interface CostTally {
  /** What to say of a call that cost more than its price, so that the whole is above the cap. */
  readonly remarks: (provider: string, plannedUsd: number | null, cost: Cost) => readonly Warning[];
}

/** @param expectedMicros the most that all calls may cost by their prices */
export function tallyCost(maxCostUsd: number, expectedMicros: number): CostTally {
  const capMicros = microsOf(maxCostUsd) ?? 0;
  let micros = expectedMicros;
  return {
    remarks: (provider, plannedUsd, { costUsd }) => {
      const planned = microsOf(plannedUsd) ?? 0;
      const actual = microsOf(costUsd) ?? planned;
      micros += actual - planned;
      if (actual <= planned || micros <= capMicros) return [];
      const message = `max_cost_usd: ${provider} reports ${usdText(actual)}, above its list price of ${usdText(planned)}; the call may cost ${usdText(micros)}, above its cap of ${usdText(capMicros)}`;
      return [{ code: 'cost_above_cap', message }];
    },
  };
}
