import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './source-files.mjs';

/**
 * The system's Python rather than one of a version manager: it is the one with the system's
 * packages.
 */
export const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';

/** Whether Python runs this code. */
export function runsPython(code: string): boolean {
  try {
    execFileSync(PYTHON, ['-c', code], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Whether a wheel can be built without a network. setuptools first: it refuses to follow pip. */
export const hasWheelTools = (): boolean => runsPython('import setuptools, wheel, pip');

/**
 * Builds the wheel of the Python client into a folder; without the system's setuptools, pip gets it
 * from its index.
 */
export function packWheel(folder: string): void {
  const sources = mkdtempSync(join(tmpdir(), 'trawl-wheel-'));
  try {
    // a build leaves files next to the sources
    cpSync(join(ROOT, 'clients/python'), sources, { recursive: true });
    const tools = hasWheelTools() ? ['--no-index', '--no-build-isolation'] : [];
    const args = ['wheel', '--quiet', '--no-deps', ...tools, '--wheel-dir', folder, sources];
    execFileSync(PYTHON, ['-m', 'pip', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  } finally {
    rmSync(sources, { recursive: true, force: true });
  }
}
