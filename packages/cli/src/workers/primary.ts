import { type ChildProcess, fork } from 'node:child_process';
import type { createLog } from '@trawl/server';
import { logMetrics } from '@trawl/telemetry';
import { untilStopped } from '../program/signals.ts';
import { type Collection, createCollection } from './collection.ts';
import { createDispatcher, type Dispatcher } from './dispatcher.ts';
import type { PrimaryMessage, WorkerMessage } from './messages.ts';

/** A worker that lived at least this long did not end because of its start. */
const STABLE_MS = 10_000;
const FIRST_PAUSE_MS = 500;
const PAUSE_MAX_MS = 30_000;
/** A worker that does not say by then that it stops hangs. */
const STOPPING_MS = 15_000;

type Log = Pick<ReturnType<typeof createLog>, 'info' | 'error' | 'fatal'>;

interface Supervision {
  /** `WORKERS`. */
  readonly count: number;
  readonly log: Log;
  /** Lines of the log that this process could not write. */
  readonly linesLost: () => number;
}

/** A process that was started, and what is known of it. */
interface Worker {
  readonly id: number;
  readonly child: ChildProcess;
  readonly startedAt: number;
  isListening: boolean;
  isStopping: boolean;
}

/** Why a worker is gone. */
interface WorkerEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it could not be started. */
  readonly err?: unknown;
}

/**
 * Runs several server processes on one port, and replaces one that ends. Resolves when a signal came and all of them have
 * stopped, or when the first one could not start; then `process.exitCode` is set.
 * @throws a failure of this process that no code caught, after the same stop
 */
export async function superviseWorkers({ count, log, linesLost }: Supervision): Promise<void> {
  const dispatcher = createDispatcher((worker) => {
    log.error({ pid: worker.pid }, 'a worker takes no connections any more and is killed');
    worker.kill('SIGKILL');
  });
  const collection = createCollection(logMetrics(linesLost));
  const crew = keepWorkers({ dispatcher, collection, log });
  if (!process.stdout.isTTY) process.on('SIGHUP', crew.signalReload);
  // The first one alone: a wrong setting is reported once, and the database is migrated by one process.
  const exitCode = await crew.startFirst();
  if (exitCode !== undefined) {
    dispatcher.stop();
    process.exitCode = exitCode;
    return;
  }
  crew.start(count - 1);
  await untilStopped(
    async () => {
      log.info('stopping all workers');
      dispatcher.stop();
      await crew.stop();
      log.info('all workers have stopped');
    },
    (error, what) => log.fatal({ err: error }, what),
  );
}

interface Crew {
  /** Resolves when the worker listens, or with the exit code of this process when it ended before. */
  startFirst(): Promise<number | undefined>;
  start(count: number): void;
  /** Passes on a SIGHUP, at which a server reads the keys of providers again. */
  signalReload(): void;
  /** Stops all workers. Resolves when the last one has ended. */
  stop(): Promise<void>;
}

/** What workers share. */
interface Shared {
  readonly dispatcher: Dispatcher;
  readonly collection: Collection;
}

/** Replaces each worker that ends: at once the first time, then after longer and longer pauses. */
function keepWorkers({ log, ...shared }: Shared & { readonly log: Log }): Crew {
  const workers = new Set<Worker>();
  const replacements = new Set<NodeJS.Timeout>();
  let lastId = 0;
  let shortLives = 0;
  let onLastExit: (() => void) | undefined;

  const startWorker = (onListening = () => {}, onEnd = replace): void => {
    lastId += 1;
    const id = lastId;
    const startedAt = performance.now();
    const child = forkWorker(id, (end) => {
      if (worker) workers.delete(worker);
      if (child) shared.dispatcher.remove(child);
      if (child) shared.collection.remove(child);
      if (onLastExit === undefined) onEnd({ id, startedAt }, end);
      else if (workers.size === 0) onLastExit();
    });
    const worker = child && { id, child, startedAt, isListening: false, isStopping: false };
    if (!worker) return;
    workers.add(worker);
    child.on('message', (message) => {
      void answer(message as WorkerMessage, worker, shared).then((isListening) => {
        if (isListening) onListening();
      });
    });
  };

  function replace({ id, startedAt }: Pick<Worker, 'id' | 'startedAt'>, end: WorkerEnd): void {
    const isShort = performance.now() - startedAt < STABLE_MS;
    shortLives = isShort ? shortLives + 1 : 0;
    const pauseMs = pauseAfter(shortLives);
    const timer = setTimeout(() => {
      replacements.delete(timer);
      startWorker();
    }, pauseMs);
    replacements.add(timer);
    log.error({ worker: id, ...end, pauseMs }, 'a worker ended; it is replaced');
  }

  return {
    startFirst: () =>
      new Promise((resolve) => {
        let isUp = false;
        const onListening = () => {
          isUp = true;
          resolve(undefined);
        };
        startWorker(onListening, (worker, end) => {
          if (isUp) return replace(worker, end);
          if (end.err !== undefined) log.error(end, 'the first worker could not be started');
          resolve(end.code || 1);
        });
      }),
    start: (count) => {
      for (let at = 0; at < count; at += 1) startWorker();
    },
    signalReload: () => {
      for (const { child, isListening } of workers) if (isListening) child.kill('SIGHUP');
    },
    stop: () =>
      new Promise((resolve) => {
        onLastExit = resolve;
        for (const timer of replacements) clearTimeout(timer);
        if (workers.size === 0) resolve();
        for (const worker of workers) {
          // one that still starts has no request to finish
          if (worker.isListening && worker.child.connected) stopWorker(worker, log);
          else worker.child.kill('SIGKILL');
        }
      }),
  };
}

/** It finishes its requests, which takes as long as they take, but it says at once that it does. */
function stopWorker(worker: Worker, log: Log): void {
  send(worker.child, { type: 'stop' });
  setTimeout(() => {
    const { exitCode, signalCode } = worker.child;
    if (worker.isStopping || exitCode !== null || signalCode !== null) return;
    log.error({ worker: worker.id }, 'a worker does not answer the request to stop and is killed');
    worker.child.kill('SIGKILL');
  }, STOPPING_MS).unref();
}

/**
 * Starts the same command with the same settings.
 * @param onGone called once, when it has ended or could not be started
 * @returns undefined when that is known at once
 */
function forkWorker(id: number, onGone: (end: WorkerEnd) => void): ChildProcess | undefined {
  const notStarted = (err: unknown) => onGone({ code: null, signal: null, err });
  try {
    const args = [...process.argv.slice(2), '--worker', String(id)];
    const child = fork(process.argv[1] ?? '', args);
    child.once('exit', (code, signal) => onGone({ code, signal }));
    // such as no file descriptors left: then there is no exit
    child.on('error', (err) => child.pid === undefined && notStarted(err));
    return child;
  } catch (err) {
    setImmediate(notStarted, err);
    return undefined;
  }
}

/** @returns whether the worker takes connections from now on */
async function answer(
  message: WorkerMessage,
  worker: Worker,
  { dispatcher, collection }: Shared,
): Promise<boolean> {
  const { child } = worker;
  switch (message.type) {
    case 'listen': {
      worker.isListening = await listen(message, child, dispatcher);
      if (worker.isListening) collection.add(child);
      return worker.isListening;
    }
    case 'taken':
      dispatcher.taken(child, message.connection);
      return false;
    case 'closed':
      dispatcher.released(child);
      return false;
    case 'leave':
      dispatcher.leave(child);
      send(child, { type: 'stop' });
      return false;
    case 'stopping':
      worker.isStopping = true;
      return false;
    case 'collect':
      collection.collect(child);
      return false;
    case 'measured':
      collection.measured(child, message.snapshot);
      return false;
  }
}

async function listen(
  address: { readonly host: string; readonly port: number },
  child: ChildProcess,
  dispatcher: Dispatcher,
): Promise<boolean> {
  try {
    send(child, { type: 'listening', port: await dispatcher.listen(address) });
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    send(child, { type: 'refused', code, message });
    return false;
  }
  if (!child.connected) return false;
  dispatcher.add(child);
  return true;
}

/** A worker that ends meanwhile is noticed by its exit. */
function send(child: ChildProcess, message: PrimaryMessage): void {
  child.send(message, () => undefined);
}

/** Milliseconds, after so many workers in a row that did not live long. */
const pauseAfter = (shortLives: number): number =>
  shortLives <= 1 ? 0 : Math.min(PAUSE_MAX_MS, FIRST_PAUSE_MS * 2 ** (shortLives - 2));
