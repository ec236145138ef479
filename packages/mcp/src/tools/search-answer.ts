import type { CallToolResult } from '@modelcontextprotocol/server';
import { type Found, searchAsText } from '@trawl/client/text';
import { textResult } from './result.ts';

const REST =
  'Search again with fewer providers (include) or num_results, or one query at a time; read a whole page with web_fetch.';

/** A search as text within the budget; an error when no run succeeded. */
export const searchResult = (answer: Found, maxCharacters: number): CallToolResult =>
  textResult(answer, searchAsText(answer, { maxCharacters, rest: REST, withSession: true }));
