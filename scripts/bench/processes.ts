/**
 * What a search costs with several processes on one PostgreSQL:
 * npx tsx scripts/bench/processes.ts --database postgres://… [--workers 1,2,4] [--seconds 10]
 * The database is filled with the searches; give it an empty one. All processes share all cores.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { CHECKED_CASE } from './cases.ts';
import { startChild } from './child.ts';
import { measure } from './load.ts';

const KEY = 'bench-key-0123456789';
const CONNECTIONS = 32;
const WARM_UP_SECONDS = 5;
/** Of a tick in /proc. */
const TICK_MICROS = 10_000;

const { values } = parseArgs({
  options: {
    database: { type: 'string' },
    workers: { type: 'string', default: '1,2,4' },
    seconds: { type: 'string', default: '10' },
  },
});
if (!values.database || !CHECKED_CASE) throw new Error('--database takes a postgres:// URL');
const { path, body } = CHECKED_CASE;

const stub = await startChild(join('scripts', 'bench', 'stub.mjs'), {}, null);
console.log(
  '| Processes | searches/s | CPU per search | PostgreSQL, CPU per search | share of each worker | p50, p99 |',
);
console.log('| --- | --- | --- | --- | --- | --- |');
try {
  for (const count of values.workers.split(',').map(Number)) console.log(await row(count));
} finally {
  stub.stop();
}

async function row(count: number): Promise<string> {
  const { child, url } = await startServer(count);
  const load = (seconds: number) =>
    measure({ url: `${url}${path}`, body, key: KEY, connections: CONNECTIONS, seconds });
  await load(WARM_UP_SECONDS);
  const before = cpuTimes(child);
  const found = await load(Number(values.seconds));
  const after = cpuTimes(child);
  child.kill('SIGTERM');
  if (found.failures > 0) throw new Error(`${found.failures} answers were not 200`);
  const spent = after.server.map((micros, index) => micros - (before.server[index] ?? 0));
  const total = spent.reduce((sum, micros) => sum + micros, 0);
  const workers = count === 1 ? spent : spent.slice(1);
  const ofWorkers = workers.reduce((sum, micros) => sum + micros, 0);
  const shares = workers.map((micros) => `${Math.round((100 * micros) / ofWorkers)} %`);
  const each = (micros: number) => `${Math.round(micros / found.answers).toLocaleString('en')} µs`;
  return `| ${[
    count,
    Math.round(found.perSecond),
    each(total),
    each(after.postgres - before.postgres),
    shares.join(', '),
    `${found.p50Ms.toFixed(1)} ms, ${found.p99Ms.toFixed(1)} ms`,
  ].join(' | ')} |`;
}

async function startServer(count: number): Promise<{ child: ChildProcess; url: string }> {
  const settings: Record<string, string | undefined> = {
    BOOTSTRAP_API_KEY: KEY,
    DATABASE_URL: values.database,
    WORKERS: String(count),
    PORT: '0',
    LOG_FORMAT: 'json',
    EXA_BASE_URL: `${stub.url}/exa`,
    EXA_API_KEY: 'bench',
    BRAVE_BASE_URL: `${stub.url}/brave`,
    BRAVE_API_KEY: 'bench',
  };
  const child = spawn(process.execPath, [join('dist', 'trawl.js'), 'serve'], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let listening = 0;
  let url = '';
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    const entry = JSON.parse(line);
    if (entry.msg !== 'listening') continue;
    listening += 1;
    url = entry.url;
    if (listening === count) break;
  }
  // the access log goes on, and must be read
  child.stdout.resume();
  return { child, url };
}

/** CPU time of the server's processes, the first one first, and of all of PostgreSQL. */
function cpuTimes({ pid = 0 }: ChildProcess) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const server = [pid, ...children.split(' ').filter(Boolean).map(Number)].map(cpuMicros);
  const postgres = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && nameOf(name) === 'postgres')
    .reduce((sum, name) => sum + cpuMicros(Number(name)), 0);
  return { server, postgres };
}

function nameOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

function cpuMicros(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROS;
}
