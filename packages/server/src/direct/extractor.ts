import { createExtractThread, type ExtractThread } from './extract-thread.ts';
import type { Download, DownloadLimits, ExtractionWish, Extractor } from './types.ts';

type Extraction = Awaited<ReturnType<Extractor['extract']>>;

export interface ExtractorOptions {
  /** Where the worker's script stands. */
  readonly workerUrl: URL;
  /** Threads at work at once. */
  readonly threads?: number;
  /** Heap of one thread; a page that needs more is too large. */
  readonly memoryMb?: number;
  /** A thread without work ends after this long. */
  readonly idleMs?: number;
}

const THREADS = 2;
const MEMORY_MB = 512;
const IDLE_MS = 30_000;
/** Pages waiting for a thread; each holds its bytes. */
const MAX_WAITING = 64;

interface Job {
  readonly download: Download;
  readonly wish: ExtractionWish;
  readonly settle: (extraction: Extraction) => void;
  thread: ExtractThread | undefined;
}

interface State {
  readonly waiting: Job[];
  readonly running: Set<Job>;
  readonly idle: ExtractThread[];
  readonly ending: Set<Promise<unknown>>;
  closed: boolean;
}

/** Extraction on threads of its own, started with the first page. A page that takes its thread down fails alone. */
export function createExtractor(options: ExtractorOptions): Extractor {
  const state: State = {
    waiting: [],
    running: new Set(),
    idle: [],
    ending: new Set(),
    closed: false,
  };
  return {
    extract: (download, wish, limits) => {
      if (state.closed || limits.signal.aborted) return Promise.resolve({ kind: 'cancelled' });
      if (state.waiting.length >= MAX_WAITING)
        return Promise.resolve(fault('has too many pages waiting to be read'));
      return submit(state, options, download, wish, limits);
    },
    close: async () => {
      state.closed = true;
      for (const job of [...state.waiting, ...state.running]) job.settle({ kind: 'cancelled' });
      for (const thread of state.idle.splice(0)) end(state, thread);
      await Promise.all(state.ending);
    },
  };
}

function submit(
  state: State,
  options: ExtractorOptions,
  download: Download,
  wish: ExtractionWish,
  { signal, timeoutMs }: DownloadLimits,
): Promise<Extraction> {
  return new Promise((resolve) => {
    const abort = (): void => job.settle({ kind: 'cancelled' });
    const timer = setTimeout(
      () => job.settle(failed('timeout', 'extraction_timeout', download)),
      timeoutMs,
    );
    const job: Job = {
      download,
      wish,
      thread: undefined,
      settle: (extraction) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        withdraw(state, job);
        resolve(extraction);
        startNext(state, options);
      },
    };
    signal.addEventListener('abort', abort, { once: true });
    state.waiting.push(job);
    startNext(state, options);
  });
}

/** A thread that still works on the page knows no other way to stop than its end. */
function withdraw(state: State, job: Job): void {
  const at = state.waiting.indexOf(job);
  if (at >= 0) state.waiting.splice(at, 1);
  if (state.running.delete(job) && job.thread) end(state, job.thread);
}

function end(state: State, thread: ExtractThread): void {
  const ended = thread.end().finally(() => state.ending.delete(ended));
  state.ending.add(ended);
}

function startNext(state: State, options: ExtractorOptions): void {
  const { threads = THREADS } = options;
  while (!state.closed && state.running.size < threads) {
    const job = state.waiting.shift();
    if (!job) return;
    state.running.add(job);
    job.thread = state.idle.pop() ?? openThread(state, options);
    void run(state, job, job.thread);
  }
}

function openThread(state: State, options: ExtractorOptions): ExtractThread {
  const { workerUrl, memoryMb = MEMORY_MB, idleMs = IDLE_MS } = options;
  return createExtractThread({
    workerUrl,
    memoryMb,
    idleMs,
    onIdle: (thread) => {
      const at = state.idle.indexOf(thread);
      if (at < 0) return;
      state.idle.splice(at, 1);
      end(state, thread);
    },
  });
}

async function run(state: State, job: Job, thread: ExtractThread): Promise<void> {
  const outcome = await thread.extract(job.download, job.wish);
  if (!state.running.has(job)) return;
  // whoever ended the thread has ended it for good; one that answered takes the next page
  if (outcome.kind === 'ended') {
    job.settle(
      outcome.cause === 'memory'
        ? failed('too_large', 'out_of_memory', job.download)
        : fault('broke down over the page'),
    );
    return;
  }
  state.running.delete(job);
  if (state.closed) end(state, thread);
  else state.idle.push(thread);
  const reading = outcome.kind === 'read' ? outcome.reading : undefined;
  job.settle(
    reading && reading.kind !== 'pending'
      ? reading
      : fault('could not read the page for a fault of its own'),
  );
}

const fault = (happened: string): Extraction => ({ kind: 'fault', happened });

function failed(code: 'timeout' | 'too_large', reason: string, { status }: Download): Extraction {
  return { kind: 'verdict', verdict: { code, reason, httpStatus: status } };
}
