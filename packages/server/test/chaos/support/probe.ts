import { startChildProgram } from './child-program.ts';
import { percentile } from './figures.ts';

/** Times of the answers, in milliseconds. */
export interface Latencies {
  readonly samples: number;
  /** Requests that were not answered with 200. */
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** `/healthz` every 20 ms from another process: it shows how busy the server's event loop is. */
export interface Probe {
  /** Ends the probe when all its requests are answered. */
  stop(): Promise<Latencies>;
}

export async function startProbe(serverUrl: string, path = '/healthz'): Promise<Probe> {
  const entry = new URL('./probe-program.ts', import.meta.url);
  const program = await startChildProgram(entry, [`${serverUrl}${path}`]);
  return {
    stop: async () => {
      const times = (await program.ask('stop')) as readonly number[];
      await program.stop();
      return latenciesOf(times);
    },
  };
}

/** @param times in milliseconds; negative = failed */
export function latenciesOf(times: readonly number[]): Latencies {
  const answered = times.filter((time) => time >= 0);
  return {
    samples: times.length,
    failed: times.length - answered.length,
    p50: percentile(answered, 0.5),
    p99: percentile(answered, 0.99),
    max: percentile(answered, 1),
  };
}
