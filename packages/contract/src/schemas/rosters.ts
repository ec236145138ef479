import { z } from 'zod';
import { CONTENT_FORMATS, RESULT_FIELDS, type ResultField } from '../vocabulary.ts';

export const COUNT_CONTROLS = ['native', 'trim', 'page'] as const;

export const PreprocessorEntry = z
  .object({
    slug: z.string(),
    name: z.string(),
    active_by_default: z.boolean(),
    configured: z.boolean().describe('Whether its credential is set, or it needs none.'),
    requires_key: z.boolean(),
    max_results: z.int().nullable().describe('Most rows one call returns; null when not limited.'),
    count_control: z
      .enum(COUNT_CONTROLS)
      .describe(
        '`native`: a count is sent. `trim`: rows are cut. `page`: one page is returned and cut.',
      ),
    auto_routable: z.boolean(),
    unsupported_fields: z
      .array(z.enum(RESULT_FIELDS as [ResultField, ...ResultField[]]))
      .describe('Never supplied, at any tier or option.'),
    description: z.string(),
    docs_url: z.string(),
  })
  .meta({ id: 'PreprocessorEntry' });
export type PreprocessorEntry = z.output<typeof PreprocessorEntry>;

export const PreprocessorRoster = z
  .object({ preprocessors: z.array(PreprocessorEntry) })
  .meta({ id: 'PreprocessorRoster' });
export type PreprocessorRoster = z.output<typeof PreprocessorRoster>;

export const FetchProviderEntry = z
  .object({
    name: z.string(),
    in_default_chain: z.boolean(),
    chain_position: z.int().nullable(),
    requires_key: z.boolean(),
    configured: z.boolean(),
    pin_only: z.boolean(),
    content_formats: z.array(z.enum(CONTENT_FORMATS)),
    unsupported_fields: z.array(z.string()),
    description: z.string(),
    docs_url: z.string(),
  })
  .meta({ id: 'FetchProviderEntry' });

export const FetchProviderRoster = z
  .object({ fetch_providers: z.array(FetchProviderEntry) })
  .meta({ id: 'FetchProviderRoster' });
export type FetchProviderRoster = z.output<typeof FetchProviderRoster>;
