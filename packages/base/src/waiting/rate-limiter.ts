/** A limit of requests a minute. */
export interface RateAllowance {
  /** The key or project. */
  readonly id: string;
  readonly perMinute: number;
}

export interface RateStanding {
  readonly isAllowed: boolean;
  /** Of the allowance that is nearest to its end. */
  readonly limit: number;
  readonly remaining: number;
  /**
   * Until that one has room for one request more than now, in milliseconds; 0 when it is untouched.
   */
  readonly resetMs: number;
}

/** Counts requests. Asynchronous, so that replicas may share one. */
export interface RateLimiter {
  /** Counts one request on all allowances, or on none where one of them is used up. */
  take(allowances: readonly [RateAllowance, ...RateAllowance[]]): Promise<RateStanding>;
}

export const MINUTE_MS = 60_000;

/**
 * In this process. Remembers the time of each request of the last minute, so no span of a minute
 * has more than the limit.
 * @param now milliseconds that never go back, such as `performance.now`: with a clock that is set
 * back, callers would wait for that time too
 */
export function createMemoryRateLimiter(now: () => number): RateLimiter {
  const taken = new Map<string, number[]>();
  let sweptAt = now();

  const sweep = (at: number): void => {
    if (at - sweptAt < MINUTE_MS) return;
    sweptAt = at;
    for (const [id, times] of taken) {
      if (waitMs(times.at(-1), at) === 0) taken.delete(id);
    }
  };

  const timesOf = (id: string, at: number): number[] => {
    const times = taken.get(id) ?? [];
    const over = times.findIndex((time) => waitMs(time, at) > 0);
    times.splice(0, over < 0 ? times.length : over);
    taken.set(id, times);
    return times;
  };

  return {
    async take(allowances) {
      const at = now();
      sweep(at);
      const counted = allowances.map(({ id, perMinute }) => ({
        perMinute,
        times: timesOf(id, at),
      }));
      const isAllowed = counted.every(({ times, perMinute }) => times.length < perMinute);
      if (isAllowed) for (const { times } of counted) times.push(at);
      const standings = counted.map(({ times, perMinute }) => ({
        isAllowed,
        limit: perMinute,
        remaining: Math.max(0, perMinute - times.length),
        // a limit that was lowered has more to wait for than its oldest request
        resetMs: waitMs(times[Math.max(0, times.length - perMinute)], at),
      }));
      return tightest(standings);
    },
  };
}

/** The allowance that is nearest to its end. @throws TypeError without any */
export const tightest = (standings: readonly RateStanding[]): RateStanding =>
  standings.reduce((least, next) => (isTighter(next, least) ? next : least));

const isTighter = (a: RateStanding, b: RateStanding): boolean =>
  a.remaining < b.remaining || (a.remaining === b.remaining && a.resetMs > b.resetMs);

/** Until a request of this time is a minute ago; 0 without one. */
const waitMs = (time: number | undefined, at: number): number =>
  time === undefined ? 0 : Math.max(0, MINUTE_MS - (at - time));
