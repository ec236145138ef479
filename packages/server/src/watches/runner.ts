import type { WatchClaim, WatchStore } from '@trawl/store';
import type { Logger } from 'pino';
import { makeRun, type RunNow, type RunOptions, runExtra } from './make-run.ts';
import type { ApiAsKey } from './run-watch.ts';

/** Durations, in milliseconds. */
export interface WatchTimes {
  /** How often this process looks for watches that are due. */
  readonly lookMs?: number | undefined;
  /** After which a run that has not ended is taken over: its process died. */
  readonly claimMs?: number | undefined;
}

export interface WatchRunnerOptions extends RunOptions {
  /** The time that a request has. */
  readonly requestDeadlineMs: number;
  readonly times?: WatchTimes | undefined;
}

/** Runs watches that are due. Of all processes of the database, one makes each run. */
export interface WatchRunner {
  start(api: ApiAsKey): void;
  /**
   * Makes one run now, in addition to those that are due.
   * @param repeat what makes two requests the same run; absent = none is
   * @throws RequestError 409 where it is stopped or runs, 503, or what refused the run
   */
  runNow(id: string, repeat: string | undefined): Promise<RunNow>;
  /** No new run begins. */
  pause(): void;
  /** Resolves when the runs in progress are written. */
  ended(): Promise<void>;
}

const LOOK_MS = 5_000;
/** For what follows the deadline of a request: recording, and a machine under load. */
const CLAIM_MARGIN_MS = 60_000;
/**
 * Runs at once in this process, each of another project; further ones wait, or another process
 * makes them.
 */
const RUNS_MAX = 4;

export function createWatchRunner(options: WatchRunnerOptions): WatchRunner {
  const { watches, clock, log, times = {} } = options;
  const { lookMs = LOOK_MS, claimMs = options.requestDeadlineMs + CLAIM_MARGIN_MS } = times;
  /** By project. */
  const running = new Map<string, Promise<void>>();
  let looking: Promise<void> | undefined;
  let isFailing = false;
  let timer: NodeJS.Timeout | undefined;
  let apiAsKey: ApiAsKey | undefined;

  const begin = (api: ApiAsKey, claim: WatchClaim): void => {
    const { id, projectId } = claim.watch;
    const run = makeRun(options, api, claim, `watch-${id}-${claim.watch.nextRunAt}`).then(
      (made) => {
        running.delete(projectId);
        // the next one of the project need not wait for the next look
        if (made && timer !== undefined) lookNow(api);
      },
      (error: unknown) => {
        running.delete(projectId);
        const fields = { err: error, watch_id: id };
        log.error(fields, 'the run of a watch could not be written; it is taken over later');
      },
    );
    running.set(projectId, run);
  };
  let isFirst = true;
  const claimDue = async (api: ApiAsKey): Promise<void> => {
    if (isFirst) await watches.releaseLeft();
    isFirst = false;
    await stopEnded(watches, clock.now(), () => log);
    const free = RUNS_MAX - running.size;
    const due = free > 0 ? await watches.due(clock.now(), free, [...running.keys()]) : [];
    for (const id of due) {
      if (timer === undefined) return;
      const claimId = clock.newId();
      const now = clock.now();
      const claim = await watches.claim(id, { claimId, now, until: now + claimMs });
      if (!claim) continue;
      // a stop came meanwhile: another process makes the run
      if (timer === undefined) return watches.release(claim);
      begin(api, claim);
    }
  };
  const look = async (api: ApiAsKey): Promise<void> => {
    try {
      await claimDue(api);
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.error({ err: error }, 'watches cannot be read: none runs until they can');
      isFailing = true;
    }
  };
  const lookNow = (api: ApiAsKey): void => {
    looking ??= look(api).finally(() => {
      looking = undefined;
    });
  };
  return {
    start: (api) => {
      apiAsKey = api;
      timer = setInterval(() => lookNow(api), lookMs).unref();
    },
    runNow: (id, repeat) => {
      if (!apiAsKey) throw new Error('a watch was run before the start');
      return runExtra({ ...options, claimMs, api: apiAsKey }, id, repeat);
    },
    pause: () => {
      clearInterval(timer);
      timer = undefined;
    },
    ended: async () => {
      await looking;
      await Promise.all(running.values());
    },
  };
}

/** Stops watches whose key ended, each with a line in the log. @param now since 1970, in ms */
export async function stopEnded(
  watches: Pick<WatchStore, 'stopEnded'>,
  now: number,
  log: () => Pick<Logger, 'warn'>,
): Promise<void> {
  for (const { id, reason } of await watches.stopEnded(now)) {
    log().warn({ watch_id: id, reason }, 'a watch was stopped: its key ended');
  }
}
