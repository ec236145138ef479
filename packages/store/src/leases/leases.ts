import type { Tables } from '@trawl/database';
import type { Agreements } from '@trawl/router';
import type { Kysely } from 'kysely';
import { createLeaseKeeper, type LeaseKeeperOptions } from './keeper.ts';
import { createLeasedBudgets } from './leased-budgets.ts';
import { createLeasedRepeats } from './leased-repeats.ts';

export type LeasesOptions = LeaseKeeperOptions;

/**
 * Money and repeatable requests in progress, between all servers of one database. Works until it is
 * stopped.
 */
export function openLeases(db: Kysely<Tables>, options: LeasesOptions): Agreements {
  const keeper = createLeaseKeeper(db, options);
  keeper.start();
  return {
    budgets: createLeasedBudgets(db, keeper),
    repeats: createLeasedRepeats(db, keeper),
    stop: keeper.stop,
  };
}
