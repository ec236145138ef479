import type { Clock } from '@trawl/base';
import type { WatchRunStatus } from '@trawl/contract';
import type { KeyStore } from '@trawl/router';
import type { RunNews, WatchClaim, WatchRunEnd, WatchStore } from '@trawl/store';
import type { Logger } from 'pino';
import { isInForce } from '../auth/authenticate.ts';
import { type ApiAsKey, runWatch } from './run-watch.ts';
import { stopEnded } from './stop-ended.ts';

/** Durations, in milliseconds. */
export interface WatchTimes {
  /** How often this process looks for watches that are due. */
  readonly lookMs?: number | undefined;
  /** After which a run that has not ended is taken over: its process died. */
  readonly claimMs?: number | undefined;
}

/** What a run found that is new, for alerts. */
export interface FoundNews {
  readonly watchId: string;
  readonly interactionId: string;
  readonly news: RunNews;
}

export interface WatchRunnerOptions {
  readonly watches: WatchStore;
  readonly keys: Pick<KeyStore, 'keyOfId'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** The time that a request has. */
  readonly requestDeadlineMs: number;
  readonly times?: WatchTimes | undefined;
  readonly onRun?: ((status: WatchRunStatus) => void) | undefined;
  readonly onNews?: ((found: FoundNews) => void) | undefined;
}

/** Runs watches that are due. Of all processes of the database, one makes each run. */
export interface WatchRunner {
  start(api: ApiAsKey): void;
  /** No new run begins. */
  pause(): void;
  /** Resolves when the runs in progress are written. */
  ended(): Promise<void>;
}

const LOOK_MS = 5_000;
/** For what follows the deadline of a request: recording, and a machine under load. */
const CLAIM_MARGIN_MS = 60_000;
/** Until a run is tried again that the process before may still record. */
const TRY_AGAIN_MS = 15_000;
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

  const begin = (api: ApiAsKey, claim: WatchClaim): void => {
    const { id, projectId } = claim.watch;
    const run = makeRun(options, api, claim).then(
      (isMade) => {
        running.delete(projectId);
        // the next one of the project need not wait for the next look
        if (isMade && timer !== undefined) lookNow(api);
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
      const watch = await watches.claim(id, { claimId, now, until: now + claimMs });
      if (!watch) continue;
      const claim = { claimId, watch };
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
      timer = setInterval(() => lookNow(api), lookMs).unref();
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

/** @returns false = it was not made, or another process has it */
async function makeRun(
  { watches, keys, clock, log, onRun, onNews }: WatchRunnerOptions,
  api: ApiAsKey,
  claim: WatchClaim,
): Promise<boolean> {
  const { id, keyId } = claim.watch;
  const key = await keys.keyOfId(keyId);
  // it ended after the look for such keys: the next look stops the watch
  if (!key || !isInForce(key, clock.now())) {
    await watches.release(claim);
    return false;
  }
  const startedAt = clock.now();
  const ran = await runWatch(claim.watch, key, api);
  if (!ran) {
    log.info({ watch_id: id }, 'the run of a watch waits for another server, which may have ended');
    await watches.postpone(claim, clock.now() + TRY_AGAIN_MS);
    return false;
  }
  const end: WatchRunEnd = { ...ran, startedAt, endedAt: clock.now() };
  const news = await watches.end(claim, end);
  if (!news) return false;
  onRun?.(end.status);
  const fields = { watch_id: id, status: end.status, interaction_id: end.interactionId };
  log.info({ ...fields, news: news.count }, 'a watch ran');
  if (news.count > 0 && end.interactionId !== null) {
    onNews?.({ watchId: id, interactionId: end.interactionId, news });
  }
  return true;
}
