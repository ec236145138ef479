import type { SearchRun } from '../contract/answers.ts';
import type { ResultRow } from '../contract/types.ts';

/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). The server's `rank_fusion` uses the same. */
const FUSION_K = 60;

/** A provider that found a page, and the page's rank there, from 1. */
export interface Find {
  readonly provider: string;
  readonly rank: number;
}

/** One page, merged over all runs of a query. */
export interface MergedRow
  extends Pick<
    ResultRow,
    'url' | 'title' | 'summary' | 'excerpt' | 'full_content' | 'publish_date'
  > {
  /** The providers that found it, in the order of the runs. */
  readonly finds: readonly Find[];
}

interface FoundRow {
  readonly row: ResultRow;
  readonly find: Find;
}

/**
 * The rows of a query's runs with each page once, ordered by reciprocal rank fusion, then best rank, then order of runs. The
 * server normalizes URLs, so equal pages have equal URLs. A row without a URL is not merged.
 */
export function mergedRows(runs: readonly SearchRun[]): readonly MergedRow[] {
  const pages = new Map<string, FoundRow[]>();
  for (const { id, preprocessor_name: provider, output_payload } of runs) {
    for (const [index, row] of (output_payload?.results ?? []).entries()) {
      const key = row.url ?? `${id} ${index}`;
      const found = pages.get(key) ?? [];
      // a page that a provider returns twice counts once, at its best rank
      if (found.some(({ find }) => find.provider === provider)) continue;
      pages.set(key, [...found, { row, find: { provider, rank: row.rank ?? index + 1 } }]);
    }
  }
  return [...pages.values()]
    .map((found) => ({ found, score: scoreOf(found), best: bestRank(found) }))
    .sort((a, b) => b.score - a.score || a.best - b.best)
    .map(({ found }) => mergedRow(found));
}

/** Takes each text from the best ranked row that has it. */
function mergedRow(found: readonly FoundRow[]): MergedRow {
  const byRank = found.toSorted((a, b) => a.find.rank - b.find.rank);
  const first = <Key extends keyof ResultRow>(key: Key): ResultRow[Key] =>
    byRank.find(({ row }) => row[key])?.row[key];
  return {
    url: first('url'),
    title: first('title'),
    summary: first('summary'),
    excerpt: first('excerpt'),
    full_content: first('full_content'),
    publish_date: first('publish_date'),
    finds: found.map(({ find }) => find),
  };
}

const scoreOf = (found: readonly FoundRow[]): number =>
  found.reduce((sum, { find }) => sum + 1 / (FUSION_K + find.rank), 0);

const bestRank = (found: readonly FoundRow[]): number =>
  Math.min(...found.map(({ find }) => find.rank));
