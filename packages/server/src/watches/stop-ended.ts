import type { WatchStore } from '@trawl/store';
import type { Logger } from 'pino';

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
