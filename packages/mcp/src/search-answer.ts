import type { CallToolResult } from '@modelcontextprotocol/server';
import { warningsOf } from '@trawl/client';
import {
  cutText,
  type Found,
  fitted,
  idsOf,
  RESULTS_NOTICE,
  SHOWN_WARNINGS,
  searchText,
  trimmed,
} from '@trawl/client/text';
import {
  InteractionResponse,
  SearchOutput as OutputSchema,
  PreprocessorRun,
} from '@trawl/contract';
import { z } from 'zod';
import { answerSchema } from './schemas.ts';

export const searchAnswerSchema = answerSchema(
  InteractionResponse.pick({ session_id: true, interaction_id: true, status: true })
    .partial({ session_id: true, interaction_id: true })
    .extend({
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

/** A search as text and as structured content, both within the budget. */
export function searchResult(answer: Found, maxCharacters: number): CallToolResult {
  const { made, isWhole } = fitted(
    (cut) => shapes(trimmed(answer, cut), answer, maxCharacters),
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

function shapes(answer: Found, whole: Found, maxCharacters: number) {
  const { status, routing, created_at } = answer;
  const warnings = warningsOf(whole).map(({ code, message, count, providers }) => ({
    code,
    message: cutText(message, 300),
    count,
    providers,
  }));
  const structured = {
    notice: RESULTS_NOTICE,
    ...Object.fromEntries(idsOf(answer)),
    status,
    ...(routing ? { routing } : {}),
    ...(created_at === undefined ? {} : { created_at }),
    warnings: warnings.slice(0, SHOWN_WARNINGS),
    preprocessor_runs: answer.preprocessor_runs.map(
      ({ request_payload: _, raw_payload: __, ...run }) => run,
    ),
  };
  return { structured, text: searchText(answer, whole, maxCharacters) };
}
