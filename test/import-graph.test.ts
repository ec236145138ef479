import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  levels,
  looseFiles,
  type Named,
  providerNames,
  providerSlugs,
  RULES,
  type Rule,
  testImports,
  urlParser,
} from './import-graph/rules.ts';
import { readSource, readSources, testTexts } from './import-graph/source.ts';

const SERVER = 'packages/server/src';
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The findings of a rule in a made-up tree. */
const breachesOf = (rule: Rule, tree: Record<string, string>): string[] =>
  rule(Object.entries(tree).map(([path, text]) => readSource(path, text)));

function namedPackages(): Named {
  const folder = join(ROOT, 'packages');
  return new Map(
    readdirSync(folder).map((name) => {
      const text = readFileSync(join(folder, name, 'package.json'), 'utf8');
      const { dependencies = {}, devDependencies = {} } = JSON.parse(text);
      return [name, new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)])];
    }),
  );
}

describe('this repository', () => {
  const sources = readSources(ROOT);

  test('its sources and their imports are found', () => {
    const contract = sources.find(({ path }) => path === 'packages/contract/src/index.ts');
    expect(contract?.imports).toContainEqual({ specifier: './routes/routes.ts' });
    expect(providerSlugs(sources).length).toBeGreaterThan(0);
  });

  test.each(Object.entries(RULES))('%s', (_, rule) => {
    expect(rule(sources)).toEqual([]);
  });

  test('tests import packages that the package.json of theirs names', () => {
    const tests = testTexts(ROOT);
    expect(tests.size).toBeGreaterThan(400);
    expect(testImports(namedPackages())(tests)).toEqual([]);
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
    expect(imports.map(({ specifier }) => specifier).toSorted()).toEqual(
      [...'abcdefghi'].map((name) => `./${name}.ts`),
    );
  });

  test('reads tsx', () => {
    const { imports } = readSource(
      'packages/console/src/x.tsx',
      `import { A } from './a.tsx'; export const b = <A href="x">text</A>;`,
    );
    expect(imports).toEqual([{ specifier: './a.tsx' }]);
  });

  test('refuses an import that it cannot follow', () => {
    const path = 'packages/server/src/x.ts';
    expect(() => readSource(path, 'import(name)')).toThrow(/plain string/);
    expect(() => readSource(path, `import('./' + name)`)).toThrow();
  });
});

test('a test may not import what its package does not name', () => {
  const named = new Map([['base', new Set(['@trawl/test-support'])]]);
  const tree = {
    'packages/base/test/a.test.ts': `import '@trawl/base'; import '@trawl/server';`,
    'packages/base/test/b.test.ts': `import '../src/x.ts'; import '@trawl/test-support/form';`,
    'test/d.test.ts': `import '@trawl/cli/testing';`,
  };
  expect(testImports(named)(new Map(Object.entries(tree)))).toEqual([
    'packages/base/test/a.test.ts: package.json of base does not name @trawl/server',
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
