import type { Trawl } from '../client/client.ts';
import { connectionSettings } from '../settings/index.ts';
import { isTrawlError } from '../values/errors.ts';
import { readDotEnv } from './dot-env.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import {
  CommandError,
  failureJson,
  failureOf,
  failureText,
  noKey,
  stoppedEarly,
} from './failure.ts';
import { note } from './output.ts';
import { type Environment, type Style, styleOf } from './style.ts';

/** Options that all commands of a client have. */
export interface CommonFlags {
  readonly json?: boolean;
  readonly jsonl?: boolean;
  /** In seconds. */
  readonly timeout?: string;
}

/** What a command works with. */
export interface CommandContext {
  readonly client: Trawl;
  readonly environment: Environment;
  /** Of standard output and of standard error. */
  readonly out: Style;
  readonly err: Style;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Runs a command whose requests need a key. */
export const runWithKey = (
  environment: Environment,
  flags: CommonFlags,
  work: (context: CommandContext) => Promise<ExitCode>,
): Promise<void> =>
  run(environment, flags, async (context) => {
    if (!environment.SERVICE_API_KEY) throw noKey(Boolean(readDotEnv().SERVICE_API_KEY));
    return work(context);
  });

/** Does the work, reports what went wrong, and sets the exit code. */
export async function run(
  environment: Environment,
  flags: CommonFlags,
  work: (context: CommandContext) => Promise<ExitCode>,
): Promise<void> {
  const stop = new AbortController();
  const interrupt = () => {
    // the second one ends the process at once
    if (stop.signal.aborted) process.exit(EXIT.interrupted);
    stop.abort();
  };
  process.on('SIGINT', interrupt);
  let baseUrl = 'SERVICE_BASE_URL';
  try {
    const client = await connect(environment, flags);
    baseUrl = client.baseUrl;
    process.exitCode = await work({
      client,
      environment,
      out: styleOf(process.stdout, environment),
      err: styleOf(process.stderr, environment),
      signal: stop.signal,
    });
  } catch (error) {
    const isEarly = stop.signal.aborted && !isTrawlError(error);
    const failure = failureOf(isEarly ? stoppedEarly() : error, baseUrl);
    note(flags.json || flags.jsonl ? failureJson(failure) : failureText(failure));
    process.exitCode = failure.exitCode;
  } finally {
    process.off('SIGINT', interrupt);
  }
}

/**
 * Loads the client when a command runs, so that `--help` does not wait for it.
 * @throws CommandError naming the variable where the client names its option
 */
async function connect(environment: Environment, flags: CommonFlags): Promise<Trawl> {
  const { Trawl } = await import('../client/client.ts');
  try {
    return new Trawl({ ...connectionSettings(environment), ...timeoutOf(flags) });
  } catch (error) {
    if (!isTrawlError(error)) throw error;
    const message = error.message
      .replace(/^baseUrl/, 'SERVICE_BASE_URL')
      .replace(/^timeoutMs/, '--timeout, in milliseconds,');
    throw new CommandError(EXIT.usage, 'usage', message);
  }
}

function timeoutOf({ timeout }: CommonFlags): { readonly timeoutMs?: number } {
  return timeout === undefined ? {} : { timeoutMs: wholeNumber('--timeout', timeout) * 1000 };
}

/** @throws CommandError when the text is not a whole number from 1 to `max` */
export function wholeNumber(flag: string, text: string, max = 9_999_999): number {
  if (/^[1-9]\d{0,6}$/.test(text) && Number(text) <= max) return Number(text);
  throw new CommandError(
    EXIT.usage,
    'usage',
    `${flag} takes a whole number from 1 to ${max}, not "${text}"`,
  );
}

/** @throws CommandError when the text is not an amount such as 0.05 */
export function usdAmount(flag: string, text: string): number {
  if (/^\d{1,5}(\.\d{1,6})?$/.test(text)) return Number(text);
  throw new CommandError(
    EXIT.usage,
    'usage',
    `${flag} takes US dollars such as 0.05, not "${text}"`,
  );
}

/** The items of a comma list; undefined when the flag is absent. */
export function listOf(flag: string, text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const items = text.split(',').map((item) => item.trim());
  const named = items.filter((item) => item !== '');
  if (named.length > 0) return named;
  throw new CommandError(EXIT.usage, 'usage', `${flag} takes a list, such as one,two`);
}
