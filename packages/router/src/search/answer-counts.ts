import { HEALTH_FIELDS } from '@trawl/contract';
import type { FieldPlan, ParsedRow } from '@trawl/providers';
import type { CountedAnswer } from '../interaction/records.ts';
import type { NormalizedRun } from './normalize.ts';
import type { RunPlan } from './plan.ts';

/** What is counted of one answer, without those of others. */
export type AnswerCounts = Pick<CountedAnswer, 'asked' | 'rows' | 'fields' | 'filled'>;

/** As the vendor sent it, before anything is dropped here. */
export function countsOf(
  sent: readonly ParsedRow[],
  { rowsMax, filters, missing, search }: RunPlan,
  { row: active }: FieldPlan,
): AnswerCounts {
  const wanted = Math.min(rowsMax, search.count);
  let fields = 0;
  let filled = 0;
  for (const [at, field] of HEALTH_FIELDS.entries()) {
    if (!active.includes(field) || missing.has(field)) continue;
    fields |= 1 << at;
    if (sent.some((row) => row[field] !== null && row[field] !== '')) filled |= 1 << at;
  }
  // filters leave fewer rows, however good the answer is
  return { asked: filters ? 0 : wanted, rows: Math.min(sent.length, wanted), fields, filled };
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
      othersFound: others.length === 0 ? null : others.some(({ resultCount }) => resultCount !== 0),
    };
  });
}
