import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const TURNS = 9;
/** Of a tick in /proc. */
const TICK_MS = 10;
const LOOK_MS = 5;
const PORT = 20_000 + (process.pid % 10_000);

/** One start. */
interface Started {
  readonly wallMs: number;
  /** User and system, of all threads; 0 where the system has no /proc. */
  readonly cpuMs: number;
}

/** CPU time so far: of a process, or with `self` of all children of this one that have ended. */
function cpuMsOf(id: number | 'self'): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0] = fields.slice(id === 'self' ? 13 : 11).map(Number);
  return (user + system) * TICK_MS;
}

function runOnce(args: readonly string[]): Started {
  const [startedAt, before] = [performance.now(), cpuMsOf('self')];
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`);
  return { wallMs: performance.now() - startedAt, cpuMs: cpuMsOf('self') - before };
}

/** A server with a new database, until it is ready. */
async function serveOnce(args: readonly string[]): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-start-'));
  const own = { PORT: String(PORT), DATA_DIR: folder, LOG_LEVEL: 'error' };
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...args, 'serve'], {
    env: { ...process.env, ...own },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const isReady = () =>
    fetch(`http://127.0.0.1:${PORT}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    await pause(LOOK_MS);
  }
  const started = { wallMs: performance.now() - startedAt, cpuMs: cpuMsOf(child.pid ?? 'self') };
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await ended;
  rmSync(folder, { recursive: true, force: true });
  return started;
}

/**
 * How long the program needs to start, next to `node -e 0`: the least of several turns, so that
 * what disturbs the machine counts little. The package starts `dist`; a clone looks first whether
 * its build is current.
 */
export async function startTable(): Promise<readonly string[]> {
  const [dist, clone] = [[join('dist', 'trawl.js')], [join('scripts', 'run.cjs')]];
  const kinds: readonly (readonly [name: string, once: () => Started | Promise<Started>])[] = [
    ['`node -e 0`', () => runOnce(['-e', '0'])],
    ['`trawl --help`', () => runOnce([...dist, '--help'])],
    ['`trawl --help` of a clone', () => runOnce([...clone, '--help'])],
    ['`trawl serve`, until it is ready', () => serveOnce(dist)],
    ['`trawl serve` of a clone', () => serveOnce(clone)],
  ];
  const least = new Map<string, Started>();
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [name, once] of kinds) {
      const { wallMs, cpuMs } = await once();
      const known = least.get(name) ?? { wallMs, cpuMs };
      const wall = Math.min(known.wallMs, wallMs);
      least.set(name, { wallMs: wall, cpuMs: Math.min(known.cpuMs, cpuMs) });
    }
  }
  const [floor = { wallMs: 1, cpuMs: 1 }] = least.values();
  const cell = (value: number, of: number) => `${value.toFixed(0)} | ${(value / of).toFixed(1)}`;
  const rows = [...least].map(
    ([name, { wallMs, cpuMs }]) =>
      `| ${name} | ${cell(wallMs, floor.wallMs)} | ${cell(cpuMs, floor.cpuMs)} |`,
  );
  return ['| start | ms | times | CPU ms | times |', '| --- | --- | --- | --- | --- |', ...rows];
}
