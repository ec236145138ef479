import type { PlannedCall, Warning } from '@trawl/contract';
import { microsOf, usdText } from '../billing/records.ts';
import type { Cost } from '../interaction/cost.ts';

/** The first call of each page, and the cap of all of them together. */
export interface PlannedCost {
  readonly maxCostUsd: number;
  /** By the URL of the page as sent; one that costs nothing may be missing. */
  readonly first: ReadonlyMap<string, PlannedCall>;
}

/** A call to one provider for one page. */
export interface PricedCall {
  /** As sent. */
  readonly url: string;
  /** Slug. */
  readonly provider: string;
  /** null = not known. */
  readonly usd: number | null;
}

/** What the pages of one fetch may still cost. */
export interface CostRoom {
  /** Whether the call fits. Its price is kept for it then. */
  readonly take: (call: PricedCall) => boolean;
  /** Whether a second try of the call fits. Its price is kept for it then. */
  readonly takeAgain: (call: PricedCall) => boolean;
  /** The call has ended. @returns what to say of its cost */
  readonly settle: (call: PricedCall, cost: Cost) => readonly Warning[];
  /** That providers were left out. */
  readonly leftOut: (slugs: readonly string[]) => readonly Warning[];
}

/** Money for the first call of each page is kept from the start. */
export function createCostRoom({ maxCostUsd, first }: PlannedCost): CostRoom {
  const capMicros = microsOf(maxCostUsd) ?? 0;
  const kept = new Map(first);
  let micros = [...first.values()].reduce(
    (sum, { cost_usd }) => sum + (microsOf(cost_usd) ?? 0),
    0,
  );
  const again = new Set<string>();
  const nameOf = ({ url, provider }: PricedCall) => `${provider} ${url}`;

  const takeSpare = ({ usd }: PricedCall): boolean => {
    const price = microsOf(usd);
    if (price === null || micros + price > capMicros) return false;
    micros += price;
    return true;
  };

  return {
    take: (call) => {
      const planned = kept.get(call.url);
      if (planned === undefined) return takeSpare(call);
      // those before the planned one did not fit
      if (planned.provider !== call.provider) return false;
      kept.delete(call.url);
      return true;
    },
    takeAgain: (call) => {
      if (!takeSpare(call)) return false;
      again.add(nameOf(call));
      return true;
    },
    settle: (call, { costUsd }) => {
      const price = microsOf(call.usd) ?? 0;
      const reserved = again.has(nameOf(call)) ? 2 * price : price;
      // what failed may have been billed: its price stays kept
      const actual = microsOf(costUsd) ?? reserved;
      micros += actual - reserved;
      if (actual <= reserved || micros <= capMicros) return [];
      const message = `max_cost_usd: ${call.provider} reports ${usdText(actual)}, above its list price of ${usdText(price)}; the pages may cost ${usdText(micros)}, above the cap of ${usdText(capMicros)}`;
      return [{ code: 'cost_above_cap', message }];
    },
    leftOut: (slugs) => {
      if (slugs.length === 0) return [];
      const message = `max_cost_usd: ${slugs.join(', ')} ${slugs.length === 1 ? 'was' : 'were'} left out, since the pages may cost ${usdText(capMicros)} at most`;
      return [{ code: 'left_out_by_cost', message }];
    },
  };
}
