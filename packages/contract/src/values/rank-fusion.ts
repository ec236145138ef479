/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). */
export const FUSION_K = 60;

/** A provider that found a page, and the page's rank there, from 1. */
export interface Find {
  readonly provider: string;
  readonly rank: number;
  readonly run_id: string;
}

/** One page with a row of each run that found it. */
export interface FusedPage<Row> {
  /** The runs that found it, in their order. */
  readonly finds: readonly Find[];
  /** Its rows, best rank first; of equal ranks, in the order of the runs. */
  readonly byRank: readonly Row[];
  /** The first of these. */
  readonly best: Row;
  /** The sum of 1 / (k + rank). */
  readonly score: number;
}

/**
 * The pages of the rows of one query, by reciprocal rank fusion: highest score first, then by best
 * rank, then in the order of the rows. A page that a run has twice counts once, at its first place.
 * @param rows run by run, each by rank
 * @param pageOf equal for rows of the same page
 */
export function fusedPages<Row extends Find>(
  rows: readonly Row[],
  pageOf: (row: Row) => string,
): readonly FusedPage<Row>[] {
  const pages = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const name = pageOf(row);
    const page = pages.get(name);
    if (!page) pages.set(name, [row]);
    else if (!page.some(({ run_id }) => run_id === row.run_id)) page.push(row);
  }
  return [...pages.values()]
    .map(fusedPage)
    .sort((a, b) => b.score - a.score || a.best.rank - b.best.rank);
}

function fusedPage<Row extends Find>(rows: readonly [Row, ...Row[]]): FusedPage<Row> {
  const byRank = rows.toSorted((a, b) => a.rank - b.rank);
  const [best = rows[0]] = byRank;
  return {
    finds: rows.map(({ provider, rank, run_id }) => ({ provider, rank, run_id })),
    byRank,
    best,
    score: rows.reduce((sum, { rank }) => sum + 1 / (FUSION_K + rank), 0),
  };
}
