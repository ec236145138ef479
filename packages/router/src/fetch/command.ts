import {
  type ContentFormat,
  DEFAULT_TIER,
  type FetchField,
  type FetchFocus,
  type FetchRequest,
  fetchFieldsOfTier,
  hasPassages,
  type JsonObject,
  LIMITS,
  type PageField,
  type Tier,
} from '@trawl/contract';
import { pageFieldsOfTier } from '@trawl/providers';
import type { PassageQuery } from '@trawl/reader';
import type { z } from 'zod';
import type { GivenFetchOptions, RecordedContextPages } from '../interaction/records.ts';

/** The options of a caller for its pages, with defaults filled in. */
export interface PageOptions {
  /** As pinned; null = the deployment's chain. */
  readonly pinned: readonly string[] | null;
  readonly inlineContent: boolean;
  readonly inlineMaxCharacters: number;
  readonly contentFormat: ContentFormat;
  readonly tier: Tier;
  /** Fields of the tier, and `passages` where they are wanted. */
  readonly fields: ReadonlySet<FetchField>;
  /** The fields that a provider may lack. */
  readonly pageFields: ReadonlySet<PageField>;
  readonly maxAgeSeconds: number | null;
  readonly noCache: boolean;
  /** What all pages may cost together; null = no cap. */
  readonly maxCostUsd: number | null;
  /** The passages that are wanted, whatever the tier; null = none. */
  readonly focus: PassageQuery | null;
}

/** A fetch as it is asked for here: that of a context says so in its record. */
export type AskedFetch = FetchRequest & {
  readonly context?: RecordedContextPages | undefined;
};

/** A fetch as validated. */
export interface FetchCommand {
  readonly sessionId: string | undefined;
  /** As sent. */
  readonly urls: readonly string[];
  readonly metadata: JsonObject;
  readonly options: PageOptions;
  /** As given, to ask for the same again. */
  readonly given: GivenFetchOptions;
  /** The context whose pages it reads. */
  readonly context: RecordedContextPages | undefined;
}

export function fetchCommand(request: AskedFetch): FetchCommand {
  const given = request.options ?? {};
  const tier = given.tier ?? DEFAULT_TIER;
  return {
    sessionId: request.session_id,
    urls: request.urls,
    metadata: request.metadata ?? {},
    given,
    context: request.context,
    options: {
      pinned: given.providers ? [...new Set(given.providers)] : null,
      inlineContent: given.inline_content ?? true,
      inlineMaxCharacters: given.inline_max_chars ?? LIMITS.inlineCharactersDefault,
      contentFormat: given.content_format ?? 'markdown',
      tier,
      fields: new Set([
        ...fetchFieldsOfTier(tier),
        ...(given.focus && hasPassages(tier) ? (['passages'] as const) : []),
      ]),
      pageFields: pageFieldsOfTier(tier),
      maxAgeSeconds: given.max_age_seconds ?? null,
      noCache: given.no_cache ?? false,
      maxCostUsd: given.max_cost_usd ?? null,
      focus: given.focus ? passageQuery(given.focus) : null,
    },
  };
}

const passageQuery = ({
  query,
  max_chars: maxCharacters = LIMITS.focusCharactersDefault,
}: z.output<typeof FetchFocus>): PassageQuery => ({ query, maxCharacters });

/** `request_payload` of the run: the request with defaults filled in. */
export function fetchRequestPayload(
  { urls, options }: FetchCommand,
  chain: readonly string[],
): JsonObject {
  return {
    urls,
    options: {
      providers: options.pinned ?? chain,
      inline_content: options.inlineContent,
      inline_max_chars: options.inlineMaxCharacters,
      content_format: options.contentFormat,
      tier: options.tier,
      max_age_seconds: options.maxAgeSeconds,
      no_cache: options.noCache,
      ...(options.maxCostUsd === null ? {} : { max_cost_usd: options.maxCostUsd }),
      ...(options.focus && {
        focus: { query: options.focus.query, max_chars: options.focus.maxCharacters },
      }),
    },
  };
}
