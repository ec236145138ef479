import { cpus } from 'node:os';
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
  // a server accepts one new connection in each turn of its event loop: the last of many would wait
  // for seconds
  const pool = connectionsOf(request);
  // the caches of the processor are cold after another process ran
  await measure({ ...request, pool, seconds: Math.min(0.5, seconds) });
  const before = await child.usage();
  const load = await measure({ ...request, pool });
  // what is put off until nothing is asked is work too
  await untilQuiet([child], QUIET_WITHIN_MS);
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
/**
 * Of the time between two looks: less is idle. To ask an idle server takes up to 6 % on a slow
 * machine, and the system counts in steps of 10 ms.
 */
const IDLE_SHARE = { server: 0.1, core: 0.25 } as const;
/**
 * Looks in a row that must find all idle: what a server puts off begins a moment after its last
 * answer.
 */
const IDLE_LOOKS = 4;
const WITHIN_MS = { servers: 30_000, machine: 5_000 } as const;
/** How long after a load work of the server is counted. */
const QUIET_WITHIN_MS = 10_000;

/**
 * PostgreSQL tidies up on the core of the server that is measured next. What else keeps the machine
 * busy is waited for too, but not for long.
 */
async function untilIdle(servers: readonly Child[]): Promise<void> {
  const isIdle = await untilQuiet(servers, WITHIN_MS.servers, WITHIN_MS.machine);
  if (!isIdle) throw new Error('the servers did not become idle');
}

/**
 * @param machineWithinMs how long the rest of the machine is waited for too
 * @returns whether the servers had nothing to do in time
 */
async function untilQuiet(
  servers: readonly Child[],
  withinMs: number,
  machineWithinMs = 0,
): Promise<boolean> {
  const beginsAt = performance.now();
  let before = await look(servers);
  let idleLooks = 0;
  while (idleLooks < IDLE_LOOKS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const now = await look(servers);
    const waitedMs = now.at - beginsAt;
    if (waitedMs > withinMs) return false;
    const { serverShare, coreShare } = busyBetween(before, now, servers.length);
    const isIdle =
      serverShare < IDLE_SHARE.server &&
      (coreShare < IDLE_SHARE.core || waitedMs > machineWithinMs);
    idleLooks = isIdle ? idleLooks + 1 : 0;
    before = now;
  }
  return true;
}

interface Look {
  readonly at: number;
  /** CPU time so far: of the servers together, and of all programs on each core. */
  readonly serversMs: number;
  readonly coresMs: readonly number[];
}

async function look(servers: readonly Child[]): Promise<Look> {
  const usages = await Promise.all(servers.map(({ usage }) => usage()));
  return {
    at: performance.now(),
    serversMs: usages.reduce((sum, { cpuMicros }) => sum + cpuMicros / 1000, 0),
    coresMs: cpus().map(({ times }) => times.user + times.nice + times.sys + times.irq),
  };
}

/** Shares of the time: of a server on average, and of the busiest core. */
function busyBetween(before: Look, now: Look, servers: number) {
  const elapsedMs = now.at - before.at;
  const coresMs = now.coresMs.map((ms, core) => ms - (before.coresMs[core] ?? ms));
  return {
    serverShare: (now.serversMs - before.serversMs) / elapsedMs / servers,
    coreShare: Math.max(0, ...coresMs) / elapsedMs,
  };
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
