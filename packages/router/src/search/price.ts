import type { PlannedCall } from '@trawl/contract';
import { searchPrice } from '../billing/list-price.ts';
import { calledProvider, callPrice, FREE_CALL } from '../billing/planned-call.ts';
import { type ConfiguredProvider, isUsable } from '../deployment/deployment.ts';
import type { RunPlan } from './plan.ts';

/**
 * The calls of a search with their prices, in the order of its runs. Without a credential nothing
 * is sent.
 */
export function plannedCalls(plans: readonly RunPlan[]): readonly PlannedCall[] {
  // an obstacle of the call itself stops it too
  const isAsked = (provider: ConfiguredProvider) =>
    isUsable(provider) && provider.target.obstacle === undefined;
  return plans.map(({ provider, batchIndex, search, filters }) => ({
    ...calledProvider(provider.declaration),
    batch_index: batchIndex,
    ...(isAsked(provider) ? callPrice(searchPrice(provider, search, null)) : FREE_CALL),
    ...(provider.keyless && isUsable(provider) ? { allowance: provider.keyless.allowance } : {}),
    ...(filters ? { filters: filters.methods } : {}),
  }));
}
