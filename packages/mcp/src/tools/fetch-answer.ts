import type { CallToolResult } from '@modelcontextprotocol/server';
import type { FetchAnswer } from '@trawl/client';
import { type FetchTextOptions, fetchAsText } from '@trawl/client/text';
import { textResult } from './result.ts';

/**
 * A fetch as text within the budget; an error when no page was fetched. Skips `offset` characters
 * of each page.
 */
export const fetchResult = (answer: FetchAnswer, options: FetchTextOptions): CallToolResult =>
  textResult(answer, fetchAsText(answer, options));
