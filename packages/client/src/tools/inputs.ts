import * as z from 'zod/v4';
import { LIMITS } from '../routes.ts';

/** What a model says of a search. One flat object: a union in a tool's arguments is more than some hosts take. */
export const SearchInput = z
  .object({
    query: z.string().min(1).optional().describe('What to search for.'),
    queries: z
      .array(z.string().min(1))
      .min(1)
      .max(LIMITS.queries)
      .optional()
      .describe('Several queries at once, in place of `query`.'),
    num_results: z
      .int()
      .min(1)
      .max(LIMITS.results)
      .optional()
      .describe('Results per provider and query.'),
  })
  .refine(({ query, queries }) => (query === undefined) !== (queries === undefined), {
    error: 'Pass either query, or queries for several at once.',
  });
export type SearchInput = z.output<typeof SearchInput>;

/** What a model says of a fetch. */
export const FetchInput = z.object({
  urls: z
    .array(z.string().min(1))
    .min(1)
    .describe('The pages, each an absolute http or https URL.'),
  offset: z
    .int()
    .min(0)
    .optional()
    .describe('Leaves out this many characters of each page, to read on where one was cut.'),
});
export type FetchInput = z.output<typeof FetchInput>;

export const SEARCH_DESCRIPTION = [
  'Searches the web through several providers at once and returns rows (rank, title, URL, summary) by provider.',
  'Use it for current facts and for finding pages; to read a page whose URL is known, use the tool that fetches pages.',
  'A provider that failed is marked FAILED: that is not "nothing found".',
].join(' ');

export const FETCH_DESCRIPTION = [
  'Reads whole web pages and documents by URL and returns their text as numbered sources.',
  'Use it when a URL is known, such as one that a search found; it does not search.',
  'A page that could not be read is marked FAILED, with the reason.',
].join(' ');
