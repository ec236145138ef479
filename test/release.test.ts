import { describe, expect, test } from 'vitest';
import { notesOf, problemsOf, withVersion } from '../scripts/release.ts';
import { filesBelow, ROOT } from '../scripts/source-files.mjs';
import { text } from './support/deploy-files.ts';

const manifest = (name: string, version: string, range = version): string =>
  JSON.stringify(
    { name, version, dependencies: { '@trawl/base': `^${range}`, zod: '^4.6.7' } },
    null,
    2,
  );

const READY = {
  'package.json': manifest('trawl', '1.2.3'),
  'packages/cli/package.json': manifest('@trawl/cli', '1.2.3'),
  'server.json': '{ "name": "io.github.ada/trawl", "version": "1.2.3" }',
  'clients/python/src/trawl/_version.py': '__version__ = "1.2.3"\n',
  'packages/client/src/values/version.ts': `export const VERSION = '1.2.3';\n`,
  'docs/deployment.md': 'docker run trawl:1.2.3 --help',
  'deploy/kubernetes/kustomization.yaml': '  - { name: trawl, newTag: 1.2.3 }',
  'CHANGELOG.md': '# Changelog\n\n## 1.2.3 (2026-12-01)\n\nNew.\n\n## 1.2.2 (2026-11-01)\n\nOld.\n',
};
const problems = (files: Readonly<Record<string, string>>, more = {}) =>
  problemsOf({ ...READY, ...files }, { status: '', tags: ['v1.2.2'], ...more });

describe('a release', () => {
  test('that has all has no problem', () => {
    expect(problems({})).toEqual([]);
  });

  test.each([
    ['packages/cli/package.json', manifest('@trawl/cli', '1.2.2', '1.2.3')],
    ['packages/cli/package.json', manifest('@trawl/cli', '1.2.3', '1.2.2')],
    ['package-lock.json', manifest('trawl', '1.2.2')],
    ['server.json', '{ "version": "1.2.3", "packages": [{ "version": "1.2.2" }] }'],
    ['clients/python/src/trawl/_version.py', '__version__ = "1.2.2"'],
    ['packages/client/src/values/version.ts', `export const VERSION = '1.2.2';`],
    ['docs/cli.md', 'npm install dist/packages/trawl-1.2.2.tgz'],
    ['deploy/compose.yaml', 'image: trawl:1.2.2'],
    ['deploy/kubernetes/kustomization.yaml', '  - { name: trawl, newTag: 1.2.2 }'],
  ])('with another version in %s names the file', (path, changed) => {
    expect(problems({ [path]: changed })).toEqual([
      `${path}: not version 1.2.3; npm run release -- --version 1.2.3`,
    ]);
  });

  test.each([
    ['server.json', '{ "name": "io.github.OWNER/trawl", "version": "1.2.3" }'],
    ['README.md', 'git clone https://github.com/OWNER/trawl'],
  ])('with the placeholder in %s names the file', (path, changed) => {
    expect(problems({ [path]: changed })).toEqual([
      expect.stringMatching(`^${path}: replace OWNER`),
    ]);
  });

  test.each(['It is not published yet: `npm run pack`', 'Nothing is published yet.'])(
    'whose README says %j names the file',
    (said) => {
      expect(problems({ 'packages/client/README.md': said })).toEqual([
        expect.stringMatching('^packages/client/README.md: says that it is not published'),
      ]);
    },
  );

  test.each([
    ['without its section', '## Unreleased\n\nNew.\n'],
    ['without a date', '## 1.2.3\n\nNew.\n'],
    ['with an empty section', '## 1.2.3 (2026-12-01)\n\n## 1.2.2 (2026-11-01)\n\nOld.\n'],
  ])('with a changelog %s says so', (_name, changelog) => {
    expect(problems({ 'CHANGELOG.md': changelog })).toEqual([
      'CHANGELOG.md: no text below "## 1.2.3 (YYYY-MM-DD)"',
    ]);
  });

  test('that is tagged or not committed says so', () => {
    const more = { tags: ['v1.2.3'], status: ' M README.md\n' };
    expect(problems({}, more)).toEqual([
      'the tag v1.2.3 exists: set the next version',
      'not committed:\n M README.md',
    ]);
  });

  test('has the section of the changelog as its notes, and no other', () => {
    expect(notesOf(READY['CHANGELOG.md'], '1.2.3')).toBe('New.');
    expect(notesOf(READY['CHANGELOG.md'], '1.2.2')).toBe('Old.');
    expect(notesOf(READY['CHANGELOG.md'], '1.2')).toBe('');
  });
});

test('the next version is set everywhere, and other versions stay', () => {
  const changed = withVersion(READY, '1.3.0');
  expect(changed['CHANGELOG.md']).toBe(READY['CHANGELOG.md']);
  expect(changed['package.json']).toBe(manifest('trawl', '1.3.0'));
  const unchanged = Object.keys(READY).filter((path) => !changed[path]?.includes('1.3.0'));
  expect(unchanged).toEqual(['CHANGELOG.md']);
});

test.each([
  'npm install dist/packages/trawl-1.2.3.tgz, or trawl-client-1.2.3.tgz.',
  'The image is trawl:1.2.3.',
  'docker run trawl:1.2.3 --help',
])('a candidate and back leaves %j as it was', (page) => {
  const candidate = withVersion({ ...READY, 'docs/cli.md': page }, '1.2.3-rc.1');
  expect(candidate['docs/cli.md']).toBe(page.replaceAll('1.2.3', '1.2.3-rc.1'));
  expect(withVersion(candidate, '1.2.3')).toEqual({ ...READY, 'docs/cli.md': page });
});

describe('server.json, by the rules of its schema and of the registry of MCP servers', () => {
  const server = JSON.parse(text('server.json'));
  const { name, version, repository } = JSON.parse(text('package.json'));

  test('has the members that exist, in their form', () => {
    expect(server).toEqual({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: expect.stringMatching(/^io\.github\.[\w-]+\/[\w.-]+$/),
      title: expect.stringMatching(/^.{1,100}$/),
      description: expect.stringMatching(/^.{1,100}$/),
      repository: { url: expect.stringMatching(/^https:\/\/github\.com\//), source: 'github' },
      version: expect.stringMatching(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/),
      packages: [
        {
          registryType: 'npm',
          identifier: name,
          version,
          runtimeHint: 'npx',
          transport: { type: 'stdio' },
          packageArguments: [{ type: 'positional', value: 'mcp' }],
          environmentVariables: expect.any(Array),
        },
      ],
    });
  });

  test('is of the account whose repository the packages name', () => {
    const [, account] = server.name.split(/^io\.github\.|\//);
    expect(server.repository.url).toBe(`https://github.com/${account}/trawl`);
    expect(repository.url).toBe(`git+${server.repository.url}.git`);
  });

  test('asks for the settings that the command reads, the key as a secret', () => {
    const [{ environmentVariables }] = server.packages;
    const source = filesBelow(`${ROOT}packages/client/src/settings`)
      .map((path) => text(path.replace(ROOT, '')))
      .join('');
    for (const variable of environmentVariables) {
      expect(source).toContain(variable.name);
      expect(variable).toEqual({
        name: expect.stringMatching(/^[A-Z_]+$/),
        description: expect.any(String),
        ...(/KEY/.test(variable.name)
          ? { isRequired: true, isSecret: true }
          : { default: expect.any(String) }),
      });
    }
    expect(environmentVariables).toHaveLength(2);
  });
});
