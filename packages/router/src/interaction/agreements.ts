import type { Clock } from '@trawl/base';
import { type BudgetStore, createMemoryBudgets } from '../billing/budgets.ts';
import type { UsageReader } from '../billing/records.ts';
import { type RepeatClaims, repeatsOfOneServer } from './repeat-claims.ts';
import type { InteractionReader, InteractionStore } from './store.ts';

/**
 * What requests in progress have to agree on: in this process, or between all servers of a shared
 * database.
 */
export interface Agreements {
  readonly budgets: BudgetStore;
  readonly repeats: RepeatClaims;
  readonly stop: () => Promise<void>;
}

export interface OneServerOptions {
  readonly usage: Pick<UsageReader, 'spentMicros'>;
  readonly reader: Pick<InteractionReader, 'repeated'>;
  readonly interactions: Pick<InteractionStore, 'ready' | 'unbookedMicros'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** For a store that only this server uses. */
export function agreementsOfOneServer(options: OneServerOptions): Agreements {
  const { reader, interactions, clock } = options;
  return {
    budgets: createMemoryBudgets({ ledger: withUnbooked(options), now: clock.now }),
    repeats: repeatsOfOneServer(reader, interactions, clock),
    stop: async () => {},
  };
}

/**
 * A budget also counts costs that are not in the ledger yet. They are read first, so a booking in
 * between counts twice, not never.
 */
function withUnbooked({ usage, interactions }: OneServerOptions): Pick<UsageReader, 'spentMicros'> {
  return {
    spentMicros: async (owner, from, to) => {
      const unbooked = await interactions.unbookedMicros(owner, from, to);
      return unbooked + (await usage.spentMicros(owner, from, to));
    },
  };
}
