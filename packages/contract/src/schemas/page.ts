import { z } from 'zod';
import { LIMITS } from '../vocabulary/limits.ts';
import { optional } from './json.ts';

/** The parameters of a list that is read page by page. @param example an id */
export const pageQuery = (example: string) => ({
  limit: optional(z.int().min(1).max(LIMITS.adminPageMax)).meta({
    description: `Most entries in the answer; ${LIMITS.adminPageDefault} when absent.`,
    example: 100,
  }),
  after: optional(z.string().min(1).max(LIMITS.idCharacters)).meta({
    description: 'Only those after this id: send `next_after` of the page before.',
    example,
  }),
});

export const pageNext = z
  .string()
  .optional()
  .describe('Present when there is more: pass it as `after`.');
