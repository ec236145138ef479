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
