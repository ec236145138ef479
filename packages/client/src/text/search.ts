import type { FoundRow, SearchAnswer, SearchRun } from '../answers.ts';
import { type BudgetOptions, budgetOf } from '../budget.ts';
import { cutText } from '../cut.ts';
import type { ResultRow, SearchOutput } from '../types.ts';
import { fence, oneLine, RESULTS_NOTICE, warningLines } from './fence.ts';
import { type Cut, fitted, shortened } from './fit.ts';

/** A search, or as much of one as landed in time: then without an interaction. */
export type Found = Pick<SearchAnswer, 'status' | 'preprocessor_runs'> &
  Partial<Pick<SearchAnswer, 'session_id' | 'interaction_id' | 'routing' | 'created_at'>>;

export type SearchTextOptions = BudgetOptions;

const REST =
  'Search again with a smaller num_results, or one query at a time; web_fetch reads a whole page.';
/** Room for the sentence that says what is missing. */
const REMARK_CHARACTERS = 150;

/**
 * A search as text for a model: the rows of each provider in a fence, failed runs, warnings and ids. Where it does not fit, long
 * texts are shortened first, then rows go, and what is missing is said.
 *
 * @throws TrawlError `usage` where `maxCharacters` is too small
 */
export function searchAsText(answer: Found, options: SearchTextOptions = {}): string {
  const maxCharacters = budgetOf(options);
  const { made, isWhole } = fitted(
    (cut) => searchText(trimmed(answer, cut), answer, maxCharacters),
    (text) => text.length,
    maxCharacters - REMARK_CHARACTERS,
  );
  const text = isWhole ? made : `${made}\n\nTruncated to fit. ${REST}`;
  return cutText(text, maxCharacters - 1);
}

/** Without what only debugging needs: the requests sent, and original answers. */
export function trimmed(answer: Found, { characters, rows, runs, isLean }: Cut): Found {
  const outputOf = (output: SearchOutput): SearchOutput => {
    const results = output.results.slice(0, rows);
    if (!isLean) return { ...output, results };
    const { schema_version, tier, fields, latency_ms, answer: said } = output;
    const kept = { schema_version, tier, fields, latency_ms, answer: said, warnings: [] };
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

/** What is shown of an answer as text, with the warnings of the whole, which get at most a quarter of the room. */
export function searchText(shown: Found, whole: Found, maxCharacters: number): string {
  const missing = whole.preprocessor_runs.length - shown.preprocessor_runs.length;
  return [
    RESULTS_NOTICE,
    ...shown.preprocessor_runs.map(runText),
    ...(missing > 0 ? [`${missing} more runs are left out.`] : []),
    ...warningLines(whole, maxCharacters / 4),
    [`Status: ${shown.status}`, ...idsOf(shown).map(([name, id]) => `${name}: ${id}`)].join(', '),
  ].join('\n\n');
}

/** The ids that a later call can name. */
export const idsOf = ({ session_id, interaction_id }: Found): [string, string | undefined][] =>
  Object.entries({ session_id, interaction_id }).filter(([, id]) => id !== undefined);

function runText({ preprocessor_name: provider, query, output_payload, error }: SearchRun): string {
  if (output_payload === null) {
    const reason = `${error?.code ?? 'unknown'}: ${error?.message ?? 'no reason was given'}`;
    return `FAILED: ${provider} gave no results for "${oneLine(query)}" (${oneLine(reason)})`;
  }
  const { results, answer } = output_payload;
  const said = answer ? [`Answer: ${answer.text}`] : [];
  const rows = results.map((row, index) => rowText({ ...row, rank: row.rank ?? index + 1 }));
  const body = [...said, ...(rows.length > 0 ? rows : ['No results.'])].join('\n');
  return fence({ provider, query }, body);
}

type Row = Pick<FoundRow, 'rank' | 'title' | 'url' | 'summary' | 'excerpt' | 'full_content'> & {
  readonly publish_date?: string | null | undefined;
};

/** A row that stands for itself: rank, title and date, then address and texts, each only once. */
function rowText(row: Row): string {
  const { rank, title, url, summary, excerpt, full_content, publish_date } = row;
  const head = `${rank}. ${oneLine(title ?? '(no title)')}${publish_date ? ` [${publish_date}]` : ''}`;
  const all = [summary, excerpt, full_content].filter((text) => typeof text === 'string' && text);
  const texts = [...new Set(all)].filter(
    (text, _, each) => !each.some((other) => holds(other, text)),
  );
  return [head, ...(url ? [url] : []), ...texts]
    .map((line, n) => (n ? `   ${line}` : line))
    .join('\n');
}

const holds = (whole: unknown, part: unknown): boolean =>
  whole !== part && String(whole).includes(String(part));
