import { PAGE_LIMITS } from '@trawl/extract/limits';
import type { PageRule } from '../diagnosis/page-rules.ts';
import type { ExtractTask } from '../pages/extract-protocol.ts';
import type { Diagnosis, ReaderLimits } from '../pages/page-reading.ts';
import type { Extraction, Extractor, ObservedJob } from '../pages/types.ts';
import { createExtractThread, type ExtractThread, type ThreadOutcome } from './extract-thread.ts';
import { diagnosisOf, extractionOf } from './job-outcomes.ts';
import { createTurns, type Turns } from './turns.ts';

export interface ExtractorOptions {
  /** URL of the worker's script. */
  readonly workerUrl: URL;
  /** The most threads at once. One caller may use all but one of them. */
  readonly threads: number;
  /** Limit for one page, counted from when a thread starts it. */
  readonly pageTimeoutMs: number;
  /** Heap of one thread; a page that needs more is too large. */
  readonly memoryMb?: number;
  /** The operator's rules for pages that look like an answer but are not. */
  readonly pageRules?: readonly PageRule[];
  /** An idle thread ends after this long. */
  readonly idleMs?: number;
  /** Gets each job that has ended, for metrics. */
  readonly onJob?: ((job: ObservedJob) => void) | undefined;
}

const IDLE_MS = 30_000;

/** How a job ended. */
export type JobEnd =
  | ThreadOutcome
  | { readonly kind: 'cancelled' }
  /** Its time ended before a thread was free. */
  | { readonly kind: 'no_thread' }
  /** Its time ended while a thread read it. */
  | { readonly kind: 'out_of_time' }
  /** It took longer than the limit for any page. */
  | { readonly kind: 'too_slow' };

interface Job {
  readonly callerId: string;
  readonly task: ExtractTask;
  readonly settle: (end: JobEnd) => void;
  /** undefined = the job is waiting. */
  thread: ExtractThread | undefined;
  /** When a thread took it, by `performance.now()`. */
  startedAt: number;
  timer: NodeJS.Timeout | undefined;
}

interface State {
  readonly waiting: Turns<Job>;
  /** Not a Set: see `createInProgress`. */
  readonly running: Job[];
  readonly idle: ExtractThread[];
  readonly ending: Set<Promise<unknown>>;
  closed: boolean;
}

/**
 * Reads page bodies on worker threads, which are started with the first page. A page that crashes
 * its thread fails alone. Callers take turns, and no caller gets the last free thread.
 */
export function createExtractor(options: ExtractorOptions): Extractor {
  const state: State = {
    waiting: createTurns(),
    running: [],
    idle: [],
    ending: new Set(),
    closed: false,
  };
  return {
    extract: async (download, extraction, limits): Promise<Extraction> => {
      const task = { kind: 'extract', download, options: extraction } as const;
      const end = await submit(state, options, task, limits);
      return extractionOf(end, download.status, options);
    },
    diagnose: async (evidence, limits): Promise<Diagnosis> => {
      const { wantsQuality = true, wantsFindings = true } = limits;
      const task = { kind: 'diagnose', evidence, wantsQuality, wantsFindings } as const;
      const end = await submit(state, options, task, limits);
      return diagnosisOf(end, evidence.httpStatus, options);
    },
    focus: async (content, query, limits) => {
      const end = await submit(state, options, { kind: 'focus', content, query }, limits);
      return end.kind === 'focused' ? end.passages : null;
    },
    pieces: async (texts, query, limits) => {
      const end = await submit(state, options, { kind: 'pieces', texts, query }, limits);
      return end.kind === 'rated' ? end.pieces : null;
    },
    quotes: async (texts, quotes, limits) => {
      const end = await submit(state, options, { kind: 'quotes', texts, quotes }, limits);
      return end.kind === 'quoted' ? end.matches : null;
    },
    load: () => ({
      threads: options.threads,
      busy: state.running.length,
      waiting: state.waiting.size(),
    }),
    prepare: () => {
      if (state.closed || state.running.length + state.idle.length > 0) return;
      state.idle.push(openThread(state, options));
    },
    close: async () => {
      state.closed = true;
      for (const job of [...state.waiting.items(), ...state.running])
        job.settle({ kind: 'cancelled' });
      for (const thread of state.idle.splice(0)) end(state, thread);
      await Promise.all(state.ending);
    },
  };
}

function submit(
  state: State,
  options: ExtractorOptions,
  task: ExtractTask,
  { callerId, signal, timeoutMs }: ReaderLimits,
): Promise<JobEnd> {
  if (state.closed || signal.aborted) return Promise.resolve({ kind: 'cancelled' });
  const submittedAt = performance.now();
  return new Promise((resolve) => {
    const abort = (): void => job.settle({ kind: 'cancelled' });
    const limit = setTimeout(
      () => job.settle({ kind: job.thread ? 'out_of_time' : 'no_thread' }),
      timeoutMs,
    );
    const job: Job = {
      callerId,
      task,
      thread: undefined,
      startedAt: 0,
      timer: undefined,
      settle: (end) => {
        options.onJob?.(observed(job, end, submittedAt));
        clearTimeout(limit);
        clearTimeout(job.timer);
        signal.removeEventListener('abort', abort);
        withdraw(state, job);
        resolve(end);
        startNext(state, options);
      },
    };
    signal.addEventListener('abort', abort, { once: true });
    // a page at hand may be paid for already, and what is left to do is short
    state.waiting.add(callerId, job, task.kind !== 'extract');
    startNext(state, options);
  });
}

function observed({ task, thread, startedAt }: Job, end: JobEnd, submittedAt: number): ObservedJob {
  const now = performance.now();
  const takenAt = thread ? startedAt : now;
  return {
    task: task.kind,
    outcome: end.kind,
    waitedMs: takenAt - submittedAt,
    readMs: thread ? now - takenAt : null,
  };
}

/** A thread that is still reading the page can only be stopped by ending it. */
function withdraw(state: State, job: Job): void {
  state.waiting.remove(job.callerId, job);
  if (removeRunning(state, job) && job.thread) end(state, job.thread);
}

/** @returns whether it was running */
function removeRunning({ running }: State, job: Job): boolean {
  const at = running.indexOf(job);
  if (at >= 0) running.splice(at, 1);
  return at >= 0;
}

function end(state: State, thread: ExtractThread): void {
  const ended = thread.end().finally(() => state.ending.delete(ended));
  state.ending.add(ended);
}

function startNext(state: State, options: ExtractorOptions): void {
  const ownMost = Math.max(1, options.threads - 1);
  const mayHave = (callerId: string): boolean => {
    const own = state.running.filter((job) => job.callerId === callerId);
    return own.length < ownMost;
  };
  while (!state.closed && state.running.length < options.threads) {
    const job = state.waiting.next(mayHave);
    if (!job) return;
    state.running.push(job);
    job.startedAt = performance.now();
    job.thread = state.idle.pop() ?? openThread(state, options);
    void run(state, job, job.thread, options);
  }
}

function openThread(state: State, options: ExtractorOptions): ExtractThread {
  const { workerUrl, memoryMb = PAGE_LIMITS.memoryMb, idleMs = IDLE_MS, pageRules = [] } = options;
  return createExtractThread({
    workerUrl,
    memoryMb,
    idleMs,
    pageRules,
    onUnused: (thread) => {
      const at = state.idle.indexOf(thread);
      if (at < 0) return;
      state.idle.splice(at, 1);
      end(state, thread);
    },
  });
}

async function run(
  state: State,
  job: Job,
  thread: ExtractThread,
  { pageTimeoutMs }: ExtractorOptions,
): Promise<void> {
  const outcome = await thread.perform(job.task, () => {
    // the job may be over before its thread has started
    if (!state.running.includes(job)) return;
    job.timer = setTimeout(() => job.settle({ kind: 'too_slow' }), pageTimeoutMs);
  });
  if (!state.running.includes(job)) return;
  if (outcome.kind !== 'ended') {
    // the thread takes the next page
    removeRunning(state, job);
    const shouldEnd = outcome.kind === 'read' && outcome.shouldEnd;
    if (state.closed || shouldEnd) end(state, thread);
    else state.idle.push(thread);
  }
  job.settle(outcome);
}
