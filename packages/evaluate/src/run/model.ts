import { setTimeout as pause } from 'node:timers/promises';
import { EXIT } from '@trawl/client/terminal/exit-codes';
import { CommandError } from '@trawl/client/terminal/failure';
import { oneLine } from '@trawl/client/terminal/style';
import { isJsonObject, parsedUrl } from '@trawl/contract';
import type { Prompt } from '../measure/prompts.ts';
import { wrongUse } from './chosen-set.ts';

/** A model behind an address that speaks OpenAI's chat completions. */
export interface Model {
  readonly name: string;
  readonly url: string;
  readonly key: string | undefined;
  /** The variable that holds its key, for messages. */
  readonly keyVariable: string;
  readonly timeoutMs: number;
  /** What it may write for itself before each answer, which counts as its output. */
  readonly thinkingTokens: number;
  /** Parameters that it refused so far. */
  readonly refused: Set<string>;
  /** US dollars per million tokens; null = not given. */
  readonly price: { readonly input: number; readonly output: number } | null;
}

/** What a model answered, or why there is no text. */
export interface Completion {
  readonly failure: string | null;
  readonly text: string | null;
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
}

const NOTHING = { text: null, tokensIn: null, tokensOut: null };
const TRIES = 4;
const WAIT_MAX_S = 60;
const ANSWER_BYTES = 1_000_000;

/** The name of a model with its address, which may not have a secret. */
export const modelId = ({ name, url }: Model): string => `${name} at ${url}`;

/** @throws CommandError naming the flag */
export function modelUrl(flag: string, text: string): string {
  const url = parsedUrl(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw wrongUse(`${flag} takes an http(s) address such as https://api.example.com/v1`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw wrongUse(`${flag} takes an address without user, password, query and fragment`);
  }
  return url.href.replace(/\/$/, '');
}

/**
 * Asks once, and again only where nothing was answered and nothing is billed: after a limit or a
 * fault of the server. A call that takes too long is not repeated, since it may be billed.
 * @throws CommandError where no further call would succeed either
 */
export async function complete(
  model: Model,
  prompt: Prompt,
  signal: AbortSignal,
): Promise<Completion> {
  for (let tries = 1; ; ) {
    const limits = limitsOf(model, prompt.tokensOut + model.thinkingTokens);
    const response = await sent(model, { messages: prompt.messages, ...limits }, signal);
    if (response === 'timeout') return { ...NOTHING, failure: 'timeout' };
    const { status, text, retryAfterS } = response;
    if (status < 300) return completionOf(model, text);
    if (status === 401 || status === 403) throw refused(model, status);
    if (status === 404 || status === 405) throw noApi(model, `answers ${status}`);
    const { param, message } = faultOf(text);
    if (status === 402 || param === 'model') throw unusable(model, status, message);
    const refusable = status === 400 && REFUSABLE.find((name) => name === param && name in limits);
    if (refusable) {
      model.refused.add(refusable);
      continue;
    }
    if (status !== 429 && status < 500) return { ...NOTHING, failure: `http_${status}${message}` };
    if (tries === TRIES) throw stopped(model, `answers ${status}, ${TRIES} times`);
    await pause(Math.min(retryAfterS ?? 2 ** tries, WAIT_MAX_S) * 1_000, undefined, { signal });
    tries += 1;
  }
}

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly retryAfterS: number | null;
}

async function sent(
  model: Model,
  parameters: object,
  signal: AbortSignal,
): Promise<Sent | 'timeout'> {
  const limit = AbortSignal.timeout(model.timeoutMs);
  try {
    const response = await fetch(`${model.url}/chat/completions`, {
      method: 'POST',
      // elsewhere the key would be sent too
      redirect: 'error',
      signal: AbortSignal.any([signal, limit]),
      headers: {
        'content-type': 'application/json',
        ...(model.key === undefined ? {} : { authorization: `Bearer ${model.key}` }),
      },
      body: JSON.stringify({ model: model.name, ...parameters }),
    });
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    const text = await textOf(model, response);
    return {
      status: response.status,
      text,
      retryAfterS: Number.isFinite(seconds) ? Math.max(0, seconds) : null,
    };
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) return 'timeout';
    if (error instanceof CommandError) throw error;
    const { cause } = error as { readonly cause?: { readonly code?: string } };
    throw stopped(model, `cannot be reached (${cause?.code ?? 'no answer'})`);
  }
}

/** The parameters that some models refuse. */
const REFUSABLE = ['max_tokens', 'temperature'];

/**
 * Models that think take `max_completion_tokens` instead of `max_tokens`, and no temperature
 * (https://platform.openai.com/docs/api-reference/chat/create).
 */
const limitsOf = ({ refused }: Model, tokens: number) => ({
  [refused.has('max_tokens') ? 'max_completion_tokens' : 'max_tokens']: tokens,
  ...(refused.has('temperature') ? {} : { temperature: 0 }),
});

const REASON_MAX = 200;

/** The parameter that an error names, and its message behind a colon. */
function faultOf(text: string): { readonly param: unknown; readonly message: string } {
  const answer = jsonOf(text);
  const error = isJsonObject(answer) && isJsonObject(answer.error) ? answer.error : {};
  const { message } = error;
  const said = typeof message === 'string' ? `: ${oneLine(message.slice(0, REASON_MAX))}` : '';
  return { param: error.param, message: said };
}

async function textOf(model: Model, response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > ANSWER_BYTES) throw noApi(model, `answers more than ${ANSWER_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

interface ChatAnswer {
  readonly error?: unknown;
  readonly choices?: readonly {
    readonly message?: { readonly content?: unknown };
    readonly finish_reason?: unknown;
  }[];
  readonly usage?: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown };
}

function completionOf(model: Model, text: string): Completion {
  const answer = jsonOf(text) as ChatAnswer | null | undefined;
  if (answer === undefined) {
    throw noApi(model, text.trimStart().startsWith('<') ? 'answers HTML' : 'answers no JSON');
  }
  if (answer?.error) throw unusable(model, 200, faultOf(text).message);
  const choice = Array.isArray(answer?.choices) ? answer.choices[0] : undefined;
  const content = choice?.message?.content;
  const tokens = {
    tokensIn: countOf(answer?.usage?.prompt_tokens),
    tokensOut: countOf(answer?.usage?.completion_tokens),
  };
  if (typeof content === 'string' && content.trim() !== '') {
    return { failure: null, text: content, ...tokens };
  }
  if (choice?.finish_reason === 'length') throw outOfTokens(model);
  return { failure: 'no_text', text: null, ...tokens };
}

/** undefined = it is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;

const stopped = (model: Model, what: string): CommandError =>
  new CommandError(EXIT.unreachable, 'model_unreachable', `the model at ${model.url} ${what}`);

const unusable = (model: Model, status: number, message: string): CommandError =>
  new CommandError(
    EXIT.unreachable,
    'model_refused',
    `the model ${model.name} at ${model.url} answers ${status}${message}`,
  );

/** No row is stored, so a higher limit asks again. */
const outOfTokens = (model: Model): CommandError =>
  new CommandError(
    EXIT.usage,
    'model_tokens',
    `the model ${model.name} used all its tokens before it answered`,
    'raise --model-thinking, with the same --run',
  );

const refused = (model: Model, status: number): CommandError =>
  new CommandError(
    EXIT.auth,
    'model_refused',
    `the model at ${model.url} answers ${status}`,
    `set its key in the variable ${model.keyVariable}`,
  );

const noApi = (model: Model, what: string): CommandError =>
  new CommandError(
    EXIT.unreachable,
    'model_answer',
    `the model at ${model.url} ${what}`,
    'name the address below which /chat/completions is, such as https://api.example.com/v1',
  );
