import type { JsonObject, MergedList } from '@trawl/contract';
import { type Find, FUSION_K, type FusedPage, fusedPages } from '@trawl/contract/rank-fusion';
import type { NormalizedRun, RowFacts } from '../normalize.ts';

interface FoundRow extends Find {
  readonly row: RowFacts;
}

/** Every URL of a query's runs, as rank fusion orders them. */
export const pagesOf = (runs: readonly NormalizedRun[]): readonly FusedPage<FoundRow>[] =>
  fusedPages(
    runs.flatMap(({ run: { value }, rows }) =>
      rows.map((row, index) => {
        const { preprocessor_name: provider, id: run_id } = value;
        return { provider, rank: index + 1, run_id, row };
      }),
    ),
    ({ row }) => row.url,
  );

/** The title of the best ranked row that has one. */
export const titleOf = ({ byRank }: FusedPage<FoundRow>): string | null =>
  byRank.find(({ row }) => row.title !== null)?.row.title ?? null;

/** One ranking over all providers of a query. The runs keep their own. */
export const rankFusion = (runs: readonly NormalizedRun[]): JsonObject => ({
  results: fusedRows(runs),
  k: FUSION_K,
});

/** The rows of one list, best first. */
export const fusedRows = (runs: readonly NormalizedRun[]): MergedList['rows'] =>
  pagesOf(runs).map(fusedRow);

/** The same without pages that were seen before, and how many these are. */
export function newRows(
  runs: readonly NormalizedRun[],
  seen: ReadonlySet<string>,
): Pick<MergedList, 'rows' | 'seen'> {
  const pages = pagesOf(runs);
  const fresh = pages.filter(({ best }) => !seen.has(best.row.url));
  return { rows: fresh.map(fusedRow), seen: pages.length - fresh.length };
}

/** Texts are of one row, so that a date is never next to the summary of another provider. */
function fusedRow(page: FusedPage<FoundRow>, index: number) {
  const { url, summary, excerpt, publish_date, domain, author } = page.best.row;
  return {
    rank: index + 1,
    url,
    title: titleOf(page),
    summary,
    excerpt,
    publish_date,
    source: { domain, author },
    score: page.score,
    sources: [...page.finds],
  };
}
