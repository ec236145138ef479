import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

test('npm ci links the command of a clone, so that npx finds it', async () => {
  const command = fileURLToPath(new URL('../../../node_modules/.bin/trawl', import.meta.url));
  const { stdout } = await run(command, ['--help'], { cwd: tmpdir() });
  expect(stdout).toContain('$ npx trawl search');
  const npx = await run('npx', ['--no-install', 'trawl', '--version'], { cwd: ROOT });
  expect(npx.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
}, 120_000);
