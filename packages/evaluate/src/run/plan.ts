import type { CommandContext } from '@trawl/client/terminal/command';
import { costText, counted, sumOf } from '@trawl/client/terminal/output';
import type { RowIndex } from '../measure/answer-steps.ts';
import { goldPrice, missingGold } from './gold-pages.ts';
import type { Manner } from './manner.ts';
import { type ModelPlan, modelPlan } from './model-calls.ts';
import { type CallPrices, callPrices, missingCalls, type ProviderCall } from './provider-calls.ts';

/** What is still to be called, and its price. */
export interface EvaluationPlan {
  readonly calls: readonly ProviderCall[];
  readonly prices: CallPrices;
  /** null = the price of a call is not known. */
  readonly searchUsd: number | null;
  /** URLs to look at. */
  readonly gold: readonly string[];
  readonly goldUsd: number | null;
  /** null = no model is asked. */
  readonly model: ModelPlan | null;
}

export async function planEvaluation(
  context: CommandContext,
  { set, providers, k, tier, models, checksGold }: Manner,
  index: RowIndex = new Map(),
): Promise<EvaluationPlan> {
  const calls = missingCalls(set.queries, providers, index);
  const gold = checksGold ? missingGold(set.queries, index) : [];
  const prices = await callPrices(context, calls, { k, tier });
  return {
    calls,
    prices,
    searchUsd: sumOf([...prices.values()]),
    gold,
    goldUsd: await goldPrice(context, gold),
    model: models && modelPlan(set.queries, providers, models, index),
  };
}

/** What a person is asked to confirm. @param before the run that is there already */
export function planText(
  { calls, searchUsd, gold, goldUsd, model }: EvaluationPlan,
  { set, providers }: Manner,
  before: { readonly path: string; readonly calls: number } | undefined,
): string {
  const lines = [
    ...(before ? [`${before.path} has ${counted(before.calls, 'row')} of this run already`] : []),
    `${set.name}: ${set.queries.length} queries × ${providers.length} providers; ${counted(calls.length, 'search call')} to make, ${priceText(searchUsd)}`,
    ...(gold.length > 0
      ? [`${counted(gold.length, 'gold page')} to fetch, ${priceText(goldUsd)}`]
      : []),
    ...(model === null ? [] : [modelText(model)]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

const priceText = (usd: number | null): string =>
  usd === null
    ? "and the server's price list lacks a price"
    : `for about ${costText(usd)} by the server's price list`;

function modelText({ calls, tokensIn, tokensOut, usd }: ModelPlan): string {
  const tokens = `${tokensIn} tokens in and ${tokensOut} out`;
  const price = usd === null ? 'no price was given (--model-price)' : `at most ${costText(usd)}`;
  return `at most ${counted(calls, 'model call')} with at most ${tokens}: ${price}`;
}
