import { isoTime, MINUTE_MS } from '@trawl/base';

/**
 * When a watch runs next, after a run that was due at one time and ended at another. Runs that were
 * missed meanwhile are not made up for.
 */
export function nextRunAt(dueAt: string, endedAt: number, intervalMinutes: number): string {
  const intervalMs = intervalMinutes * MINUTE_MS;
  const next = Date.parse(dueAt) + intervalMs;
  return isoTime(next > endedAt ? next : endedAt + intervalMs);
}
