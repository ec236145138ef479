import { Pool } from 'undici';

export interface LoadOptions {
  readonly url: string;
  /** The body of each request, by its number; undefined = a GET. */
  readonly body: ((request: number) => string) | undefined;
  readonly wantsEvents?: boolean | undefined;
  readonly key: string;
  /** Number of requests in progress, each on its own connection. */
  readonly connections: number;
  readonly seconds: number;
  /** Of `connectionsOf`, which stay open. Absent = new ones, which are closed at the end. */
  readonly pool?: Pool;
}

export interface Load {
  readonly answers: number;
  /** Answers that were not 200. */
  readonly failures: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export const connectionsOf = ({
  url,
  connections,
}: Pick<LoadOptions, 'url' | 'connections'>): Pool =>
  new Pool(new URL(url).origin, { connections, pipelining: 1 });

/** A closed loop: each connection sends its next request when its last one is answered. */
export async function measure(options: LoadOptions): Promise<Load> {
  const { pathname, search } = new URL(options.url);
  const pool = options.pool ?? connectionsOf(options);
  const times: number[] = [];
  let failures = 0;
  let sent = 0;
  const { body, wantsEvents } = options;
  const headers = {
    authorization: `Bearer ${options.key}`,
    ...(body && { 'content-type': 'application/json' }),
    ...(wantsEvents && { accept: 'text/event-stream' }),
  };
  const startedAt = performance.now();
  const endsAt = startedAt + options.seconds * 1000;
  const loop = async () => {
    while (performance.now() < endsAt) {
      const sentAt = performance.now();
      const answer = await pool.request({
        path: `${pathname}${search}`,
        method: body ? 'POST' : 'GET',
        headers,
        body: body?.(sent++) ?? null,
      });
      await answer.body.arrayBuffer();
      times.push(performance.now() - sentAt);
      if (answer.statusCode !== 200) failures++;
    }
  };
  await Promise.all(Array.from({ length: options.connections }, loop));
  const elapsed = (performance.now() - startedAt) / 1000;
  if (!options.pool) await pool.close();
  times.sort((a, b) => a - b);
  const percentile = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    answers: times.length,
    failures,
    perSecond: times.length / elapsed,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
  };
}
