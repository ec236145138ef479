import type { JsonObject, MergedList } from '@trawl/contract';
import { FUSION_K } from '@trawl/contract/rank-fusion';
import type { NormalizedRun } from '../normalize.ts';
import { type SharedUrl, sharedUrls } from './shared-urls.ts';

/** One ranking over all providers of a query. The runs keep their own. */
export function rankFusion(runs: readonly NormalizedRun[]): JsonObject {
  return { results: fusedRows(runs), k: FUSION_K };
}

/** The rows of one list, best first. */
export const fusedRows = (runs: readonly NormalizedRun[]): MergedList['rows'] =>
  sharedUrls(runs).map(fusedRow);

/** Texts are of one row, so that a date is never next to the summary of another provider. */
function fusedRow({ url, title, best, score, finds }: SharedUrl, index: number) {
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
    sources: [...finds],
  };
}
