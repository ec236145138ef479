import type { Worker } from 'node:cluster';
import type { MetricsSnapshot } from '@trawl/telemetry';

/** What a worker process says to the primary. */
export type WorkerMessage =
  /** It listens, and can be stopped in order. */
  | { readonly type: 'ready' }
  /** Its event loop turns. */
  | { readonly type: 'alive' }
  /** It wants the metrics of all workers. The primary answers with `metrics`. */
  | { readonly type: 'collect' }
  /** Its own metrics, after `measure`. */
  | { readonly type: 'measured'; readonly snapshot: MetricsSnapshot };

/** What the primary says to a worker process. */
export type PrimaryMessage =
  | { readonly type: 'measure' }
  /** null = a worker did not give its own in time. */
  | { readonly type: 'metrics'; readonly snapshots: readonly MetricsSnapshot[] | null }
  | { readonly type: 'stop' };

/** The primary may have ended, which `onPrimaryStop` notices. */
export function sendToPrimary(message: WorkerMessage): void {
  process.send?.(message, undefined, undefined, () => undefined);
}

/** A worker that ends meanwhile is noticed by its exit. */
export function sendToWorker(worker: Worker, message: PrimaryMessage): void {
  worker.send(message, () => undefined);
}
