import { execFile } from 'node:child_process';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hasWheelTools, PYTHON, runsPython } from '../../../scripts/wheel.ts';

export const HAS_PYTHON = runsPython('import sys; sys.exit(sys.version_info < (3, 9))');
export const HAS_WHEEL_TOOLS = HAS_PYTHON && hasWheelTools();

/** The client, and what stands in for the frameworks in its tests. */
export const PYTHON_SOURCES = ['src', 'tests/stand_ins']
  .map((folder) => fileURLToPath(new URL(`../../../clients/python/${folder}`, import.meta.url)))
  .join(delimiter);

/** Runs Python with only these variables. Returns its output. */
export async function python(
  arguments_: readonly string[],
  { cwd, environment = {} }: { cwd: string; environment?: Readonly<Record<string, string>> },
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const env = { PATH: process.env.PATH, HOME: cwd, PYTHONDONTWRITEBYTECODE: '1', ...environment };
  return promisify(execFile)(PYTHON, arguments_, { cwd, env, timeout: 120_000 });
}
