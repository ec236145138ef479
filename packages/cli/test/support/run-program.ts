import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';

/** Runs a program of ours in an empty home, with these settings alone, until it ends. */
export async function runProgram(
  program: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, HOME: tmpdir(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = [child.stdout, child.stderr].map(async (stream) =>
    Buffer.concat(await stream.toArray()).toString(),
  );
  const [code] = await once(child, 'close');
  const [stdout = '', stderr = ''] = await Promise.all(texts);
  return { code, stdout, stderr };
}
