import { usdAmount, wholeNumber } from '@trawl/client/terminal/command';

export interface CostFlags {
  readonly maxAge?: string | undefined;
  /** false with `--no-cache`. */
  readonly cache?: boolean | undefined;
  readonly maxCost?: string | undefined;
}

export interface CostOptions {
  readonly max_age_seconds?: number;
  readonly no_cache?: boolean;
  readonly max_cost_usd?: number;
}

/** What searches and fetches say of the age of an answer and of its cost. */
export function costOptions({ maxAge, cache, maxCost }: CostFlags): CostOptions {
  return {
    ...(maxAge === undefined
      ? {}
      : { max_age_seconds: maxAge === '0' ? 0 : wholeNumber('--max-age', maxAge) }),
    ...(cache === false ? { no_cache: true } : {}),
    ...(maxCost === undefined ? {} : { max_cost_usd: usdAmount('--max-cost', maxCost) }),
  };
}
