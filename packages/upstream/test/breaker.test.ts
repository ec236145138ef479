import type { RunErrorCode } from '@trawl/contract';
import { describe, expect, test } from 'vitest';
import { type CallOutcome, createBreaker } from '../src/runner/breaker.ts';
import { fakeClock } from './support/calls.ts';

const SECOND = 1_000;
const LEASE_MS = 30 * SECOND;

/** A breaker with a clock that the test moves. */
function setUp() {
  const clock = fakeClock();
  const breaker = createBreaker(clock.elapsed);
  const failure = (code: RunErrorCode, retryAfterMs: number | null = null): CallOutcome => ({
    code,
    retryAfterMs,
  });
  return {
    clock,
    breaker,
    /** One call from admission to outcome; false = it was not admitted. */
    call(outcome: CallOutcome | RunErrorCode, retryAfterMs: number | null = null): boolean {
      const admission = breaker.admit('acme', LEASE_MS);
      if (!admission.isAdmitted) return false;
      const isPlain = outcome === 'succeeded' || outcome === 'neutral';
      const settled =
        typeof outcome === 'string' && !isPlain ? failure(outcome, retryAfterMs) : outcome;
      breaker.settle('acme', admission.isProbe, settled as CallOutcome);
      return true;
    },
    coolDownMs: () => breaker.health('acme').retryAfterMs,
  };
}

const OPENING = [
  // code, failures that open it, then each cool-down in seconds as its probes keep failing
  ['invalid_credential', 1, [30, 60, 120, 240, 300, 300]],
  ['quota_exhausted', 1, [60, 120, 240, 480, 900, 900]],
  ['rate_limited', 3, [5, 10, 20, 40, 60, 60]],
  ['timeout', 5, [15, 30, 60, 120, 120]],
  ['network_error', 5, [15, 30, 60, 120, 120]],
  ['upstream_error', 5, [15, 30, 60, 120, 120]],
  ['bad_response', 5, [15, 30, 60, 120, 120]],
] as const;

describe.each(OPENING)('%s', (code, threshold, coolDowns) => {
  test(`opens the circuit at failure ${threshold}, and each failed probe doubles the cool-down up to a limit`, () => {
    const { call, breaker, clock, coolDownMs } = setUp();
    for (let failures = 1; failures < threshold; failures += 1) {
      call(code);
      expect(breaker.health('acme').state).toBe('closed');
    }
    for (const seconds of coolDowns) {
      expect(call(code)).toBe(true);
      expect(breaker.health('acme')).toEqual({
        state: 'open',
        cause: code,
        retryAfterMs: seconds * SECOND,
      });
      clock.advance(seconds * SECOND - 1);
      expect(call(code)).toBe(false);
      expect(coolDownMs()).toBe(1);
      clock.advance(1);
      expect(breaker.health('acme').state).toBe('half_open');
    }
  });

  test('is forgotten after a success', () => {
    const { call, breaker, clock, coolDownMs } = setUp();
    for (let failures = 0; failures < threshold; failures += 1) call(code);
    clock.advance(coolDowns[0] * SECOND);
    expect(call('succeeded')).toBe(true);
    expect(breaker.health('acme')).toEqual({ state: 'closed', cause: null, retryAfterMs: null });
    for (let failures = 0; failures < threshold; failures += 1) {
      expect(breaker.health('acme').state).toBe('closed');
      call(code);
    }
    expect(coolDownMs()).toBe(coolDowns[0] * SECOND);
  });
});

describe('failures that never count', () => {
  test.each([
    'bad_request',
    'cancelled',
    'missing_credential',
    'internal_error',
    'circuit_open',
    'neutral',
  ] as const)('%s', (code) => {
    const { call, breaker } = setUp();
    for (let failures = 0; failures < 20; failures += 1) expect(call(code)).toBe(true);
    expect(breaker.health('acme').state).toBe('closed');
  });

  test('do not break a streak either', () => {
    const { call, breaker } = setUp();
    for (let failures = 0; failures < 4; failures += 1) call('timeout');
    call('bad_request');
    call('timeout');
    expect(breaker.health('acme').state).toBe('open');
  });
});

describe('a streak', () => {
  test('is shared by timeouts, broken connections, server errors and bad answers', () => {
    const { call, breaker } = setUp();
    for (const code of ['timeout', 'network_error', 'upstream_error', 'bad_response'] as const) {
      call(code);
    }
    expect(breaker.health('acme').state).toBe('closed');
    call('timeout');
    expect(breaker.health('acme')).toMatchObject({ state: 'open', cause: 'timeout' });
  });

  test('of rate limits is counted separately', () => {
    const { call, breaker } = setUp();
    for (const code of ['timeout', 'timeout', 'timeout', 'timeout', 'rate_limited'] as const) {
      call(code);
    }
    expect(breaker.health('acme').state).toBe('closed');
  });

  test('ends with a success', () => {
    const { call, breaker } = setUp();
    for (let round = 0; round < 3; round += 1) {
      for (let failures = 0; failures < 4; failures += 1) call('upstream_error');
      call('succeeded');
    }
    expect(breaker.health('acme').state).toBe('closed');
  });

  test('belongs to one provider', () => {
    const { call, breaker } = setUp();
    call('invalid_credential');
    expect(breaker.admit('other', LEASE_MS)).toEqual({ isAdmitted: true, isProbe: false });
  });
});

describe('a rate limit that names its time', () => {
  test.each([
    ['lasts that long', 7 * SECOND, 7 * SECOND],
    ['lasts two minutes at most', 600 * SECOND, 120 * SECOND],
    ['of zero counts as one without a time', 0, null],
  ])('%s', (_case, retryAfterMs, expected) => {
    const { call, coolDownMs } = setUp();
    call('rate_limited', retryAfterMs);
    expect(coolDownMs()).toBe(expected);
  });

  test('counts only for rate limits', () => {
    const { call, breaker } = setUp();
    call('upstream_error', 7 * SECOND);
    expect(breaker.health('acme').state).toBe('closed');
  });

  test('is not lifted by a call that was sent before', () => {
    const { breaker, coolDownMs } = setUp();
    breaker.settle('acme', false, { code: 'rate_limited', retryAfterMs: 9 * SECOND });
    breaker.settle('acme', false, 'succeeded');
    expect(coolDownMs()).toBe(9 * SECOND);
  });
});

describe('after the cool-down', () => {
  function halfOpen() {
    const parts = setUp();
    parts.call('invalid_credential');
    parts.clock.advance(30 * SECOND);
    return parts;
  }

  test('exactly one call is admitted until it ends', () => {
    const { breaker } = halfOpen();
    expect(breaker.admit('acme', LEASE_MS)).toEqual({ isAdmitted: true, isProbe: true });
    for (let others = 0; others < 3; others += 1) {
      expect(breaker.admit('acme', LEASE_MS)).toEqual({
        isAdmitted: false,
        cause: 'invalid_credential',
        retryAfterMs: SECOND,
      });
    }
    breaker.settle('acme', true, 'succeeded');
    expect(breaker.admit('acme', LEASE_MS)).toEqual({ isAdmitted: true, isProbe: false });
  });

  test.each(['neutral', 'cancelled', 'bad_request'] as const)(
    'a probe that ends as %s frees its place and leaves the circuit as it is',
    (code) => {
      const { call, breaker } = halfOpen();
      expect(call(code)).toBe(true);
      expect(breaker.health('acme')).toEqual({
        state: 'half_open',
        cause: 'invalid_credential',
        retryAfterMs: null,
      });
      expect(breaker.admit('acme', LEASE_MS)).toEqual({ isAdmitted: true, isProbe: true });
    },
  );

  test('a probe that fails for another reason starts the doubled cool-down of that reason', () => {
    const { call, breaker } = halfOpen();
    call('timeout');
    expect(breaker.health('acme')).toEqual({
      state: 'open',
      cause: 'timeout',
      retryAfterMs: 30 * SECOND,
    });
  });

  test('a probe whose process died loses its place after the time of a call', () => {
    const { breaker, clock } = halfOpen();
    breaker.admit('acme', LEASE_MS);
    clock.advance(LEASE_MS - 1);
    expect(breaker.admit('acme', LEASE_MS).isAdmitted).toBe(false);
    clock.advance(1);
    expect(breaker.admit('acme', LEASE_MS)).toEqual({ isAdmitted: true, isProbe: true });
  });
});

describe('calls in progress when the circuit opens', () => {
  test('do not double it by failing', () => {
    const { breaker, coolDownMs } = setUp();
    for (let call = 0; call < 10; call += 1) {
      breaker.settle('acme', false, { code: 'invalid_credential', retryAfterMs: null });
    }
    expect(coolDownMs()).toBe(30 * SECOND);
  });

  test('close it by succeeding', () => {
    const { breaker } = setUp();
    breaker.settle('acme', false, { code: 'invalid_credential', retryAfterMs: null });
    breaker.settle('acme', false, 'succeeded');
    expect(breaker.health('acme').state).toBe('closed');
  });
});

test('only openings and closings are reported', () => {
  const { breaker } = setUp();
  const fail = () => breaker.settle('acme', false, { code: 'rate_limited', retryAfterMs: null });
  expect([fail(), fail()]).toEqual([undefined, undefined]);
  const health = { state: 'open', cause: 'rate_limited', retryAfterMs: 5 * SECOND };
  expect(fail()).toEqual({ kind: 'opened', health });
  expect(fail()).toBeUndefined();
  const succeed = () => breaker.settle('acme', true, 'succeeded');
  expect(succeed()).toEqual({ kind: 'closed', cause: 'rate_limited' });
  expect([succeed(), fail(), succeed()]).toEqual([undefined, undefined, undefined]);
});

test('a healthy provider leaves nothing in the store', () => {
  const store = new Map();
  const breaker = createBreaker(fakeClock().elapsed, store);
  breaker.settle('acme', false, 'succeeded');
  breaker.settle('acme', false, { code: 'timeout', retryAfterMs: null });
  expect(store.size).toBe(1);
  breaker.settle('acme', false, 'succeeded');
  expect(store.size).toBe(0);
});
