import { type FusedPage, fusedPages } from '@trawl/contract/rank-fusion';
import type { NormalizedRun, RowFacts } from '../normalize.ts';

/** A place where a URL was found. */
export interface UrlPlace {
  readonly provider: string;
  readonly rank: number;
  readonly run_id: string;
}

/** One URL over all runs of a query. */
export interface SharedUrl {
  readonly url: string;
  /** Title or text of the best ranked row that has one. */
  readonly title: string | null;
  readonly snippet: string | null;
  /** The row with the best rank; of equal ranks, that of the first run. */
  readonly best: RowFacts;
  /** One per run, in the order of the runs; with the best rank where a run has the URL twice. */
  readonly finds: readonly UrlPlace[];
  /** Reciprocal rank fusion: the sum of 1 / (k + rank). */
  readonly score: number;
}

interface Row extends UrlPlace {
  readonly row: RowFacts;
}

/** Every URL of a query's runs, as rank fusion orders them. */
export const sharedUrls = (runs: readonly NormalizedRun[]): readonly SharedUrl[] =>
  fusedPages(runs.flatMap(rankedRows), ({ row }) => row.url).map(sharedUrl);

const rankedRows = ({ run, rows }: NormalizedRun): Row[] =>
  rows.map((row, index) => ({
    provider: run.value.preprocessor_name,
    rank: index + 1,
    run_id: run.value.id,
    row,
  }));

function sharedUrl({ rows, byRank, best, score }: FusedPage<Row>): SharedUrl {
  const titled = byRank.find(({ row }) => row.title !== null);
  const described = byRank.find(({ row }) => (row.summary ?? row.excerpt) !== null);
  return {
    url: best.row.url,
    title: titled?.row.title ?? null,
    snippet: described?.row.summary ?? described?.row.excerpt ?? null,
    best: best.row,
    finds: rows.map(({ provider, rank, run_id }) => ({ provider, rank, run_id })),
    score,
  };
}
