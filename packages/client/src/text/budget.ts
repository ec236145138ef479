import { bounded } from '../values/options.ts';

export interface BudgetOptions {
  /** Of the whole text; 40,000 when absent, 2,000 at least. */
  readonly maxCharacters?: number | undefined;
}

const DEFAULT_CHARACTERS = 40_000;
/** Below it, ids, failures and warnings leave no room for what was found. */
const MIN_CHARACTERS = 2_000;

/**
 * How long a text for a model may be.
 *
 * @throws TrawlError `usage`
 */
export const budgetOf = ({ maxCharacters = DEFAULT_CHARACTERS }: BudgetOptions): number =>
  bounded('maxCharacters', maxCharacters, MIN_CHARACTERS, Number.MAX_SAFE_INTEGER);
