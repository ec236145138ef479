/**
 * What a change costs: two servers take turns on one core, and each pair of turns gives one ratio
 * of CPU time for a search.
 *
 * After `npm run build && npx tsx scripts/bench/pairs.ts`:
 *
 *   --traced                            all traces against none
 *   --set METRICS=off                   one setting against the default
 *   --other ../changed/dist/trawl.js    another build against this one, or against `--base`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CHECKED_CASE } from './cases.ts';
import { type Child, pinLoad, SERVER_CORE, START_FLAGS, startChild } from './child.ts';
import { measureTarget } from './measure-case.ts';

const KEY = 'bench-key-0123456789';
const WARM_UP_SECONDS = 8;

const { values } = parseArgs({
  options: {
    base: { type: 'string', default: join('dist', 'trawl.js') },
    other: { type: 'string', default: join('dist', 'trawl.js') },
    set: { type: 'string', multiple: true, default: [] },
    traced: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '24' },
    seconds: { type: 'string', default: '3' },
  },
});
if (!CHECKED_CASE) throw new Error('the case of a search is missing');
const searches = CHECKED_CASE;
if (!pinLoad()) throw new Error('needs two cores and taskset');

/** Takes traces, and says that it has them. */
const collector = createServer((request, response) => {
  request
    .resume()
    .on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
});
await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done));
const { port } = collector.address() as AddressInfo;

const folders: string[] = [];
const stub = await startChild(join('scripts', 'bench', 'stub.mjs'), {}, null);
const settings = Object.fromEntries(values.set.map((text) => text.split(/=(.*)/s).slice(0, 2)));
const traced = values.traced
  ? { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }
  : undefined;
const servers: readonly Child[] = [
  await start(values.base, {}),
  await start(values.other, { ...settings, ...traced }),
];
try {
  for (const server of servers) await costOf(server, WARM_UP_SECONDS);
  const ratios: number[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const costs: number[] = [];
    // each is first in half of the pairs
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const index of order) costs[index] = await costOf(servers[index], Number(values.seconds));
    const [base = 0, other = 0] = costs;
    ratios.push(other / base);
    console.log(`${Math.round(base)} µs, ${Math.round(other)} µs: ${(other / base).toFixed(3)}`);
  }
  ratios.sort((one, next) => one - next);
  const at = (part: number) => (ratios[Math.floor(part * (ratios.length - 1))] ?? 0).toFixed(3);
  console.log(`median ${at(0.5)}, middle half ${at(0.25)} to ${at(0.75)}`);
} finally {
  for (const child of [stub, ...servers]) child.stop();
  collector.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

function start(entry: string, environment: Record<string, string>): Promise<Child> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-pairs-'));
  folders.push(folder);
  return startChild(
    join('scripts', 'bench', 'trawl.mjs'),
    {
      BOOTSTRAP_API_KEY: KEY,
      DATA_DIR: folder,
      LOG_LEVEL: 'warn',
      ENTRY: resolve(entry),
      EXA_BASE_URL: `${stub.url}/exa`,
      EXA_API_KEY: 'bench',
      BRAVE_BASE_URL: `${stub.url}/brave`,
      BRAVE_API_KEY: 'bench',
      ...environment,
    },
    SERVER_CORE,
    START_FLAGS,
  );
}

async function costOf(child: Child | undefined, seconds: number): Promise<number> {
  if (!child) throw new Error('the server is missing');
  const { path, body } = searches;
  const options = { key: KEY, seconds, servers };
  const found = await measureTarget({ child, path, body }, searches, options);
  if (found.failures > 0) throw new Error(`${found.failures} answers were not 200`);
  return found.cpuMicros;
}
