import { wholeNumber } from '@trawl/client/terminal/command';
import type { Environment } from '@trawl/client/terminal/style';
import { wrongUse } from './chosen-set.ts';
import { type Model, modelUrl } from './model.ts';

export interface ModelFlags {
  readonly modelUrl?: string;
  readonly model?: string;
  readonly modelPrice?: string;
  readonly judgeUrl?: string;
  readonly judge?: string;
  readonly judgePrice?: string;
  readonly modelTimeout?: string;
  readonly modelThinking?: string;
}

/** The model that answers, and the one that grades. */
export interface Models {
  readonly answers: Model;
  readonly judge: Model;
}

const TIMEOUT = '60';

/** @returns null = answers are not measured */
export function readModels(flags: ModelFlags, environment: Environment): Models | null {
  const { modelUrl: url, model, judge, judgeUrl } = flags;
  if (url === undefined && model === undefined) {
    const other = Object.entries(flags).find(
      ([name, value]) => value !== undefined && MODEL_NAMES.has(name),
    );
    if (other !== undefined)
      throw wrongUse(`--${dashed(other[0])} goes with --model-url and --model`);
    return null;
  }
  if (url === undefined) throw wrongUse('--model goes with --model-url');
  if (model === undefined) throw wrongUse('--model-url goes with --model');
  const timeoutMs = wholeNumber('--model-timeout', flags.modelTimeout ?? TIMEOUT, 3_600) * 1_000;
  const thinking = flags.modelThinking;
  const thinkingTokens =
    thinking === undefined ? 0 : wholeNumber('--model-thinking', thinking, 100_000);
  const answers: Model = {
    name: model,
    url: modelUrl('--model-url', url),
    key: environment.MODEL_API_KEY || undefined,
    keyVariable: 'MODEL_API_KEY',
    timeoutMs,
    thinkingTokens,
    refused: new Set(),
    price: readPrice('--model-price', flags.modelPrice),
  };
  if (judge === undefined && judgeUrl === undefined) return { answers, judge: answers };
  const address = judgeUrl === undefined ? answers.url : modelUrl('--judge-url', judgeUrl);
  // the key of one address is never sent to another
  const shared = address === answers.url ? answers.key : undefined;
  return {
    answers,
    judge: {
      name: judge ?? model,
      url: address,
      key: environment.JUDGE_API_KEY || shared,
      keyVariable: 'JUDGE_API_KEY',
      timeoutMs,
      thinkingTokens,
      refused: new Set(),
      price: readPrice('--judge-price', flags.judgePrice),
    },
  };
}

const MODEL_NAMES: ReadonlySet<string> = new Set([
  'modelPrice',
  'judgeUrl',
  'judge',
  'judgePrice',
  'modelThinking',
]);

const dashed = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Input and output, US dollars per million tokens. */
function readPrice(flag: string, text: string | undefined): Model['price'] {
  if (text === undefined) return null;
  const [input = Number.NaN, output = Number.NaN, more] = text.split(',').map(Number);
  const isPrice = [input, output].every((usd) => Number.isFinite(usd) && usd >= 0);
  if (isPrice && more === undefined) return { input, output };
  throw wrongUse(`${flag} takes two prices per million tokens, in and out, such as 0.15,0.6`);
}
