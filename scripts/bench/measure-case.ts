import { type CpuInfo, cpus } from 'node:os';
import type { Case } from './cases.ts';
import type { Child, Usage } from './child.ts';
import { connectionsOf, type Load, measure } from './load.ts';

/** One measurement of one target. Times of CPU are for one unit of the case. */
export interface Measured extends Load {
  readonly cpuMicros: number;
  readonly mainMicros: number;
  /** The busiest other thread: the recorder's. */
  readonly recorderMicros: number;
  readonly memoryMb: number;
}

export interface Target {
  readonly child: Child;
  readonly path: string;
  readonly body: ((request: number) => string) | undefined;
  readonly wantsEvents?: boolean | undefined;
}

export interface MeasureOptions {
  readonly key: string;
  readonly seconds: number;
  /** All servers that share the core, which must have nothing to do first. */
  readonly servers: readonly Child[];
}

export async function measureTarget(
  { child, path, body, wantsEvents }: Target,
  { connections, units = 1 }: Case,
  { key, seconds, servers }: MeasureOptions,
): Promise<Measured> {
  const url = `${child.url}${path}`;
  const request = { key, seconds, url, body, wantsEvents, connections };
  await untilIdle(servers);
  // a server accepts one new connection in each turn of its event loop: the last of many would wait for seconds
  const pool = connectionsOf(request);
  // the caches of the processor are cold after another process ran
  await measure({ ...request, pool, seconds: Math.min(0.5, seconds) });
  const before = await child.usage();
  const load = await measure({ ...request, pool });
  const after = await child.usage();
  await pool.close();
  const done = load.answers * units;
  const [main = 0, ...others] = threadsBetween(before, after);
  return {
    ...load,
    cpuMicros: (after.cpuMicros - before.cpuMicros) / done,
    mainMicros: main / done,
    recorderMicros: Math.max(0, ...others) / done,
    memoryMb: after.memoryMb,
  };
}

const LOOK_MS = 100;
/** Of the time between two looks: less is idle. */
const IDLE_MICROS = LOOK_MS * 1000 * 0.1;
/** Looks in a row that must find all idle: a server begins to compress when it wrote nothing for one look. */
const IDLE_LOOKS = 4;
const IDLE_WITHIN_MS = 15_000;

/**
 * A server that was measured before still compresses what it recorded, and PostgreSQL tidies up, on the core of the one
 * that is measured next. What else runs on the machine may go on: its figures are then what they are.
 */
async function untilIdle(servers: readonly Child[]): Promise<void> {
  const look = async () => {
    const usages = await Promise.all(servers.map(({ usage }) => usage()));
    const ours = usages.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0);
    return { ours, all: machineMicros() };
  };
  const giveUpAt = performance.now() + IDLE_WITHIN_MS;
  let before = await look();
  let idleLooks = 0;
  let oursIdleLooks = 0;
  while (performance.now() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const now = await look();
    oursIdleLooks = now.ours - before.ours < IDLE_MICROS ? oursIdleLooks + 1 : 0;
    idleLooks = now.all - before.all < IDLE_MICROS * cpus().length ? idleLooks + 1 : 0;
    if (Math.min(idleLooks, oursIdleLooks) >= IDLE_LOOKS) return;
    before = now;
  }
  if (oursIdleLooks < IDLE_LOOKS) throw new Error('the servers did not become idle');
}

/** CPU time that all programs of this machine took so far. */
function machineMicros(): number {
  const busyMs = ({ times }: CpuInfo) => times.user + times.nice + times.sys + times.irq;
  return cpus().reduce((sum, cpu) => sum + busyMs(cpu) * 1000, 0);
}

function threadsBetween(before: Usage, after: Usage): readonly number[] {
  const earlier = new Map(before.threadMicros);
  return after.threadMicros.map(([id, micros]) => micros - (earlier.get(id) ?? 0));
}

/** The median of each value. */
export function medianOf(rounds: readonly Measured[]): Measured {
  const median = (value: (one: Measured) => number): number => {
    const sorted = rounds.map(value).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  };
  return {
    answers: median(({ answers }) => answers),
    failures: rounds.reduce((sum, { failures }) => sum + failures, 0),
    perSecond: median(({ perSecond }) => perSecond),
    p50Ms: median(({ p50Ms }) => p50Ms),
    p99Ms: median(({ p99Ms }) => p99Ms),
    cpuMicros: median(({ cpuMicros }) => cpuMicros),
    mainMicros: median(({ mainMicros }) => mainMicros),
    recorderMicros: median(({ recorderMicros }) => recorderMicros),
    memoryMb: Math.max(...rounds.map(({ memoryMb }) => memoryMb)),
  };
}
