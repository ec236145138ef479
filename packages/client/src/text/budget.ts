import { bounded } from '../values/options.ts';

export interface BudgetOptions {
  /** Upper bound of the whole text; 40,000 when absent, at least 2,000. */
  readonly maxCharacters?: number | undefined;
}

const DEFAULT_CHARACTERS = 40_000;
/** With less, ids, failures and warnings leave no room for results. */
const MIN_CHARACTERS = 2_000;

/**
 * The longest text for a model, in characters.
 *
 * @throws TrawlError `usage`
 */
export const budgetOf = ({ maxCharacters = DEFAULT_CHARACTERS }: BudgetOptions): number =>
  bounded('maxCharacters', maxCharacters, MIN_CHARACTERS, Number.MAX_SAFE_INTEGER);
