import { useSyncExternalStore } from 'react';
import { exactMoney, moneyText, shareText, wholeText } from './number-text.ts';
import { absoluteTime, durationText, relativeTime } from './time-text.ts';

/** What a page shows for a value that the server does not know. Never 0. */
export const NotReported = () => <span className="soft">not reported</span>;

const TICK_MS = 15_000;
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const watchers = new Set<() => void>();

/** One clock for all times of a page. */
function watchClock(watcher: () => void): () => void {
  watchers.add(watcher);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of watchers) each();
  }, TICK_MS);
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

interface TimeProps {
  /** As the API writes it. */
  readonly at: string | null | undefined;
  /** The day and time instead of «3 minutes ago». */
  readonly isAbsolute?: boolean;
  /** Shown for null, instead of «not reported»: «never». */
  readonly none?: string;
}

/** A point in time, with the exact one on hover. */
export function Time({ at, isAbsolute = false, none }: TimeProps) {
  const current = useSyncExternalStore(watchClock, () => now);
  if (!at) return none === undefined ? <NotReported /> : <span className="soft">{none}</span>;
  const date = new Date(at);
  const exact = absoluteTime(date);
  return (
    <time dateTime={at} title={exact}>
      {isAbsolute ? exact : relativeTime(date, Math.max(current, Date.now() - TICK_MS))}
    </time>
  );
}

type Unknown = null | undefined;

export const Duration = ({ ms }: { readonly ms: number | Unknown }) =>
  ms === null || ms === undefined ? (
    <NotReported />
  ) : (
    <span className="number" title={`${wholeText(ms)} ms`}>
      {durationText(ms)}
    </span>
  );

interface MoneyProps {
  readonly usd: number | Unknown;
  /** An estimate is marked as one; what was billed is not. */
  readonly isEstimated?: boolean;
}

/** An amount, with all digits on hover. */
export function Money({ usd, isEstimated = false }: MoneyProps) {
  if (usd === null || usd === undefined) return <NotReported />;
  return (
    <span className="number" title={exactMoney(usd)}>
      {isEstimated && 'about '}
      {moneyText(usd)}
    </span>
  );
}

export const Whole = ({ value }: { readonly value: number | Unknown }) =>
  value === null || value === undefined ? (
    <NotReported />
  ) : (
    <span className="number">{wholeText(value)}</span>
  );

/** A share from 0 to 1. */
export const Share = ({ value }: { readonly value: number | Unknown }) =>
  value === null || value === undefined ? (
    <NotReported />
  ) : (
    <span className="number" title={String(value)}>
      {shareText(value)}
    </span>
  );
