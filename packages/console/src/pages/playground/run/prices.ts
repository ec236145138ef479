import type { DryRun } from '@trawl/contract';
import { LIMITS } from '@trawl/contract/limits';
import { microsOf, moneyText } from '../../../parts/number-text.ts';
import type { PlannedRequest } from '../../../requests/planned.ts';
import { optionsOf, queriesOf } from '../form/draft.ts';
import { certain } from './run-state.ts';

/**
 * What a request would call and cost, in one line:
 * `6 calls, about $0.031, 30 of at most 160 results of a provider`.
 */
export function priceLine(plan: DryRun, request: PlannedRequest): string {
  const { total_usd: total, max_total_usd: maximum } = plan;
  const calls = certain(plan.calls);
  const count = `${calls.length} ${calls.length === 1 ? 'call' : 'calls'}`;
  const known = calls.filter(({ cost_usd }) => cost_usd !== null);
  const unknown = calls.length - known.length;
  const sum = total ?? known.reduce((all, { cost_usd }) => all + (cost_usd ?? 0), 0);
  const isExact = calls.every(({ cost_kind }) => cost_kind === 'known');
  const price = `${isExact ? '' : 'about '}${moneyText(microsOf(sum))}`;
  const parts = [count];
  if (unknown === 0) parts.push(price);
  else if (known.length > 0) parts.push(`${price} and ${unknown} of unknown price`);
  else parts.push('price not known');
  if (calls.length < plan.calls.length && typeof maximum === 'number')
    parts.push(`at most ${moneyText(microsOf(maximum))} with the fallback`);
  if (request.mode === 'search')
    parts.push(`${volumeOf(request)} of at most ${LIMITS.volumeBudget} results of a provider`);
  return parts.join(', ');
}

/**
 * Queries times results, as the limit counts them. Counts in overrides are for the server to see.
 */
export function volumeOf(request: PlannedRequest): number {
  const { num_results: asked } = optionsOf(request);
  const count = typeof asked === 'number' ? asked : LIMITS.resultsDefault;
  return queriesOf(request).length * count;
}

/** The price of one call for a chip: `$0.005`, `about $0.01`, `price not known`. */
export function callPrice(call: DryRun['calls'][number] | undefined): string {
  if (!call || call.cost_usd === null) return 'price not known';
  const text = moneyText(microsOf(call.cost_usd));
  return call.cost_kind === 'estimated' ? `about ${text}` : text;
}
