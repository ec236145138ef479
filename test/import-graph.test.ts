import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  cycles,
  environment,
  levels,
  libraries,
  looseFiles,
  packageEdges,
  providerNames,
  providerSlugs,
  RULES,
  type Rule,
  relativeImports,
  testImports,
  urlParser,
} from './import-graph/rules.ts';
import { readSource, readSources, readTests } from './import-graph/source.ts';

const SERVER = 'packages/server/src';

/** The findings of a rule in a made-up tree. */
const breachesOf = (rule: Rule, tree: Record<string, string>): string[] =>
  rule(Object.entries(tree).map(([path, text]) => readSource(path, text)));

describe('this repository', () => {
  const sources = readSources(fileURLToPath(new URL('..', import.meta.url)));

  test('its sources and their imports are found', () => {
    const contract = sources.find(({ path }) => path === 'packages/contract/src/index.ts');
    expect(contract?.imports).toContainEqual({ specifier: './routes/routes.ts', typeOnly: false });
    expect(providerSlugs(sources).length).toBeGreaterThan(0);
  });

  test.each(Object.entries(RULES))('%s', (_, rule) => {
    expect(rule(sources)).toEqual([]);
  });

  test('tests import other packages by their names, and only those below them', () => {
    const tests = readTests(fileURLToPath(new URL('..', import.meta.url)));
    expect(tests.length).toBeGreaterThan(400);
    expect(testImports(tests)).toEqual([]);
  });
});

describe('reading a source', () => {
  test('finds imports of every form', () => {
    const text = `
      import { a } from './a.ts';
      import type { B } from './b.ts';
      import './c.ts';
      export * from './d.ts';
      export type { E } from './e.ts';
      export { type F } from './f.ts';
      type G = import('./g.ts').G;
      const h = await import('./h.ts');
      const i = import(\`./i.ts\`);
      // import './comment.ts';
      const text = "import './string.ts'";
    `;
    const { imports } = readSource('packages/server/src/x.ts', text);
    expect(imports.map(({ specifier, typeOnly }) => specifier + (typeOnly ? ' type' : ''))).toEqual(
      [
        './a.ts',
        './b.ts type',
        './c.ts',
        './d.ts',
        './e.ts type',
        './f.ts',
        './g.ts type',
        './h.ts',
        './i.ts',
      ],
    );
  });

  test('reads tsx', () => {
    const { imports } = readSource(
      'packages/console/src/x.tsx',
      `import { A } from './a.tsx'; export const b = <A href="x">text</A>;`,
    );
    expect(imports).toEqual([{ specifier: './a.tsx', typeOnly: false }]);
  });

  test('refuses an import that it cannot follow', () => {
    const path = 'packages/server/src/x.ts';
    expect(() => readSource(path, 'import(name)')).toThrow(/plain string/);
    expect(() => readSource(path, `import('./' + name)`)).toThrow();
  });
});

test('a test may not import a file of another package, nor a package above its own', () => {
  const tree = {
    'packages/base/test/a.test.ts': `import '../../server/src/x.ts'; import '@trawl/server';`,
    'packages/base/test/b.test.ts': `import '../src/x.ts'; import '@trawl/test-support/form';`,
    'packages/server/test/c.test.ts': `import '@trawl/base/testing'; import '@trawl/upkeep';`,
    'test/d.test.ts': `import '@trawl/cli/testing'; import '../packages/cli/src/main.ts';`,
  };
  expect(breachesOf(testImports, tree)).toEqual([
    'packages/base/test/a.test.ts: ../../server/src/x.ts is in another package; import it by the name of the package',
    'packages/base/test/a.test.ts: tests of base may not import @trawl/server',
    'test/d.test.ts: ../packages/cli/src/main.ts is in another package; import it by the name of the package',
  ]);
});

describe('packages import only those below them', () => {
  test('an import that the table does not allow', () => {
    const tree = {
      'packages/contract/src/x.ts': `import { s } from '@trawl/server';`,
      'packages/providers/src/x.ts': `import type { C } from '@trawl/contract/routes';`,
      'packages/sandbox/src/x.ts': `export * from '@trawl/contract';`,
      'packages/server/src/x.ts': `const cli = await import('@trawl/cli');`,
      'packages/cli/src/x.ts': `import '@trawl/server'; import '@trawl/client';`,
    };
    expect(breachesOf(packageEdges, tree)).toEqual([
      'packages/contract/src/x.ts: contract may not import @trawl/server',
      'packages/sandbox/src/x.ts: sandbox may not import @trawl/contract',
      'packages/server/src/x.ts: server may not import @trawl/cli',
    ]);
  });

  test('a package may not import itself by its name', () => {
    const tree = { 'packages/server/src/x.ts': `import '@trawl/server/config';` };
    expect(breachesOf(packageEdges, tree)).toHaveLength(1);
  });

  test('the client imports only types', () => {
    const tree = {
      'packages/client/src/good.ts': `import type { A } from '@trawl/contract';`,
      'packages/client/src/bad.ts': `import { type A, B } from '@trawl/contract';`,
    };
    expect(breachesOf(packageEdges, tree)).toEqual([
      'packages/client/src/bad.ts: only types may be imported from @trawl/contract',
    ]);
  });

  test('the console imports values of those subpaths only that bring no schemas', () => {
    const tree = {
      'packages/console/src/a/good.ts': `import type { A } from '@trawl/contract/console'; import { B } from '@trawl/contract/limits';`,
      'packages/console/src/a/bad.ts': `import { C } from '@trawl/contract/console';`,
    };
    expect(breachesOf(packageEdges, tree)).toEqual([
      'packages/console/src/a/bad.ts: only types may be imported from @trawl/contract/console',
    ]);
  });

  test('a new package needs an entry', () => {
    const tree = { 'packages/extra/src/x.ts': `import 'node:fs';` };
    expect(breachesOf(packageEdges, tree)[0]).toContain('missing from PACKAGE_EDGES');
  });
});

test('no relative import leaves its package', () => {
  const tree = {
    'packages/server/src/search/x.ts': `import '../config.ts'; import '../../package.json';`,
    'packages/cli/src/x.ts': `import { a } from '../../server/src/config.ts';`,
  };
  expect(breachesOf(relativeImports, tree)).toEqual([
    'packages/cli/src/x.ts: ../../server/src/config.ts leaves the package',
  ]);
});

test('the router imports no HTTP or SQL, and only types of reader and topics', () => {
  const tree = {
    'packages/router/src/search/x.ts': `import '@trawl/store'; import '@trawl/server'; import 'hono';`,
    'packages/router/src/history/x.ts': `import type { Kysely } from 'kysely';`,
    'packages/router/src/fetch/good.ts': `import type { PageReader } from '@trawl/reader';`,
    'packages/router/src/fetch/x.ts': `import { openDirectReader } from '@trawl/reader';`,
  };
  expect([...breachesOf(packageEdges, tree), ...breachesOf(libraries, tree)]).toEqual([
    'packages/router/src/search/x.ts: router may not import @trawl/store',
    'packages/router/src/search/x.ts: router may not import @trawl/server',
    'packages/router/src/fetch/x.ts: only types may be imported from @trawl/reader',
    'packages/router/src/search/x.ts: hono belongs in packages/server/src/http/',
    'packages/router/src/history/x.ts: kysely belongs in packages/database/src/ or packages/store/src/ or packages/upkeep/src/',
  ]);
});

test('a source next to the folders of its package', () => {
  const tree = {
    'packages/router/src/index.ts': '',
    'packages/router/src/search/x.ts': '',
    'packages/router/src/x.ts': '',
  };
  expect(breachesOf(looseFiles, tree)).toHaveLength(1);
  expect(breachesOf(looseFiles, tree)[0]).toContain('packages/router/src/x.ts');
});

describe('levels of a package', () => {
  const chain = (folders: string) =>
    Object.fromEntries(
      [...folders].map((folder, at) => {
        const next = folders[at + 1];
        const text = next ? `import type { A } from '../${next}/x.ts';` : '';
        return [`packages/router/src/${folder}/x.ts`, text];
      }),
    );

  test('six are allowed, seven are not', () => {
    expect(breachesOf(levels, chain('abcdef'))).toEqual([]);
    expect(breachesOf(levels, chain('abcdefg'))).toEqual([
      'router is 7 levels deep: a → b → c → d → e → f → g',
    ]);
  });

  test('folders that import each other, even if only types', () => {
    const back = { 'packages/router/src/b/y.ts': `import type { A } from '../a/x.ts';` };
    expect(breachesOf(levels, { ...chain('ab'), ...back })).toEqual([
      'folders of router import each other: a → b → a',
    ]);
  });
});

test('each library stays in its folder', () => {
  const tree = {
    'packages/database/src/sqlite/x.ts': `import 'kysely'; import 'pg'; import '@photostructure/sqlite';`,
    'packages/store/src/readers/x.ts': `import type { Kysely } from 'kysely'; import 'pg';`,
    [`${SERVER}/http/x.ts`]: `import { Hono } from 'hono'; import '@hono/node-server';`,
    'packages/upstream/src/runner/x.ts': `import 'undici';`,
    'packages/reader/src/download/x.ts': `import 'undici';`,
    [`${SERVER}/auth/x.ts`]: `import type { Kysely } from 'kysely';`,
    'packages/router/src/search/x.ts': `import '@photostructure/sqlite'; import 'undici';`,
    'packages/cli/src/x.ts': `import 'hono/cors'; import 'pg-types';`,
  };
  expect(breachesOf(libraries, tree).map((breach) => breach.split(' belongs')[0])).toEqual([
    'packages/store/src/readers/x.ts: pg',
    `${SERVER}/auth/x.ts: kysely`,
    'packages/router/src/search/x.ts: @photostructure/sqlite',
    'packages/router/src/search/x.ts: undici',
    'packages/cli/src/x.ts: hono',
  ]);
});

describe('the environment is read in one place', () => {
  test.each([
    'const port = process.env.PORT;',
    `const port = process['env']['PORT'];`,
    'const all = { ...globalThis.process.env };',
    'const { env } = process;',
    `import { env } from 'node:process';`,
  ])('%s', (text) => {
    expect(breachesOf(environment, { [`${SERVER}/log.ts`]: text })).toHaveLength(1);
    expect(breachesOf(environment, { [`${SERVER}/config/config.ts`]: text })).toEqual([]);
    expect(breachesOf(environment, { 'packages/cli/src/main.ts': text })).toEqual([]);
  });

  test('other members of process, and other things called env, are allowed', () => {
    const text = `process.exit(1); const x = options.env; const { pid } = process; // process.env`;
    expect(breachesOf(environment, { [`${SERVER}/log.ts`]: text })).toEqual([]);
  });
});

test.each([
  'const url = URL.canParse(text) ? new URL(text) : null;',
  `globalThis.URL['canParse'](text);`,
  'const { canParse } = URL;',
])('URLs are parsed by new URL, not by %s', (text) => {
  expect(breachesOf(urlParser, { [`${SERVER}/x.ts`]: text })).toHaveLength(1);
  const good = '// URL.canParse\nconst url = new URL(text);';
  expect(breachesOf(urlParser, { [`${SERVER}/x.ts`]: good })).toEqual([]);
});

describe('no provider is named outside its declaration', () => {
  const declare = (slug: string) => ({
    [`packages/providers/src/${slug}/provider.ts`]: `export default defineProvider({});`,
  });
  const declarations = { ...declare('exa'), ...declare('brave'), ...declare('you') };
  const inServer = (text: string) =>
    breachesOf(providerNames, { ...declarations, [`${SERVER}/x.ts`]: text });

  test.each([
    `const isFirst = slug === 'exa';`,
    'const slug = `brave`;',
    `const set = 'exa,brave';`,
    'const table = { exa: 1 };',
    'table.brave;',
    `type Slug = 'you' | undefined;`,
    `const key = 'EXA_API_KEY';`,
    'environment.BRAVE_BASE_URL;',
  ])('%s', (text) => {
    expect(inServer(text)).toHaveLength(1);
  });

  test.each([
    '/* exa and you */ const a = 1; // brave',
    `const text = 'what you asked for';`,
    `const text = \`you \${name}\`; const more = 'you ' + name;`,
    'const example = 1;',
    `const key = 'SERVICE_API_KEY';`,
  ])('but %s', (text) => {
    expect(inServer(text)).toEqual([]);
  });

  test('neither shared folders of the declarations nor our own reader are slugs', () => {
    const tree = {
      'packages/providers/src/values/text.ts': 'export const a = 1;',
      'packages/providers/src/direct/provider.ts': 'export default defineOwnReader({});',
      'packages/providers/src/jina/provider.ts': 'export default defineProvider({});',
      [`${SERVER}/x.ts`]: `const a = ['text', 'direct', 'jina'];`,
    };
    expect(breachesOf(providerNames, tree)).toEqual([`${SERVER}/x.ts: 'jina' names a provider`]);
  });

  test('the sandbox may name them', () => {
    const tree = { ...declarations, 'packages/sandbox/src/x.ts': `const slug = 'exa';` };
    expect(breachesOf(providerNames, tree)).toEqual([]);
  });
});

describe('no files import each other in a circle', () => {
  test('the circle is shown', () => {
    const tree = {
      [`${SERVER}/a.ts`]: `import './b.ts';`,
      [`${SERVER}/b.ts`]: `import { c } from './deep/c.ts';`,
      [`${SERVER}/deep/c.ts`]: `export * from '../a.ts';`,
    };
    expect(breachesOf(cycles, tree)).toEqual([
      `import cycle: ${SERVER}/a.ts → ${SERVER}/b.ts → ${SERVER}/deep/c.ts → ${SERVER}/a.ts`,
    ]);
  });

  test('an import of a type does not close a cycle', () => {
    const tree = {
      [`${SERVER}/a.ts`]: `import { b } from './b.ts';`,
      [`${SERVER}/b.ts`]: `import type { A } from './a.ts';`,
    };
    expect(breachesOf(cycles, tree)).toEqual([]);
  });

  test('two paths to one file are not a cycle', () => {
    const tree = {
      [`${SERVER}/a.ts`]: `import './b.ts'; import './c.ts';`,
      [`${SERVER}/b.ts`]: `import './c.ts';`,
      [`${SERVER}/c.ts`]: 'export const c = 1;',
    };
    expect(breachesOf(cycles, tree)).toEqual([]);
  });
});
