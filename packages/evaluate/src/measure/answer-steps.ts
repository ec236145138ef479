import type { Fault } from './evaluation-report.ts';
import {
  answerPrompt,
  type Grade,
  gradePrompt,
  type Prompt,
  promptHash,
  readGrade,
} from './prompts.ts';
import type { SetQuery } from './query-set.ts';
import {
  callKey,
  type FoundPage,
  isOpen,
  type ModelRow,
  type RunRow,
  searchKey,
  wasSent,
} from './run-rows.ts';

/**
 * `null` sees no result: what it gets right came from the model itself. `oracle` sees the
 * expected answer, and the gold text where it was read: more than it gets right is not possible
 * with this model and this judge.
 */
export const CONTROLS = ['null', 'oracle'] as const;

/** The models by name and address, as a run knows them. */
export interface ModelNames {
  readonly answers: string;
  readonly judge: string;
}

/** The rows of a run by what they are of. */
export type RowIndex = Map<string, RunRow>;

/** The first row of a call counts, unless it was not sent: then the one after it. */
export function indexRows(rows: readonly RunRow[]): RowIndex {
  const index: RowIndex = new Map();
  for (const row of rows) {
    const before = index.get(callKey(row));
    if (!before || isOpen(before)) index.set(callKey(row), row);
  }
  return index;
}

/** What follows for one contestant on one query. `waits`: what it sees was not searched yet. */
export type AnswerStep =
  | { readonly step: 'waits' }
  | { readonly step: 'ask'; readonly prompt: Prompt; readonly sha256: string }
  | { readonly step: 'graded'; readonly grade: Grade }
  | { readonly step: 'fault'; readonly fault: Fault };

/** @param contestant a provider or a control */
export function answerStep(
  query: SetQuery & { readonly expectedAnswer: string },
  contestant: string,
  { index, models }: { readonly index: RowIndex; readonly models: ModelNames },
): AnswerStep {
  const pages = evidenceOf(query, contestant, index);
  if (pages === undefined) return { step: 'waits' };
  const about = { query: query.id, about: contestant };
  const asked = answerPrompt(query.query, pages);
  const answer = modelRow(index, models.answers, asked);
  if (typeof answer === 'string') return { step: 'ask', prompt: asked, sha256: answer };
  if (answer.text === null) {
    const reason = answer.failure ?? 'no text';
    return { step: 'fault', fault: { what: 'no_answer', ...about, reason } };
  }
  const judged = gradePrompt(query.query, query.expectedAnswer, answer.text);
  const graded = modelRow(index, models.judge, judged);
  if (typeof graded === 'string') return { step: 'ask', prompt: judged, sha256: graded };
  const grade = graded.text === null ? null : readGrade(graded.text);
  if (grade !== null) return { step: 'graded', grade };
  const reason = graded.failure ?? `the judge wrote ${JSON.stringify(graded.text?.slice(0, 80))}`;
  return { step: 'fault', fault: { what: 'no_grade', ...about, reason } };
}

/** The row, or the hash under which it is missing. */
function modelRow(index: RowIndex, model: string, prompt: Prompt): ModelRow | string {
  const sha256 = promptHash(model, prompt);
  const row = index.get(`${prompt.kind} ${sha256}`);
  return row?.kind === 'answer' || row?.kind === 'grade' ? row : sha256;
}

function evidenceOf(
  { id, goldUrls, expectedAnswer }: SetQuery,
  contestant: string,
  index: RowIndex,
): readonly FoundPage[] | undefined {
  if (contestant === 'null') return [];
  if (contestant !== 'oracle') {
    const row = index.get(searchKey(id, contestant));
    return row?.kind === 'search' && wasSent(row) ? row.pages : undefined;
  }
  const texts = goldUrls.flatMap((url): readonly FoundPage[] => {
    const row = index.get(`gold ${url}`);
    return row?.kind === 'gold' && row.text !== null ? [{ url, title: null, text: row.text }] : [];
  });
  // the gold text may lack the answer, as it is cut, so the answer itself is evidence too
  return [{ url: '', title: 'The expected answer', text: expectedAnswer }, ...texts];
}
