import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * The system's Python rather than one of a version manager: it is the one with the system's
 * packages.
 */
export const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';

const runs = (code: string): boolean => {
  try {
    execFileSync(PYTHON, ['-c', code], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

export const HAS_PYTHON = runs('import sys; sys.exit(sys.version_info < (3, 9))');
/** setuptools first: it refuses to follow pip. */
export const HAS_WHEEL_TOOLS = HAS_PYTHON && runs('import setuptools, wheel, pip');

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
