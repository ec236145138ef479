import { cutCodePoints } from '@trawl/base';
import { type ContextRequest, type InteractionResponse, LIMITS } from '@trawl/contract';
import type { AskedFetch } from '../fetch/command.ts';
import type { RecordedContext } from '../interaction/records.ts';
import type { AskedSearch } from '../search/command.ts';

/** What the parts of a context have in common. */
export const recordedContext = ({ max_tokens, max_pages }: ContextRequest): RecordedContext => ({
  max_tokens: max_tokens ?? LIMITS.contextTokensDefault,
  max_pages: max_pages ?? LIMITS.contextPagesDefault,
});

/** The search of a context. */
export const contextSearch = (request: ContextRequest): AskedSearch => ({
  session_id: request.session_id,
  user_input: { query: request.query },
  metadata: request.metadata,
  search: {
    ...request.search,
    tier: 'extended',
    merge: true,
    novelty: request.novelty,
    max_cost_usd: request.max_cost_usd,
  },
  context: recordedContext(request),
});

/** What the pages of a context are read with. @param maxCostUsd undefined = no cap */
export const pageOptions = (
  { query, fetch }: ContextRequest,
  maxCostUsd: number | undefined,
): NonNullable<AskedFetch['options']> => ({
  ...fetch,
  tier: 'extended',
  inline_max_chars: LIMITS.contextPageCharacters,
  focus: { query: cutCodePoints(query, LIMITS.focusQueryCharacters) },
  max_cost_usd: maxCostUsd,
});

/** The fetch of these pages of a context. */
export const contextFetch = (
  request: ContextRequest,
  { session_id, interaction_id }: InteractionResponse,
  urls: readonly string[],
  maxCostUsd: number | undefined,
): AskedFetch => ({
  session_id,
  urls: [...urls],
  metadata: request.metadata,
  options: pageOptions(request, maxCostUsd),
  context: { search_interaction_id: interaction_id },
});

/** When the parts of a context end, in milliseconds since 1970. */
export interface ContextTimes {
  readonly searchEndsAt: number;
  readonly pagesEndAt: number;
  /** When the answer is to be there. */
  readonly endsAt: number;
}

/** Passages are chosen and what was done is recorded in this time. */
const LAST_MS = 600;

export function contextTimes(
  { max_seconds: seconds = LIMITS.contextSecondsDefault, ...request }: ContextRequest,
  { receivedAt, deadlineAt }: { readonly receivedAt: number; readonly deadlineAt: number },
): ContextTimes {
  const endsAt = (ms: number) => Math.min(deadlineAt, receivedAt + ms);
  const pagesEndAt = endsAt(seconds * 1_000 - LAST_MS);
  const hasPages = recordedContext(request).max_pages > 0;
  return {
    searchEndsAt: hasPages ? endsAt(seconds * 500) : pagesEndAt,
    pagesEndAt,
    endsAt: endsAt(seconds * 1_000),
  };
}
