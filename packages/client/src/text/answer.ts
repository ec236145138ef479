import type { FetchAnswer, HasRuns, SearchAnswer } from '../contract/answers.ts';
import type { BudgetOptions } from './budget.ts';
import { fetchAsText } from './fetch.ts';
import { searchAsText } from './search.ts';

/** The answer of a search or a fetch. */
export type Answered = SearchAnswer | FetchAnswer;

/** The name of the one run of a fetch. */
const FETCH = 'web_fetch';

const isFetch = (answer: Answered): answer is FetchAnswer => {
  const { preprocessor_runs: runs = [] }: HasRuns = answer;
  return runs.some(({ preprocessor_name }) => preprocessor_name === FETCH);
};

/**
 * A recorded answer as text for a model.
 *
 * @throws TrawlError `usage` when `maxCharacters` is too small
 */
export const answerAsText = (answer: Answered, options: BudgetOptions = {}): string =>
  isFetch(answer) ? fetchAsText(answer, options) : searchAsText(answer, options);
