/**
 * What a search costs with several processes on one PostgreSQL: npx tsx scripts/bench/processes.ts
 * --database postgres://… [--workers 1,2,4] [--seconds 10] [--rounds 3] The database is filled with
 * the searches; give it an empty one. All processes share all cores. Of several rounds, each figure
 * is the median.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { CHECKED_CASE } from './cases.ts';
import { START_FLAGS, startChild } from './child.ts';
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
    rounds: { type: 'string', default: '1' },
  },
});
if (!values.database || !CHECKED_CASE) throw new Error('--database takes a postgres:// URL');
const { path, body } = CHECKED_CASE;

const stub = await startChild(join('scripts', 'bench', 'stub.mjs'), {}, null);
console.log(
  '| Processes | searches/s | CPU per search | PostgreSQL, CPU per search | share of each worker | p50, p99 |',
);
console.log('| --- | --- | --- | --- | --- | --- |');

interface Measured {
  readonly perSecond: number;
  /** Of the server's processes, and of PostgreSQL. */
  readonly cpuMicros: number;
  readonly postgresMicros: number;
  /** Of each worker, in percent. */
  readonly shares: readonly number[];
  readonly p50Ms: number;
  readonly p99Ms: number;
}

try {
  const counts = values.workers.split(',').map(Number);
  const found = new Map(counts.map((count): [number, Measured[]] => [count, []]));
  // in turns, so that what disturbs the machine disturbs all
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const [count, rounds] of found) rounds.push(await measureWorkers(count));
  }
  for (const [count, rounds] of found) console.log(row(count, rounds));
} finally {
  stub.stop();
}

function row(count: number, rounds: readonly Measured[]): string {
  const median = (of: (measured: Measured) => number): number =>
    rounds.map(of).sort((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? 0;
  const micros = (value: number) => `${Math.round(value).toLocaleString('en')} µs`;
  const shares = rounds.at(-1)?.shares.map((share) => `${Math.round(share)} %`) ?? [];
  return `| ${[
    count,
    Math.round(median(({ perSecond }) => perSecond)),
    micros(median(({ cpuMicros }) => cpuMicros)),
    micros(median(({ postgresMicros }) => postgresMicros)),
    shares.join(', '),
    `${median(({ p50Ms }) => p50Ms).toFixed(1)} ms, ${median(({ p99Ms }) => p99Ms).toFixed(1)} ms`,
  ].join(' | ')} |`;
}

async function measureWorkers(count: number): Promise<Measured> {
  const { child, url } = await startServer(count);
  const load = (seconds: number) =>
    measure({ url: `${url}${path}`, body, key: KEY, connections: CONNECTIONS * count, seconds });
  // each process has to run its code as often as one alone would
  await load(WARM_UP_SECONDS * count);
  const before = cpuTimes(child);
  const found = await load(Number(values.seconds));
  const after = cpuTimes(child);
  child.kill('SIGTERM');
  await once(child, 'exit');
  if (found.failures > 0) throw new Error(`${found.failures} answers were not 200`);
  const spent = after.server.map((micros, index) => micros - (before.server[index] ?? 0));
  const workers = count === 1 ? spent : spent.slice(1);
  const sum = (all: readonly number[]) => all.reduce((total, micros) => total + micros, 0);
  return {
    ...found,
    cpuMicros: sum(spent) / found.answers,
    postgresMicros: (after.postgres - before.postgres) / found.answers,
    shares: workers.map((micros) => (100 * micros) / sum(workers)),
  };
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
  const child = spawn(process.execPath, [...START_FLAGS, join('dist', 'trawl.js'), 'serve'], {
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
  const postgres = postgresProcesses().reduce((sum, name) => sum + cpuMicros(Number(name)), 0);
  return { server, postgres };
}

function postgresProcesses(): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && nameOf(name) === 'postgres');
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
