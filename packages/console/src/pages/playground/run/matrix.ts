import type { ResultRow, SearchRun } from '@trawl/contract';

/** One page that some provider found. */
export interface MatrixRow {
  readonly url: string;
  /** The first title that a provider gave it. */
  readonly title: string | null;
  /** Its best rank in each run, by the id of the run. */
  readonly ranks: ReadonlyMap<string, number>;
  /** The row with the best rank; of equal ranks, that of the first run. */
  readonly best: ResultRow;
}

/** The constant of reciprocal rank fusion: the order is the one of the postprocessor `rank_fusion`. */
const FUSION_K = 60;

interface Found {
  title: string | null;
  best: ResultRow;
  bestRank: number;
  readonly ranks: Map<string, number>;
}

/**
 * Which run found which page at which rank: one merged list. Addresses are comparable, since the server writes each in one
 * form. The order is reciprocal rank fusion, then best rank, then order of runs.
 */
export function matrixOf(runs: readonly SearchRun[]): readonly MatrixRow[] {
  const rows = new Map<string, Found>();
  for (const { id, output_payload: output } of runs) {
    for (const [index, result] of (output?.results ?? []).entries()) {
      const { url, title, rank = index + 1 } = result;
      // `fields` may leave the address out: such rows cannot be compared
      if (url === undefined) continue;
      const row = rows.get(url) ?? { title: null, best: result, bestRank: rank, ranks: new Map() };
      row.title ??= title ?? null;
      row.ranks.set(id, Math.min(rank, row.ranks.get(id) ?? rank));
      if (rank < row.bestRank) Object.assign(row, { best: result, bestRank: rank });
      rows.set(url, row);
    }
  }
  const score = ({ ranks }: Found) =>
    [...ranks.values()].reduce((sum, rank) => sum + 1 / (FUSION_K + rank), 0);
  return [...rows]
    .sort(([, one], [, other]) => score(other) - score(one) || one.bestRank - other.bestRank)
    .map(([url, { title, ranks, best }]) => ({ url, title, ranks, best }));
}

/** How many runs found each address. */
export const sharedBy = (rows: readonly MatrixRow[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ url, ranks }) => [url, ranks.size]));
