import { z } from 'zod';
import { RUN_ERRORS } from '../vocabulary/catalogue.ts';
import {
  CACHE_STATES,
  INTERACTION_STATUSES,
  RESULT_FIELDS,
  type ResultField,
  RUN_STATUSES,
  SCHEMA_VERSION,
  TIERS,
  TOPICS,
} from '../vocabulary/vocabulary.ts';
import { FetchOutput } from './fetch.ts';
import { AppliedFilters } from './filters.ts';
import { dateTimeOut, freeObject, OPEN_WORDS, openEnum, uuidOut } from './json.ts';
import { Usage, Warning } from './shared.ts';

const text = z.string().nullable();

export const Citation = z
  .object({
    url: text.describe('Address of the source.'),
    title: text.describe('Its title.'),
  })
  .meta({ id: 'Citation', description: 'A source of an answer.' });

export const Answer = z
  .object({
    text: z.string().describe('The answer in words.'),
    citations: z.array(Citation).describe('The sources of the answer.'),
  })
  .meta({ id: 'Answer', description: 'A provider’s own answer to the query.' });
export type Answer = z.output<typeof Answer>;

export const Entity = z
  .object({
    name: z.string().describe('Its name.'),
    type: text.describe('What kind of thing it is, in the provider’s words.'),
    description: text.describe('What it is, in a sentence.'),
    url: text.describe('A page with more about it.'),
  })
  .meta({ id: 'Entity', description: 'A thing that the query is about.' });
export type Entity = z.output<typeof Entity>;

export const FetchMeta = z
  .object({
    status: z.int().nullable().describe('What the page’s server answered.'),
    cached: z.boolean().nullable().describe('Whether the provider had it in its cache.'),
    fetched_at: text.describe('When the provider read it.'),
  })
  .meta({ id: 'FetchMeta', description: 'How the provider got the page of a row.' });
export type FetchMeta = z.output<typeof FetchMeta>;

export const ResultSource = z
  .object({
    domain: z.string().describe('Host name of the URL.'),
    author: text.describe('Author of the page.'),
  })
  .meta({ id: 'ResultSource', description: 'Where a row comes from.' });

/** A row holds exactly the active row fields; a field outside the active set is absent. */
export const ResultRow = z
  .object({
    url: z.string().describe('Address of the page, normalized so that rows can be compared.'),
    title: text.describe('Title of the page.'),
    rank: z.int().min(1).describe('Place in this provider’s order, from 1.'),
    summary: text.describe('Snippet of the text.'),
    excerpt: text.describe('Longer passages.'),
    full_content: text.describe('Whole text of the page.'),
    publish_date: text.describe(
      'When it was published: ISO date, or date-time in UTC, or only its year or month where no more is known; null when it cannot be read.',
    ),
    thumbnail: text.describe('URL of a picture of the page.'),
    favicon: text.describe('URL of the site’s icon.'),
    source: ResultSource.describe('Where the row comes from.'),
    enrichments: freeObject().describe('Everything else that the provider sent, verbatim.'),
    fetch_meta: FetchMeta.nullable().describe('How the provider got the page.'),
  })
  .partial()
  .meta({
    id: 'ResultRow',
    description:
      'One found page. It holds the fields that `fields` of its run lists; one that the provider lacks is null, `enrichments` empty.',
  });
export type ResultRow = z.output<typeof ResultRow>;

export const SearchOutput = z
  .object({
    schema_version: z.literal(SCHEMA_VERSION).describe('Version of this vocabulary.'),
    tier: z.enum(TIERS).nullable().describe('The tier used; null where `fields` were named.'),
    fields: z
      .array(openEnum(RESULT_FIELDS as [ResultField, ...ResultField[]]))
      .describe('The active fields, of rows and of this envelope.'),
    filters: AppliedFilters.optional().describe(
      'How each filter of the request was applied; absent where it had none.',
    ),
    results: z.array(ResultRow).describe('What was found, best first.'),
    usage: Usage.nullish().describe('What the call used; null when the provider does not say.'),
    answer: Answer.nullish().describe('The provider’s own answer to the query.'),
    entities: z.array(Entity).optional().describe('Things that the query is about.'),
    related: z.array(z.string()).optional().describe('Related queries.'),
    verticals: freeObject().nullish().describe('News, videos and similar blocks, verbatim.'),
    latency_ms: z.int().describe('How long the provider took, retries included.'),
    warnings: z.array(Warning).describe('What is missing or was adjusted.'),
  })
  .meta({ id: 'SearchOutput', description: 'What one provider found for one query.' });
export type SearchOutput = z.output<typeof SearchOutput>;

const runErrorFields = {
  code: z
    .string()
    .meta({ [OPEN_WORDS]: Object.keys(RUN_ERRORS) })
    .describe('Why the run failed. Append-only.'),
  message: z.string().describe('What happened and what to do, for a person to read.'),
  provider: z.string().describe('The provider that failed.'),
  http_status: z.int().nullable().describe('What it answered; null when it did not.'),
  retryable: z.boolean().describe('Whether the same request may succeed later.'),
  retry_after_ms: z.int().nullable().describe('How long it asked to wait.'),
  warnings: z.array(Warning).describe('What was adjusted before it was asked.'),
};

export const RunError = z
  .looseObject(runErrorFields)
  .meta({ id: 'RunError', description: 'Why one run failed.' });
/** As we write it: exactly the documented members. */
export type RunError = z.output<z.ZodObject<typeof runErrorFields>>;

const runFields = {
  status: z.enum(RUN_STATUSES).describe('Whether it succeeded.'),
  batch_index: z.int().describe('Which query of the batch, from 0.'),
  query: z.string().describe('The query; empty for a fetch.'),
};

export const RunCache = z
  .object({
    state: openEnum(CACHE_STATES).describe(
      '`hit`: a recorded run answered again. `joined`: an equal run in progress was waited for. `miss`: the provider was asked.',
    ),
    age_seconds: z
      .int()
      .nullable()
      .describe('Since the provider answered; null where it was asked now.'),
    interaction_id: uuidOut
      .nullable()
      .describe('Where the answer is from; null for `miss`, and for a key without `read`.'),
  })
  .meta({ id: 'RunCache', description: 'Whether a run was answered without a call of its own.' });
export type RunCache = z.output<typeof RunCache>;

export const PreprocessorRun = z
  .object({
    id: uuidOut.describe('Id of the run.'),
    preprocessor_name: z.string().describe('Provider slug, or `web_fetch`.'),
    ...runFields,
    request_payload: freeObject().describe('What was sent, without credentials.'),
    output_payload: z
      .union([SearchOutput, FetchOutput])
      .nullable()
      .describe(
        'SearchOutput for a search run, FetchOutput for `web_fetch`; null when the run failed.',
      ),
    raw_payload: freeObject()
      .nullable()
      .describe('The provider’s own answer, where `include_raw` asked for it.'),
    error: RunError.nullable().describe('Set when the run failed.'),
    latency_ms: z.int().nullable().describe('How long it took; null when nothing was sent.'),
    cache: RunCache.optional().describe(
      'Of a search where recorded answers may be served (`max_age_seconds`); absent where they may not.',
    ),
  })
  .meta({ id: 'PreprocessorRun', description: 'One provider on one query, or one fetch.' });
export type PreprocessorRun = z.output<typeof PreprocessorRun>;

/** The run of one provider on one query. */
export type SearchRun = Omit<PreprocessorRun, 'output_payload' | 'error'> & {
  output_payload: SearchOutput | null;
  error: RunError | null;
};

/** The one run of a fetch. */
export type FetchRun = Omit<PreprocessorRun, 'output_payload'> & {
  output_payload: FetchOutput | null;
};

export const PostprocessorRun = z
  .object({
    id: uuidOut.describe('Id of the run.'),
    postprocessor_name: z.string().describe('Which postprocessor ran.'),
    ...runFields,
    preprocessor_run_ids: z.array(z.string()).describe('The runs that it read.'),
    output_payload: freeObject().describe(
      'Its output, in a shape that depends on the postprocessor.',
    ),
    error: freeObject().nullable().describe('`code`, `message` and `retryable`, when it failed.'),
    latency_ms: z.int().nullable().describe('How long it took.'),
  })
  .meta({ id: 'PostprocessorRun', description: 'One postprocessor on the runs of one query.' });
export type PostprocessorRun = z.output<typeof PostprocessorRun>;

const nullableText = z.string().nullable();

const FusedSource = z
  .object({
    domain: nullableText.describe('Host of its address.'),
    author: nullableText.describe('Who wrote it.'),
  })
  .meta({ id: 'FusedSource', description: 'Where a row is from.' });

const FusedPlace = z
  .object({
    provider: z.string().describe('The provider whose run found it.'),
    rank: z.int().describe('Its rank there, from 1.'),
    run_id: z.string().describe('Id of the run.'),
  })
  .meta({ id: 'FusedPlace', description: 'One run that found a row.' });

export const FusedRow = z
  .object({
    rank: z.int().describe('Place in the list, from 1.'),
    url: z.string().describe('Its address.'),
    title: nullableText.describe('Its title.'),
    summary: nullableText.describe('Summary of the best ranked row.'),
    excerpt: nullableText.describe('Excerpt of that row.'),
    publish_date: nullableText.describe('When it was published, as that row says.'),
    source: FusedSource.describe('Where it is from, as that row says.'),
    score: z.number().describe('Reciprocal rank fusion: higher is better.'),
    sources: z.array(FusedPlace).describe('The runs that found it, and its rank in each.'),
  })
  .meta({ id: 'FusedRow', description: 'One URL over all runs of a query.' });

export const MergedList = z
  .object({
    batch_index: z.int().describe('Place of the query in its batch, from 0.'),
    rows: z.array(FusedRow).describe('All rows of its runs, best first.'),
    seen: z
      .int()
      .optional()
      .describe(
        'With `novelty`: how many pages are left out, since an earlier answer of the session gave them.',
      ),
  })
  .meta({ id: 'MergedList', description: 'The rows of one query in one list.' });
export type MergedList = z.output<typeof MergedList>;

export const LikelyTopic = z
  .object({
    topic: openEnum(TOPICS).describe('A topic.'),
    score: z.number().describe('How probable it is, 0 to 1.'),
  })
  .meta({ id: 'LikelyTopic', description: 'A topic that a query may have.' });
export type LikelyTopic = z.output<typeof LikelyTopic>;

export const RoutingEntry = z
  .object({
    topic: openEnum(TOPICS)
      .nullable()
      .describe('Topic of the query; null when topics cannot be determined.'),
    score: z.number().nullable().describe('How close it is, higher is closer; for logging only.'),
    topics: z
      .array(LikelyTopic)
      .optional()
      .describe(
        'The likely topics, the one routed by first: enough of them that their scores add up to 0.95. Absent when topics cannot be determined.',
      ),
    second_topic: openEnum(TOPICS)
      .optional()
      .describe(
        'Another topic that is as likely: the rankings of both chose the providers, in turns. Absent where one topic is clear.',
      ),
    providers: z
      .array(z.string())
      .describe('Slugs of the chosen providers, best first; then those that ran as `fallback`.'),
  })
  .meta({ id: 'RoutingEntry', description: 'How one query was routed.' });
export type RoutingEntry = z.output<typeof RoutingEntry>;

const interactionFields = {
  instance_id: z.string().describe('Which deployment answered.'),
  session_id: uuidOut.describe('The session that it belongs to.'),
  interaction_id: uuidOut.describe('Its id, to read it back.'),
  trajectory_id: uuidOut.describe('Its place in a trajectory; from metadata, otherwise generated.'),
  parent_trajectory_id: uuidOut.optional().describe('The step it follows, from metadata.'),
  trajectory_goal: z.string().optional().describe('What it is for, from metadata.'),
  status: z
    .enum(INTERACTION_STATUSES)
    .describe('`partially_succeeded`: some runs failed, others did not.'),
  preprocessor_runs: z
    .array(PreprocessorRun)
    .describe('One per query and provider; one `web_fetch` for a fetch.'),
  postprocessor_runs: z.array(PostprocessorRun).describe('One per query and postprocessor.'),
  created_at: dateTimeOut.describe('When the request came.'),
  completed_at: dateTimeOut.describe('When the last run ended.'),
  normalized_schema_version: z
    .int()
    .nullable()
    .describe('Version of the search vocabulary; null for a fetch.'),
  routing: z
    .array(RoutingEntry)
    .nullable()
    .describe('One entry per query, in batch order; null without auto-routing.'),
  merged: z
    .array(MergedList)
    .optional()
    .describe('One list per query, in batch order; only with `search.merge`.'),
};

export const InteractionResponse = z
  .object(interactionFields)
  .meta({ id: 'InteractionResponse', description: 'A recorded search or fetch.' });
export type InteractionResponse = z.output<typeof InteractionResponse>;

export const InteractionDetails = z
  .object({
    ...interactionFields,
    user_input: freeObject()
      .nullable()
      .describe(
        'What was asked: a query object, `queries` of a batch, or `urls`; null when nothing was.',
      ),
    metadata: freeObject().describe('As it was sent.'),
  })
  .meta({ id: 'InteractionDetails', description: 'An interaction read back, with its input.' });
export type InteractionDetails = z.output<typeof InteractionDetails>;
