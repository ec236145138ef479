import { type Clock, createConcurrencyGate, type LaneLoad } from '@trawl/base';
import { type AccessHealth, createAccesses } from './accesses.ts';
import { createBodyTurns } from './body-turns.ts';
import {
  type BreakerStore,
  circuitOf,
  createBreaker,
  noBreaker,
  type ProviderHealth,
} from './breaker.ts';
import type { UpstreamObserver } from './observe.ts';
import { createRefusedParts } from './optional-parts.ts';
import { createMemoryPaces, type PaceStore } from './pace.ts';
import type { AnswerMemory, Parts, UpstreamLog } from './parts.ts';
import { createProviderKeys } from './provider-keys.ts';
import { runCall } from './run-call.ts';
import { createSecrets } from './secret.ts';
import { createDispatcher, type TransportOptions } from './transport.ts';
import {
  OPERATIONS,
  type OperationKind,
  type UpstreamRunner,
  type UpstreamTarget,
} from './types.ts';
import { createUsualTimes } from './usual-time.ts';

export interface UpstreamRunnerOptions {
  readonly clock: Clock;
  /**
   * Milliseconds that never go back, for circuits; by default `performance.now()`. `circuits` has
   * to use the same clock.
   */
  readonly elapsed?: () => number;
  readonly breaker: 'on' | 'off';
  /** Where the states of circuits are; default in this process. */
  readonly circuits?: BreakerStore | undefined;
  /** Of the hashes by which `circuits` names keys and addresses, equal on all replicas. */
  readonly salt?: string | undefined;
  /** The turns of services with a pace; default in this process. */
  readonly paces?: PaceStore | undefined;
  readonly proxy: TransportOptions['proxy'];
  /** Largest body that is read, unpacked. Default 16 MiB. */
  readonly maxBodyBytes?: number;
  /** Default 5 s. */
  readonly connectTimeoutMs?: number;
  /**
   * Shortest pause before a retry where the provider names none; up to twice that. Default 500 ms.
   */
  readonly retryPauseMs?: number;
  /** In [0, 1). */
  readonly random?: () => number;
  readonly log?: UpstreamLog;
  /** No call is sent while it is full. */
  readonly answerMemory?: AnswerMemory;
  /** Gets what happens, for metrics. */
  readonly observe?: UpstreamObserver | undefined;
}

export interface MonitoredUpstreamRunner extends UpstreamRunner {
  health(target: UpstreamTarget): ProviderHealth;
  /** The state of each of its keys or addresses. */
  accesses(target: UpstreamTarget): readonly AccessHealth[];
  /**
   * Uses other keys for a provider: for all calls from now on, also those that were planned before.
   * Circuits that the old ones opened close. Empty = the provider has no key any more.
   */
  replaceKeys(slug: string, credentials: readonly string[]): void;
  /** The calls that have a slot, and those that wait for one. */
  slots(slug: string, operation: OperationKind): LaneLoad;
}

/**
 * The only way to a provider: credential → breaker → gate → send → read → classify → one retry →
 * breaker. `close` waits for the calls in progress, each of which has its own limit, then drops all
 * connections.
 */
export function createUpstreamRunner(options: UpstreamRunnerOptions): MonitoredUpstreamRunner {
  const { clock, elapsed = () => performance.now(), proxy, connectTimeoutMs = 5_000 } = options;
  const breaker = options.breaker === 'on' ? createBreaker(elapsed, options.circuits) : noBreaker;
  const parts: Parts = {
    clock,
    breaker,
    accesses: createAccesses(breaker, options.salt ?? ''),
    gate: createConcurrencyGate(),
    paces: options.paces ?? createMemoryPaces(elapsed),
    bodyTurns: createBodyTurns(),
    usualTimes: createUsualTimes(),
    refusedParts: createRefusedParts(),
    dispatcher: createDispatcher({ proxy, connectTimeoutMs }),
    newConnections: createDispatcher({ proxy, connectTimeoutMs }, false),
    secretOf: createSecrets(),
    keys: createProviderKeys(),
    answerMemory: options.answerMemory,
    maxBodyBytes: options.maxBodyBytes ?? 16 * 1024 * 1024,
    retryPauseMs: options.retryPauseMs ?? 500,
    random: options.random ?? Math.random,
    log: options.log,
    observe: options.observe,
  };
  let running = 0;
  let closing: Promise<void> | undefined;
  let onIdle: (() => void) | undefined;

  async function drainAndDestroy(): Promise<void> {
    if (running > 0) {
      await new Promise<void>((resolve) => {
        onIdle = resolve;
      });
    }
    await Promise.all([parts.dispatcher.destroy(), parts.newConnections.destroy()]);
  }

  const ended = () => {
    running -= 1;
    if (running === 0) onIdle?.();
  };

  return {
    run(request) {
      running += 1;
      const target = parts.keys.current(request.target);
      const current = target === request.target ? request : { ...request, target };
      return runCall(parts, current, closing !== undefined, ended);
    },
    health: (target) => parts.accesses.health(parts.keys.current(target)),
    accesses: (target) => parts.accesses.states(parts.keys.current(target)),
    replaceKeys: (slug, credentials) => {
      const changed = parts.keys.replace(slug, credentials);
      for (const operation of OPERATIONS) {
        const circuit = circuitOf(slug, operation);
        parts.breaker.forgetKey(circuit);
        for (const key of changed) parts.breaker.forgetKey(parts.accesses.circuitOf(circuit, key));
      }
    },
    slots: (slug, operation) => parts.gate.load(circuitOf(slug, operation)),
    close: () => {
      closing ??= drainAndDestroy();
      return closing;
    },
  };
}
