import { type FetchAnswer, type FetchRun, failuresOf, pagesOf } from '../answers.ts';
import { DEFAULT_CHARACTERS, type PagesPrompt, pagesAsPrompt } from '../prompt.ts';
import { oneLine, warningLines } from './fence.ts';
import { cutText } from './fit.ts';

export interface FetchTextOptions {
  /** Of the whole text; 40,000 when absent. */
  readonly maxCharacters?: number | undefined;
  /** How many characters of each page to leave out, to read on in one that was cut. */
  readonly offset?: number | undefined;
}

/** Room for the sentence that says what is missing. */
const REMARK_CHARACTERS = 600;

/** A fetch as text for a model: pages as numbered sources, failed pages, warnings and ids, and where to read on. */
export function fetchAsText(answer: FetchAnswer, options: FetchTextOptions = {}): string {
  const { offset = 0, maxCharacters = DEFAULT_CHARACTERS } = options;
  const { text, sources, truncated } = fetchText(readFrom(answer, offset), offset, maxCharacters);
  if (!truncated) return text;
  return `${text}\n\nTruncated. ${restOf(answer, offset + (sources[0]?.includedCharacters ?? 0))}`;
}

/** The same answer with its pages from a character on, counted as the server counts them. */
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

/** The text of an answer that is read from `offset` on, with room left to say what is missing. */
export function fetchText(read: FetchAnswer, offset: number, maxCharacters: number): PagesPrompt {
  const tail = cutText(tailOf(read, offset), Math.floor(maxCharacters / 4));
  const pages = pagesAsPrompt(read, {
    maxCharacters: maxCharacters - tail.length - REMARK_CHARACTERS,
  });
  return { ...pages, text: `${pages.text}\n\n${tail}` };
}

function tailOf(answer: FetchAnswer, offset: number): string {
  const failures = failuresOf(answer).map(
    ({ url, code, message }) => `FAILED: ${url ?? 'the fetch'} (${code}: ${oneLine(message)})`,
  );
  const { status, session_id, interaction_id } = answer;
  return [
    ...(offset > 0 ? [`Each page is shown from character ${offset} on.`] : []),
    ...failures,
    ...warningLines(answer),
    `Status: ${status}. session_id: ${session_id}, interaction_id: ${interaction_id}`,
  ].join('\n\n');
}

/** How to get what is missing: of one page, from the first character that was not shown. */
export const restOf = (answer: FetchAnswer, next: number): string =>
  pagesOf(answer).length === 1
    ? `To read on, fetch the page again with offset ${next}.`
    : 'Fetch a page that is cut alone, so that it has all the room; offset reads on in it.';
