import cluster from 'node:cluster';
import type { StopCause } from '../../program/signals.ts';
import { type PrimaryMessage, sendToPrimary } from './messages.ts';

/** How often a worker shows that its event loop turns. */
export const ALIVE_MS = 5_000;

/**
 * Has a worker stop when the primary says so or has ended, and at a SIGTERM of this process alone.
 * Before this is called there is no request to finish, and each of them ends the process.
 */
export const onPrimaryStop: StopCause = (begin, fail) => {
  const { worker } = cluster;
  process.on('SIGTERM', begin);
  worker?.on('message', ({ type }: PrimaryMessage) => {
    if (type === 'stop') begin();
  });
  worker?.on('disconnect', () => {
    if (worker.exitedAfterDisconnect) return;
    // else node:cluster ends this process now
    worker.exitedAfterDisconnect = true;
    fail(new Error('the primary process ended'));
  });
  setInterval(() => sendToPrimary({ type: 'alive' }), ALIVE_MS).unref();
  sendToPrimary({ type: 'ready' });
};
