import type { Clock } from '@trawl/base';
import { RequestError } from '@trawl/router';

/** Limits how often something is tried. In memory: each process counts for itself. */
export interface Attempts {
  /** Counts an attempt before it is made. @throws RequestError 429 that names the seconds to wait */
  take(name: string): void;
  /** Forgets the attempts, after one that succeeded. */
  clear(name: string): void;
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
  return {
    take: (name) => {
      const now = clock.now();
      const recent = (times.get(name) ?? []).filter((time) => time > now - windowMs);
      const [oldest = now] = recent;
      if (recent.length >= max) throw tooMany(Math.ceil((oldest + windowMs - now) / 1_000));
      times.delete(name);
      times.set(name, [...recent, now]);
      const [first] = times.keys();
      if (times.size > NAMES_MAX && first !== undefined) times.delete(first);
    },
    clear: (name) => void times.delete(name),
  };
}

const tooMany = (seconds: number): RequestError =>
  new RequestError(429, `Too many attempts. Try again in ${seconds} seconds`, {
    headers: { 'retry-after': String(seconds) },
  });
