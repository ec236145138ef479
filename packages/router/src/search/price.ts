import type { PlannedCall } from '@trawl/contract';
import { searchPrice } from '../billing/list-price.ts';
import { calledProvider, callPrice, FREE_CALL } from '../billing/planned-call.ts';
import { type ConfiguredProvider, isUsable } from '../deployment/deployment.ts';
import type { RunPlan } from './plan.ts';

/**
 * The calls of a search with their prices, in the order of its runs. Without a credential nothing
 * is sent; a recorded answer costs nothing.
 */
export function plannedCalls(
  plans: readonly RunPlan[],
  isHit: (plan: RunPlan) => boolean = () => false,
): readonly PlannedCall[] {
  // an obstacle of the call itself stops it too
  const isAsked = (provider: ConfiguredProvider) =>
    isUsable(provider) && provider.target.obstacle === undefined;
  const priceOf = (plan: RunPlan) => {
    const { provider, search } = plan;
    if (isHit(plan)) return { ...FREE_CALL, cached: true as const };
    return isAsked(provider) ? callPrice(searchPrice(provider, search, null)) : FREE_CALL;
  };
  return plans.map((plan) => ({
    ...calledProvider(plan.provider.declaration),
    batch_index: plan.batchIndex,
    ...priceOf(plan),
    ...(plan.provider.keyless && isUsable(plan.provider)
      ? { allowance: plan.provider.keyless.allowance }
      : {}),
    ...(plan.filters ? { filters: plan.filters.methods } : {}),
  }));
}
