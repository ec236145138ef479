/** Reports a fault of our own. The caller only sees a failed run or a refusal. */
export type ReportFault = (cause: unknown, what: string) => void;

/** A failure of a kind that may occur many times a second. */
export interface Outage {
  /**
   * Groups failures: failures with the same text share their log lines. Never holds ids or text of
   * callers.
   */
  readonly cause: string;
  /** The log line's message. */
  readonly message: string;
  /** Default `warn`. */
  readonly level?: 'warn' | 'error';
  /** Logged with its stack, once for each outage. */
  readonly error?: unknown;
  /** Further fields of the first line. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/**
 * Logs failures without flooding the log. The first failure of a cause is logged at once, with its
 * stack. Later ones are counted and logged as one line per second, without a stack.
 */
export interface OutageLog {
  report(outage: Outage): void;
  /** Logs what has been counted so far. Call it when the server stops. */
  flush(): void;
}

type WriteLine = (fields: object, message: string) => void;

export interface OutageLogOptions {
  readonly log: { readonly warn: WriteLine; readonly error: WriteLine };
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const WINDOW_MS = 1_000;
/** A cause that was absent for this long starts a new outage: its stack is logged again. */
const QUIET_MS = 60_000;
/** More causes than this at one time share one. */
const CAUSES_MAX = 100;
const OTHER_CAUSES = 'other causes';

/** One cause that is logged or counted. */
interface Tally {
  latest: Outage;
  /** Not logged yet. */
  count: number;
  /** When the last line was logged. */
  loggedAt: number;
  /** When the last failure came. */
  lastAt: number;
}

export function createOutageLog({ log, now }: OutageLogOptions): OutageLog {
  const tallies = new Map<string, Tally>();
  let timer: NodeJS.Timeout | undefined;

  const logCount = (cause: string, tally: Tally, at: number): void => {
    const { level = 'warn', message } = tally.latest;
    log[level]({ cause, count: tally.count }, message);
    tally.count = 0;
    tally.loggedAt = at;
  };

  const logDue = (): void => {
    const at = now();
    for (const [cause, tally] of tallies) {
      if (tally.count > 0 && at - tally.loggedAt >= WINDOW_MS) logCount(cause, tally, at);
    }
    schedule();
  };

  /** Counts wait for their second to end. The timer does not keep the process running. */
  const schedule = (): void => {
    clearTimeout(timer);
    const isCounting = [...tallies.values()].some(({ count }) => count > 0);
    timer = isCounting ? setTimeout(logDue, WINDOW_MS).unref() : undefined;
  };

  const begin = (outage: Outage, cause: string, at: number): void => {
    const { level = 'warn', message, error, fields } = outage;
    log[level]({ ...fields, cause, ...(error === undefined ? {} : { err: error }) }, message);
    tallies.set(cause, { latest: outage, count: 0, loggedAt: at, lastAt: at });
  };

  const forgetQuiet = (at: number): void => {
    for (const [cause, { count, lastAt }] of tallies) {
      if (count === 0 && at - lastAt >= QUIET_MS) tallies.delete(cause);
    }
  };

  return {
    report: (outage) => {
      const at = now();
      forgetQuiet(at);
      const isKnown = tallies.has(outage.cause);
      const cause = isKnown || tallies.size < CAUSES_MAX ? outage.cause : OTHER_CAUSES;
      const tally = tallies.get(cause);
      if (tally === undefined) return begin(outage, cause, at);
      tally.latest = outage;
      tally.count += 1;
      tally.lastAt = at;
      if (at - tally.loggedAt >= WINDOW_MS) logCount(cause, tally, at);
      else if (timer === undefined) schedule();
    },
    flush: () => {
      clearTimeout(timer);
      timer = undefined;
      for (const [cause, tally] of tallies) if (tally.count > 0) logCount(cause, tally, now());
    },
  };
}

/** The innermost cause of an error as a short text without ids: its name and its code. */
export function causeOf(error: unknown): string {
  let innermost: unknown = error;
  for (let depth = 0; depth < 10; depth += 1) {
    if (!(innermost instanceof Error) || innermost.cause === undefined) break;
    innermost = innermost.cause;
  }
  if (!(innermost instanceof Error)) return 'unknown';
  const { name } = innermost;
  return 'code' in innermost && typeof innermost.code === 'string'
    ? `${name} ${innermost.code}`
    : name;
}
