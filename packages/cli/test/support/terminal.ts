import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** From util-linux; other systems have a different program of this name. */
export const hasTerminal =
  spawnSync('script', ['--version']).stdout?.toString().includes('util-linux') ?? false;

/** Runs a shell command on a pseudo-terminal. */
export async function onTerminal(
  commandLine: string,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<{ readonly code: number; readonly output: string }> {
  const child = spawn('script', ['-qec', commandLine, '/dev/null'], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const output = Buffer.concat(await child.stdout.toArray()).toString();
  const [code] = await closed;
  return { code, output };
}
