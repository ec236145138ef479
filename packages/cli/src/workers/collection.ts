import type { ChildProcess } from 'node:child_process';
import { type MetricsSnapshot, summedCounts } from '@trawl/telemetry';
import type { PrimaryMessage } from './messages.ts';

/** A worker that is too busy to answer for so long fails the scrape, which is tried again. */
const ANSWER_MS = 2_000;

/** The metrics of all workers. Kept by the primary. */
export interface Collection {
  add(worker: ChildProcess): void;
  remove(worker: ChildProcess): void;
  /** Asks all workers and sends their metrics to this one. Those who ask meanwhile get the same. */
  collect(asker: ChildProcess): void;
  measured(worker: ChildProcess, snapshot: MetricsSnapshot): void;
}

interface Round {
  readonly askers: Set<ChildProcess>;
  readonly missing: Set<ChildProcess>;
  readonly timer: NodeJS.Timeout;
}

/**
 * What a worker had counted when it was last asked stays in the sums after its end: a sum that shrinks would look like a
 * restart of the whole server.
 * @param own reads those of the primary itself
 */
export function createCollection(own: () => Promise<MetricsSnapshot>): Collection {
  const latest = new Map<ChildProcess, MetricsSnapshot | undefined>();
  let ended: Promise<MetricsSnapshot> = Promise.resolve([]);
  let round: Round | undefined;

  const finish = async ({ askers, missing, timer }: Round): Promise<void> => {
    round = undefined;
    clearTimeout(timer);
    const running = [...latest.values()].flatMap((snapshot) => (snapshot ? [snapshot] : []));
    const snapshots = missing.size === 0 ? [...running, await ended, await own()] : null;
    const message: PrimaryMessage = { type: 'metrics', snapshots };
    for (const asker of askers) asker.send(message, () => undefined);
  };
  const settle = (worker: ChildProcess): void => {
    if (round?.missing.delete(worker) && round.missing.size === 0) void finish(round);
  };

  return {
    add: (worker) => {
      latest.set(worker, undefined);
    },
    remove: (worker) => {
      const last = latest.get(worker);
      latest.delete(worker);
      if (last) ended = ended.then((counts) => summedCounts([counts, last]));
      round?.askers.delete(worker);
      settle(worker);
    },
    collect: (asker) => {
      round ??= begin();
      round.askers.add(asker);
    },
    measured: (worker, snapshot) => {
      if (latest.has(worker)) latest.set(worker, snapshot);
      settle(worker);
    },
  };

  function begin(): Round {
    const message: PrimaryMessage = { type: 'measure' };
    const missing = new Set(latest.keys());
    for (const worker of missing) worker.send(message, () => undefined);
    const begun: Round = {
      askers: new Set(),
      missing,
      timer: setTimeout(() => void finish(begun), ANSWER_MS),
    };
    return begun;
  }
}
