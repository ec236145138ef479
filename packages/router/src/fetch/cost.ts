import type { FetchPlan, PageReading } from '@trawl/providers';
import { pagePrice } from '../billing/list-price.ts';
import type { ConfiguredVendor } from '../deployment/deployment.ts';
import { type Cost, reportedCost } from '../interaction/cost.ts';

export const FREE: Cost = { calls: 0, costUsd: 0, source: null, keyTail: null };

/**
 * The cost that the provider reports, else that of its price list. The cost of a failed call is not
 * known.
 */
export function costOf(
  vendor: ConfiguredVendor,
  plan: FetchPlan,
  ending: PageReading | { readonly kind: 'failed' },
  asked: Pick<Cost, 'calls' | 'keyTail'>,
): Cost {
  if (ending.kind === 'failed' || ending.kind === 'pending') {
    return { ...asked, costUsd: asked.calls === 0 ? 0 : null, source: null };
  }
  const { declaration } = vendor;
  const usage = ending.kind === 'page' ? ending.page.usage : ending.verdict.usage;
  const reported = reportedCost(usage?.costUsd);
  if (reported !== null) return { ...asked, costUsd: reported, source: 'reported' };
  if (ending.kind === 'verdict') {
    if (declaration.failedPages === 'unknown') return { ...asked, costUsd: null, source: null };
    if (declaration.failedPages === 'free') return { ...asked, costUsd: 0, source: 'price_list' };
  }
  const page = ending.kind === 'page' ? ending.page : null;
  const price = pagePrice(vendor, plan, page);
  return { ...asked, costUsd: price?.usd ?? null, source: price && 'price_list' };
}
