import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { at, documents, fields, filesOf, items, text, valuesOf } from './support/deploy-files.ts';

const ROOT = new URL('../', import.meta.url);
const workflows = filesOf('.github/workflows/');
const [release] = documents('.github/workflows/release.yml');
const jobs = fields(at(release, 'jobs'));

describe.each(workflows)('%s', (path) => {
  const [workflow] = documents(path);

  test('uses actions by their commit, with the version next to it', () => {
    const uses = valuesOf(workflow, 'uses').map(String);
    expect(uses.length).toBeGreaterThan(0);
    for (const used of uses) {
      if (used.startsWith('./')) expect(existsSync(new URL(used, ROOT))).toBe(true);
      else {
        expect(used).toMatch(/@[0-9a-f]{40}$/);
        expect(text(path)).toContain(`${used} # v`);
      }
    }
  });

  test('may only read unless a job asks for more, and ends when it hangs', () => {
    expect(at(workflow, 'permissions')).toEqual({ contents: 'read' });
    for (const job of Object.values(fields(at(workflow, 'jobs')))) {
      if (at(job, 'uses') === undefined) expect(at(job, 'timeout-minutes')).toBeLessThan(60);
    }
  });

  test('runs scripts that exist', () => {
    const commands = valuesOf(workflow, 'run').join('\n');
    const manifest: unknown = JSON.parse(text('package.json'));
    for (const [, script] of commands.matchAll(/npm run (?:--silent )?(\S+)/g)) {
      expect(at(manifest, `scripts.${script}`)).toEqual(expect.any(String));
    }
    for (const [, file = ''] of commands.matchAll(/bash (\S+)/g)) {
      expect(existsSync(new URL(file, ROOT))).toBe(true);
    }
  });
});

test('a release starts with a tag, and publishes nothing before the tests have passed', () => {
  expect(at(release, 'on')).toEqual({ push: { tags: ['v*'] } });
  expect(at(jobs, 'test.uses')).toBe('./.github/workflows/ci.yml');
  const needs = (name: string): readonly string[] => {
    const direct = [at(jobs, `${name}.needs`) ?? []].flat().map(String);
    return [...direct, ...direct.flatMap(needs)];
  };
  for (const name of Object.keys(jobs)) if (name !== 'test') expect(needs(name)).toContain('test');
});

test('the image is published for both processors, with provenance and a list of its parts', () => {
  const pushes = items(at(jobs, 'image.steps'))
    .map((step) => fields(at(step, 'with')))
    .filter(({ push }) => push === true);
  expect(pushes).toEqual([
    expect.objectContaining({
      platforms: 'linux/amd64,linux/arm64',
      provenance: 'mode=max',
      sbom: true,
    }),
  ]);
});

test('every package is published as its registry trusts this workflow, without a token', () => {
  const commands = valuesOf(release, 'run').join('\n');
  expect(commands).toMatch(/npm publish .* --provenance/);
  // without ./ npm looks for a repository of GitHub
  expect(commands).toContain('for tarball in ./out/*.tgz');
  expect(valuesOf(release, 'uses').join('\n')).toContain('pypa/gh-action-pypi-publish@');
  expect(commands).toContain('mcp-publisher publish');
  for (const job of ['packages', 'mcp-registry'])
    expect(at(jobs, `${job}.permissions.id-token`)).toBe('write');
  expect(text('.github/workflows/release.yml')).not.toContain('secrets.');
});

test('what failed can be started again: what is published already is left out', () => {
  const commands = valuesOf(release, 'run').join('\n');
  expect(commands).toMatch(/npm view .* \|\| npm publish /);
  expect(commands).toMatch(/gh release view .* \|\| gh release create /);
  expect(text('.github/workflows/release.yml')).toContain('skip-existing: true');
});
