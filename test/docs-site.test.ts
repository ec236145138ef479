import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildOutdated } from '../scripts/build.mjs';
import { buildSite } from '../scripts/docs-site/build-site.mjs';
import { MadeUpRepository, type Outcome } from './support/made-up-repository.ts';

/** Generous: a build in its own process, on a busy machine. */
const LIMIT_MS = 120_000;

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The HTML pages of a built site by their address. */
function htmlPages(folder: string): Map<string, string> {
  const { routes } = JSON.parse(readFileSync(join(folder, 'site.json'), 'utf8'));
  const entries = Object.entries<{ file: string }>(routes);
  return new Map(
    entries
      .filter(([, { file }]) => file.endsWith('.html'))
      .map(([path, { file }]) => [path, readFileSync(join(folder, 'files', file), 'utf8')]),
  );
}

describe('the documentation of this repository', () => {
  test('every page is in the navigation once, and provider pages are together', () => {
    const { groups } = JSON.parse(readFileSync(join(ROOT, 'docs/navigation.json'), 'utf8')) as {
      groups: { title: string; pages: { file: string }[] }[];
    };
    const named = groups.flatMap(({ pages: list }) => list.map(({ file }) => file));
    const files = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
    const written = files.filter((name) => name.endsWith('.md'));
    expect(named.filter((name) => !name.startsWith('../')).sort()).toEqual(written.sort());
    const providers = groups.find(({ title }) => title === 'Providers')?.pages ?? [];
    expect(providers.map(({ file }) => file)).toEqual(
      expect.arrayContaining(written.filter((name) => name.startsWith('providers'))),
    );
  });

  test('it has no missing page and no broken link', async () => {
    // a run of tests has built it; with a problem it is built and reported again
    expect(await buildOutdated()).not.toContain('(docs: ');
  });
});

describe('a made-up repository', () => {
  let repository: MadeUpRepository | undefined;
  afterEach(() => repository?.remove());

  const PAGES = {
    'docs/navigation.json': JSON.stringify({
      groups: [
        {
          title: 'All',
          pages: [
            { file: 'README.md', title: 'Start' },
            { file: 'deep/page.md', title: 'Deep' },
            { file: '../CHANGELOG.md', title: 'Changes' },
          ],
        },
      ],
    }),
    'docs/README.md': '# Start\n\nHello. See [deep](deep/page.md#a-b).\n',
    'docs/deep/page.md': '# Deep\n\n## A & b\n',
    'CHANGELOG.md': '# Changes\n\nIn [deep](docs/deep/page.md), [front](README.md).\n',
    'README.md': '# Front\n',
  };

  async function rendered(markdown: string) {
    repository = new MadeUpRepository({ ...PAGES, 'docs/deep/page.md': markdown });
    const folder = join(repository.root, 'site');
    const { problems } = await buildSite({ root: repository.root, folder });
    const pages = htmlPages(folder);
    const html = pages.get('/docs/deep/page') ?? '';
    return { pages, problems, main: html.slice(html.indexOf('<main')) };
  }

  test('anchors are those of GitHub', async () => {
    const { main } = await rendered(
      '# Deep\n\n## `trawl keys`: make & list!\n\n## Über_uns 2.5\n\n## Again\n\n## Again\n\n## Again 1\n',
    );
    expect([...main.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id)).toEqual([
      'trawl-keys-make--list',
      'über_uns-25',
      'again',
      'again-1',
      'again-1-1',
    ]);
  });

  test('HTML in a page is shown as text, and our markers are removed', async () => {
    const { main } = await rendered(
      '# Deep\n\n<!-- generated: x -->\n| A | B |\n| --- | --- |\n| 1 | <b>2</b> |\n<!-- end -->\n\n<script>alert(1)</script>\n\n```html\n<i>\n```\n',
    );
    expect(main).not.toMatch(/<!--|<script|<b>|<i>|generated/);
    expect(main).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(main).toContain('<td>&lt;b&gt;2&lt;/b&gt;</td>');
  });

  test('links between files become links of the site; a broken link becomes text and is reported', async () => {
    const { pages, problems, main } = await rendered(
      '# Deep\n\n[start](../README.md) [changes](../../CHANGELOG.md#x) [gone](gone.md) [bad](javascript:alert) [out](https://example.com/?a=1&b=2)\n',
    );
    expect(main).toContain('<a href="/docs">start</a>');
    expect(main).toContain('<a href="/docs/project/changelog#x">changes</a>');
    expect(main).toContain('<a href="https://example.com/?a=1&amp;b=2">out</a>');
    expect(main).not.toMatch(/gone\.md|javascript:/);
    expect(problems).toEqual([
      'docs/deep/page.md links to gone.md, which is not a page',
      'docs/deep/page.md links to javascript:alert, which is not a page',
    ]);
    expect(pages.get('/docs/project/changelog')).toContain('<a href="/docs">front</a>');
  });

  test('code is highlighted, and so is our short form of a request', async () => {
    const { main } = await rendered(
      '# Deep\n\n```http\nPOST /v1/search\n{"a": true}\n```\n\n```ts\nconst a = 1;\n```\n\n```nolang\na < b\n```\n',
    );
    expect(main).toContain('<span class="hljs-keyword">POST</span>');
    expect(main).toContain('<span class="hljs-attr">&quot;a&quot;</span>');
    expect(main).toContain('<span class="hljs-keyword">const</span>');
    expect(main).toContain('a &lt; b');
  });

  // by its path: a package lets others import its index alone, which would bring the whole server
  const BUILT_FILES = JSON.stringify(join(ROOT, 'packages/server/src/sites/built-files.ts'));
  const MAIN = `import { builtFolder, readBuiltFiles } from ${BUILT_FILES};
    if (process.argv[2] === 'later') await import('./later.ts');
    const folder = builtFolder('docs');
    const { routes } = folder ? await readBuiltFiles(folder) : { routes: new Map() };
    console.log(routes.has('/docs/deep/page'), routes.has('/docs/more'));`;
  const LATER = `import { builtFolder } from ${BUILT_FILES}; console.log(builtFolder('docs'));`;
  const PACKAGES = ['marked', 'highlight.js', 'minisearch'];
  const withProgram = (...names: string[]) => {
    const made = new MadeUpRepository({
      ...PAGES,
      'packages/cli/src/main.ts': MAIN,
      'packages/cli/src/later.ts': LATER,
    });
    for (const name of ['esbuild', 'zod', ...names]) made.install(name);
    return made;
  };

  describe('with its packages', () => {
    let made: MadeUpRepository;
    let first: Outcome;
    beforeAll(async () => {
      made = withProgram(...PACKAGES);
      first = await made.run('run.mjs');
    }, LIMIT_MS);
    afterAll(() => made.remove());

    /** As it was in the beginning. */
    async function restore(): Promise<void> {
      made.remove('docs/more.md');
      made.remove('dist/docs');
      for (const [path, text] of Object.entries(PAGES)) made.write(path, text);
      await made.run('run.mjs');
    }

    test(
      'the program finds the built pages, and a changed page is built again and nothing else',
      async () => {
        expect(first.stdout).toBe('true false\n');
        expect(first.stderr).toMatch(/^built dist\/trawl\.js/);
        const later = await made.run('run.mjs', ['later']);
        expect([later.stdout, later.stderr]).toEqual([expect.stringContaining('/dist/docs/'), '']);
        made.write('docs/deep/page.md', '# Deeper\n\n## A & b\n');
        expect((await made.run('run.mjs')).stderr).toMatch(/^built dist\/docs in \d+ ms\n$/);
        // not a page
        made.write('docs/deep/page.md.swp', 'from an editor');
        expect((await made.run('run.mjs')).stderr).toBe('');
        const navigation = PAGES['docs/navigation.json'].replace('deep/page', 'more');
        made.write('docs/navigation.json', navigation);
        made.write('docs/more.md', '# More\n');
        expect((await made.run('run.mjs')).stdout).toBe('false true\n');
      },
      LIMIT_MS,
    );

    test(
      'a fault is reported with every command until it is fixed, and no command fails for it',
      async () => {
        await restore();
        const good = PAGES['docs/navigation.json'];
        made.write('docs/navigation.json', good.slice(0, -20));
        for (const _ of ['once', 'and again']) {
          const { code, stdout, stderr } = await made.run('run.mjs');
          expect({ code, stdout }).toEqual({ code: 0, stdout: 'true false\n' });
          expect(stderr).toMatch(
            /^built nothing.* \(docs: left out, docs\/navigation\.json: .+\)\n$/,
          );
        }
        made.write('docs/navigation.json', good);
        made.write('docs/deep/page.md', '# Deep\n\n## A & b\n\n[gone](gone.md)\n');
        for (const _ of ['once', 'and again']) {
          const { stderr } = await made.run('run.mjs');
          expect(stderr).toMatch(
            /^built dist\/docs .*\(docs: docs\/deep\/page\.md links to gone\.md/,
          );
        }
        made.write('docs/deep/page.md', PAGES['docs/deep/page.md']);
        await made.run('run.mjs');
        expect((await made.run('run.mjs')).stderr).toBe('');
      },
      LIMIT_MS,
    );

    test(
      'a site with a missing file is complete after the next command',
      async () => {
        await restore();
        const files = () => readdirSync(join(made.root, 'dist/docs/files')).sort();
        const all = files();
        const damages = [
          ...[`files/${all[0]}`, 'site.json', 'files'].map(
            (name) => () => made.remove(`dist/docs/${name}`),
          ),
          () => made.write('dist/docs/site.json', '{}'),
        ];
        for (const damage of damages) {
          damage();
          expect(await made.run('run.mjs')).toMatchObject({ code: 0, stdout: 'true false\n' });
          expect(files()).toEqual(all);
        }
      },
      LIMIT_MS,
    );

    test(
      'files of a replaced site stay for an hour',
      async () => {
        const folder = join(made.root, 'dist/docs/files');
        const old = () =>
          readdirSync(folder).filter((name) => /^docs-deep-page-.*html$/.test(name));
        const age = (name: string) => utimesSync(join(folder, name), 0, 0);
        await restore();
        const [replaced = ''] = old();
        age(replaced);
        made.write('docs/deep/page.md', '# Second\n\n## A & b\n');
        await made.run('run.mjs');
        expect(old()).toContain(replaced);
        age(replaced);
        made.write('docs/deep/page.md', '# Third, and last\n\n## A & b\n');
        await made.run('run.mjs');
        expect(old()).toHaveLength(2);
        expect(old()).not.toContain(replaced);
      },
      LIMIT_MS,
    );
  });

  test(
    'without its packages everything else is built, and the build says so until they are installed',
    async () => {
      const made = withProgram('highlight.js');
      repository = made;
      const { code, stdout, stderr } = await made.run('run.mjs');
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'false false\n' });
      expect(stderr).toMatch(/^built dist\/trawl\.js.*\(docs: left out, .*'(marked|minisearch)'/);
      expect((await made.run('run.mjs')).stderr).toBe('');
      for (const name of ['marked', 'minisearch']) made.install(name);
      const complete = await made.run('run.mjs');
      expect(complete.stdout).toBe('true false\n');
      expect(complete.stderr).toMatch(/^built dist\/docs in/);
    },
    LIMIT_MS,
  );
});
