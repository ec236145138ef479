import { join } from 'node:path';
import type { Child } from './child.ts';
import { type LoadOptions, measure } from './load.ts';

export interface FetchBench {
  readonly stub: Child;
  readonly bare: Child;
  readonly start: (script: string, environment: Record<string, string>) => Promise<Child>;
  readonly key: string;
  readonly seconds: number;
  readonly root: string;
  readonly folder: string;
}

/** How one fetch is requested; `request` makes its URL unique if it must not be shared. */
type Body = (request: number) => string;

/**
 * Pages: the cost of the cache, the chain and the service's own reader. The chain is compared with a bare process that
 * calls the same stub; a failed first provider shows the cost of one more hop.
 */
export async function benchFetch({ stub, bare, start, key, seconds, root, folder }: FetchBench) {
  const server = (name: string, chain: string) =>
    start('trawl.mjs', {
      TINYFISH_BASE_URL: `${stub.url}/tinyfish`,
      TAVILY_BASE_URL: `${stub.url}/tavily`,
      TINYFISH_API_KEY: 'bench',
      TAVILY_API_KEY: 'bench',
      FETCH_CHAIN: chain,
      FETCH_ALLOW_PRIVATE_HOSTS: new URL(stub.url).host,
      BREAKER: 'off',
      BOOTSTRAP_API_KEY: key,
      DATA_DIR: join(folder, name),
      LOG_LEVEL: 'warn',
      PORT: '0',
      ENTRY: join(root, 'dist', 'trawl.js'),
    });
  const plain = await server('plain', 'tinyfish');
  const second = await server('second', 'tavily,tinyfish');

  const fresh: Body = (request) =>
    JSON.stringify({
      urls: [`https://example.org/page-${request}`],
      options: { no_cache: true },
    });
  const cached: Body = () => JSON.stringify({ urls: ['https://example.org/cached'] });
  const article: Body = (request) =>
    JSON.stringify({
      urls: [`${stub.url}/article?n=${request}`],
      options: { providers: ['direct'], tier: 'extended' },
    });

  console.log(`\none page; ${seconds} s a row; page text 10 KB, the article for direct 100 KB`);
  console.log(
    ['row', 'conns', 'p50 ms', 'p99 ms', 'pages/s', 'cpu us', 'loop p99 ms']
      .map((cell, at) => (at === 0 ? cell.padEnd(30) : cell.padStart(12)))
      .join(''),
  );
  const row = async (name: string, child: Child, path: string, connections: number, body: Body) => {
    const load: LoadOptions = { url: `${child.url}${path}`, body, key, connections, seconds };
    await measure({ ...load, seconds: Math.min(2, seconds) });
    const before = await child.usage();
    const { p50Ms, p99Ms, perSecond, answers, failures } = await measure(load);
    const after = await child.usage();
    const cpu = (after.cpuMicros - before.cpuMicros) / answers;
    const cells = [p50Ms.toFixed(2), p99Ms.toFixed(2), perSecond.toFixed(0), cpu.toFixed(0)];
    console.log(
      [name.padEnd(30), String(connections), ...cells, after.loopDelayP99Ms.toFixed(1)]
        .map((cell, at) => (at === 0 ? cell : cell.padStart(12)))
        .join(''),
    );
    if (failures > 0) {
      console.log(`${name}: ${failures} answers were not 200`);
      process.exitCode = 1;
    }
  };
  for (const connections of [1, 32]) {
    await row('bare, one provider', bare, '/', connections, fresh);
    await row('chain, first answers', plain, '/v1/fetch', connections, fresh);
    await row('chain, second answers', second, '/v1/fetch', connections, fresh);
    await row('page cache', plain, '/v1/fetch', connections, cached);
  }
  for (const connections of [1, 8]) {
    await row('direct', plain, '/v1/fetch', connections, article);
  }
}
