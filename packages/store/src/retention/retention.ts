import { setTimeout as delay } from 'node:timers/promises';
import { DAY_MS, isoTime } from '@trawl/base';
import type { Logger } from 'pino';
import type { Sweeps } from './sweeps.ts';

/**
 * Deletes interactions that are older than their project keeps them, and tokens of logins that are
 * over. Ledger and usage stay.
 */
export interface Retention {
  /** Sweeps soon, and then once an hour. */
  start(): void;
  /**
   * Resolves with how many interactions were deleted. Never rejects: a sweep that fails is repeated
   * later.
   */
  sweep(): Promise<number>;
  /** Ends the sweep that runs after its slice. */
  stop(): Promise<void>;
}

export interface RetentionOptions {
  readonly sweeps: Sweeps;
  /** For projects without a value of their own; undefined = they keep everything. */
  readonly days: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed?: () => number;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

const FIRST_MS = 10_000;
const EVERY_MS = 3_600_000;
/** How far the clock may jump ahead between two sweeps. */
const JUMP_MS = 3_600_000;
/** How often a long sweep says that it goes on, so that no other server begins one. */
const CLAIM_AGAIN_MS = 600_000;
/**
 * The pause after a slice, as a multiple of the time that it took: most of the time is left for
 * others.
 */
const PAUSE_TIMES = 4;
const PAUSE_LEAST_MS = 5;

/**
 * A clock that was set ahead makes everything look old. Answers how many milliseconds it was set
 * ahead since the call before; 0 = not far.
 * @param elapsed milliseconds of a monotonic clock
 */
export function createClockJump(
  now: () => number,
  elapsed: () => number = () => performance.now(),
): () => number {
  let seen = { now: now(), elapsed: elapsed() };
  return () => {
    const before = seen;
    seen = { now: now(), elapsed: elapsed() };
    const jumpMs = seen.now - before.now - (seen.elapsed - before.elapsed);
    return jumpMs <= JUMP_MS ? 0 : jumpMs;
  };
}

export function createRetention(options: RetentionOptions): Retention {
  const { now, elapsed = () => performance.now(), log } = options;
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<number> = Promise.resolve(0);
  const jump = createClockJump(now, elapsed);

  /** After a jump there is an hour to correct the clock. */
  const hasJumped = (): boolean => {
    const jumpMs = jump();
    if (jumpMs === 0) return false;
    log.error(
      { jump_ms: Math.round(jumpMs) },
      'the clock of this machine was set ahead: nothing is deleted by age now. Correct the clock, the next sweep is in an hour',
    );
    return true;
  };
  const sweep = async (): Promise<number> => {
    await running;
    running = hasJumped() ? Promise.resolve(0) : sweepAll(options, stopping.signal);
    return running;
  };
  const schedule = (milliseconds: number): void => {
    timer = setTimeout(() => {
      void sweep().then(() => {
        if (!stopping.signal.aborted) schedule(EVERY_MS);
      });
    }, milliseconds).unref();
  };
  return {
    start: () => schedule(FIRST_MS),
    sweep,
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

async function sweepAll(options: RetentionOptions, signal: AbortSignal): Promise<number> {
  const { sweeps, days, now, log } = options;
  let deleted = 0;
  try {
    if (!(await sweeps.claim(now(), EVERY_MS))) return 0;
    const limits = await sweeps.limits(days);
    const startedAt = await sweeps.earlier(now());
    await sweeps.tokens(startedAt);
    let claimedAt = now();
    for (const { id, days: kept } of limits) {
      const before = isoTime(startedAt - kept * DAY_MS);
      for await (const count of slices(sweeps, id, before, signal)) {
        deleted += count;
        if (now() - claimedAt < CLAIM_AGAIN_MS) continue;
        claimedAt = now();
        await sweeps.claim(claimedAt, 0);
      }
    }
  } catch (error) {
    log.error(
      { err: error, deleted },
      'interactions could not be deleted by age; next try in an hour',
    );
  }
  if (deleted > 0) log.info({ deleted }, 'interactions were deleted by age');
  return deleted;
}

/**
 * Deletes slice by slice, with pauses in which others write. Yields how many interactions each
 * deleted.
 */
async function* slices(
  sweeps: Sweeps,
  projectId: string,
  before: string,
  signal: AbortSignal,
): AsyncGenerator<number> {
  while (!signal.aborted) {
    const startedAt = performance.now();
    const { deleted, hasMore } = await sweeps.slice(projectId, before);
    yield deleted;
    if (!hasMore) return;
    const pauseMs = Math.max(PAUSE_LEAST_MS, (performance.now() - startedAt) * PAUSE_TIMES);
    await delay(pauseMs, undefined, { ref: false });
  }
}
