/**
 * npm run bench: what the server adds to the providers' own time. Our server and a bare node:http + undici fan-out
 * run in turns in front of the same stub upstreams. Compare the ratios: absolute times depend on the machine.
 * `npm run bench -- --seconds 2` shortens each measurement.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Child, startChild } from './bench/child.ts';
import { benchFetch } from './bench/fetch.ts';
import { type Load, measure } from './bench/load.ts';

/** npm runs scripts from the root of the repository. */
const ROOT = process.cwd();
const KEY = 'bench-key-0123456789';
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '4' } } });
const seconds = Number(values.seconds);
if (!(seconds > 0)) throw new Error('--seconds takes a positive number');

const body = JSON.stringify({
  user_input: { query: 'tidal power' },
  search: { tier: 'max', num_results: 10 },
});

interface Row {
  readonly target: string;
  readonly connections: number;
  readonly load: Load;
  readonly cpuMicros: number;
  readonly memoryMb: number;
}

const folder = mkdtempSync(join(tmpdir(), 'trawl-bench-'));
const children: Child[] = [];

async function start(script: string, environment: Record<string, string>): Promise<Child> {
  const child = await startChild(join(ROOT, 'scripts', 'bench', script), environment);
  children.push(child);
  return child;
}

async function measureTarget(
  target: string,
  child: Child,
  path: string,
  connections: number,
): Promise<Row> {
  const request = { url: `${child.url}${path}`, body, key: KEY, connections };
  // warm-up: measures a server that has run for a while, not its first requests
  await measure({ ...request, connections: 32, seconds: Math.min(3, seconds) });
  const before = await child.usage();
  const load = await measure({ ...request, seconds });
  const after = await child.usage();
  return {
    target,
    connections,
    load,
    cpuMicros: (after.cpuMicros - before.cpuMicros) / load.answers,
    memoryMb: after.memoryMb,
  };
}

function printTable(rows: readonly Row[]): void {
  const cells = rows.map(({ target, connections, load, cpuMicros, memoryMb }) => [
    target,
    String(connections),
    load.p50Ms.toFixed(2),
    load.p99Ms.toFixed(2),
    load.perSecond.toFixed(0),
    cpuMicros.toFixed(0),
    memoryMb.toFixed(0),
  ]);
  const head = ['target', 'conns', 'p50 ms', 'p99 ms', 'req/s', 'cpu us/req', 'rss MB'];
  for (const line of [head, ...cells]) {
    console.log(line.map((cell, at) => (at === 0 ? cell.padEnd(24) : cell.padStart(11))).join(''));
  }
}

function printRatios(rows: readonly Row[]): void {
  for (const connections of new Set(rows.map((row) => row.connections))) {
    const bare = rows.find((row) => row.target === 'bare' && row.connections === connections);
    const ours = rows.find((row) => row.target === 'trawl' && row.connections === connections);
    if (!bare || !ours) continue;
    const p50 = ours.load.p50Ms - bare.load.p50Ms;
    const p99 = ours.load.p99Ms - bare.load.p99Ms;
    console.log(
      `conns ${connections}: added p50 ${p50.toFixed(2)} ms, added p99 ${p99.toFixed(2)} ms, ` +
        `throughput x${(ours.load.perSecond / bare.load.perSecond).toFixed(2)}, ` +
        `cpu x${(ours.cpuMicros / bare.cpuMicros).toFixed(2)}`,
    );
  }
}

try {
  const stub = await start('stub.mjs', {});
  const bare = await start('bare.mjs', { STUB_URL: stub.url });
  const trawl = await start('trawl.mjs', {
    EXA_BASE_URL: `${stub.url}/exa`,
    BRAVE_BASE_URL: `${stub.url}/brave`,
    EXA_API_KEY: 'bench',
    BRAVE_API_KEY: 'bench',
    BOOTSTRAP_API_KEY: KEY,
    DATA_DIR: folder,
    LOG_LEVEL: 'warn',
    PORT: '0',
    ENTRY: join(ROOT, 'dist', 'trawl.js'),
  });
  const rows: Row[] = [];
  for (const connections of [1, 32]) {
    rows.push(await measureTarget('bare', bare, '/', connections));
    rows.push(await measureTarget('trawl', trawl, '/v1/search', connections));
  }
  console.log(
    `one query, two providers, tier max, 10 rows each; ${seconds} s a row; stub answers at once`,
  );
  console.log(
    'trawl: authenticated, validated, normalized, durably recorded before the answer leaves',
  );
  printTable(rows);
  printRatios(rows);
  const failed = rows.filter(({ load }) => load.failures > 0);
  for (const { target, load } of failed)
    console.log(`${target}: ${load.failures} answers were not 200`);
  if (failed.length > 0) process.exitCode = 1;
  await benchFetch({ stub, bare, start, key: KEY, seconds, root: ROOT, folder });
} finally {
  for (const child of children) child.stop();
  rmSync(folder, { recursive: true, force: true });
}
