import { answerStep, CONTROLS, type ModelNames, type RowIndex } from '../measure/answer-steps.ts';
import { answersAtMost, gradesAtMost, type Prompt } from '../measure/prompts.ts';
import type { SetQuery } from '../measure/query-set.ts';
import type { ModelRow } from '../measure/run-rows.ts';
import { inTurn } from './calls.ts';
import { complete, type Model, modelId } from './model.ts';
import type { Models } from './model-flags.ts';
import type { RunStore } from './run-store.ts';

type AnswerableQuery = SetQuery & { readonly expectedAnswer: string };

const isAnswerable = (query: SetQuery): query is AnswerableQuery => query.expectedAnswer !== null;

export const answerable = (queries: readonly SetQuery[]): readonly AnswerableQuery[] =>
  queries.filter(isAnswerable);

export const namesOf = ({ answers, judge }: Models): ModelNames => ({
  answers: modelId(answers),
  judge: modelId(judge),
});

/** What the models may still be asked, at most. */
export interface ModelPlan {
  readonly calls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** null = a price was not given. */
  readonly usd: number | null;
}

export function modelPlan(
  queries: readonly SetQuery[],
  providers: readonly string[],
  models: Models,
  index: RowIndex,
): ModelPlan {
  let plan: ModelPlan = { calls: 0, tokensIn: 0, tokensOut: 0, usd: 0 };
  for (const query of answerable(queries)) {
    const steps = [...providers, ...CONTROLS].map((contestant) =>
      answerStep(query, contestant, { index, models: namesOf(models) }),
    );
    const open = steps.filter(({ step }) => step === 'ask' || step === 'waits');
    const graded = open.filter((step) => step.step === 'ask' && step.prompt.kind === 'grade');
    const answers = answersAtMost(query.query, open.length - graded.length);
    const grades = gradesAtMost(query.query, query.expectedAnswer, open.length);
    plan = added(plan, answers, models.answers);
    plan = added(plan, grades, models.judge);
  }
  return plan;
}

function added(
  plan: ModelPlan,
  { calls, tokensIn, tokensOut: answered }: Omit<ModelPlan, 'usd'>,
  { price, thinkingTokens }: Model,
): ModelPlan {
  const tokensOut = answered + calls * thinkingTokens;
  return {
    calls: plan.calls + calls,
    tokensIn: plan.tokensIn + tokensIn,
    tokensOut: plan.tokensOut + tokensOut,
    usd:
      plan.usd === null || price === null
        ? null
        : plan.usd + (tokensIn * price.input + tokensOut * price.output) / 1_000_000,
  };
}

interface Asking {
  readonly models: Models;
  readonly store: RunStore;
  readonly signal: AbortSignal;
  readonly onRow: () => void;
}

/** Has the model answer for each contestant, and the judge grade it, until nothing is left. */
export async function askModels(
  queries: readonly SetQuery[],
  contestants: readonly string[],
  { models, store, signal, onRow }: Asking,
): Promise<void> {
  const names = namesOf(models);
  const pending = new Map<string, Promise<void>>();
  const ask = (prompt: Prompt, sha256: string): Promise<void> => {
    const key = `${prompt.kind} ${sha256}`;
    // two that see the same ask the same: once is enough
    const running = pending.get(key) ?? asked(prompt, sha256);
    pending.set(key, running);
    return running;
  };
  const asked = async (prompt: Prompt, sha256: string): Promise<void> => {
    const model = prompt.kind === 'answer' ? models.answers : models.judge;
    const began = performance.now();
    const { failure, text, tokensIn, tokensOut } = await complete(model, prompt, signal);
    const row: ModelRow = {
      kind: prompt.kind,
      prompt_sha256: sha256,
      model: modelId(model),
      at: new Date().toISOString(),
      failure,
      text,
      tokens_in: tokensIn,
      tokens_out: tokensOut,
      latency_ms: Math.round(performance.now() - began),
    };
    store.add(row);
    onRow();
  };
  const work = answerable(queries).flatMap((query) =>
    contestants.map((contestant) => ({ query, contestant })),
  );
  await inTurn(work, signal, async ({ query, contestant }) => {
    for (;;) {
      const step = answerStep(query, contestant, { index: store.index, models: names });
      if (step.step !== 'ask') return;
      await ask(step.prompt, step.sha256);
    }
  });
}

/** US dollars of a call by the price that was given; null without one, or without its tokens. */
export function modelUsd(models: Models | null, row: ModelRow): number | null {
  const all = models === null ? [] : [models.answers, models.judge];
  const price = all.find((model) => modelId(model) === row.model)?.price ?? null;
  if (price === null || row.tokens_in === null || row.tokens_out === null) return null;
  return (row.tokens_in * price.input + row.tokens_out * price.output) / 1_000_000;
}
