import { pageOf } from '../statistics/relevance.ts';
import { answerStep, CONTROLS, type ModelNames, type RowIndex } from './answer-steps.ts';
import type { Fault } from './evaluation-report.ts';
import type { JudgedQuery } from './measures.ts';
import type { Grade } from './prompts.ts';
import type { SetQuery } from './query-set.ts';

/** What the rows of a run say about the queries of its set, and what they could not find out. */
export interface Judgement {
  readonly judged: readonly JudgedQuery[];
  readonly faults: readonly Fault[];
}

/** @param models null = answers are not measured */
export function judgeQueries(
  queries: readonly SetQuery[],
  index: RowIndex,
  providers: readonly string[],
  models: ModelNames | null,
): Judgement {
  const faults: Fault[] = [];
  const judged = queries.map((query): JudgedQuery => {
    const grades = new Map<string, Grade | null>();
    const { expectedAnswer } = query;
    if (models !== null && expectedAnswer !== null) {
      for (const contestant of [...providers, ...CONTROLS]) {
        const step = answerStep({ ...query, expectedAnswer }, contestant, { index, models });
        if (step.step === 'fault') faults.push(step.fault);
        grades.set(contestant, step.step === 'graded' ? step.grade : null);
      }
    }
    return { ...query, truths: truthsOf(query, index, faults), grades };
  });
  return { judged, faults };
}

/** Gold pages that no longer exist cannot be found, so they say nothing about a provider. */
function truthsOf({ id, goldUrls }: SetQuery, index: RowIndex, faults: Fault[]) {
  // two spellings of a page are one truth
  const pages = new Map(goldUrls.map((url) => [pageOf(url), url]));
  return [...pages.values()].flatMap((url) => {
    const row = index.get(`gold ${url}`);
    if (row?.kind !== 'gold' || row.status === 'read') return [{ url }];
    const what = row.status === 'gone' ? 'gold_gone' : 'gold_unread';
    faults.push({ what, query: id, about: url, reason: row.reason ?? 'not read' });
    return row.status === 'gone' ? [] : [{ url }];
  });
}
