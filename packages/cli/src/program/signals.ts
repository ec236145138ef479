import type { ReportFault } from '@trawl/base';
import { collectFailures } from './failures.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Calls `begin` when the stop is to begin, or `fail` with a failure that begins it. */
export type StopCause = (begin: () => void, fail: (error: unknown) => void) => void;

/**
 * Runs `stop` when `watch` says so, or at a failure that no code caught; then resolves. By default
 * that is the first SIGINT or SIGTERM, or when the terminal is closed; a second signal ends the
 * process at once.
 * @throws the failure, after the stop
 */
export function untilStopped(
  stop: () => Promise<void>,
  report: ReportFault,
  watch: StopCause = onStopSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let isStopping = false;
    const begin = () => {
      if (isStopping) return;
      isStopping = true;
      stop()
        .then(failures.throwFirst)
        .then(resolve, reject)
        .finally(() => {
          for (const signal of SIGNALS) process.removeAllListeners(signal);
        });
    };
    const failures = collectFailures(begin, report);
    watch(begin, failures.add);
  });
}

const onStopSignal: StopCause = (begin) => {
  const onSignal = () => {
    for (const signal of SIGNALS) {
      process.off(signal, onSignal);
      process.on(signal, () => process.exit(1));
    }
    begin();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  // the shell may send it as well as the system, so a second one says nothing
  if (process.stdout.isTTY) process.on('SIGHUP', begin);
};
