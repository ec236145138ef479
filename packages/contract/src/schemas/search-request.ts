import { z } from 'zod';
import { writeJson } from '../values/exact-json.ts';
import { isJsonObject, type JsonObject } from '../values/json-object.ts';
import { LIMITS } from '../vocabulary/limits.ts';
import {
  FALLBACK_MODES,
  type FallbackChoice,
  isFallbackMode,
  NAMEABLE_FIELDS,
  NOVELTY,
  TIERS,
} from '../vocabulary/vocabulary.ts';
import { SearchFilters } from './filters.ts';
import { freeObject, listOf, optional, uuid } from './json.ts';
import { maxCostUsd } from './shared.ts';

const names = listOf(z.string());

/** Bytes of the block as compact JSON in UTF-8, the form in which its limit is counted. */
export function overridesSize(overrides: unknown): number {
  return new TextEncoder().encode(writeJson(overrides)).length;
}

const providerOverrides = z
  .custom<Readonly<Record<string, JsonObject>>>()
  .check((context) => {
    const block: unknown = context.value;
    if (!isJsonObject(block)) {
      context.issues.push({ code: 'invalid_type', expected: 'record', input: block });
      return;
    }
    const faults = Object.entries(block).filter(([, value]) => !isJsonObject(value));
    for (const [slug, value] of faults.slice(0, LIMITS.reportedIssues + 1)) {
      context.issues.push({ code: 'invalid_type', expected: 'record', input: value, path: [slug] });
    }
    const size = overridesSize(block);
    if (size > LIMITS.overridesBytes) {
      context.issues.push({
        code: 'custom',
        input: block,
        message: `provider_overrides is ${size} bytes as compact JSON; at most ${LIMITS.overridesBytes} are allowed`,
      });
    }
  })
  .meta({
    type: 'object',
    additionalProperties: { type: 'object', additionalProperties: true },
  });

export const ProviderSelection = z
  .strictObject({
    include: optional(names).describe('Replaces the default provider set.'),
    exclude: optional(names).describe('Removed from the set that would otherwise run.'),
  })
  .meta({ id: 'ProviderSelection', description: 'Which providers run.' });

/** A mode, or a list of names. Not a union: its issues would not say what is wrong with a name. */
const fallback = z
  .custom<FallbackChoice>()
  .check((context) => {
    const value: unknown = context.value;
    if (isFallbackMode(value)) return;
    if (!Array.isArray(value)) {
      const message = 'expected "auto", "off" or a list of providers, such as ["tavily", "you"]';
      context.issues.push({ code: 'custom', input: value, message });
      return;
    }
    const faults = [...value.entries()].filter(([, name]) => typeof name !== 'string');
    for (const [index, name] of faults.slice(0, LIMITS.reportedIssues + 1)) {
      const path = [index];
      context.issues.push({ code: 'invalid_type', expected: 'string', input: name, path });
    }
  })
  .meta({
    anyOf: [
      { type: 'string', enum: [...FALLBACK_MODES] },
      { type: 'array', items: { type: 'string' } },
    ],
  });

interface Ages {
  readonly max_age_seconds?: number | undefined;
  readonly no_cache?: boolean | undefined;
}

/** A recorded answer may be served up to an age, or never. */
export function notBothAges(context: z.core.ParsePayload<Ages>): void {
  const { max_age_seconds: maxAge, no_cache: noCache } = context.value;
  if (maxAge === undefined || noCache !== true) return;
  context.issues.push({
    code: 'custom',
    input: noCache,
    path: ['no_cache'],
    message: 'max_age_seconds and no_cache exclude each other; send one of them',
  });
}

export const SearchOptions = z
  .strictObject({
    auto_routing: optional(z.enum(['accuracy'])).describe(
      'Let the service choose providers per query from the query’s topic.',
    ),
    tier: optional(z.enum(TIERS)).describe('Result field set; `default` when absent.'),
    fields: optional(listOf(z.enum(NAMEABLE_FIELDS), 1)).describe(
      'Result fields by name. Excludes `tier`.',
    ),
    providers: optional(ProviderSelection).describe('Absent: the default provider set.'),
    fallback: optional(fallback).describe(
      'Providers that run, one after the other and at most two, for a query of which no run succeeded: `auto`, `off`, or slugs in their order. Absent: as the server is set up, otherwise `off`.',
    ),
    provider_overrides: optional(providerOverrides).describe(
      'Provider-native parameters by provider slug, deep-merged into that provider’s request. At most 16 KB.',
    ),
    filters: optional(SearchFilters).describe(
      'Domains, dates, country, language and safe search. Each run says how it applied them.',
    ),
    num_results: optional(z.int().min(LIMITS.resultsMin).max(LIMITS.resultsMax)).describe(
      'Results per provider; 5 when absent.',
    ),
    include_raw: optional(z.boolean()).describe(
      'Adds each run’s original answer as `raw_payload`.',
    ),
    include_full_content: optional(z.boolean()).describe('Asks for whole page text.'),
    economy: optional(z.boolean()).describe(
      'Asks each provider that sells several modes for its cheapest ordinary one. What that mode lacks is a gap.',
    ),
    merge: optional(z.boolean()).describe(
      'Adds `merged`: for each query one list of all its runs, each URL once, as `rank_fusion` has it. The runs stay as they are.',
    ),
    novelty: optional(z.enum(NOVELTY)).describe(
      '`session`: pages that an earlier answer of this session gave are left out of `merged`, and counted there. The runs stay as they are.',
    ),
    max_age_seconds: optional(z.int().min(0).max(LIMITS.searchAgeSeconds)).describe(
      'An equal run of this project that is younger than this answers again, free of charge; an equal one in progress is waited for. 0: never. Absent: as the key or the server is set up.',
    ),
    no_cache: optional(z.boolean()).describe(
      'true: every provider is asked, as with `max_age_seconds` 0.',
    ),
    max_cost_usd: optional(maxCostUsd).describe(
      'What the call may cost at most, by the prices before it. Providers that the request does not name and that do not fit are left out, the dearest first; otherwise it is refused (402).',
    ),
  })
  .check(notBothAges)
  .meta({ id: 'SearchOptions', description: 'Which providers run and what their rows hold.' });
export type SearchOptions = z.output<typeof SearchOptions>;

/** One query object. Keys other than `query` are kept and read back. */
export type QueryInput = JsonObject & { readonly query: string };

type IssueSink = { issues: z.core.$ZodRawIssue[] };

/** The check of one query object; `path` is its place inside `user_input`. */
function checkQuery(value: unknown, path: readonly number[], sink: IssueSink): void {
  const at = (...rest: string[]) => [...path, ...rest];
  if (!isJsonObject(value)) {
    sink.issues.push({ code: 'invalid_type', expected: 'record', input: value, path: at() });
    return;
  }
  const query = value.query;
  if (typeof query !== 'string') {
    sink.issues.push({ code: 'invalid_type', expected: 'string', input: query, path: at('query') });
  } else if (query.trim() === '') {
    sink.issues.push({
      code: 'too_small',
      origin: 'string',
      minimum: 1,
      input: query,
      path: at('query'),
    });
  }
}

/** How `user_input` is described; its check is `checkQuery`. */
export const QueryObject = z
  .looseObject({ query: z.string().min(1).describe('What to search for.') })
  .meta({
    id: 'QueryObject',
    description: 'One query. Keys other than `query` are kept and read back.',
  });

const { $schema: _, ...queryObject } = z.toJSONSchema(QueryObject);

export const UserInput = z
  .custom<QueryInput | readonly QueryInput[]>()
  .check((context) => {
    // null counts as absent, also where the field is required
    const value: unknown = context.value ?? undefined;
    if (!Array.isArray(value)) {
      checkQuery(value, [], context);
      return;
    }
    if (value.length < 1) {
      context.issues.push({ code: 'too_small', origin: 'array', minimum: 1, input: value });
    } else if (value.length > LIMITS.queriesPerBatch) {
      context.issues.push({
        code: 'too_big',
        origin: 'array',
        maximum: LIMITS.queriesPerBatch,
        input: value,
      });
      return;
    }
    for (const [index, item] of value.entries()) checkQuery(item, [index], context);
  })
  .meta({
    id: 'UserInput',
    description: 'One query object, or a list of them (a batch).',
    anyOf: [
      queryObject,
      { type: 'array', minItems: 1, maxItems: LIMITS.queriesPerBatch, items: queryObject },
    ],
  });

export const METADATA =
  'Kept and read back. `trajectory_id`, `parent_trajectory_id` and `trajectory_goal` place it in a trajectory.';

export const SearchRequest = z
  .object({
    session_id: optional(uuid).describe('Groups interactions; generated when absent.'),
    user_input: UserInput,
    metadata: optional(freeObject()).describe(METADATA),
    search: optional(SearchOptions).describe('Absent: the defaults.'),
  })
  .meta({ id: 'SearchRequest', description: 'Queries to run.' });
export type SearchRequest = z.output<typeof SearchRequest>;

export const InteractionRequest = z
  .object({
    session_id: optional(uuid).describe('Groups interactions; generated when absent.'),
    user_id: optional(z.string().max(LIMITS.userIdCharacters)).describe(
      'A label for the user, kept with the request and in usage.',
    ),
    user_input: optional(UserInput).describe(
      'Absent: no provider is asked, and a step is recorded.',
    ),
    preprocessor_names: optional(names).describe('The same as `search.providers.include`.'),
    postprocessor_names: optional(names).describe(
      'Postprocessors for the runs of each query: `rank_fusion`, `citations`.',
    ),
    metadata: optional(freeObject()).describe(METADATA),
    search: optional(SearchOptions).describe('Absent: the defaults.'),
  })
  .meta({ id: 'InteractionRequest', description: 'Queries to run, or a step to record.' });
export type InteractionRequest = z.output<typeof InteractionRequest>;

export const ReplayRequest = z
  .strictObject({})
  .optional()
  .describe('A replay has no options: empty, or `{}`.');
