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
   * Never rejects. The bytes of a page are handed over: the caller has them no more.
   * @param onTaken called when the thread has started and takes the task
   */
  perform(task: ExtractTask, onTaken: () => void): Promise<ThreadOutcome>;
  end(): Promise<void>;
}

export interface ExtractThreadOptions extends ExtractionSettings {
  readonly workerUrl: URL;
  readonly memoryMb: number;
  readonly idleMs: number;
  /** Called when the thread is of no further use: nothing was asked of it for a while, or it ended by itself. */
  readonly onUnused: (thread: ExtractThread) => void;
}

const YOUNG_MB = 48;

export function createExtractThread(options: ExtractThreadOptions): ExtractThread {
  const { idleMs, onUnused } = options;
  const worker = startWorker(options);
  let ended: 'memory' | 'crash' | undefined;
  let settle: ((outcome: ThreadOutcome) => void) | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let isReady = false;
  let whenReady: (() => void) | undefined;
  const answer = (outcome: ThreadOutcome): void => {
    const waiting = settle;
    settle = undefined;
    worker.unref();
    waiting?.(outcome);
  };
  const rest = (): void => {
    clearTimeout(idleTimer);
    idleTimer = setTimeout(() => onUnused(thread), idleMs).unref();
  };
  worker.on('message', (message: FromExtractor) => {
    if (message.kind === 'ready') {
      isReady = true;
      if (settle) whenReady?.();
      else rest();
      return;
    }
    rest();
    answer(message);
  });
  const fail = (error: unknown): void => {
    rest();
    answer({ kind: 'failed', reason: error instanceof Error ? error.name : 'unknown' });
  };
  worker.on('messageerror', fail);
  worker.on('error', (error: NodeJS.ErrnoException) => {
    ended = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash';
  });
  worker.on('exit', () => {
    ended ??= 'crash';
    clearTimeout(idleTimer);
    onUnused(thread);
    answer({ kind: 'ended', cause: ended });
  });
  const thread: ExtractThread = {
    perform: (task, onTaken) => {
      clearTimeout(idleTimer);
      if (ended) return Promise.resolve({ kind: 'ended', cause: ended });
      return new Promise((resolve) => {
        settle = resolve;
        worker.ref();
        if (isReady) onTaken();
        else whenReady = onTaken;
        try {
          post(worker, task);
        } catch (error) {
          // it holds something that no other thread can have
          fail(error);
        }
      });
    },
    end: async () => {
      clearTimeout(idleTimer);
      await worker.terminate();
    },
  };
  worker.unref();
  return thread;
}

function startWorker({ workerUrl, memoryMb, pageRules }: ExtractThreadOptions): Worker {
  const settings: ExtractionSettings = { pageRules };
  const worker = new Worker(workerUrl, {
    name: 'extractor',
    workerData: settings,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MB },
    // what a parser says of a broken document is for nobody
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

/** Only a buffer that holds nothing else can be handed over; a small body may share one with others. */
function ownBytes(body: Uint8Array): Uint8Array {
  const isWhole = body.byteLength === body.buffer.byteLength && body.buffer instanceof ArrayBuffer;
  // a Buffer arrives as a plain array of bytes either way
  return isWhole ? body : new Uint8Array(body);
}
