import { z } from 'zod';
import { freeObject } from './json.ts';

export const DetailError = z.object({ detail: z.string() }).meta({ id: 'DetailError' });

export const ValidationIssue = z
  .object({
    type: z.string(),
    loc: z.array(z.union([z.string(), z.int()])),
    msg: z.string(),
    input: z.unknown(),
    ctx: freeObject().optional(),
  })
  .meta({ id: 'ValidationIssue' });
export type ValidationIssue = z.output<typeof ValidationIssue>;

export const ValidationError = z
  .object({ detail: z.array(ValidationIssue) })
  .meta({ id: 'ValidationError' });

export const TypedError = z
  .object({
    error: z.object({
      code: z.string().describe('Append-only.'),
      message: z.string(),
      param: z.string().optional(),
      interaction_id: z.string().optional(),
      session_id: z.string().optional(),
    }),
    detail: z.string().optional().describe('On 401 and 403: the same text as error.message.'),
  })
  .meta({ id: 'TypedError' });
