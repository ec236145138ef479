const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs `stop` at the first SIGINT or SIGTERM, then resolves. A second signal ends the process at once. */
export function untilStopped(stop: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const onSignal = () => {
      for (const signal of SIGNALS) {
        process.off(signal, onSignal);
        process.on(signal, () => process.exit(1));
      }
      stop()
        .then(resolve, reject)
        .finally(() => {
          for (const signal of SIGNALS) process.removeAllListeners(signal);
        });
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
  });
}
