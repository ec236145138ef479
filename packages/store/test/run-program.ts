import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bundleForNode } from '@trawl/test-support/bundle-for-node';
import type { ProgramArguments } from './programs/arguments.ts';

export interface RunningProgram {
  readonly child: ChildProcess;
  /** Its lines so far. */
  readonly lines: readonly string[];
  /** Its output on standard error so far. */
  readonly errors: () => string;
  /** Resolves when it has printed this many lines or has ended. */
  printed(count: number): Promise<void>;
  /** Resolves with the exit code, null when it was killed, once all its lines are read. */
  readonly ended: Promise<number | null>;
}

/**
 * Runs one of `programs/` in its own process. `shellPrefix`: words before the command, such as a
 * limit.
 */
export async function runProgram(
  name: string,
  given: ProgramArguments,
  shellPrefix = '',
): Promise<RunningProgram> {
  const entry = await bundleForNode(new URL(`./programs/${name}.ts`, import.meta.url));
  const child = spawn(
    'sh',
    [
      '-c',
      `${shellPrefix} exec "$@"`,
      'sh',
      process.execPath,
      fileURLToPath(entry),
      JSON.stringify(given),
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const lines: string[] = [];
  const waiting = new Set<{ readonly count: number; readonly resolve: () => void }>();
  const notify = (all: boolean) => {
    for (const one of waiting) {
      if (!all && lines.length < one.count) continue;
      waiting.delete(one);
      one.resolve();
    }
  };
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => {
    lines.push(line);
    notify(false);
  });
  const ended = Promise.all([once(child, 'exit'), once(reader, 'close')]).then(([[code]]) => {
    notify(true);
    return typeof code === 'number' ? code : null;
  });
  return {
    child,
    lines,
    errors: () => errors,
    printed: (count) =>
      new Promise((resolve) => {
        waiting.add({ count, resolve });
        notify(child.exitCode !== null);
      }),
    ended,
  };
}
