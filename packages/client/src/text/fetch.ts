import { type FetchAnswer, type FetchRun, failuresOf, pagesOf } from '../contract/answers.ts';
import { type BudgetOptions, budgetOf } from './budget.ts';
import { cutText } from './cut.ts';
import { oneLine } from './fence.ts';
import { findingLines } from './findings.ts';
import { argumentNames, costLine, warningLines } from './notes.ts';
import { type PagesPrompt, promptWithin } from './prompt.ts';

export interface FetchTextOptions extends BudgetOptions {
  /** Skips this many characters of each page, to read on in one that was cut. */
  readonly offset?: number | undefined;
}

/** Room for the remark on what is missing. */
const REMARK_CHARACTERS = 200;

/**
 * A fetch as text for a model: pages as numbered sources, failed pages, warnings and ids, and how
 * to read on.
 *
 * @throws TrawlError `usage` when `maxCharacters` is too small
 */
export function fetchAsText(answer: FetchAnswer, options: FetchTextOptions = {}): string {
  const { offset = 0 } = options;
  const read = readFrom(answer, offset);
  const { text, sources, truncated } = fetchText(read, offset, budgetOf(options));
  if (!truncated) return text;
  return `${text}\n\nTruncated. ${restOf(answer, offset, sources[0]?.includedCharacters ?? 0)}`;
}

/**
 * The same answer with pages that start at an offset, counted in characters as the server counts
 * them.
 */
export function readFrom(answer: FetchAnswer, offset: number): FetchAnswer {
  if (offset === 0) return answer;
  const later = (run: FetchRun): FetchRun => ({
    ...run,
    output_payload: run.output_payload && {
      ...run.output_payload,
      fetched_results: run.output_payload.fetched_results.map((row) =>
        typeof row.content === 'string'
          ? { ...row, content: [...row.content].slice(offset).join('') }
          : row,
      ),
    },
  });
  return { ...answer, preprocessor_runs: answer.preprocessor_runs.map(later) };
}

/**
 * The text of an answer whose pages start at `offset`, with room left for a remark on what is
 * missing.
 */
export function fetchText(read: FetchAnswer, offset: number, maxCharacters: number): PagesPrompt {
  const end = endOf(read);
  const notes = cutText(notesOn(read, offset), Math.floor(maxCharacters / 4) - end.length);
  const tail = notes === '' ? end : `${notes}\n\n${end}`;
  const pages = promptWithin(read, maxCharacters - tail.length - REMARK_CHARACTERS);
  return { ...pages, text: `${pages.text}\n\n${tail}` };
}

function notesOn(answer: FetchAnswer, offset: number): string {
  const failures = failuresOf(answer).map(
    ({ url, code, message }) =>
      `FAILED: ${url ?? 'the fetch'} (${code}: ${oneLine(argumentNames(message))})`,
  );
  return [
    ...(offset > 0 ? [`Each page starts at character ${offset}.`] : []),
    // the end of long notes is cut off
    ...findingLines(answer),
    ...(failures.length > 0 ? [failures.join('\n')] : []),
    ...warningLines(answer),
    ...costLine(answer),
  ].join('\n\n');
}

/** Counts the pages, since an answer is `succeeded` even when its rows are failed pages. */
function endOf(answer: FetchAnswer): string {
  const { session_id, interaction_id } = answer;
  const pages = pagesOf(answer);
  const read = pages.filter(({ status }) => status === 'succeeded').length;
  const counted = `${read} of ${pages.length} pages fetched.`;
  return `${counted} session_id: ${session_id}, interaction_id: ${interaction_id}`;
}

/**
 * How to get what is missing. For a single page: the offset of the first character that was not
 * shown.
 */
export function restOf(answer: FetchAnswer, offset: number, shown: number): string {
  if (pagesOf(answer).length !== 1) {
    return 'Fetch a page that was cut on its own, so that it gets all the room; offset reads on in it.';
  }
  // the same offset would show nothing again
  return shown === 0
    ? `Nothing after character ${offset} is shown: set a larger inline_max_chars, or allow a longer text.`
    : `To read on, fetch the page again with offset ${offset + shown}.`;
}
