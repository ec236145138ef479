import type { CallToolResult } from '@modelcontextprotocol/server';
import {
  type FoundRow,
  type ResultRow,
  type SearchAnswer,
  type SearchOutput,
  type SearchRun,
  warningsOf,
} from '@trawl/client';
import {
  InteractionResponse,
  SearchOutput as OutputSchema,
  PreprocessorRun,
} from '@trawl/contract';
import { z } from 'zod';
import { type Cut, cutText, fitted, shortened } from './fit.ts';
import { answerSchema } from './schemas.ts';
import { fence, oneLine, RESULTS_NOTICE, SHOWN_WARNINGS, warningLines } from './text.ts';

export const searchAnswerSchema = answerSchema(
  InteractionResponse.pick({ session_id: true, interaction_id: true, status: true })
    .partial({ session_id: true, interaction_id: true })
    .extend({
      notice: z.string(),
      truncated: z
        .boolean()
        .describe('Whether anything was left out to fit; `rest` says how to get it.'),
      rest: z.string().optional(),
      preprocessor_runs: z.array(
        PreprocessorRun.pick({
          preprocessor_name: true,
          status: true,
          query: true,
          error: true,
        }).extend({
          output_payload: OutputSchema.pick({ results: true, warnings: true }).nullable(),
        }),
      ),
    }),
);

const REST =
  'Search again with fewer providers (include) or num_results, or one query at a time; read a whole page with web_fetch.';

/** A search, or as much of one as landed in time: then without an interaction. */
export type Found = Pick<SearchAnswer, 'status' | 'preprocessor_runs'> &
  Partial<Pick<SearchAnswer, 'session_id' | 'interaction_id' | 'routing' | 'created_at'>>;

/** A search as text and as structured content, both within the budget. */
export function searchResult(answer: Found, maxCharacters: number): CallToolResult {
  const { made, isWhole } = fitted(
    (cut) => shapes(trimmed(answer, cut), answer),
    ({ text, structured }) => Math.max(text.length, JSON.stringify(structured).length) + 400,
    maxCharacters,
  );
  const rest = isWhole ? [] : [`Truncated to fit. ${REST}`];
  const text = [made.text, ...rest].join('\n\n');
  return {
    content: [{ type: 'text', text: cutText(text, maxCharacters - 1) }],
    structuredContent: {
      ...made.structured,
      truncated: !isWhole,
      ...(isWhole ? {} : { rest: REST }),
    },
  };
}

/** Without what only debugging needs: the requests sent, and original answers. */
function trimmed(answer: Found, { characters, rows, runs, isLean }: Cut): Found {
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

function shapes(answer: Found, whole: Found) {
  const { session_id, interaction_id, status, routing, created_at } = answer;
  const ids = Object.entries({ session_id, interaction_id }).filter(([, id]) => id !== undefined);
  const warnings = warningsOf(whole).map(({ code, message, count, providers }) => ({
    code,
    message: cutText(message, 300),
    count,
    providers,
  }));
  const structured = {
    notice: RESULTS_NOTICE,
    ...Object.fromEntries(ids),
    status,
    ...(routing ? { routing } : {}),
    ...(created_at === undefined ? {} : { created_at }),
    warnings: warnings.slice(0, SHOWN_WARNINGS),
    preprocessor_runs: answer.preprocessor_runs.map(
      ({ request_payload: _, raw_payload: __, ...run }) => run,
    ),
  };
  const missing = whole.preprocessor_runs.length - answer.preprocessor_runs.length;
  const text = [
    RESULTS_NOTICE,
    ...answer.preprocessor_runs.map(runText),
    ...(missing > 0 ? [`${missing} more runs are left out.`] : []),
    ...warningLines(whole),
    [`Status: ${status}`, ...ids.map(([name, id]) => `${name}: ${id}`)].join(', '),
  ].join('\n\n');
  return { structured, text };
}

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
