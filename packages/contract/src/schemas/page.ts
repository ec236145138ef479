import { z } from 'zod';
import { LIMITS } from '../vocabulary/limits.ts';
import { optional, UUID } from './json.ts';

/** The format of a place in a list: another text is answered with 404. */
export const CURSOR = 'cursor';

/** A place in a list, which is a text of this form. */
export const cursor = (isPlace: (text: string) => boolean) =>
  z
    .custom<string>()
    .check(({ value, issues }) => {
      if (!isPlace(value)) issues.push({ code: 'invalid_format', format: CURSOR, input: value });
    })
    .meta({ type: 'string' });

/** The parameters of a list that is read page by page. @param example an id */
export const pageQuery = (example: string) => ({
  limit: optional(z.int().min(1).max(LIMITS.adminPageMax)).meta({
    description: `Most entries in the answer; ${LIMITS.adminPageDefault} when absent.`,
    example: 100,
  }),
  after: optional(cursor((text) => UUID.test(text)).transform((id) => id.toLowerCase())).meta({
    description: 'Only those after this id: send `next_after` of the page before.',
    example,
  }),
});

export const pageNext = z
  .string()
  .optional()
  .describe('Present when there is more: pass it as `after`.');
