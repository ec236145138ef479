import type { Clock } from '@trawl/base';
import type { WatchRunStatus } from '@trawl/contract';
import { changeStore, type KeyStore, RequestError } from '@trawl/router';
import type { RunNews, WatchClaim, WatchRunEnd, WatchStore } from '@trawl/store';
import type { Logger } from 'pino';
import { isInForce } from '../auth/authenticate.ts';
import { type ApiAsKey, type Ran, runWatch } from './run-watch.ts';

/** What a run found that is new, for alerts. */
export interface FoundNews {
  readonly watchId: string;
  readonly interactionId: string;
  readonly news: RunNews;
}

export interface RunOptions {
  readonly watches: WatchStore;
  readonly keys: Pick<KeyStore, 'keyOfId'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly onRun?: ((status: WatchRunStatus) => void) | undefined;
  readonly onNews?: ((found: FoundNews) => void) | undefined;
}

/** Until a run is tried again that the process before may still record. */
const TRY_AGAIN_MS = 15_000;
/** A run that was asked for. */
export interface RunNow {
  readonly interactionId: string;
  readonly isRepeat: boolean;
}

/**
 * Makes one run that was asked for.
 * @param repeat what makes two requests the same run; undefined = none is
 * @throws RequestError 409 where a run is in progress, 503, or what refused the run
 */
export async function runExtra(
  options: RunOptions & { readonly claimMs: number; readonly api: ApiAsKey },
  id: string,
  repeat: string | undefined,
): Promise<RunNow> {
  const { watches, clock, claimMs, api } = options;
  const claimId = clock.newId();
  const now = clock.now();
  const claiming = { claimId, now, until: now + claimMs, isExtra: true };
  const claim = await changeStore(() => watches.claim(id, claiming));
  if (!claim) throw new RequestError(409, 'A run of this watch is in progress: wait for its end');
  const ran = await changeStore(() => makeRun(options, api, claim, `watch-${repeat ?? claimId}`));
  if (!ran) throw new RequestError(503, 'The run could not be made. Try again later.');
  const { interactionId, isRepeat, error } = ran;
  if (interactionId !== null) return { interactionId, isRepeat };
  const status = PASSED_ON.find((one) => one === error?.status) ?? 409;
  throw new RequestError(status, `The run was refused: ${error?.message ?? 'unknown'}`);
}

/** Refusals of a run that mean the same for one that asks for it. */
const PASSED_ON = [402, 403, 429, 503] as const;

/** @returns undefined = it was not made, or another process has it */
export async function makeRun(
  { watches, keys, clock, log, onRun, onNews }: RunOptions,
  api: ApiAsKey,
  claim: WatchClaim,
  repeatKey: string,
): Promise<Ran | undefined> {
  const { id, keyId } = claim.watch;
  const key = await keys.keyOfId(keyId);
  // it ended after the look for such keys: the next look stops the watch
  if (!key || !isInForce(key, clock.now())) {
    await watches.release(claim);
    return undefined;
  }
  const startedAt = clock.now();
  const ran = await runWatch(claim.watch, key, api, repeatKey);
  if (!ran) {
    log.info({ watch_id: id }, 'the run of a watch waits for another server, which may have ended');
    await watches.postpone(claim, clock.now() + TRY_AGAIN_MS);
    return undefined;
  }
  if (claim.isExtra && ran.isRepeat) {
    await watches.release(claim);
    return ran;
  }
  const end: WatchRunEnd = { ...ran, startedAt, endedAt: clock.now() };
  const news = await watches.end(claim, end);
  if (!news) return claim.isExtra ? ran : undefined;
  onRun?.(end.status);
  const fields = { watch_id: id, status: end.status, interaction_id: end.interactionId };
  log.info({ ...fields, news: news.count }, 'a watch ran');
  if (news.count > 0 && end.interactionId !== null) {
    onNews?.({ watchId: id, interactionId: end.interactionId, news });
  }
  return ran;
}
