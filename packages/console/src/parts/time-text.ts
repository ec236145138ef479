export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** «3 minutes ago», «in 2 days»; «just now» within ten seconds. */
export function relativeTime(at: Date, now: number): string {
  const seconds = Math.round((at.getTime() - now) / 1000);
  const size = Math.abs(seconds);
  if (size < 10) return 'just now';
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
  for (const [unit, length] of STEPS) {
    // an invitation of seven days still has seven a moment later
    const round = seconds > 0 ? Math.round : Math.trunc;
    if (size >= length) return format.format(round(seconds / length), unit);
  }
  return format.format(seconds, 'second');
}

/**
 * With the zone and milliseconds: `2026-11-22 17:04:05.120 GMT+1`. `zone` = that of the browser
 * when absent.
 */
export function absoluteTime(at: Date, zone?: string): string {
  const format = new Intl.DateTimeFormat('en-CA', {
    ...(zone === undefined ? {} : { timeZone: zone }),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  const day = `${part('year')}-${part('month')}-${part('day')}`;
  const time = `${part('hour')}:${part('minute')}:${part('second')}.${part('fractionalSecond')}`;
  return `${day} ${time} ${part('timeZoneName')}`;
}

/** `820 ms`, `4.2 s`, `3 min 5 s`, `2 h 4 min`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
