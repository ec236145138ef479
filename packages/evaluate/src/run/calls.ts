import { setTimeout as pause } from 'node:timers/promises';
import { isApiError } from '@trawl/client';

/** Calls in progress at once. */
const AT_ONCE = 4;
export const TRIES = 6;
const WAIT_MAX_MS = 120_000;

/**
 * Does the work of all items, some at once. After a failure nothing new begins; what is in progress
 * is finished, since it is paid.
 * @throws the first failure
 */
export async function inTurn<Item>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const failures: unknown[] = [];
  const worker = async () => {
    while (failures.length === 0 && !signal.aborted) {
      const item = waiting.shift();
      if (item === undefined) return;
      await work(item).catch((error: unknown) => void failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (failures.length > 0) throw failures[0];
  signal.throwIfAborted();
}

/** Waits where the server says when to come again: a rate limit, or a short outage. */
export async function patiently<Answer>(
  signal: AbortSignal,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      const waitMs = isApiError(error) ? waitOf(error) : null;
      if (waitMs === null || tries === TRIES) throw error;
      await pause(waitMs, undefined, { signal });
    }
  }
}

function waitOf({
  status,
  retryAfterMs,
}: {
  readonly status: number | null;
  readonly retryAfterMs: number | null;
}): number | null {
  return status === 429 || status === 503 ? waitWithin(retryAfterMs) : null;
}

/** null = there is nothing to wait for, or not that long. */
export const waitWithin = (ms: number | null | undefined): number | null =>
  ms == null || ms > WAIT_MAX_MS ? null : ms;
