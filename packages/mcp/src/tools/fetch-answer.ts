import type { CallToolResult } from '@modelcontextprotocol/server';
import type { FetchAnswer, FetchRow } from '@trawl/client';
import { type FetchTextOptions, fetchAsText } from '@trawl/client/text';
import { passagesText } from '@trawl/contract';
import { textResult } from './result.ts';

/**
 * A fetch as text within the budget; an error when no page was fetched. Skips `offset` characters
 * of each page.
 */
export const fetchResult = (answer: FetchAnswer, options: FetchTextOptions): CallToolResult =>
  textResult(answer, fetchAsText(answer, options));

/** The answer with the passages of its pages as their text. A page without any stays whole. */
export function focusedAnswer(answer: FetchAnswer): FetchAnswer {
  return {
    ...answer,
    preprocessor_runs: answer.preprocessor_runs.map((run) => ({
      ...run,
      output_payload: run.output_payload && {
        ...run.output_payload,
        fetched_results: run.output_payload.fetched_results.map(focusedPage),
      },
    })),
  };
}

function focusedPage(page: FetchRow): FetchRow {
  if (!page.passages || page.passages.length === 0) return page;
  const content = passagesText(page.passages);
  return { ...page, content, content_length: [...content].length, truncated: false };
}
