import { z } from 'zod';
import { DETAIL_CODES, TYPED_ERRORS, VALIDATION_TYPES } from '../vocabulary/catalogue.ts';
import { WEB_RULES } from '../vocabulary/vocabulary.ts';
import { freeObject, OPEN_WORDS, openEnum } from './json.ts';

const hint = z
  .string()
  .optional()
  .describe('What to write instead, in one sentence, where the server knows it.');

const rule = openEnum(WEB_RULES).optional().describe('Of `refused_by_rule`: the web rule.');

export const DetailError = z
  .object({
    detail: z.string().describe('Why the request was refused, for a person to read.'),
    code: openEnum(DETAIL_CODES)
      .optional()
      .describe('What kind of error it is, where a program can act on it.'),
    rule,
    hint,
  })
  .meta({ id: 'DetailError', description: 'A refused request.' });

export const ValidationIssue = z
  .object({
    type: z
      .string()
      .meta({ [OPEN_WORDS]: VALIDATION_TYPES })
      .describe('What rule was broken, as Pydantic 2 names it.'),
    loc: z
      .array(z.union([z.string(), z.int()]))
      .describe('Where: `body`, `query`, `path` or `header`, then names and indexes.'),
    msg: z.string().describe('What is wrong, for a person to read.'),
    input: z.unknown().describe('The faulty value as sent.'),
    ctx: freeObject().optional().describe('The values of the rule, such as a bound.'),
    hint,
  })
  .meta({ id: 'ValidationIssue', description: 'One fault of a request.' });
export type ValidationIssue = z.output<typeof ValidationIssue>;

export const ValidationError = z
  .object({ detail: z.array(ValidationIssue).describe('All faults found, up to a limit.') })
  .meta({ id: 'ValidationError', description: 'A request whose input is not valid.' });

export const ErrorEnvelope = z
  .object({
    code: z
      .string()
      .meta({ [OPEN_WORDS]: Object.keys(TYPED_ERRORS) })
      .describe('What kind of error it is. Append-only.'),
    message: z.string().describe('What is wrong and what to do, for a person to read.'),
    param: z.string().optional().describe('The faulty field, such as `urls[0]`.'),
    rule,
    interaction_id: z
      .string()
      .optional()
      .describe('The interaction, where the failed request was recorded and billed.'),
    session_id: z.string().optional().describe('The session of that interaction.'),
    causes: z
      .array(
        z
          .object({
            provider: z.string().describe('Its name.'),
            code: z.string().describe('Why it has no page, as in `chain` of a row.'),
          })
          .meta({ id: 'UnavailableCause', description: 'Why one provider has no page.' }),
      )
      .optional()
      .describe('Of `provider_unavailable`: each provider and reason once.'),
  })
  .meta({ id: 'ErrorEnvelope', description: 'The error of a fetch route.' });

export const TypedError = z
  .object({
    error: ErrorEnvelope,
    detail: z.string().optional().describe('On 401 and 403: the same text as error.message.'),
    hint: z.string().optional().describe('On 401: how to send a key.'),
  })
  .meta({ id: 'TypedError', description: 'A refused or failed request of a fetch route.' });

/** The body of an error, in either style. */
export type ErrorBody = z.output<typeof DetailError | typeof ValidationError | typeof TypedError>;
