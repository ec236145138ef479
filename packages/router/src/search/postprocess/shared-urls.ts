import type { NormalizedRun, UsableRow } from '../normalize.ts';

/** A place where a URL was found. */
export interface Find {
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
  readonly best: UsableRow;
  /** One per run, in the order of the runs; with the best rank where a run has the URL twice. */
  readonly finds: readonly Find[];
  /** Reciprocal rank fusion: the sum of 1 / (k + rank). */
  readonly score: number;
}

/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). */
export const FUSION_K = 60;

interface Row {
  readonly find: Find;
  readonly row: UsableRow;
}

/** Every URL of a query's runs, highest score first; then by best rank, then in the order of the runs. */
export function sharedUrls(runs: readonly NormalizedRun[]): readonly SharedUrl[] {
  const byUrl = new Map<string, Row[]>();
  for (const { run, rows } of runs) {
    const { id, preprocessor_name: provider } = run.value;
    for (const [index, row] of rows.entries()) {
      const found = byUrl.get(row.url) ?? [];
      const find = { provider, rank: index + 1, run_id: id };
      if (found.some((other) => other.find.run_id === id)) continue;
      found.push({ find, row });
      byUrl.set(row.url, found);
    }
  }
  return [...byUrl].flatMap(([url, rows]) => sharedUrl(url, rows)).sort(byScore);
}

function sharedUrl(url: string, rows: readonly Row[]): SharedUrl[] {
  const byRank = rows.toSorted((a, b) => a.find.rank - b.find.rank).map(({ row }) => row);
  const [best] = byRank;
  if (best === undefined) return [];
  const finds = rows.map(({ find }) => find);
  const titled = byRank.find(({ title }) => title !== null);
  const described = byRank.find(({ summary, excerpt }) => (summary ?? excerpt) !== null);
  return [
    {
      url,
      title: titled?.title ?? null,
      snippet: described?.summary ?? described?.excerpt ?? null,
      best,
      finds,
      score: finds.reduce((sum, { rank }) => sum + 1 / (FUSION_K + rank), 0),
    },
  ];
}

const bestRank = ({ finds }: SharedUrl): number => Math.min(...finds.map(({ rank }) => rank));

function byScore(a: SharedUrl, b: SharedUrl): number {
  return b.score - a.score || bestRank(a) - bestRank(b);
}
