import { z } from 'zod';
import { LIMITS } from '../vocabulary/limits.ts';
import { CONTEXT_TEXTS, LEFT_OUT_REASONS, NOVELTY } from '../vocabulary/vocabulary.ts';
import { FetchOptions, FetchPassage, PageFinding } from './fetch.ts';
import { freeObject, openEnum, optional, uuid, uuidOut } from './json.ts';
import { METADATA, notBothAges, SearchOptions } from './search-request.ts';
import { maxCostUsd, Warning } from './shared.ts';

/** The options of a search that a context leaves to its caller. */
export const ContextSearchOptions = z
  .strictObject({
    providers: SearchOptions.shape.providers,
    auto_routing: SearchOptions.shape.auto_routing,
    fallback: SearchOptions.shape.fallback,
    filters: SearchOptions.shape.filters,
    num_results: SearchOptions.shape.num_results,
    provider_overrides: SearchOptions.shape.provider_overrides,
    max_age_seconds: SearchOptions.shape.max_age_seconds,
    no_cache: SearchOptions.shape.no_cache,
    economy: SearchOptions.shape.economy,
  })
  .check(notBothAges)
  .meta({ id: 'ContextSearchOptions', description: 'How the search of a context is made.' });

/** Options of a fetch that a context leaves to its caller. */
export const ContextFetchOptions = z
  .strictObject({
    providers: FetchOptions.shape.providers,
    max_age_seconds: FetchOptions.shape.max_age_seconds,
    no_cache: FetchOptions.shape.no_cache,
  })
  .meta({ id: 'ContextFetchOptions', description: 'How the pages of a context are read.' });

const query = z
  .string()
  .check((context) => {
    if (context.value.trim() !== '') return;
    const { value: input } = context;
    context.issues.push({ code: 'too_small', origin: 'string', minimum: 1, input });
  })
  .meta({ minLength: 1 });

export const ContextRequest = z
  .object({
    query: query.describe('What the context is to answer.'),
    max_tokens: optional(
      z.int().min(LIMITS.contextTokensMin).max(LIMITS.contextTokensMax),
    ).describe(
      `The most tokens of the text, by an estimate that rather overstates; ${LIMITS.contextTokensDefault} when absent.`,
    ),
    max_pages: optional(z.int().min(0).max(LIMITS.contextPagesMax)).describe(
      `The most pages that are read; ${LIMITS.contextPagesDefault} when absent. 0: the rows of the search are enough.`,
    ),
    max_cost_usd: optional(maxCostUsd).describe(
      'What search and pages may cost together, by the prices before each call.',
    ),
    max_seconds: optional(
      z.number().min(LIMITS.contextSecondsMin).max(LIMITS.contextSecondsMax),
    ).describe(
      `When the answer is there at the latest; ${LIMITS.contextSecondsDefault} when absent. What is not back by then is left out.`,
    ),
    search: optional(ContextSearchOptions).describe('Absent: the defaults.'),
    fetch: optional(ContextFetchOptions).describe('Absent: the defaults.'),
    novelty: optional(z.enum(NOVELTY)).describe(
      '`session`: pages that an earlier answer of this session gave are left out.',
    ),
    session_id: optional(uuid).describe('Groups interactions; generated when absent.'),
    metadata: optional(freeObject()).describe(METADATA),
  })
  .meta({ id: 'ContextRequest', description: 'A question, and what its context may take.' });
export type ContextRequest = z.output<typeof ContextRequest>;

const text = z.string().nullable();

const FoundBy = z
  .object({
    provider: z.string().describe('A provider that found it.'),
    rank: z.int().describe('Its rank there, from 1.'),
  })
  .meta({ id: 'FoundBy', description: 'One provider that found a source.' });

export const ContextSource = z
  .object({
    n: z.int().describe('Its number in the text, from 1.'),
    url: z.string().describe('Its address.'),
    title: text.describe('Its title.'),
    publish_date: text.describe('When it was published, where it is known.'),
    providers: z.array(FoundBy).describe('Who found it.'),
    text_from: openEnum(CONTEXT_TEXTS).describe(
      '`page`: its text was read. `row`: it is what a search says about it.',
    ),
    fetched_by: text.describe('The provider that read the page; null for a row.'),
    content_sha256: text.describe('Hash of the whole text of the page; null for a row.'),
    findings: z.array(PageFinding).describe('What the page hides, or says to programs.'),
    passages: z
      .array(FetchPassage)
      .describe(
        `Its passages in the text, in the order of the page, at most ${LIMITS.contextPassageCharacters} characters each.`,
      ),
  })
  .meta({ id: 'ContextSource', description: 'One numbered source of a context.' });
export type ContextSource = z.output<typeof ContextSource>;
/** A source as soon as its text is there; its number and passages follow with the answer. */
export type FoundSource = Omit<ContextSource, 'n' | 'passages'>;

const LeftOut = z
  .object({
    url: z.string().describe('Its address.'),
    reason: openEnum(LEFT_OUT_REASONS).describe(
      '`budget`: no passage fits into `max_tokens`, or its page is beyond those that are read and its row has no text. `time`, `cost`, `failed`, `refused`: the page was not read; what the search says about it may be a source. `seen`: an earlier answer gave it. `same`: an earlier one says the same, whether or not these passages of it fit.',
    ),
  })
  .meta({ id: 'LeftOut', description: 'A page that is not in a context, and why.' });

export const Context = z
  .object({
    text: z.string().describe('The numbered, fenced sources, for a model.'),
    tokens: z.int().describe('An estimate of its tokens that rather overstates.'),
    sources: z.array(ContextSource).describe('In the order of their numbers.'),
    left_out: z.array(LeftOut).describe('What is missing.'),
  })
  .meta({ id: 'Context', description: 'What a model gets to answer a question.' });
export type Context = z.output<typeof Context>;

export const ContextResponse = z
  .object({
    session_id: uuidOut.describe('The session that both parts belong to.'),
    search_interaction_id: uuidOut.describe('The recorded search.'),
    fetch_interaction_id: uuidOut
      .nullable()
      .describe('The recorded fetch of the pages; null where none was read.'),
    context: Context.describe('The context.'),
    cost_usd: z
      .number()
      .nullable()
      .describe('What both parts cost; null when the price of a call is unknown.'),
    warnings: z.array(Warning).describe('What failed or was adjusted, each once.'),
  })
  .meta({ id: 'ContextResponse', description: 'A context and the records it is made of.' });
export type ContextResponse = z.output<typeof ContextResponse>;
