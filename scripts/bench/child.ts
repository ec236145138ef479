import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

export interface Usage {
  /** CPU time of all threads so far. */
  readonly cpuMicros: number;
  /** By thread id, the main thread first; empty where the system does not report it. */
  readonly threadMicros: readonly (readonly [id: string, micros: number])[];
  readonly memoryMb: number;
}

export interface Old {
  readonly bytes: number;
  /** Full collections since the one of `collect`. */
  readonly collections: number;
}

export interface Child {
  readonly url: string;
  readonly usage: () => Promise<Usage>;
  /** Of objects that only a full garbage collection removes. */
  readonly old: () => Promise<Old>;
  /** Makes a full collection. @returns what is left */
  readonly collect: () => Promise<Old>;
  readonly stop: () => void;
}

/** The core of the servers; the load and the stub have the other one. */
export const SERVER_CORE = 0;
const LOAD_CORE = 1;

/**
 * Gives this process a core of its own. false where that is not possible: then all processes share
 * all cores.
 */
export function pinLoad(): boolean {
  if (availableParallelism() < 2) return false;
  try {
    execFileSync('taskset', ['-acp', String(LOAD_CORE), String(process.pid)], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** What `npm start` gives to the engine. The working directory is the root of the repository. */
export const START_FLAGS: readonly string[] =
  JSON.parse(readFileSync('package.json', 'utf8')).scripts.start.match(/--\S+/g) ?? [];

/**
 * Starts a script that reports `{url}` and answers questions over its channel (see report.mjs).
 * @param core null = wherever this process may run
 * @param flags of the engine
 */
export async function startChild(
  script: string,
  environment: Record<string, string>,
  core: number | null,
  flags: readonly string[] = [],
): Promise<Child> {
  const command = [process.execPath, ...flags, script];
  const [program = '', ...args] =
    core === null ? command : ['taskset', '-c', String(core), ...command];
  const child = spawn(program, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const { url } = (await message(child)) as { url: string };
  const ask = async <Answer>(wanted: 'usage' | 'old' | 'collect'): Promise<Answer> => {
    child.send(wanted);
    return (await message(child)) as Answer;
  };
  return {
    url,
    usage: () => ask<Usage>('usage'),
    old: () => ask<Old>('old'),
    collect: () => ask<Old>('collect'),
    stop: () => void child.kill('SIGKILL'),
  };
}

async function message(child: ChildProcess): Promise<unknown> {
  const answered = new AbortController();
  const { signal } = answered;
  const exited = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`a bench process ended with ${code}`);
  });
  try {
    const [received] = await Promise.race([once(child, 'message', { signal }), exited]);
    return received;
  } finally {
    exited.catch(() => undefined);
    answered.abort();
  }
}
