import type { Tier } from '@trawl/contract';
import {
  type FetchPlan,
  type FetchProvider,
  type PageReading,
  pageFieldsOfTier,
} from '../../src/index.ts';

/** A plan of a tier, with these options. */
export function fetchPlan(url: string, tier: Tier, options: Partial<FetchPlan> = {}): FetchPlan {
  return {
    url,
    tier,
    fields: pageFieldsOfTier(tier),
    contentFormat: 'markdown',
    maxAgeSeconds: null,
    noCache: false,
    timeLimitMs: 23_000,
    ...options,
  };
}

/** How a provider reads a body; null = not its answer. */
export function readPage(
  provider: FetchProvider,
  body: unknown,
  plan: FetchPlan,
): PageReading | null {
  const answer = provider.response.safeParse(body);
  return answer.success ? provider.parse(answer.data, plan) : null;
}
