import type { ReportFault } from '@trawl/base';

/**
 * After a failure, a stop that takes longer than requests have to finish and to be recorded is
 * ended.
 */
const STOP_MAX_MS = 40_000;
/** What is still open after the stop, such as a log that no one reads, has this long. */
const LAST_MS = 2_000;

/** Failures that no code caught: exceptions, rejected promises, error events without a listener. */
export interface Failures {
  /** Acts as if no code had caught this one. */
  add(error: unknown): void;
  /** @throws the first one, if there was any */
  throwFirst(): void;
}

/**
 * Has the first failure begin the ordinary stop, so that what was paid is recorded and booked, and
 * the process end with 1. Further ones are only reported, and do not disturb the stop.
 */
export function collectFailures(begin: () => void, report: ReportFault): Failures {
  let first: { readonly error: unknown } | undefined;
  const add = (error: unknown): void => {
    report(error, first ? 'an unexpected failure' : 'an unexpected failure: the server stops');
    if (first) return;
    first = { error };
    process.exitCode = 1;
    setTimeout(() => {
      process.stderr.write('trawl: the stop after a failure did not end in time\n');
      process.exit();
    }, STOP_MAX_MS).unref();
    begin();
  };
  process.on('uncaughtException', add);
  return {
    add,
    throwFirst: () => {
      if (first) throw first.error;
    },
  };
}

/** Ends this process soon, also if something keeps it. For the end of a server. */
export function endSoon(): void {
  setTimeout(() => process.exit(), LAST_MS).unref();
}

/** Whether the system refused to listen because another process has the port. */
export const isPortTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
