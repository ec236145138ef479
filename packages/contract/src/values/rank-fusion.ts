/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). */
export const FUSION_K = 60;

interface Ranked {
  readonly run_id: string;
  /** Place in its run, from 1. */
  readonly rank: number;
}

/** One page with a row of each run that found it. */
export interface FusedPage<Row> {
  /** In the order of the runs. */
  readonly rows: readonly Row[];
  /** The same, best rank first; of equal ranks, in the order of the runs. */
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
export function fusedPages<Row extends Ranked>(
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

function fusedPage<Row extends Ranked>(rows: readonly [Row, ...Row[]]): FusedPage<Row> {
  const byRank = rows.toSorted((a, b) => a.rank - b.rank);
  const [best = rows[0]] = byRank;
  return {
    rows,
    byRank,
    best,
    score: rows.reduce((sum, { rank }) => sum + 1 / (FUSION_K + rank), 0),
  };
}
