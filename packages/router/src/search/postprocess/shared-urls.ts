import type { NormalizedRun } from '../normalize.ts';

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
  /** One per run, in the order of the runs; with the best rank where a run has the URL twice. */
  readonly finds: readonly Find[];
  /** Reciprocal rank fusion: the sum of 1 / (k + rank). */
  readonly score: number;
}

/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). */
export const FUSION_K = 60;

interface Row {
  readonly find: Find;
  readonly title: string | null;
  readonly snippet: string | null;
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
      found.push({ find, title: row.title, snippet: row.summary ?? row.excerpt });
      byUrl.set(row.url, found);
    }
  }
  return [...byUrl].map(([url, rows]) => sharedUrl(url, rows)).sort(byScore);
}

function sharedUrl(url: string, rows: readonly Row[]): SharedUrl {
  const best = rows.toSorted((a, b) => a.find.rank - b.find.rank);
  const finds = rows.map(({ find }) => find);
  return {
    url,
    title: best.find(({ title }) => title !== null)?.title ?? null,
    snippet: best.find(({ snippet }) => snippet !== null)?.snippet ?? null,
    finds,
    score: finds.reduce((sum, { rank }) => sum + 1 / (FUSION_K + rank), 0),
  };
}

const bestRank = ({ finds }: SharedUrl): number => Math.min(...finds.map(({ rank }) => rank));

function byScore(a: SharedUrl, b: SharedUrl): number {
  return b.score - a.score || bestRank(a) - bestRank(b);
}
