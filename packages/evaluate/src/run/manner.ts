import { type CommandContext, listOf, wholeNumber } from '@trawl/client/terminal/command';
import { LIMITS } from '@trawl/contract';
import { CONTROLS } from '../measure/answer-steps.ts';
import { type ChosenSet, chosenSet, wrongUse } from './chosen-set.ts';
import { type ModelFlags, type Models, readModels } from './model-flags.ts';
import type { EvaluationTier } from './provider-calls.ts';

export interface EvaluateFlags extends ModelFlags {
  readonly set?: string;
  readonly providers: string;
  readonly k: string;
  readonly tier: EvaluationTier;
  readonly sample?: string;
  readonly seed: string;
  readonly run?: string;
  readonly html?: string;
  readonly checkGold?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly timeout?: string;
}

/** What an evaluation measures, and how. */
export interface Manner {
  readonly set: ChosenSet;
  readonly providers: readonly string[];
  readonly k: number;
  readonly tier: EvaluationTier;
  readonly seed: number;
  readonly models: Models | null;
  readonly checksGold: boolean;
}

export async function readManner(
  context: CommandContext,
  file: string | undefined,
  flags: EvaluateFlags,
): Promise<Manner> {
  const providers = [...new Set(listOf('--providers', flags.providers) ?? [])];
  const control = CONTROLS.find((name) => providers.includes(name));
  if (control !== undefined) throw wrongUse(`--providers: ${control} is the name of a control`);
  const k = wholeNumber('--k', flags.k, LIMITS.resultsMax);
  const seed = wholeNumber('--seed', flags.seed);
  const sample = flags.sample === undefined ? undefined : wholeNumber('--sample', flags.sample);
  const models = readModels(flags, context.environment);
  const set = await chosenSet(context, { file, name: flags.set, sample, seed });
  if (models !== null && set.queries.every((query) => query.expectedAnswer === null)) {
    throw wrongUse('--model needs queries with an expected_answer, and the set has none');
  }
  const { tier, checkGold = false } = flags;
  return { set, providers, k, tier, seed, models, checksGold: checkGold };
}
