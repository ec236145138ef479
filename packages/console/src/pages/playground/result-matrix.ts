import type { ResultRow, SearchRun } from '@trawl/contract';
import { type Find, type FusedPage, fusedPages } from '@trawl/contract/rank-fusion';

/** One page that some provider found. */
export interface MatrixRow {
  readonly url: string;
  /** The title of the best ranked row that has one. */
  readonly title: string | null;
  /** Its best rank in each run, by the id of the run. */
  readonly ranks: ReadonlyMap<string, number>;
  /** The row with the best rank; of equal ranks, that of the first run. */
  readonly best: ResultRow;
}

interface Row extends Find {
  readonly url: string;
  readonly result: ResultRow;
}

/**
 * Which run found which page at which rank: one merged list. Addresses are comparable, since the
 * server writes each in one form. The order is the one of the postprocessor `rank_fusion`.
 */
export const matrixOf = (runs: readonly SearchRun[]): readonly MatrixRow[] =>
  fusedPages(runs.flatMap(rankedRows), ({ url }) => url).map(matrixRow);

/** `fields` may leave the address out: such rows cannot be compared. */
const rankedRows = ({
  id,
  preprocessor_name: provider,
  output_payload: output,
}: SearchRun): Row[] =>
  (output?.results ?? []).flatMap((result, index) => {
    const { url, rank = index + 1 } = result;
    return url === undefined ? [] : [{ run_id: id, provider, rank, url, result }];
  });

const matrixRow = ({ finds, byRank, best }: FusedPage<Row>): MatrixRow => ({
  url: best.url,
  title: byRank.find(({ result }) => result.title != null)?.result.title ?? null,
  ranks: new Map(finds.map(({ run_id, rank }) => [run_id, rank])),
  best: best.result,
});

/** How many runs found each address. */
export const sharedBy = (rows: readonly MatrixRow[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ url, ranks }) => [url, ranks.size]));
