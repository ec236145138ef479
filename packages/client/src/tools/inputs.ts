import * as z from 'zod/v4';
import { LIMITS } from '../contract/routes.ts';
import { ARGUMENTS, QUERY_OR_QUERIES } from '../text/descriptions.ts';

const domains = z.array(z.string().min(1)).min(1);

const filters = {
  include_domains: domains.optional().describe(ARGUMENTS.include_domains),
  exclude_domains: domains.optional().describe(ARGUMENTS.exclude_domains),
  published_after: z.iso.date().optional().describe(ARGUMENTS.published_after),
  published_before: z.iso.date().optional().describe(ARGUMENTS.published_before),
  country: z.string().length(2).optional().describe(ARGUMENTS.country),
  language: z.string().length(2).optional().describe(ARGUMENTS.language),
  safe_search: z.enum(['off', 'moderate', 'strict']).optional().describe(ARGUMENTS.safe_search),
};

/**
 * The arguments of a search. One flat object, since some hosts refuse a union in a tool's
 * arguments.
 */
export const SearchToolInput = z
  .object({
    query: z.string().min(1).optional().describe(ARGUMENTS.query),
    queries: z
      .array(z.string().min(1))
      .min(1)
      .max(LIMITS.queries)
      .optional()
      .describe(ARGUMENTS.queries),
    num_results: z
      .int()
      .min(1)
      .max(LIMITS.results)
      .optional()
      .describe('Results per provider and query.'),
    ...filters,
  })
  .refine(({ query, queries }) => (query === undefined) !== (queries === undefined), {
    error: QUERY_OR_QUERIES,
  });
export type SearchToolInput = z.output<typeof SearchToolInput>;

/** The arguments of a fetch. */
export const FetchToolInput = z.object({
  urls: z.array(z.string().min(1)).min(1).describe(ARGUMENTS.urls),
  offset: z.int().min(0).optional().describe(ARGUMENTS.offset),
});
export type FetchToolInput = z.output<typeof FetchToolInput>;
