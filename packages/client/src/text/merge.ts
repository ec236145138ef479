import { type Find, type FusedPage, fusedPages } from '@trawl/contract/rank-fusion';
import { type FoundRow, type HasRuns, rowsOf, type SearchRun } from '../contract/answers.ts';
import type { ResultRow } from '../contract/types.ts';
import { grouped } from './grouped.ts';

export type { Find };

/** One page of one query, merged over all runs of the query. A text that no run has is null. */
export interface MergedRow {
  readonly query: string;
  readonly batch_index: number;
  /** Place in the merged list of the query, from 1. */
  readonly rank: number;
  /** null where `fields` leaves URLs out; then nothing is merged. */
  readonly url: string | null;
  readonly title: string | null;
  /**
   * This and the following ones are of the row with the best rank; of equal ranks, that of the
   * first run.
   */
  readonly summary: string | null;
  readonly excerpt: string | null;
  readonly publish_date: string | null;
  readonly source: ResultRow['source'] | null;
  /** Sum of 1 / (60 + rank) over the providers that found it. */
  readonly score: number;
  /** Who found it, in the order of the runs. */
  readonly sources: readonly Find[];
}

/**
 * One list per query with each page once, as the server's `rank_fusion` has it: ordered by
 * reciprocal rank fusion, then best rank, then order of runs. Lists of a batch follow each other.
 * The server normalizes URLs, so equal pages have equal URLs.
 */
export const merged = (answer: HasRuns): MergedRow[] =>
  grouped(rowsOf(answer), ({ batch_index }) => batch_index).flatMap((rows) =>
    fusedRows(rows).map(mergedRow),
  );

/** The pages of the rows of one query. Rows without a URL are pages of their own. */
const fusedRows = (rows: readonly FoundRow[]): readonly FusedPage<FoundRow>[] =>
  fusedPages(rows, ({ url, run_id, rank }) => url ?? `${run_id} ${rank}`);

function mergedRow({ best, byRank, score, finds }: FusedPage<FoundRow>, index: number): MergedRow {
  return {
    query: best.query,
    batch_index: best.batch_index,
    rank: index + 1,
    url: best.url ?? null,
    title: byRank.find(({ title }) => title)?.title ?? null,
    summary: best.summary ?? null,
    excerpt: best.excerpt ?? null,
    publish_date: best.publish_date ?? null,
    source: best.source ?? null,
    score,
    sources: finds,
  };
}

/** One page as it is shown to a model: each text from the best ranked row that has it. */
export interface ShownRow
  extends Pick<
    ResultRow,
    'url' | 'title' | 'summary' | 'excerpt' | 'full_content' | 'publish_date'
  > {
  readonly finds: readonly Find[];
}

/** The same list for the runs of one query, with the texts of every provider that has one. */
export const shownRows = (runs: readonly SearchRun[]): readonly ShownRow[] =>
  fusedRows(rowsOf({ preprocessor_runs: runs })).map((page) => {
    const first = <Key extends keyof ResultRow>(key: Key): ResultRow[Key] =>
      page.byRank.find((row) => row[key])?.[key];
    return {
      url: first('url'),
      title: first('title'),
      summary: first('summary'),
      excerpt: first('excerpt'),
      full_content: first('full_content'),
      publish_date: first('publish_date'),
      finds: page.finds,
    };
  });
