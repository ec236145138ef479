import { failuresOf, type SearchAnswer } from '../contract/answers.ts';
import type { ResultRow, SearchOutput } from '../contract/types.ts';
import { type BudgetOptions, budgetOf } from './budget.ts';
import { cutText } from './cut.ts';
import { oneLine, RESULTS_NOTICE } from './fence.ts';
import { type Cut, fitted, shortened } from './fit.ts';
import { grouped } from './grouped.ts';
import { costLine, warningLines } from './notes.ts';
import { queryBlocks } from './rows.ts';

/** The answer of a search, or what arrived of it in time. The latter lacks an interaction id. */
export type Found = Pick<SearchAnswer, 'status' | 'preprocessor_runs'> &
  Partial<Pick<SearchAnswer, 'session_id' | 'interaction_id' | 'routing' | 'created_at'>>;

export interface SearchTextOptions extends BudgetOptions {
  /** Says how to get what was left out, in the words of the tool. */
  readonly rest?: string | undefined;
  /** Ends with the session's id, for tools that accept it; false when absent. */
  readonly withSession?: boolean | undefined;
}

const REST =
  'Search again with a smaller num_results, or one query at a time; web_fetch reads a whole page.';
/** Room for the remark on what is missing. */
const REMARK_CHARACTERS = 150;

/**
 * A search as text for a model: the rows of each query in a fence, each page once with the
 * providers that found it, then failed runs, warnings, cost, and the status if not all succeeded.
 * When it does not fit, long texts are shortened first, then rows are dropped, with a remark.
 *
 * @throws TrawlError `usage` when `maxCharacters` is too small
 */
export function searchAsText(answer: Found, options: SearchTextOptions = {}): string {
  const maxCharacters = budgetOf(options);
  const { rest = REST, withSession = false } = options;
  const id = withSession ? answer.session_id : undefined;
  const { made, isWhole } = fitted(
    (cut) =>
      [searchText(trimmed(answer, cut), answer, maxCharacters), ...sessionLine(id)].join('\n\n'),
    (text) => text.length,
    maxCharacters - REMARK_CHARACTERS,
  );
  const text = isWhole ? made : `${made}\n\nTruncated to fit. ${rest}`;
  return cutText(text, maxCharacters - 1);
}

/** Removes requests and original answers, which are for debugging only, and applies the cut. */
export function trimmed(answer: Found, { characters, rows, runs, isLean }: Cut): Found {
  const outputOf = (output: SearchOutput): SearchOutput => {
    const results = output.results.slice(0, rows);
    if (!isLean) return { ...output, results };
    const { schema_version, tier, fields, latency_ms, answer: text } = output;
    const kept = { schema_version, tier, fields, latency_ms, answer: text, warnings: [] };
    return { ...kept, results: results.map(leanRow) };
  };
  return {
    ...answer,
    preprocessor_runs: answer.preprocessor_runs.slice(0, runs).map((run) => {
      const output = run.output_payload && outputOf(run.output_payload);
      const results = output?.results.map((row) => shortened(row, characters)) ?? [];
      const rest = { ...run, request_payload: {}, raw_payload: null, output_payload: output };
      const short = shortened(rest, characters);
      return {
        ...short,
        output_payload: short.output_payload && { ...short.output_payload, results },
      };
    }),
  };
}

const leanRow = ({ url, title, rank, summary, publish_date }: ResultRow): ResultRow => ({
  url,
  title,
  rank,
  summary,
  publish_date,
});

/**
 * The shown part of an answer as text, with the warnings of the whole answer in at most a quarter
 * of the room.
 */
export function searchText(shown: Found, whole: Found, maxCharacters: number): string {
  const missing = whole.preprocessor_runs.length - shown.preprocessor_runs.length;
  return [
    RESULTS_NOTICE,
    ...queryBlocks(shown.preprocessor_runs),
    ...failureLines(shown),
    ...(missing > 0 ? [`${missing} more runs are left out.`] : []),
    ...warningLines(whole, maxCharacters / 4),
    ...costLine(whole),
    // rows speak for themselves
    ...(shown.status === 'succeeded' ? [] : [`Status: ${shown.status}`]),
  ].join('\n\n');
}

const sessionLine = (id: string | undefined): readonly string[] =>
  id === undefined ? [] : [`session_id: ${id}`];

/** Each failure of a provider once, with the queries that it concerns. */
function failureLines(answer: Found): readonly string[] {
  const equal = grouped(
    failuresOf(answer),
    ({ provider, code, message }) => `${provider} ${code} ${message}`,
  );
  const lines = equal.flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const queries = group.slice(0, NAMED_QUERIES).map(({ query = '' }) => `"${oneLine(query)}"`);
    const more = group.length - queries.length;
    const about = [queries.join(', '), ...(more > 0 ? [`${more} more`] : [])].join(' and ');
    const reason = `${first.code}: ${first.message || 'no reason was given'}`;
    return [`FAILED: ${first.provider} gave no results for ${about} (${oneLine(reason)})`];
  });
  return lines.length > 0 ? [lines.join('\n')] : [];
}

/** Up to this many queries of a failure are named. */
const NAMED_QUERIES = 3;
