import type { CallToolResult } from '@modelcontextprotocol/server';
import type { FetchAnswer } from '@trawl/client';
import { type FetchTextOptions, fetchAsText } from '@trawl/client/text';
import { textResult } from './result.ts';

/** A fetch as text within the budget; an error where no page was fetched. `offset` characters of each page are left out. */
export const fetchResult = (answer: FetchAnswer, options: FetchTextOptions): CallToolResult =>
  textResult(answer, fetchAsText(answer, options));
