import type { DryRun } from '@trawl/contract';
import { moneyText } from '../../parts/number-text.ts';

/** The price of one call for a chip: `$0.005`, `about $0.01`, `price not known`. */
export function callPrice(call: DryRun['calls'][number] | undefined): string {
  if (!call || call.cost_usd === null) return 'price not known';
  const text = moneyText(call.cost_usd);
  return call.cost_kind === 'estimated' ? `about ${text}` : text;
}
