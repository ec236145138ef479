import type { JsonObject } from '@trawl/contract';
import { FUSION_K } from '@trawl/contract/rank-fusion';
import type { NormalizedRun } from '../normalize.ts';
import { type SharedUrl, sharedUrls } from './shared-urls.ts';

/** One ranking over all providers of a query. The runs keep their own. */
export function rankFusion(runs: readonly NormalizedRun[]): JsonObject {
  return { results: sharedUrls(runs).map(fusedRow), k: FUSION_K };
}

/** Texts are of one row, so that a date is never next to the summary of another provider. */
function fusedRow({ url, title, best, score, finds }: SharedUrl, index: number): JsonObject {
  const { summary, excerpt, publish_date, domain, author } = best;
  return {
    rank: index + 1,
    url,
    title,
    summary,
    excerpt,
    publish_date,
    source: { domain, author },
    score,
    sources: finds,
  };
}
