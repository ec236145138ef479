import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MadeUpRepository } from './support/made-up-repository.ts';

const MAIN = 'packages/cli/src/main.ts';
const command = (word: string) => `
  console.log(JSON.stringify({ word: '${word}', args: process.argv.slice(2) }));
  if (process.argv.includes('fail')) process.exitCode = 3;
  if (process.argv.includes('wait')) process.kill(process.pid, 'SIGTERM');`;

let repository: MadeUpRepository;
beforeEach(() => {
  repository = new MadeUpRepository({ [MAIN]: command('first') });
});
afterEach(() => repository.remove());

describe('with everything installed', () => {
  beforeEach(() => repository.install('esbuild'));

  test('builds, then passes arguments, output and exit code through', async () => {
    const first = await repository.run('run.mjs', ['search', '--json', 'fail']);
    expect(JSON.parse(first.stdout)).toEqual({ word: 'first', args: ['search', '--json', 'fail'] });
    expect(first.stderr).toMatch(/^built dist\/trawl\.js/);
    expect(first.code).toBe(3);
  });

  test('builds again only when a source has changed', async () => {
    await repository.run('run.mjs');
    expect((await repository.run('run.mjs')).stderr).toBe('');
    repository.write(MAIN, command('second'));
    const changed = await repository.run('run.mjs');
    expect(changed.stderr).toMatch(/^built/);
    expect(changed.stdout).toContain('second');
    repository.remove('dist/trawl.js');
    expect((await repository.run('run.mjs')).stdout).toContain('second');
  });

  test('a signal ends the command itself', async () => {
    expect((await repository.run('run.mjs', ['wait'])).signal).toBe('SIGTERM');
  });

  test('run.cjs does the same, with enough threads for slow name servers', async ({ skip }) => {
    skip(process.platform !== 'linux', 'counts threads as Linux lists them');
    repository.write(
      MAIN,
      `import { lookup } from 'node:dns/promises';
      import { readdirSync } from 'node:fs';
      await lookup('localhost');
      console.log(process.argv[2], readdirSync('/proc/self/task').length);`,
    );
    const { stdout } = await repository.run('run.cjs', ['word']);
    const [word, threads] = stdout.trim().split(' ');
    expect(word).toBe('word');
    expect(Number(threads)).toBeGreaterThanOrEqual(16);
    const chosen = await repository.run('run.cjs', ['word'], { UV_THREADPOOL_SIZE: '2' });
    expect(Number(chosen.stdout.trim().split(' ')[1])).toBeLessThan(16);
  });

  test('a failed build is reported, and nothing runs', async () => {
    await repository.run('run.mjs');
    repository.write(MAIN, 'const = 1;');
    const { code, stdout, stderr } = await repository.run('run.mjs');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`${MAIN}:1:6`);
  });

  test('a missing dependency is named', async () => {
    repository.write(MAIN, `import 'not-installed';`);
    const { code, stderr } = await repository.run('run.mjs');
    expect(code).toBe(1);
    expect(stderr).toContain('the package not-installed is not installed: run npm ci');
  });
});

test('without node_modules', async () => {
  const { code, stderr } = await repository.run('run.mjs');
  expect(code).toBe(1);
  expect(stderr).toBe('trawl: node_modules is missing: run npm ci first\n');
});

test('without esbuild an existing build runs, and a missing one is reported', async () => {
  repository.install('zod');
  const { code, stderr } = await repository.run('run.mjs');
  expect(code).toBe(1);
  expect(stderr).toContain('esbuild, which builds it, is not installed');
  repository.write('dist/trawl.js', `console.log('as shipped');`);
  expect(await repository.run('run.mjs')).toMatchObject({ code: 0, stdout: 'as shipped\n' });
});

test('an old Node.js is reported', async () => {
  const manifest = JSON.parse(readFileSync(join(repository.root, 'package.json'), 'utf8'));
  repository.write('package.json', JSON.stringify({ ...manifest, engines: { node: '>=99.1.0' } }));
  const { code, stderr } = await repository.run('run.mjs');
  expect(code).toBe(1);
  expect(stderr).toBe(
    `trawl: Node.js 99.1.0 or newer is needed, this is ${process.versions.node}\n`,
  );
});
