import { HEALTH_FIELDS } from '@trawl/contract';
import { comparableUrl, type FieldPlan, type ParsedRow } from '@trawl/providers';
import type { CountedAnswer } from '../interaction/records.ts';
import type { NormalizedRun } from './normalize.ts';
import type { RunPlan } from './plan.ts';

/** What is counted of one answer, without those of others. */
export type AnswerCounts = Pick<CountedAnswer, 'asked' | 'rows' | 'fields' | 'filled'>;

/**
 * As the vendor sent it, before rules and filters drop a part. Only rows with an address count.
 * @param haveAddresses whether all rows are known to have one
 */
export function countsOf(
  sent: readonly ParsedRow[],
  { rowsMax, filters, missing, search }: RunPlan,
  { row: active }: FieldPlan,
  haveAddresses: boolean,
): AnswerCounts {
  const wanted = Math.min(rowsMax, search.count);
  const rows = haveAddresses
    ? sent
    : sent.filter(({ url }) => url !== null && comparableUrl(url) !== null);
  let fields = 0;
  let filled = 0;
  for (const [at, field] of HEALTH_FIELDS.entries()) {
    if (!active.includes(field) || missing.has(field)) continue;
    fields |= 1 << at;
    if (rows.some((row) => row[field] !== null && row[field] !== '')) filled |= 1 << at;
  }
  // filters leave fewer rows, however good the answer is
  return { asked: filters ? 0 : wanted, rows: Math.min(rows.length, wanted), fields, filled };
}

/**
 * What is counted of the runs of a search: answers of providers that were asked for it, next to
 * those of others for the same query.
 * @param watchId the watch that asks, which counts once however often it asks
 */
export function countedAnswers(
  runs: readonly NormalizedRun[],
  watchId: string | undefined,
): readonly CountedAnswer[] {
  return runs.flatMap(({ run: { value }, counts, served }) => {
    if (counts === undefined || served !== undefined) return [];
    const others = runs.filter(
      ({ run, resultCount }) =>
        resultCount !== null &&
        run.value.batch_index === value.batch_index &&
        run.value.preprocessor_name !== value.preprocessor_name,
    );
    return {
      ...counts,
      provider: value.preprocessor_name,
      id: watchId === undefined ? (value.id ?? '') : `watch:${watchId}`,
      othersFound: others.length === 0 ? null : others.some(found),
    };
  });
}

/** What the vendor found, whatever was dropped here; of a recorded answer, what is left of it. */
const found = ({ counts, resultCount }: NormalizedRun): boolean =>
  (counts ? counts.rows : resultCount) !== 0;
