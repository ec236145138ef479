import { fully } from '@trawl/test-support/form';
import { afterEach, describe, expect, test } from 'vitest';
import {
  busiestLines,
  closingLines,
  type StepResult,
  verdictLine,
} from '../scripts/test-summary.mjs';
import { MadeUpRepository } from './support/made-up-repository.ts';

const step = (result: Partial<StepResult>): StepResult => ({
  name: 'step',
  passed: 1,
  failed: 0,
  skips: [],
  seconds: 1.25,
  output: 'what it printed',
  ...result,
});

describe('the summary', () => {
  const skips = [
    { name: 'a.test.ts > one', reason: 'needs PostgreSQL' },
    { name: 'a.test.ts > two', reason: 'needs PostgreSQL' },
  ];

  test('one line for each step', () => {
    expect(verdictLine(step({ name: 'lint' }))).toBe('lint    ok         1.3 s');
    expect(verdictLine(step({ name: 'tests', passed: 7, failed: 2, skips }))).toBe(
      'tests   FAILED     1.3 s   7 passed, 2 failed, 2 skipped',
    );
  });

  test('lists the ten of many files that used most of the processors', () => {
    const files = Array.from({ length: 12 }, (_, index) => ({
      name: `${index}.test.ts`,
      seconds: 100.04 - index,
      processorSeconds: index === 3 ? 50.04 : index,
    }));
    const lines = busiestLines(step({ files }));
    expect(lines).toHaveLength(10);
    expect(lines.slice(0, 2)).toEqual([
      `${' '.repeat(8)}50.0 of  97.0 s   3.test.ts`,
      `${' '.repeat(8)}11.0 of  89.0 s   11.test.ts`,
    ]);
    expect(lines.at(-1)).toContain('2.test.ts');
    expect(busiestLines(step({ files: files.slice(2) }))).toEqual([]);
    expect(busiestLines(step({}))).toEqual([]);
  });

  test('adds up, groups skipped tests by reason, shows only the output of failures', () => {
    const { lines, ok } = closingLines(
      [step({ output: 'quiet' }), step({ name: 'tests', passed: 7, failed: 2, skips })],
      false,
    );
    expect(ok).toBe(false);
    expect(lines.join('\n')).toBe(`
--- tests ---
what it printed

Skipped:
  needs PostgreSQL (2)
    a.test.ts > one
    a.test.ts > two

8 passed, 2 failed, 2 skipped`);
  });

  test('a skipped test passes unless all are required', () => {
    const results = [step({ passed: 3, skips })];
    expect(closingLines(results, false).ok).toBe(true);
    const { lines, ok } = closingLines(results, true);
    expect(ok).toBe(false);
    expect(lines).toContain('TEST_REQUIRE=all: 2 skipped, counted as failed');
    expect(lines.at(-1)).toBe('3 passed, 2 failed, 0 skipped');
  });

  test('an optional test may be skipped where all are required, and is listed', () => {
    const optional = { name: 'b.test.ts > three', reason: 'optional: needs what no clone has' };
    const alone = closingLines([step({ passed: 3, skips: [optional] })], true);
    expect(alone.ok).toBe(true);
    expect(alone.lines).toContain('    b.test.ts > three');
    expect(alone.lines.at(-1)).toBe('3 passed, 0 failed, 1 skipped');
    const both = closingLines([step({ passed: 3, skips: [optional, ...skips] })], true);
    expect([both.ok, both.lines.at(-1)]).toEqual([false, '3 passed, 2 failed, 1 skipped']);
  });
});

/**
 * For runs of all steps, compiler and Vitest among them: what hangs fails, what waits for a
 * processor does not.
 */
const LIMIT_MS = 300_000;

describe('a whole run', { timeout: LIMIT_MS }, () => {
  let repository: MadeUpRepository;
  // that failures count is shown on every change, the rest at night
  afterEach(() => repository.remove());

  /** A repository in which every step passes, except the given tests. */
  function withTests(tests: Readonly<Record<string, string>>): MadeUpRepository {
    const config = `import { defineConfig } from 'vitest/config';
export default defineConfig({ test: { include: ['test/*.test.ts'] } });\n`;
    const made = new MadeUpRepository({
      'vitest.config.ts': config,
      'vitest.chaos.config.ts': `export default { test: { include: ['test/*.chaos.ts'], passWithNoTests: true } };\n`,
      'biome.json': '{ "files": { "includes": ["src/**"] }, "formatter": { "enabled": false } }',
      'src/fine.ts': 'export const fine = 1;\n',
      'tsconfig.json': '{ "compilerOptions": { "noEmit": true }, "include": ["src"] }',
      'test/spec-sections.json': '[]',
      'packages/none/package.json': '{}',
      ...tests,
    });
    for (const name of ['@biomejs/biome', 'esbuild', 'typescript', 'vitest']) made.install(name);
    return made;
  }

  fully('counts every step and reports why tests were skipped', async () => {
    repository = withTests({
      'test/a.test.ts': `import { describe, test } from 'vitest';
test('runs', () => {});
test('waits', ({ skip }) => skip('needs a moon'));
describe.skip('on tides (skipped: the sea (salt) is far)', () => { test('waves', () => {}); });
test.todo('later');`,
    });
    const { code, stdout } = await repository.run('test.mjs');
    expect(stdout).toMatch(/needs a moon \(1\)\n {4}test\/a\.test\.ts > waits\n/);
    expect(stdout).toContain('the sea (salt) is far (1)\n');
    expect(stdout).toContain('to do (1)\n');
    expect(stdout).toMatch(/\n6 passed, 0 failed, 3 skipped\n$/);
    expect(code).toBe(0);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours must not appear
    expect(stdout).not.toMatch(/\u001b\[/);
  });

  test('failures, broken hooks and broken files count; arguments reach vitest', async () => {
    repository = withTests({
      'test/fails.test.ts': `import { beforeAll, describe, test } from 'vitest';
test('fails', () => { throw new Error('the reason'); });
describe('broken', () => { beforeAll(() => { throw new Error('hook'); }); test('never ran', () => {}); });`,
      'test/fails-to-load.test.ts': `import './missing.ts';`,
      'test/fails-as-a-process.test.ts': `import { test } from 'vitest';
test('ends it', () => process.kill(process.pid, 'SIGKILL'));`,
      'test/other.test.ts': `import { test } from 'vitest'; test('left out', () => {});`,
    });
    const { code, stdout } = await repository.run('test.mjs', ['fails'], { CI: 'true' });
    expect(stdout).toContain('the reason');
    expect(stdout).not.toContain('left out');
    expect(stdout).toMatch(/\n5 passed, 6 failed, 0 skipped\n$/);
    expect(code).toBe(1);
  });

  fully('a killed vitest, a wrong type and an outdated generated file are failures', async () => {
    repository = withTests({
      'vitest.config.ts': `process.kill(process.pid, 'SIGKILL');`,
      'src/wrong.ts': 'export const wrong: string = 1;\n',
      'package.json': `{ "type": "module", "scripts": { "generated": "echo a.md is out of date; exit 1" } }`,
    });
    // arguments leave the chaos suite out
    const { code, stdout } = await repository.run('test.mjs', ['any']);
    expect(stdout).toContain('ended by SIGKILL');
    expect(stdout).toContain('src/wrong.ts(1,14)');
    expect(stdout).toContain('\n--- generated ---\na.md is out of date\n');
    expect(stdout).toMatch(/\n3 passed, 3 failed, 0 skipped\n$/);
    expect(code).toBe(1);
  });
});
