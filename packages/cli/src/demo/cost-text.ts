import { MICROS } from '@trawl/router';

/** The cost of a call in the ledger. */
export interface LedgerCost {
  readonly costMicros: number | null;
  readonly costSource: string | null;
}

export function costText(cost: LedgerCost | undefined): string {
  if (cost?.costMicros == null) return 'cost unknown';
  const source = cost.costSource === 'reported' ? 'reported by the provider' : 'by its price list';
  return `$${(cost.costMicros / MICROS).toFixed(4)} ${source}`;
}
