import { z } from 'zod';
import {
  CONTENT_FORMATS,
  HEALTH_FIELDS,
  HEALTH_STATES,
  RESULT_FIELDS,
  type ResultField,
} from '../vocabulary/vocabulary.ts';
import { DataUse } from './data-use.ts';
import { FilterSupport } from './filters.ts';
import { dateTimeOut, openEnum, uuidOut } from './json.ts';

export const COUNT_CONTROLS = ['native', 'trim', 'page'] as const;

export const KEYLESS_RUNS = ['never', 'when_named', 'always'] as const;

export const KeylessUse = z
  .object({
    allowance: z.string().describe('What it grants without a key.'),
    pace: z
      .object({
        every_ms: z.number().describe('Milliseconds between two calls, at least.'),
        in_flight: z.int().describe('Calls in progress at once, at most.'),
        calls: z.int().optional().describe('Most calls in `in_seconds`; absent = no such limit.'),
        in_seconds: z.int().optional().describe('From the first of these calls on.'),
      })
      .meta({
        id: 'KeylessPace',
        description: 'How often it is asked, for all callers of this deployment together.',
      }),
    runs: openEnum(KEYLESS_RUNS).describe(
      'Whether it runs without a key here: `never`, `when_named` by a request, or `always`, as a configured provider would.',
    ),
    remark: z.string().optional().describe('What a setting would change.'),
  })
  .meta({ id: 'KeylessUse', description: 'How a provider answers without a key.' });
export type KeylessUse = z.output<typeof KeylessUse>;

export const RosterFigures = z
  .object({
    hours: z.int().describe('The span of time, until now.'),
    asked: z.int().describe('Runs in which it was asked, also where it could not be reached.'),
    not_sent: z.int().describe('Runs in which it was not, as while it cooled down.'),
    failed: z.int().describe('Those of `asked` that it failed.'),
    p50_ms: z
      .int()
      .optional()
      .describe('Milliseconds that half of those that succeeded took at most; absent = none did.'),
  })
  .meta({ id: 'RosterFigures', description: 'How a provider did for the project of the key.' });

const figures = RosterFigures.optional().describe(
  'Only where a key with the permission `manage` was sent.',
);

export const ProviderHealth = z
  .object({
    state: openEnum(HEALTH_STATES).describe(
      '`well`; `doubtful`: its newest answers are worse; `ill`: they have been for longer; `unknown`: too few answers.',
    ),
    since: dateTimeOut.nullable().describe('Since when; null = it was not looked at.'),
  })
  .meta({
    id: 'ProviderHealth',
    description: 'How good the answers of a provider are, next to its own of the 14 days before.',
  });
export type ProviderHealth = z.output<typeof ProviderHealth>;

export const PreprocessorEntry = z
  .object({
    slug: z.string().describe('Its name in requests and runs.'),
    name: z.string().describe('Its name for people.'),
    active_by_default: z.boolean().describe('Whether it runs where a request names no providers.'),
    configured: z
      .boolean()
      .describe('Whether the operator set its credential, or its address where it needs none.'),
    requires_key: z
      .union([z.boolean(), z.literal('optional')])
      .describe(
        'Whether it answers only with a credential; `optional`: it has a limited form without.',
      ),
    max_results: z
      .int()
      .nullable()
      .describe('Most rows that one call returns; null when not limited.'),
    count_control: openEnum(COUNT_CONTROLS).describe(
      '`native`: a count is sent. `trim`: rows are cut. `page`: one page is returned and cut.',
    ),
    auto_routable: z
      .boolean()
      .describe('Whether auto-routing may choose it when the request does not name it.'),
    unsupported_fields: z
      .array(openEnum(RESULT_FIELDS as [ResultField, ...ResultField[]]))
      .describe('Never supplied, at any tier or option.'),
    filters: FilterSupport.describe('How it applies each filter, at best.'),
    filters_note: z
      .string()
      .optional()
      .describe(
        'Filters for which it only prefers such rows, and what the date of its rows is where that is not the publication; absent where there is nothing to say.',
      ),
    description: z.string().describe('What it is, in a sentence.'),
    docs_url: z
      .string()
      .nullable()
      .describe('Its vendor’s documentation; null where the operator declared the provider.'),
    data_use: DataUse,
    keyless: KeylessUse.optional().describe(
      'How it answers without a key; absent where it does not, or has one.',
    ),
    health: ProviderHealth,
    figures,
  })
  .meta({ id: 'PreprocessorEntry', description: 'One search provider.' });
export type PreprocessorEntry = z.output<typeof PreprocessorEntry>;

export const PreprocessorRoster = z
  .object({ preprocessors: z.array(PreprocessorEntry).describe('In the order of the roster.') })
  .meta({ id: 'PreprocessorRoster', description: 'The search providers of this deployment.' });
export type PreprocessorRoster = z.output<typeof PreprocessorRoster>;

export const FetchProviderEntry = z
  .object({
    name: z.string().describe('Its name in requests and rows.'),
    in_default_chain: z
      .boolean()
      .describe('Whether it is asked where a request pins no providers.'),
    chain_position: z.int().nullable().describe('Place in that chain, from 1; null outside it.'),
    requires_key: z.boolean().describe('Whether it answers only with a credential.'),
    configured: z.boolean().describe('Whether its credential is set, or it needs none.'),
    pin_only: z.boolean().describe('Whether it is asked only when a request pins it.'),
    content_formats: z
      .array(openEnum(CONTENT_FORMATS))
      .describe('Formats in which it delivers a page.'),
    unsupported_fields: z
      .array(z.string())
      .describe('Page fields never supplied, at any tier or option.'),
    description: z.string().describe('What it is, in a sentence.'),
    docs_url: z.string().describe('Its vendor’s documentation.'),
    data_use: DataUse,
    keyless: KeylessUse.optional().describe(
      'How it answers without a key; absent where it does not, or has one.',
    ),
    figures,
  })
  .meta({ id: 'FetchProviderEntry', description: 'One fetch provider.' });

export const FetchProviderRoster = z
  .object({
    fetch_providers: z.array(FetchProviderEntry).describe('In the order of the roster.'),
  })
  .meta({ id: 'FetchProviderRoster', description: 'The fetch providers of this deployment.' });
export type FetchProviderRoster = z.output<typeof FetchProviderRoster>;

export const HEALTH_MEASURES = ['empty', 'rows', 'field'] as const;

export const HealthReport = ProviderHealth.extend({
  provider: z.string().describe('Its name.'),
  reasons: z
    .array(
      z
        .object({
          measure: openEnum(HEALTH_MEASURES).describe(
            '`empty`: answers without rows where others found some. `rows`: rows per answer. `field`: a declared field is missing.',
          ),
          field: openEnum(HEALTH_FIELDS).nullable().describe('Which; null for the others.'),
          message: z.string().describe('What was found, for a person to read.'),
          recent: z
            .number()
            .describe(
              'In the newest answers: the share of empty ones, the rows next to those of before, or the share with the field.',
            ),
          before: z.number().describe('The same in the 14 days before them.'),
          worse: z.number().describe('How much worse that is.'),
          threshold: z.number().describe('From which `worse` on it is bad.'),
          is_bad: z.boolean().describe('Whether it is.'),
          answers: z.int().describe('Newest answers that it is made of.'),
        })
        .meta({ id: 'HealthReason', description: 'One measure.' }),
    )
    .describe('What was measured, the worst first; empty where there is too little to say.'),
  example_interaction_ids: z
    .array(uuidOut)
    .describe('Of the project of the key: the newest interactions with such an answer.'),
}).meta({ id: 'HealthReport', description: 'The health of a provider with its reasons.' });
export type HealthReport = z.output<typeof HealthReport>;
