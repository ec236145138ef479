import cluster, { type Worker } from 'node:cluster';
import type { createLog } from '@trawl/server';
import { logMetrics } from '@trawl/telemetry';
import { untilStopped } from '../../program/signals.ts';
import { sendToWorker, type WorkerMessage } from './messages.ts';
import { collectMetrics } from './metrics.ts';
import { ALIVE_MS } from './worker.ts';

/** A worker that lived at least this long did not end because of its start. */
const STABLE_MS = 10_000;
const FIRST_PAUSE_MS = 500;
const PAUSE_MAX_MS = 30_000;
/** A worker that says nothing within this time hangs. */
const HUNG_MS = 30_000;
const HUNG_IN_STOP_MS = 15_000;

type Log = Pick<ReturnType<typeof createLog>, 'info' | 'error' | 'fatal'>;

interface Supervision {
  /** `WORKERS`. */
  readonly count: number;
  readonly log: Log;
  /** Lines of the log that this process could not write. */
  readonly linesLost: () => number;
}

/** Why a worker ended. */
interface WorkerEnd {
  /** Its number. */
  readonly worker?: number;
  readonly code?: number | null;
  readonly signal?: string | null;
  /** Why it could not be started. */
  readonly err?: unknown;
}

/**
 * Runs several server processes on one port, and replaces one that ends. Resolves when a signal
 * came and all of them have stopped, or when the first one could not start; then `process.exitCode`
 * is set.
 * @throws a failure of this process that no code caught, after the same stop
 */
export async function superviseWorkers({ count, log, linesLost }: Supervision): Promise<void> {
  collectMetrics(logMetrics(linesLost));
  const crew = keepWorkers(log);
  if (!process.stdout.isTTY) process.on('SIGHUP', crew.signalReload);
  // The first one alone: a wrong setting is reported once, and the database is migrated by one
  // process.
  const exitCode = await crew.startFirst();
  if (exitCode !== undefined) {
    process.exitCode = exitCode;
    return;
  }
  crew.start(count - 1);
  await untilStopped(
    async () => {
      log.info('stopping all workers');
      await crew.stop();
      log.info('all workers have stopped');
    },
    (error, what) => log.fatal({ err: error }, what),
  );
}

interface Crew {
  /**
   * Resolves when the worker is ready, or with the exit code of this process when it ended before.
   */
  startFirst(): Promise<number | undefined>;
  start(count: number): void;
  /** Passes on a SIGHUP, at which a server reads the keys of providers again. */
  signalReload(): void;
  /** Stops all workers. Resolves when the last one has ended. */
  stop(): Promise<void>;
}

/** Replaces each worker that ends: at once the first time, then after longer and longer pauses. */
function keepWorkers(log: Log): Crew {
  const workers = new Set<Worker>();
  const ready = new Set<Worker>();
  const replacements = new Set<NodeJS.Timeout>();
  let shortLives = 0;
  let onLastEnd: (() => void) | undefined;
  killHung(log, () => onLastEnd !== undefined);

  function start(onReady = () => {}, onEnd = replace): void {
    const startedAt = performance.now();
    const worker = fork((end) => {
      if (worker) workers.delete(worker);
      if (worker) ready.delete(worker);
      if (onLastEnd === undefined) onEnd(startedAt, end);
      else if (workers.size === 0) onLastEnd();
    });
    if (!worker) return;
    workers.add(worker);
    worker.on('message', ({ type }: WorkerMessage) => {
      if (type !== 'ready') return;
      ready.add(worker);
      onReady();
    });
  }

  function replace(startedAt: number, end: WorkerEnd): void {
    const isShort = performance.now() - startedAt < STABLE_MS;
    shortLives = isShort ? shortLives + 1 : 0;
    const pauseMs = pauseAfter(shortLives);
    const timer = setTimeout(() => {
      replacements.delete(timer);
      start();
    }, pauseMs);
    replacements.add(timer);
    log.error({ ...end, pauseMs }, 'a worker ended; it is replaced');
  }

  return {
    startFirst: () =>
      new Promise((resolve) => {
        let isUp = false;
        const onReady = () => {
          isUp = true;
          resolve(undefined);
        };
        start(onReady, (startedAt, end) => {
          if (isUp) return replace(startedAt, end);
          if (end.err !== undefined) log.error(end, 'the first worker could not be started');
          resolve(end.code || 1);
        });
      }),
    start: (count) => {
      for (let at = 0; at < count; at += 1) start();
    },
    signalReload: () => {
      for (const worker of ready) worker.process.kill('SIGHUP');
    },
    stop: () =>
      new Promise((resolve) => {
        onLastEnd = resolve;
        for (const timer of replacements) clearTimeout(timer);
        if (workers.size === 0) resolve();
        for (const worker of workers) {
          // one that still starts has no request to finish
          if (ready.has(worker) && worker.isConnected()) sendToWorker(worker, { type: 'stop' });
          else worker.process.kill('SIGKILL');
        }
      }),
  };
}

/**
 * Starts the same command with the same settings.
 * @param onEnd called once, when it has ended or could not be started
 * @returns undefined when that is known at once
 */
function fork(onEnd: (end: WorkerEnd) => void): Worker | undefined {
  try {
    const worker = cluster.fork();
    worker.once('exit', (code, signal) => onEnd({ worker: worker.id, code, signal }));
    // such as no file descriptors left: then there is no exit
    worker.on('error', (err) => worker.process.pid || onEnd({ worker: worker.id, err }));
    closeUntaken(worker);
    return worker;
  } catch (err) {
    setImmediate(onEnd, { err });
    return undefined;
  }
}

/**
 * A connection on its way to a worker that is killed stays open in the primary, and its client
 * would wait for ever.
 */
function closeUntaken(worker: Worker): void {
  const { process: child } = worker;
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  let last: { close(): void } | undefined;
  child.send = (message: unknown, handle: unknown, ...rest: unknown[]) => {
    // only node:cluster sends some: connections, each when the worker has taken the one before
    if (typeof handle === 'object') last = handle as typeof last;
    return send(message, handle, ...rest);
  };
  worker.once('exit', () => {
    if (!worker.exitedAfterDisconnect) last?.close();
  });
}

/**
 * Kills a worker that has said nothing for long. Its looks are counted: after a pause of all
 * processes, what it said is unread.
 */
function killHung(log: Log, isStopping: () => boolean): void {
  const silentLooks = new Map<Worker, number>();
  cluster.on('message', (worker) => worker.isDead() || silentLooks.set(worker, 0));
  cluster.on('exit', (worker) => silentLooks.delete(worker));
  const look = (): void => {
    const most = (isStopping() ? HUNG_IN_STOP_MS : HUNG_MS) / ALIVE_MS;
    for (const [worker, looks] of silentLooks) {
      silentLooks.set(worker, looks + 1);
      if (looks < most) continue;
      log.error({ worker: worker.id }, 'a worker hangs and is killed');
      worker.process.kill('SIGKILL');
    }
  };
  setInterval(look, ALIVE_MS).unref();
}

/** Milliseconds, after so many workers in a row that did not live long. */
const pauseAfter = (shortLives: number): number =>
  shortLives <= 1 ? 0 : Math.min(PAUSE_MAX_MS, FIRST_PAUSE_MS * 2 ** (shortLives - 2));
