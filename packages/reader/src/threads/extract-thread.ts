import { Worker } from 'node:worker_threads';
import type {
  ExtractAnswer,
  ExtractionSettings,
  ExtractTask,
  FromExtractor,
} from '../pages/extract-protocol.ts';

export type ThreadOutcome =
  | ExtractAnswer
  | { readonly kind: 'ended'; readonly cause: 'memory' | 'crash' };

/** One worker, one task at a time. */
export interface ExtractThread {
  /**
   * Never rejects. The bytes of a page are transferred, so the caller loses them.
   * @param onTaken called when the thread has started and begins the task
   */
  perform(task: ExtractTask, onTaken: () => void): Promise<ThreadOutcome>;
  end(): Promise<void>;
}

export interface ExtractThreadOptions extends ExtractionSettings {
  readonly workerUrl: URL;
  readonly memoryMb: number;
  readonly idleMs: number;
  /**
   * Called when the thread is no longer usable: it was idle for too long, or it ended unexpectedly.
   */
  readonly onUnused: (thread: ExtractThread) => void;
}

const YOUNG_MB = 48;

export function createExtractThread(options: ExtractThreadOptions): ExtractThread {
  const { onUnused } = options;
  const worker = startWorker(options);
  const endOf = watchEnd(worker);
  let settle: ((outcome: ThreadOutcome) => void) | undefined;
  const idle = createIdleTimer(options.idleMs, () => onUnused(thread));
  let isReady = false;
  let whenReady: (() => void) | undefined;
  const answer = (outcome: ThreadOutcome): void => {
    const waiting = settle;
    settle = undefined;
    worker.unref();
    waiting?.(outcome);
  };
  worker.on('message', (message: FromExtractor) => {
    if (message.kind === 'ready') {
      isReady = true;
      if (settle) whenReady?.();
      else idle.start();
      return;
    }
    idle.start();
    answer(message);
  });
  const fail = (error: unknown): void => {
    idle.start();
    answer({ kind: 'failed', reason: error instanceof Error ? error.name : 'unknown' });
  };
  worker.on('messageerror', fail);
  worker.on('exit', () => {
    idle.stop();
    onUnused(thread);
    answer({ kind: 'ended', cause: endOf() ?? 'crash' });
  });
  const thread: ExtractThread = {
    perform: (task, onTaken) => {
      idle.stop();
      const cause = endOf();
      if (cause) return Promise.resolve({ kind: 'ended', cause });
      return new Promise((resolve) => {
        settle = resolve;
        worker.ref();
        if (isReady) onTaken();
        else whenReady = onTaken;
        try {
          post(worker, task);
        } catch (error) {
          // the task holds something that cannot be transferred
          fail(error);
        }
      });
    },
    end: async () => {
      idle.stop();
      await worker.terminate();
    },
  };
  worker.unref();
  return thread;
}

/** How the worker ended, once that is known; undefined = it is running. */
function watchEnd(worker: Worker): () => 'memory' | 'crash' | undefined {
  let ended: 'memory' | 'crash' | undefined;
  worker.on('error', (error: NodeJS.ErrnoException) => {
    ended = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash';
  });
  worker.on('exit', () => {
    ended ??= 'crash';
  });
  return () => ended;
}

/** It does not keep the process running. */
function createIdleTimer(idleMs: number, onIdle: () => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    start(): void {
      clearTimeout(timer);
      timer = setTimeout(onIdle, idleMs).unref();
    },
    stop: () => clearTimeout(timer),
  };
}

function startWorker({ workerUrl, memoryMb, pageRules }: ExtractThreadOptions): Worker {
  const settings: ExtractionSettings = { pageRules };
  const worker = new Worker(workerUrl, {
    name: 'extractor',
    workerData: settings,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MB },
    // what a parser prints about a broken document is discarded
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}

function post(worker: Worker, task: ExtractTask): void {
  if (task.kind !== 'extract') {
    worker.postMessage(task);
    return;
  }
  const body = ownBytes(task.download.body);
  const message: ExtractTask = { ...task, download: { ...task.download, body } };
  worker.postMessage(message, [body.buffer as ArrayBuffer]);
}

/** Only a buffer that holds nothing else can be transferred; a small body may share its buffer. */
function ownBytes(body: Uint8Array): Uint8Array {
  const isWhole = body.byteLength === body.buffer.byteLength && body.buffer instanceof ArrayBuffer;
  // a Buffer arrives as a plain Uint8Array either way
  return isWhole ? body : new Uint8Array(body);
}
