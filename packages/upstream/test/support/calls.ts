import type { Clock } from '@trawl/base';
import { systemClock } from '@trawl/base';
import { onTestFinished } from 'vitest';
import {
  createUpstreamRunner,
  type MonitoredUpstreamRunner,
  type UpstreamRunnerOptions,
} from '../../src/runner/runner.ts';
import type {
  UpstreamFailure,
  UpstreamRequest,
  UpstreamResult,
  UpstreamTarget,
} from '../../src/runner/types.ts';

/** A clock that only moves when the test moves it. */
export interface FakeClock extends Clock {
  /** Milliseconds since the start of the test, as `performance.now()` has them. */
  readonly elapsed: () => number;
  /** Time passes. */
  advance(milliseconds: number): void;
  /** The system's time is corrected, by a person or a time server. */
  setBack(milliseconds: number): void;
}

export function fakeClock(startsAt = Date.UTC(2026, 0, 1)): FakeClock {
  let now = startsAt;
  let elapsed = 0;
  return {
    now: () => now,
    elapsed: () => elapsed,
    newId: () => '00000000-0000-4000-8000-000000000000',
    advance: (milliseconds) => {
      now += milliseconds;
      elapsed += milliseconds;
    },
    setBack: (milliseconds) => {
      now -= milliseconds;
    },
  };
}

/** A runner for one test, closed after it. */
export function createRunner(
  options: Partial<UpstreamRunnerOptions> = {},
): MonitoredUpstreamRunner {
  const runner = createUpstreamRunner({
    clock: systemClock,
    breaker: 'off',
    proxy: { httpsProxy: undefined, noProxy: undefined },
    retryPauseMs: 0,
    ...options,
  });
  onTestFinished(() => runner.close());
  return runner;
}

export const KEY = 'sk-test-0123456789abcdef';

export function targetAt(baseUrl: string, changes: Partial<UpstreamTarget> = {}): UpstreamTarget {
  return {
    slug: 'acme',
    operation: 'search',
    baseUrl,
    authentication: { in: 'header', name: 'X-Api-Key' },
    credentials: [KEY],
    credentialVariable: 'ACME_API_KEY',
    timeoutMs: 10_000,
    concurrency: 10,
    ...changes,
  };
}

export type RequestChanges = Partial<Omit<UpstreamRequest<unknown>, 'target'>>;

/** A search of `target` that accepts any JSON as an answer. */
export function requestTo(
  target: UpstreamTarget,
  changes: RequestChanges = {},
): UpstreamRequest<unknown> {
  return {
    target,
    callerId: 'key-1',
    call: { method: 'POST', path: '/search', body: { query: 'owls' } },
    read: (json) => json,
    signal: new AbortController().signal,
    deadlineAt: Date.now() + 60_000,
    retry: false,
    overridden: false,
    ...changes,
  };
}

/** The failure of a result that must be one. */
export function failureOf(result: UpstreamResult<unknown>): UpstreamFailure {
  if (result.status === 'succeeded') throw new Error('the call succeeded');
  return result.failure;
}
