import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Reports the address of this process to the bench, and its usage on request. */
export function report(url) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send({
      cpuMicros: user + system,
      memoryMb: process.memoryUsage().rss / 1_048_576,
      // since the last report, minus the timer's own millisecond
      loopDelayP99Ms: Math.max(0, delay.percentile(99) / 1e6 - 1),
    });
    delay.reset();
  });
  process.send({ url });
}
