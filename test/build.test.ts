import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile } from 'esbuild';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { build } from '../scripts/build.mjs';
import { MadeUpRepository } from './support/made-up-repository.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

let repository: MadeUpRepository | undefined;
afterEach(() => repository?.remove());

const FILES = {
  'packages/cli/src/main.ts': `
    import { greeting } from '@trawl/contract';
    import { pino } from 'pino';
    if (process.argv[2] === 'later') (await import('./later.ts')).run();
    if (process.argv[2] === 'evaluate') await import('@trawl/evaluate/program');
    export const name: string = greeting + typeof pino;`,
  'packages/cli/src/later.ts': `
    import { greeting } from '@trawl/contract';
    export const run = () => console.log('loaded when needed', greeting);`,
  'packages/contract/package.json': '{ "type": "module", "exports": { ".": "./src/index.ts" } }',
  'packages/contract/src/index.ts': `export const greeting = 'from our package';`,
  'packages/evaluate/src/main.ts': `export const program = 'evaluate';`,
  'packages/store/src/recorder/recorder-worker.ts': `export const worker = 'worker';`,
  'packages/reader/src/threads/extract-worker.ts': `export const worker = 'worker';`,
};

test('our packages are bundled, third-party ones are not, and dynamic imports become their own chunks', async () => {
  repository = new MadeUpRepository(FILES);
  const { root } = repository;
  repository.install('@trawl/contract', join(root, 'packages/contract'));
  const { line, missing } = await build({ root });
  const command = readFileSync(join(root, 'dist/trawl.js'), 'utf8');
  const chunks = readdirSync(join(root, 'dist/chunks')).filter((name) => name.endsWith('.js'));
  const allChunks = chunks.map((name) => readFileSync(join(root, 'dist/chunks', name), 'utf8'));

  expect(line).toMatch(
    /^built dist\/trawl\.js, dist\/evaluate\.js, dist\/recorder-worker\.js, dist\/extract-worker\.js in \d+ ms$/,
  );
  expect(missing).toEqual([]);
  expect(command).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect(statSync(join(root, 'dist/trawl.js')).mode & 0o111).toBe(0o111);
  expect(command).toContain('from "pino"');
  expect(command).not.toContain('@trawl/contract');
  // installed or not: Node.js looks it up when it runs
  expect(command).toContain('import("@trawl/evaluate/program")');
  expect(command).not.toContain('loaded when needed');
  expect(allChunks.join()).toContain('from our package');
  expect(existsSync(join(root, 'dist/recorder-worker.js.map'))).toBe(true);
});

test('replaced files stay for an hour, since a running server may still load them', async () => {
  const later = (text: string) => `export const run = () => console.log('${text}');`;
  repository = new MadeUpRepository({
    'packages/cli/src/main.ts': `if (process.argv[2] === 'later') (await import('./later.ts')).run();`,
    'packages/cli/src/later.ts': later('first'),
  });
  const { root } = repository;
  const chunks = join(root, 'dist/chunks');
  const laterChunks = () => readdirSync(chunks).filter((name) => /^later-\w+\.js$/.test(name));
  const age = (name: string) => utimesSync(join(chunks, name), 0, 0);
  await build({ root });
  const [first = ''] = laterChunks();
  age(first);
  repository.write('packages/cli/src/later.ts', later('second'));
  await build({ root });
  expect(laterChunks()).toHaveLength(2);
  expect(Date.now() - statSync(join(chunks, first)).mtimeMs).toBeLessThan(3600 * 1000);
  age(first);
  repository.write('packages/cli/src/later.ts', later('third'));
  await build({ root });
  expect(laterChunks()).toHaveLength(2);
  expect(laterChunks()).not.toContain(first);
});

test('the topic model is copied, and both the command and dynamic imports find it', async () => {
  const loader = join(ROOT, 'packages/topics/src/classifier/load-model.ts');
  const load = `import { loadTopicModel } from ${JSON.stringify(loader)};
    export const version = () => loadTopicModel().version;`;
  repository = new MadeUpRepository({
    'packages/cli/src/main.ts': `${load}
      if (process.argv[2] === 'later') console.log((await import('./later.ts')).version());
      else console.log(version());`,
    'packages/cli/src/later.ts': load,
  });
  for (const name of ['@trawl/contract', 'zod', 'esbuild']) repository.install(name);
  const model = 'packages/topics/src/classifier/model.bin';
  cpSync(join(ROOT, model), join(repository.root, model));
  const { version } = JSON.parse(readFileSync(join(ROOT, model.replace('bin', 'json')), 'utf8'));
  expect((await repository.run('run.mjs')).stdout).toBe(`${version}\n`);
  expect((await repository.run('run.mjs', ['later'])).stdout).toBe(`${version}\n`);
});

test('the source map counts the shebang line', async () => {
  repository = new MadeUpRepository({ 'packages/cli/src/main.ts': `\n\nthrow new Error('here');` });
  await build({ root: repository.root });
  const program = join(repository.root, 'dist', 'trawl.js');
  const { stderr } = spawnSync(process.execPath, ['--enable-source-maps', program], {
    encoding: 'utf8',
  });
  expect(stderr).toMatch(/packages\/cli\/src\/main\.ts:3/);
});

test('an error in a source is reported with its place', async () => {
  repository = new MadeUpRepository({ 'packages/cli/src/main.ts': 'const = 1;' });
  repository.install('esbuild');
  const { code, stdout, stderr } = await repository.run('build.mjs');
  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toContain('packages/cli/src/main.ts:1:6');
});

describe('dist, as it is built', () => {
  let outputs: Metafile['outputs'];
  beforeAll(async () => {
    ({ outputs } = (await build({ root: ROOT })).metafile);
  });

  test('every third-party package that it imports is installed where it is found', () => {
    const names = Object.values(outputs)
      .flatMap((output) => output.imports.filter((edge) => edge.external))
      .map((edge) => /^(?:@[^/]+\/)?[^/]+/.exec(edge.path)?.[0] ?? '')
      .filter((name) => !name.startsWith('node:'));
    const nested = [...new Set(names)].filter(
      (name) => !existsSync(join(ROOT, 'node_modules', name)),
    );
    expect(nested).toEqual([]);
  });

  /** The packages whose code an entry loads when it starts, and with it at any later time. */
  function packagesOf(entry: string, when: 'at once' | 'ever'): readonly string[] {
    const loaded = new Set([`dist/${entry}.js`]);
    // a Set hands out what is added meanwhile
    for (const path of loaded) {
      for (const { path: next, kind, external } of outputs[path]?.imports ?? []) {
        if (!external && (when === 'ever' || kind === 'import-statement')) loaded.add(next);
      }
    }
    const inputs = [...loaded].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
    const names = inputs.map((path) => /^(?:packages|node_modules)\/([^/]+)/.exec(path)?.[1] ?? '');
    return [...new Set(names)].toSorted();
  }

  // each command and each thread waits for what it loads: schemas alone take 0.1 s
  test.each([
    ['trawl', ['base', 'cli', 'client', 'commander', 'contract', 'uuid']],
    ['recorder-worker', ['base', 'contract', 'database', 'kysely', 'store', 'uuid']],
    [
      'extract-worker',
      ['base', 'contract', 'entities', 'extract', 'parse5', 'providers', 'reader', 'uuid'],
    ],
  ])('%s starts with the code that every start needs', (entry, packages) => {
    expect(packagesOf(entry, 'at once')).toEqual(packages);
  });

  test.each(['recorder-worker', 'extract-worker'])('%s never loads the schemas', (entry) => {
    expect(packagesOf(entry, 'ever')).not.toContain('zod');
  });
});

describe('the library that signs people in', () => {
  const LIBRARY = 'node_modules/better-auth';
  const install = (made: MadeUpRepository) => {
    const manifest = { name: 'better-auth', version: '1.2.3', license: 'MIT', type: 'module' };
    made.write(`${LIBRARY}/package.json`, JSON.stringify({ ...manifest, exports: './index.js' }));
    made.write(
      `${LIBRARY}/index.js`,
      `import { z } from 'zod'; export const name = 'bundled' + typeof z;`,
    );
    made.write(`${LIBRARY}/LICENSE.md`, 'Permission is granted to everyone.');
  };
  const built = (made: MadeUpRepository) => readFileSync(join(made.root, 'dist/trawl.js'), 'utf8');

  test('is bundled with its licence, like the libraries of many files', async () => {
    repository = new MadeUpRepository({
      'packages/cli/src/main.ts': `import { name } from 'better-auth'; console.log(name);`,
    });
    repository.install('esbuild');
    repository.install('zod');
    install(repository);
    expect((await repository.run('run.mjs')).stdout).toBe('bundledobject\n');
    expect(built(repository)).not.toMatch(/from ?"(?:zod|better-auth)"/);
    const licences = readFileSync(join(repository.root, 'dist/LICENSES.txt'), 'utf8');
    expect(licences).toContain('better-auth 1.2.3 (MIT)\n\nPermission is granted to everyone.\n');
    expect(licences).toMatch(/^zod 4\..* \(MIT\)$/m);
  });

  test('stays in the bundle when it is removed, and is added once it is installed', async () => {
    repository = new MadeUpRepository({
      'packages/cli/src/main.ts': `
        console.log(await import('better-auth').then(({ name }) => name, () => 'missing'));`,
      'package-lock.json': '{}',
    });
    repository.install('esbuild');
    repository.install('zod');
    expect((await repository.run('run.mjs')).stdout).toBe('missing\n');
    expect((await repository.run('run.mjs')).stderr).toBe('');
    install(repository);
    expect(await repository.run('run.mjs')).toMatchObject({
      stdout: 'bundledobject\n',
      stderr: expect.stringMatching(/^built dist/),
    });
    // as npm prune --omit=dev does
    repository.remove(LIBRARY);
    repository.write('package-lock.json', '{}');
    expect(await repository.run('run.mjs')).toMatchObject({
      stdout: 'bundledobject\n',
      stderr: '',
    });
  });
});

describe('the console', () => {
  const CONSOLE = {
    'packages/cli/src/main.ts': `console.log('run');`,
    'packages/console/package.json': '{ "devDependencies": { "made-up-library": "1.0.0" } }',
    'packages/console/index.html': '<script type="module" src="./src/main.tsx"></script>',
    'packages/console/vite.config.ts': `export default { base: '/console/', build: { manifest: true } };`,
    'packages/console/src/main.tsx': `import { name } from 'made-up-library'; document.title = name;`,
  };
  const installed = (...names: string[]) => {
    repository = new MadeUpRepository(CONSOLE);
    for (const name of ['esbuild', 'vite', ...names]) repository.install(name);
    return repository;
  };
  const library = (made: MadeUpRepository) => {
    const folder = 'node_modules/made-up-library';
    made.write(`${folder}/package.json`, '{ "type": "module", "exports": "./index.js" }');
    made.write(`${folder}/index.js`, `export const name = 'from the library';`);
  };
  const table = (made: MadeUpRepository) => {
    const text = readFileSync(join(made.root, 'dist/console/site.json'), 'utf8');
    return JSON.parse(text) as { readonly routes: Record<string, { readonly file: string }> };
  };

  test('is bundled with its libraries, and only again when it changes', async () => {
    const made = installed();
    library(made);
    expect((await made.run('run.mjs')).stdout).toBe('run\n');
    const [[path, { file }] = ['', { file: '' }]] = Object.entries(table(made).routes);
    expect(path).toMatch(/^\/console\/assets\/.+\.js$/);
    const script = readFileSync(join(made.root, 'dist/console/files', file), 'utf8');
    expect(script).toContain('from the library');
    expect(existsSync(join(made.root, 'dist/console/files', `${file}.br`))).toBe(true);
    expect((await made.run('run.mjs')).stderr).toBe('');

    made.write('packages/console/src/main.tsx', `document.title = 'changed';`);
    expect((await made.run('run.mjs')).stderr).toMatch(/^built dist\/console in \d+ ms\n$/);
    expect(Object.keys(table(made).routes)).not.toContain(path);
  });

  test('is left out without its libraries, which the build says once', async () => {
    const made = installed();
    const first = await made.run('run.mjs');
    expect([first.code, first.stdout]).toEqual([0, 'run\n']);
    expect(first.stderr).toContain('(console: left out, made-up-library is not installed;');
    expect(existsSync(join(made.root, 'dist/console'))).toBe(false);
    expect((await made.run('run.mjs')).stderr).toBe('');
    library(made);
    expect((await made.run('run.mjs')).stderr).toMatch(/^built dist\/console in \d+ ms\n$/);
  });

  test('an error in a page fails the build with its place', async () => {
    const made = installed();
    library(made);
    made.write('packages/console/src/main.tsx', 'const = 1;');
    const { code, stderr } = await made.run('build.mjs');
    expect(code).toBe(1);
    expect(stderr).toContain('packages/console/src/main.tsx');
  });
});
