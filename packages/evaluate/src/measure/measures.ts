import { ndcg, pageOf, success, type Truth } from '../statistics/relevance.ts';
import type { Grade } from './prompts.ts';
import type { SetQuery } from './query-set.ts';
import { type SearchedRow, wasSent } from './run-rows.ts';

/**
 * `success` and `ndcg`: against gold URLs. `agreed_…`: against pages that others agree on, for
 * queries without gold. `answers`: the share of answers that the judge found correct.
 */
export const MEASURES = ['ndcg', 'success', 'agreed_ndcg', 'agreed_success', 'answers'] as const;
export type EvaluationMeasure = (typeof MEASURES)[number];

/** What one provider got on one query; null = the measure does not apply. */
export type QueryScores = Readonly<Record<EvaluationMeasure, number | null>>;

/** Of each provider, in the order of the queries. */
export type ScoresByProvider = ReadonlyMap<string, readonly QueryScores[]>;

/** What is known about a query before anything is scored. */
export interface JudgedQuery extends SetQuery {
  /** Gold pages that still exist. */
  readonly truths: readonly Truth[];
  /** By provider or control; null = it could not be graded. */
  readonly grades: ReadonlyMap<string, Grade | null>;
}

/** @param searched the rows of this query, one for each provider */
export function queryScores(
  { truths, grades }: JudgedQuery,
  searched: readonly SearchedRow[],
  provider: string,
  k: number,
): QueryScores {
  const own = searched.find((row) => row.provider === provider);
  const nothing = { ndcg: null, success: null, agreed_ndcg: null, agreed_success: null };
  const grade = grades.get(provider) ?? null;
  const answers = grade === null ? null : Number(grade === 'correct');
  // a call that was not made says nothing about the provider
  if (own === undefined || !wasSent(own)) return { ...nothing, answers };
  const urls = urlsOf(own);
  if (truths.length > 0) {
    const gold = { ndcg: ndcg(urls, truths, k), success: success(urls, truths, k) };
    return { ...nothing, ...gold, answers };
  }
  const others = searched.filter((row) => row !== own).map(urlsOf);
  const agreed = agreedPages(others, k);
  if (agreed === null || agreed.length === 0) return { ...nothing, answers };
  return {
    ...nothing,
    agreed_ndcg: ndcg(urls, agreed, k),
    agreed_success: success(urls, agreed, k),
    answers,
  };
}

const urlsOf = ({ pages }: SearchedRow): readonly string[] => pages.map(({ url }) => url);

/** Others that must have a page before it counts as agreed. */
const VOTES_MIN = 2;

/**
 * The pages that several other providers have among their first rows. The judged provider has no
 * vote, so nothing that it alone found helps it, and it cannot make a page right. null where fewer
 * than two others answered: they cannot agree.
 */
export function agreedPages(
  others: readonly (readonly string[])[],
  depth: number,
): readonly Truth[] | null {
  const answered = others.filter((urls) => urls.length > 0);
  if (answered.length < VOTES_MIN) return null;
  const votes = new Map<string, { url: string; count: number }>();
  for (const urls of answered) {
    const pages = new Map(urls.slice(0, depth).map((url) => [pageOf(url), url]));
    for (const [page, url] of pages) {
      const before = votes.get(page);
      votes.set(page, { url: before?.url ?? url, count: (before?.count ?? 0) + 1 });
    }
  }
  return [...votes.values()].filter(({ count }) => count >= VOTES_MIN).map(({ url }) => ({ url }));
}
