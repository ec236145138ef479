import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { BROWSER_ENVIRONMENT } from './browser-process.ts';

const VERSION_TIMEOUT_MS = 15_000;

/**
 * Why pages cannot be rendered with this browser, as far as can be checked without starting it;
 * null = no problem found.
 */
export async function browserProblem(path: string, hasSandbox: boolean): Promise<string | null> {
  if (hasSandbox && process.getuid?.() === 0) {
    return 'Chromium does not run as root with its sandbox: run the server as another user, or set DIRECT_BROWSER_SANDBOX=off';
  }
  try {
    await import('playwright-core');
  } catch {
    return 'the optional package playwright-core is not installed';
  }
  try {
    const options = { env: BROWSER_ENVIRONMENT, timeout: VERSION_TIMEOUT_MS };
    const { stdout } = await promisify(execFile)(path, ['--version'], options);
    return /\d{1,6}\.\d{1,6}\.\d{1,6}\.\d/.test(stdout) ? null : 'its program is not Chromium';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return 'the file does not exist';
    return code === 'EACCES' ? 'the file is not executable' : 'its program does not run';
  }
}
