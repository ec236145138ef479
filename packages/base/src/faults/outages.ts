/** One failure of a kind that may come many times a second. */
export interface Outage {
  /** Groups failures: those with the same text share their lines. Never holds ids or text of callers. */
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
 * Failures as lines of the log, however many there are. The first failure of a cause is logged at once, with its stack.
 * Those that follow are counted and logged as one line a second, without a stack.
 */
export interface OutageLog {
  report(outage: Outage): void;
  /** Logs what has been counted so far. To be called when the server stops. */
  flush(): void;
}
