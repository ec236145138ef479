import { z } from 'zod';
import { WARNINGS, type WarningCode } from '../vocabulary/catalogue.ts';
import { LIMITS } from '../vocabulary/limits.ts';
import { freeObject, openEnum, optional, wordsOf } from './json.ts';

/** The cap of one call. */
export const maxCostUsd = z.number().min(0).max(LIMITS.maxCostUsd);

/** The query parameter of routes that answer as text. */
export const maxTextCharacters = optional(
  z.int().min(LIMITS.textCharactersMin).max(LIMITS.textCharactersMax),
).meta({
  description: `In a text answer (\`Accept: text/markdown\`): its most characters; ${LIMITS.textCharactersDefault} when absent.`,
  example: 10_000,
});

const codes = <T extends string>(catalogue: Record<T, unknown>) =>
  z.enum(Object.keys(catalogue) as [T, ...T[]]);

export const Warning = z
  .object({
    code: codes<WarningCode>(WARNINGS)
      .meta(wordsOf(WARNINGS))
      .describe('What kind of adjustment it was. Append-only.'),
    message: z.string().describe('What was adjusted, for a person to read.'),
  })
  .meta({ id: 'Warning', description: 'A non-fatal adjustment, reported with the result.' });
export type Warning = z.output<typeof Warning>;

export const Usage = z
  .object({
    requests: z.int().describe('Requests that may have reached the provider, retries included.'),
    units: freeObject().describe('The units that the provider reports, by its own names.'),
    cost_usd: z.number().nullable().describe('In US dollars; null when it is not known.'),
    cost_source: openEnum(['reported', 'price_list'])
      .nullable()
      .describe('Where the cost comes from: the provider’s answer, or the list of prices.'),
  })
  .meta({ id: 'Usage', description: 'What calls to one provider used and cost.' });
export type Usage = z.output<typeof Usage>;
