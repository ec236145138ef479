import cluster, { type Worker } from 'node:cluster';
import { RequestError } from '@trawl/router';
import type { MetricsText } from '@trawl/server';
import { type MetricsSnapshot, summedCounts, summedText } from '@trawl/telemetry';
import {
  type PrimaryMessage,
  sendToPrimary,
  sendToWorker,
  type WorkerMessage,
} from './messages.ts';

/** A worker that is too busy to answer within this time fails the scrape, which is tried again. */
const ANSWER_MS = 2_000;

type Snapshots = readonly MetricsSnapshot[];

/**
 * In the primary: gives the metrics of all workers to one that asks. What a worker had counted when
 * it was last asked stays in the sums after its end: a sum that shrinks would look like a restart
 * of the whole server.
 * @param own reads those of the primary itself
 */
export function collectMetrics(own: () => Promise<MetricsSnapshot>): void {
  /** Of each worker that is ready, as it gave them last. */
  const latest = new Map<Worker, MetricsSnapshot>();
  const asked = new Map<Worker, () => void>();
  let ended: Promise<MetricsSnapshot> = Promise.resolve([]);
  let collecting: Promise<Snapshots | null> | undefined;

  const measure = (worker: Worker): Promise<boolean> =>
    new Promise((resolve) => {
      asked.set(worker, () => resolve(true));
      setTimeout(resolve, ANSWER_MS, false).unref();
      sendToWorker(worker, { type: 'measure' });
    });
  async function collect(): Promise<Snapshots | null> {
    const areIn = await Promise.all([...latest.keys()].map(measure));
    collecting = undefined;
    return areIn.every(Boolean) ? [...latest.values(), await ended, await own()] : null;
  }

  cluster.on('message', async (worker: Worker, message: WorkerMessage) => {
    // what it had sent before its end, and is read after that
    if (worker.isDead()) return;
    if (message.type === 'ready') latest.set(worker, []);
    if (message.type === 'measured') {
      latest.set(worker, message.snapshot);
      asked.get(worker)?.();
    }
    if (message.type !== 'collect') return;
    collecting ??= collect();
    sendToWorker(worker, { type: 'metrics', snapshots: await collecting });
  });
  cluster.on('exit', (worker) => {
    const last = latest.get(worker) ?? [];
    latest.delete(worker);
    ended = ended.then((counts) => summedCounts([counts, last]));
    asked.get(worker)?.();
    asked.delete(worker);
  });
}

/**
 * In a worker: the metrics of all workers as one text. Gives the primary those of this process when
 * it asks.
 * @throws RequestError 503 when a worker did not give its own in time: sums without them would be
 * wrong
 */
export const sharedMetricsText: MetricsText = (own) => {
  let waiting: ((snapshots: Snapshots | null) => void)[] = [];
  process.on('message', async (message: PrimaryMessage) => {
    if (message.type === 'measure') {
      sendToPrimary({ type: 'measured', snapshot: await own() });
    } else if (message.type === 'metrics') {
      for (const resolve of waiting) resolve(message.snapshots);
      waiting = [];
    }
  });
  return async () => {
    const snapshots = await new Promise<Snapshots | null>((resolve) => {
      waiting.push(resolve);
      sendToPrimary({ type: 'collect' });
    });
    if (snapshots) return summedText(snapshots);
    throw new RequestError(503, 'A worker process is too busy to give its metrics.');
  };
};
