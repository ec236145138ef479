import { z } from 'zod';
import { RUN_ERRORS, type RunErrorCode } from '../catalogue.ts';
import {
  INTERACTION_STATUSES,
  RESULT_FIELDS,
  type ResultField,
  RUN_STATUSES,
  SCHEMA_VERSION,
  TIERS,
  TOPICS,
} from '../vocabulary.ts';
import { FetchOutput } from './fetch.ts';
import { dateTimeOut, freeObject, uuidOut } from './json.ts';
import { Usage, Warning } from './shared.ts';

export const Answer = z.object({
  text: z.string(),
  citations: z.array(z.object({ url: z.string().nullable(), title: z.string().nullable() })),
});
export type Answer = z.output<typeof Answer>;

export const Entity = z.object({
  name: z.string(),
  type: z.string().nullable(),
  description: z.string().nullable(),
  url: z.string().nullable(),
});
export type Entity = z.output<typeof Entity>;

export const FetchMeta = z.object({
  status: z.int().nullable(),
  cached: z.boolean().nullable(),
  fetched_at: z.string().nullable(),
});
export type FetchMeta = z.output<typeof FetchMeta>;

/** A row holds exactly the active row fields; a field outside the active set is absent. */
export const ResultRow = z
  .object({
    url: z.string(),
    title: z.string().nullable(),
    rank: z.int().min(1),
    summary: z.string().nullable(),
    excerpt: z.string().nullable(),
    full_content: z.string().nullable(),
    publish_date: z.string().nullable(),
    thumbnail: z.string().nullable(),
    favicon: z.string().nullable(),
    source: z.object({ domain: z.string(), author: z.string().nullable() }),
    enrichments: freeObject(),
    fetch_meta: FetchMeta.nullable(),
  })
  .partial()
  .meta({ id: 'ResultRow' });
export type ResultRow = z.output<typeof ResultRow>;

export const SearchOutput = z
  .object({
    schema_version: z.literal(SCHEMA_VERSION),
    tier: z.enum(TIERS).nullable(),
    fields: z.array(z.enum(RESULT_FIELDS as [ResultField, ...ResultField[]])),
    results: z.array(ResultRow),
    usage: Usage.nullish(),
    answer: Answer.nullish(),
    entities: z.array(Entity).optional(),
    related: z.array(z.string()).optional(),
    verticals: freeObject().nullish(),
    latency_ms: z.int(),
    warnings: z.array(Warning),
  })
  .meta({ id: 'SearchOutput' });
export type SearchOutput = z.output<typeof SearchOutput>;

export const RunError = z
  .looseObject({
    code: z.string().describe(`One of ${Object.keys(RUN_ERRORS).join(', ')}; open for append.`),
    message: z.string(),
    provider: z.string(),
    http_status: z.int().nullable(),
    retryable: z.boolean(),
    retry_after_ms: z.int().nullable(),
    warnings: z.array(Warning),
  })
  .meta({ id: 'RunError' });
export interface RunError {
  readonly code: RunErrorCode;
  readonly message: string;
  readonly provider: string;
  readonly http_status: number | null;
  readonly retryable: boolean;
  readonly retry_after_ms: number | null;
  readonly warnings: readonly Warning[];
}

export const PreprocessorRun = z
  .object({
    id: uuidOut,
    preprocessor_name: z.string(),
    status: z.enum(RUN_STATUSES),
    batch_index: z.int(),
    query: z.string(),
    request_payload: freeObject(),
    output_payload: z
      .union([SearchOutput, FetchOutput])
      .nullable()
      .describe(
        'SearchOutput for a search run, FetchOutput for `web_fetch`; null when the run failed.',
      ),
    raw_payload: freeObject().nullable(),
    error: RunError.nullable().describe('Filled when the run failed.'),
    latency_ms: z.int().nullable(),
  })
  .meta({ id: 'PreprocessorRun' });

export const PostprocessorRun = z
  .object({
    id: uuidOut,
    postprocessor_name: z.string(),
    status: z.enum(RUN_STATUSES),
    batch_index: z.int(),
    query: z.string(),
    preprocessor_run_ids: z.array(z.string()),
    output_payload: freeObject(),
    error: freeObject().nullable(),
    latency_ms: z.int().nullable(),
  })
  .meta({ id: 'PostprocessorRun' });

export const RoutingEntry = z.object({
  topic: z.enum(TOPICS).nullable(),
  score: z.number().nullable(),
  providers: z.array(z.string()),
});
export type RoutingEntry = z.output<typeof RoutingEntry>;

const interactionFields = {
  instance_id: z.string(),
  session_id: uuidOut,
  interaction_id: uuidOut,
  trajectory_id: uuidOut,
  parent_trajectory_id: uuidOut.optional(),
  trajectory_goal: z.string().optional(),
  status: z.enum(INTERACTION_STATUSES),
  preprocessor_runs: z.array(PreprocessorRun),
  postprocessor_runs: z.array(PostprocessorRun),
  created_at: dateTimeOut,
  completed_at: dateTimeOut,
  normalized_schema_version: z.int().nullable(),
  routing: z.array(RoutingEntry).nullable(),
};

export const InteractionResponse = z.object(interactionFields).meta({ id: 'InteractionResponse' });
export type InteractionResponse = z.output<typeof InteractionResponse>;

export const InteractionDetails = z
  .object({ ...interactionFields, user_input: freeObject().nullable(), metadata: freeObject() })
  .meta({ id: 'InteractionDetails' });
export type InteractionDetails = z.output<typeof InteractionDetails>;
