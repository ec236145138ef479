import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseLocation } from '@trawl/database';
import type { Settings } from '@trawl/test-support/program';
import { startTrawl, type Trawl } from './server.ts';
import type { Target } from './traffic.ts';

/** How often a load balancer asks for readiness, and how long it waits for the answer. */
const CHECK_MS = 100;
const CHECK_TIMEOUT_MS = 1_000;

export interface PairOptions {
  /** The database of the records. */
  readonly location: DatabaseLocation;
  readonly settings: readonly [Settings, Settings];
}

/**
 * Two replicas, each in its own process, and what a load balancer in front of them knows: requests
 * go to ready ones, in turns.
 */
export interface Pair extends Target {
  replica(index: 0 | 1): Trawl;
  isReady(index: 0 | 1): boolean;
  /**
   * Ends a replica with this signal and starts it again. Resolves with the milliseconds from its
   * end until it is ready.
   */
  restart(index: 0 | 1, signal: 'SIGKILL' | 'SIGTERM'): Promise<number>;
  stop(): Promise<void>;
}

export async function startPair({ location, settings }: PairOptions): Promise<Pair> {
  const start = (index: 0 | 1) => startTrawl({ location, settings: settings[index] });
  // one after the other: the first one makes the tables
  const replicas: [Trawl, Trawl] = [await start(0), await start(1)];
  const ready = [true, true];
  let isStopped = false;
  let turn = 0;
  const check = async (index: 0 | 1) => {
    while (!isStopped) {
      const asked = replicas[index];
      const isReady = await Promise.race([
        asked.call('/readyz').then(
          ({ status }) => status === 200,
          () => false,
        ),
        delay(CHECK_TIMEOUT_MS, false),
      ]);
      if (asked === replicas[index]) ready[index] = isReady;
      await delay(CHECK_MS);
    }
  };
  const checks = [check(0), check(1)];
  return {
    replica: (index) => replicas[index],
    isReady: (index) => ready[index] === true,
    next: () => {
      turn += 1;
      const order = turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
      const found = order.find((index) => ready[index]);
      return found === undefined ? undefined : replicas[found];
    },
    failed: (replica) => {
      const index = replicas.indexOf(replica);
      if (index >= 0) ready[index] = false;
    },
    restart: async (index, signal) => {
      const old = replicas[index];
      old.child.kill(signal);
      await old.ended;
      const endedAt = performance.now();
      ready[index] = false;
      replicas[index] = await start(index);
      while (!ready[index]) await delay(20);
      await old.stop();
      return performance.now() - endedAt;
    },
    stop: async () => {
      isStopped = true;
      await Promise.all(checks);
      for (const replica of replicas) await replica.stop();
    },
  };
}
