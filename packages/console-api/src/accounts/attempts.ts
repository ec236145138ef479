import type { Clock } from '@trawl/base';
import { RequestError } from '@trawl/router';

/** Limits how often something is tried. In memory: each process counts for itself. */
export interface Attempts {
  /**
   * Counts an attempt before it is made, so that those at the same time count too. Returns what
   * takes it back, for one that has not failed. @throws RequestError 429 that names the seconds to
   * wait
   */
  take(name: string): () => void;
}

export interface AttemptLimit {
  /** Attempts within `windowMs`. */
  readonly max: number;
  readonly windowMs: number;
}

/** The oldest are forgotten first, so that made-up names do not fill the memory. */
const NAMES_MAX = 10_000;

export function createAttempts(
  { max, windowMs }: AttemptLimit,
  clock: Pick<Clock, 'now'>,
): Attempts {
  const times = new Map<string, readonly number[]>();
  const recentOf = (name: string): readonly number[] =>
    (times.get(name) ?? []).filter((time) => time > clock.now() - windowMs);
  const giveBack = (name: string, time: number): void => {
    const recent = recentOf(name);
    const left = recent.toSpliced(recent.indexOf(time), recent.includes(time) ? 1 : 0);
    if (left.length > 0) times.set(name, left);
    else times.delete(name);
  };
  return {
    take: (name) => {
      const now = clock.now();
      const recent = recentOf(name);
      const [oldest = now] = recent;
      if (recent.length >= max) throw tooMany(Math.ceil((oldest + windowMs - now) / 1_000));
      times.delete(name);
      times.set(name, [...recent, now]);
      const [first] = times.keys();
      if (times.size > NAMES_MAX && first !== undefined) times.delete(first);
      return () => giveBack(name, now);
    },
  };
}

const tooMany = (seconds: number): RequestError =>
  new RequestError(429, `Too many attempts. Try again in ${seconds} seconds`, {
    headers: { 'retry-after': String(seconds) },
  });

/**
 * Runs what a caller tries. It counts if it is refused because of what the caller sent: by 401,
 * 403 or 404, or by a value that has failed. @throws RequestError 429 before it runs
 */
export async function tried<Value>(
  takes: readonly (() => () => void)[],
  work: () => Promise<Value>,
  hasFailed: (value: Value) => boolean = () => false,
): Promise<Value> {
  const giveBack = takeAll(takes);
  try {
    const value = await work();
    if (!hasFailed(value)) giveBack();
    return value;
  } catch (error) {
    const isRefusal = error instanceof RequestError && [401, 403, 404].includes(error.status);
    if (!isRefusal) giveBack();
    throw error;
  }
}

/** An attempt that one limit refuses does not count towards the others. */
function takeAll(takes: readonly (() => () => void)[]): () => void {
  const taken: (() => void)[] = [];
  const giveBack = () => {
    for (const one of taken) one();
  };
  try {
    for (const take of takes) taken.push(take());
  } catch (error) {
    giveBack();
    throw error;
  }
  return giveBack;
}
