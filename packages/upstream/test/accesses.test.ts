import { describe, expect, test } from 'vitest';
import { createAccesses } from '../src/runner/accesses.ts';
import {
  type Breaker,
  circuitOf,
  createBreaker,
  type ProviderHealth,
} from '../src/runner/breaker.ts';
import { boundRetryAfter, isRetrySafe, parseRetryAfter, retryPause } from '../src/runner/retry.ts';
import { createUsualTimes } from '../src/runner/usual-time.ts';
import { fakeClock, targetAt } from './support/calls.ts';

const KEYS = ['first-key-aaaa', 'second-key-bbbb', 'third-key-cccc'];
const HEALTHY: ProviderHealth = { state: 'closed', cause: null, retryAfterMs: null };

/** @param health of circuits, by the place of their key, or `own` */
function setUp(given: Parameters<typeof targetAt>[1] = { credentials: KEYS }) {
  const health = new Map<string, Partial<ProviderHealth>>();
  const breaker = {
    health: (circuit: string) => ({ ...HEALTHY, ...health.get(circuit) }),
  } as Breaker;
  const accesses = createAccesses(breaker, 'salt');
  const target = targetAt('https://one.example', given);
  const all = accesses.of(target);
  return {
    accesses,
    target,
    all,
    set: (place: number | 'own', state: Partial<ProviderHealth>) =>
      health.set(
        place === 'own' ? circuitOf('acme', 'search') : (all[place]?.circuit ?? ''),
        state,
      ),
    /** The place of what is chosen. */
    choose: (...used: number[]) => {
      const chosen = accesses.choose(all, new Set(all.filter((_, place) => used.includes(place))));
      return chosen ? all.indexOf(chosen) : undefined;
    },
    begin: (place: number) => {
      const access = all[place];
      if (access === undefined) throw new Error('no such access');
      return accesses.begin(access);
    },
  };
}
const open = (retryAfterMs: number, cause: ProviderHealth['cause'] = 'rate_limited') =>
  ({ state: 'open', cause, retryAfterMs }) as const;

describe('of three keys', () => {
  test('the one with the fewest calls comes first, then the one used longest ago', () => {
    const { choose, begin } = setUp();
    expect(choose()).toBe(0);
    const ends = [begin(0), begin(1), begin(0)];
    expect(choose()).toBe(2);
    ends.push(begin(2), begin(2), begin(1));
    // each has two calls; the first was used longest ago
    expect(choose()).toBe(0);
    ends[3]?.();
    expect(choose()).toBe(2);
    for (const place of [0, 1, 2, 4, 5]) ends[place]?.();
    expect(choose()).toBe(0);
    expect(choose(0)).toBe(2);
    expect(choose(0, 2)).toBe(1);
    expect(choose(0, 1, 2)).toBeUndefined();
  });

  test('those that cool down come last, the one that ends first before the others', () => {
    const { choose, set, begin, accesses, all } = setUp();
    set(0, open(9_000));
    set(1, open(3_000));
    begin(2);
    expect([choose(), choose(2), choose(2, 1)]).toEqual([2, 1, 0]);
    expect(all.map((access) => accesses.passes(access))).toEqual([false, false, true]);
  });

  test('each is a target of its own, with a circuit that does not show it', () => {
    const { all, accesses, target } = setUp();
    expect(all.map(({ by, target: { credentials } }) => [by, credentials])).toEqual(
      KEYS.map((key) => ['key', [key]]),
    );
    expect(new Set(all.map(({ circuit }) => circuit)).size).toBe(3);
    expect(JSON.stringify(all.map(({ circuit }) => circuit))).not.toMatch(/aaaa|bbbb|cccc/);
    expect(all.map(({ circuit }) => circuit)).toEqual(
      KEYS.map((key) => accesses.circuitOf('acme:search', key)),
    );
    expect(accesses.of(target, all[1]?.circuit)).toEqual([all[1]]);
    expect(accesses.of(target, 'gone')).toHaveLength(3);
    const other = createAccesses({ health: () => HEALTHY } as unknown as Breaker, 'pepper');
    expect(other.of(target)[0]?.circuit).not.toBe(all[0]?.circuit);
  });
});

describe('the health of a provider', () => {
  test('is that of its own circuit while that is open', () => {
    const { accesses, target, set } = setUp();
    set('own', open(5_000, 'upstream_error'));
    set(0, open(1));
    expect(accesses.health(target)).toEqual(open(5_000, 'upstream_error'));
  });

  test('is open when all its keys are, until the first of them may be tried', () => {
    const { accesses, target, set } = setUp();
    set(0, open(9_000));
    set(1, open(3_000, 'quota_exhausted'));
    expect(accesses.health(target)).toEqual(HEALTHY);
    set(2, open(6_000));
    expect(accesses.health(target)).toEqual(open(3_000, 'quota_exhausted'));
  });

  test('is that of a key that works before one that only may be tried', () => {
    const { accesses, target, set } = setUp();
    const trying = { state: 'half_open', cause: 'rate_limited', retryAfterMs: null } as const;
    set(0, trying);
    set(1, open(3_000));
    expect(accesses.health(target)).toEqual(HEALTHY);
    set(2, open(3_000));
    expect(accesses.health(target)).toEqual(trying);
  });

  test('has the state of each key by its tail, and of each address', () => {
    const keys = setUp();
    keys.set(1, open(7));
    expect(keys.accesses.states(keys.target)).toEqual([
      { ...HEALTHY, keyTail: 'aaaa', address: null },
      { ...open(7), keyTail: 'bbbb', address: null },
      { ...HEALTHY, keyTail: 'cccc', address: null },
    ]);
    const otherBaseUrls = ['https://two.example', 'https://three.example'];
    const addresses = setUp({ credentials: [], otherBaseUrls });
    addresses.set(2, open(7));
    expect(
      addresses.accesses.states(addresses.target).map((state) => [state.address, state.state]),
    ).toEqual([
      ['https://one.example', 'closed'],
      ['https://two.example', 'closed'],
      ['https://three.example', 'open'],
    ]);
    // the first that works, whatever its calls
    addresses.begin(0);
    expect(addresses.choose()).toBe(0);
    const single = setUp({ credentials: ['only-key-of-it'] });
    single.set('own', open(4));
    expect(single.all).toEqual([]);
    expect(single.accesses.states(single.target)).toEqual([
      { ...open(4), keyTail: 'f-it', address: null },
    ]);
  });
});

describe('a retry', () => {
  const NOW = Date.parse('2026-01-01T00:00:00.000Z');

  test.each<[string | undefined, number | null]>([
    [undefined, null],
    ['', null],
    ['soon', null],
    ['2026-01-01', null],
    ['0', 0],
    [' 1.5 ', 1_500],
    ['3600', 3_600_000],
    ['3601', 3_600_000],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
  ])('after %j waits %j ms', (header, expected) => {
    expect(parseRetryAfter(header, NOW)).toBe(expected);
  });

  test('has a limit of the caller, and no time that is not a number', () => {
    expect(parseRetryAfter('100', NOW, 5_000)).toBe(5_000);
    expect([boundRetryAfter(Number.NaN), boundRetryAfter(-5), boundRetryAfter(1.2)]).toEqual([
      null,
      0,
      2,
    ]);
  });

  test('comes after the asked time or a random pause, where a second is left after it', () => {
    const pause = (retryAfterMs: number | null, remainingMs: number, random = 0.5) =>
      retryPause({ retryAfterMs, remainingMs, pauseMs: 400, random: () => random });
    expect([pause(null, 9_000), pause(null, 9_000, 0), pause(2_000, 9_000)]).toEqual([
      600, 400, 2_000,
    ]);
    expect([pause(2_000, 3_000), pause(2_000, 2_999)]).toEqual([2_000, null]);
    expect([pause(10_000, 60_000), pause(10_001, 60_000)]).toEqual([10_000, null]);
  });

  test('is safe after a refusal, and not after an answer that may be paid', () => {
    const safe = (code: string, httpStatus: number | null) =>
      isRetrySafe({ code, httpStatus } as Parameters<typeof isRetrySafe>[0]);
    for (const status of [500, 502, 503, 504]) expect(safe('upstream_error', status)).toBe(true);
    expect([safe('rate_limited', 429), safe('rate_limited', null)]).toEqual([true, true]);
    expect([
      safe('upstream_error', 501),
      safe('upstream_error', null),
      safe('timeout', 500),
    ]).toEqual([false, false, false]);
  });
});

describe('the usual time of a lane', () => {
  test('moves by a fifth of the difference with each call, and is its own', () => {
    const times = createUsualTimes();
    expect([times.usual('a'), times.leastUseful('a', 10_000)]).toEqual([0, 250]);
    times.took('a', 1_000);
    times.took('a', 2_000);
    expect(times.usual('a')).toBeCloseTo(1_200);
    expect(times.leastUseful('a', 10_000)).toBeCloseTo(600);
    expect([times.leastUseful('a', 300), times.leastUseful('b', 10_000)]).toEqual([300, 250]);
  });
});

describe('a circuit', () => {
  test('gives the time until the next call, and one probe after it', () => {
    const clock = fakeClock();
    const breaker = createBreaker(clock.elapsed);
    const refused = { code: 'quota_exhausted', retryAfterMs: null } as const;
    breaker.settle('x', false, refused);
    expect(breaker.health('x')).toEqual({
      state: 'open',
      cause: 'quota_exhausted',
      retryAfterMs: 60_000,
    });
    clock.advance(59_999);
    expect(breaker.admit('x', 1_000)).toEqual({
      isAdmitted: false,
      cause: 'quota_exhausted',
      retryAfterMs: 1,
    });
    clock.advance(1);
    expect(breaker.admit('x', 1_000)).toEqual({ isAdmitted: true, isProbe: true });
    expect(breaker.admit('x', 1_000)).toMatchObject({ isAdmitted: false });
    breaker.settle('x', true, 'succeeded');
    expect(breaker.health('x')).toEqual(HEALTHY);
  });
});
