import type { DryRun } from '@trawl/contract';
import { LIMITS } from '@trawl/contract/limits';
import { moneyText } from '../../../parts/number-text.ts';
import type { PlannedRequest } from '../../../requests/planned.ts';
import { plannedPrice } from '../../../requests/planned-price.ts';
import { optionsOf, queriesOf } from '../form/draft.ts';

/**
 * What a request would call and cost, in one line:
 * `6 calls, about $0.031, 30 of at most 160 results of a provider`.
 */
export function priceLine(plan: DryRun, request: PlannedRequest): string {
  const parts = [plannedPrice(plan)];
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
  const text = moneyText(call.cost_usd);
  return call.cost_kind === 'estimated' ? `about ${text}` : text;
}
