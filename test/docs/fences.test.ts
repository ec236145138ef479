import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allBlocks, type Block, placeOf, ROOT } from './blocks.ts';
import { isTestedElsewhere, TESTED_ELSEWHERE } from './elsewhere.ts';

const blocks = allBlocks();
const withPlaces = (some: readonly Block[]) =>
  some.map((block) => [placeOf(block), block] as const);

const RUN = ['http', 'sh', 'ts', 'json'];
/** Shown only: output, and files of other programs. */
const SHOWN = ['ini', 'nginx', 'yaml', 'text'];

/** Blocks that are not run: page and reason of each. */
const NOT_RUN: readonly string[] = [
  'CONTRIBUTING.md: this is what CI does',
  'README.md: CI begins with npm ci, and the demo has a test of its own',
  'docs/cli.md: installs packages; test/packages.test.ts runs these commands on the files',
  'docs/console.md: needs an account; packages/cli/test/key-database.test.ts runs it',
  'docs/context.md: a test of the repository',
  'docs/context.md: a test of the repository; without TEST_FORM it asks 24 questions',
  'docs/deployment.md: changes the firewall',
  'docs/deployment.md: installs packages',
  "docs/deployment.md: needs PostgreSQL's programs",
  'docs/deployment.md: needs a Kubernetes cluster',
  'docs/deployment.md: needs a container engine and images of registries',
  'docs/deployment.md: needs a container engine and its base image',
  'docs/deployment.md: needs a database of such a build',
  'docs/deployment.md: needs an empty PostgreSQL; packages/cli/test/move.test.ts runs it',
  'docs/deployment.md: needs systemd',
  'docs/deployment.md: needs the folders of this page',
  'docs/deployment.md: needs the user and folders of this page',
  'docs/deployment.md: needs the user and folders of this page',
  'docs/evaluate.md: needs a model',
  'docs/mcp.md: needs Claude Code; the same entries as JSON, below, are run',
  'docs/python.md: installs packages',
  'docs/quick-start.md: installs packages',
  'docs/quick-start.md: installs packages, then serves until it is stopped',
  'docs/quick-start.md: needs Claude Code',
  'docs/quick-start.md: needs the folder of the block before',
];

describe('every block of the docs', () => {
  test('has a language that is either run or only shown', () => {
    const unknown = blocks
      .filter((block) => ![...RUN, ...SHOWN].includes(block.language) && !isTestedElsewhere(block))
      .map((block) => `${placeOf(block)}: "${block.language}"`);
    const advice = `write one of ${RUN.join(', ')} (run by the tests) or ${SHOWN.join(', ')} (shown only) behind the fence`;
    expect(unknown, advice).toEqual([]);
  });

  test('that is not run is on a short list, and says why', () => {
    const seen = blocks
      .filter(({ notRun }) => notRun !== undefined)
      .map(({ page, notRun }) => `${page}: ${notRun}`);
    const advice = 'every block is run if it can be; NOT_RUN of this test lists those that cannot';
    expect(seen.sort(), advice).toEqual([...NOT_RUN].sort());
    for (const line of seen) expect(line).toMatch(/: \S.+/);
  });

  test('that another test runs appears in that test', () => {
    for (const [page, languages] of Object.entries(TESTED_ELSEWHERE)) {
      for (const file of Object.values(languages)) {
        expect(readFileSync(join(ROOT, file), 'utf8')).toContain(basename(page));
      }
    }
  });
});

test.each(
  withPlaces(blocks.filter(({ language, notRun }) => language === 'json' && notRun === undefined)),
)('%s is JSON', (_place, { text }) => {
  expect(() => JSON.parse(text)).not.toThrow();
});
