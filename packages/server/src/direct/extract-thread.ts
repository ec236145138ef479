import { Worker } from 'node:worker_threads';
import type { FromExtractor, ToExtractor } from './extract-protocol.ts';
import type { Download, ExtractionWish } from './types.ts';

export type ThreadOutcome =
  | FromExtractor
  | { readonly kind: 'ended'; readonly cause: 'memory' | 'crash' };

/** One worker, one page at a time. */
export interface ExtractThread {
  /** Never rejects. The page's bytes are handed over: the caller has them no more. */
  extract(download: Download, wish: ExtractionWish): Promise<ThreadOutcome>;
  end(): Promise<void>;
}

export interface ExtractThreadOptions {
  readonly workerUrl: URL;
  readonly memoryMb: number;
  readonly idleMs: number;
  /** Told when nothing was asked of the thread for a while. */
  readonly onIdle: (thread: ExtractThread) => void;
}

const YOUNG_MB = 48;

export function createExtractThread({
  workerUrl,
  memoryMb,
  idleMs,
  onIdle,
}: ExtractThreadOptions): ExtractThread {
  const worker = new Worker(workerUrl, {
    name: 'extractor',
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MB },
    // what a parser says of a broken document is for nobody
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  let ended: 'memory' | 'crash' | undefined;
  let settle: ((outcome: ThreadOutcome) => void) | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  const answer = (outcome: ThreadOutcome): void => {
    const waiting = settle;
    settle = undefined;
    worker.unref();
    waiting?.(outcome);
  };
  worker.on('message', (message: FromExtractor) => {
    idleTimer = setTimeout(() => onIdle(thread), idleMs).unref();
    answer(message);
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    ended = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash';
  });
  worker.on('exit', () => {
    ended ??= 'crash';
    answer({ kind: 'ended', cause: ended });
  });
  const thread: ExtractThread = {
    extract: (download, wish) => {
      clearTimeout(idleTimer);
      if (ended) return Promise.resolve({ kind: 'ended', cause: ended });
      return new Promise((resolve) => {
        settle = resolve;
        worker.ref();
        const message: ToExtractor = {
          download: { ...download, body: ownBytes(download.body) },
          wish,
        };
        worker.postMessage(message, [message.download.body.buffer as ArrayBuffer]);
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

/** Only a buffer that holds nothing else can be handed over; a small body may share one with others. */
function ownBytes(body: Uint8Array): Uint8Array {
  const isWhole = body.byteLength === body.buffer.byteLength && body.buffer instanceof ArrayBuffer;
  // a Buffer arrives as a plain array of bytes either way
  return isWhole ? body : new Uint8Array(body);
}
