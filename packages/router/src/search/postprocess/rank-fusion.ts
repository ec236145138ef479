import type { JsonObject } from '@trawl/contract';
import type { NormalizedRun } from '../normalize.ts';
import { FUSION_K, sharedUrls } from './shared-urls.ts';

/** One ranking over all providers of a query. The runs keep their own. */
export function rankFusion(runs: readonly NormalizedRun[]): JsonObject {
  const results = sharedUrls(runs).map(({ url, title, score, finds }, index) => ({
    rank: index + 1,
    url,
    title,
    score,
    sources: finds,
  }));
  return { results, k: FUSION_K };
}
