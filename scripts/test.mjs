/**
 * `npm test`: build, lint, types, sections of the contract, generated files, all tests, and the
 * short form of the chaos suite where no arguments name other tests, and with TEST_REQUIRE=all what
 * requests leave in memory. Prints each step's verdict, the test files that used most of the
 * processors, the output of what failed and what was skipped; the last line is
 * `N passed, N failed, N skipped`. Arguments go to vitest. With TEST_REQUIRE=all a skipped test is
 * a failure, unless its reason says that it is optional.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './source-files.mjs';
import { busiestLines, closingLines, verdictLine } from './test-summary.mjs';

/** A step that hangs fails with its output, so that no one has to kill the run. */
const STEP_LIMIT_MS = 40 * 60_000;

/** Colours would end up in logs; the verdicts say what matters. */
const { FORCE_COLOR: _, ...inherited } = process.env;
const environment = { ...inherited, NO_COLOR: '1' };

const runNode = (args, extraEnvironment) => run(process.execPath, args, extraEnvironment);

function run(program, args, extraEnvironment = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      env: { ...environment, ...extraEnvironment },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: STEP_LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', (error) => chunks.push(Buffer.from(`${error.message}\n`)));
    child.on('close', (code, signal) => {
      if (signal) chunks.push(Buffer.from(`\nended by ${signal}\n`));
      resolve({ ok: code === 0, output: Buffer.concat(chunks).toString() });
    });
  });
}

/** A step that passes or fails as a whole. */
async function checkStep(program, args) {
  const { ok, output } = await run(program, args);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skips: [], output };
}

/** The console is for browsers, so its types are checked apart. */
async function typesStep() {
  const projects = ['tsconfig.json', 'packages/console/tsconfig.json'];
  // with more threads it takes twice the processor time, which the tests next to it need
  const command = ['node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded'];
  const results = [];
  for (const project of projects.filter((path) => existsSync(join(ROOT, path)))) {
    results.push(await checkStep(process.execPath, [...command, '-p', project]));
  }
  const ok = results.every(({ failed }) => failed === 0);
  const output = results.map((result) => result.output).join('');
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skips: [], output };
}

async function vitestStep(config, args) {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-test-'));
  const report = join(folder, 'report.json');
  try {
    const { ok, output } = await runNode(
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--allowOnly=false',
        ...['--config', config],
        '--reporter=default',
        '--reporter=./scripts/vitest-report.mjs',
        ...args,
      ],
      { TRAWL_TEST_REPORT: report },
    );
    const { files, errors } = existsSync(report)
      ? JSON.parse(readFileSync(report, 'utf8'))
      : { files: [], errors: 0 };
    return { ...sumOf({ files, errors, ok }), files, output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A crash leaves no report, or one without the failure: the exit code has the last word. */
function sumOf({ files, errors, ok }) {
  const failed = files.reduce((sum, file) => sum + file.failed, errors);
  return {
    passed: files.reduce((sum, file) => sum + file.passed, 0),
    failed: ok ? failed : Math.max(failed, 1),
    skips: files.flatMap((file) => file.skips),
  };
}

async function runStep(name, step) {
  const startedAt = performance.now();
  const result = { name, ...(await step()), seconds: (performance.now() - startedAt) / 1000 };
  console.log([verdictLine(result), ...busiestLines(result)].join('\n'));
  return result;
}

const check = (name, ...args) => runStep(name, () => checkStep(process.execPath, args));

/** What requests leave until a full garbage collection: bytes, whatever the machine is. */
const KEPT = ['node_modules/tsx/dist/cli.mjs', 'scripts/bench.ts', '--kept'];

/** The build first, since tests may run it; then two lanes for two cores. */
async function runSteps(vitestArguments) {
  const build = await check('build', 'scripts/build.mjs');
  const [checks, vitest] = await Promise.all([
    runChecks(),
    runStep('tests', () => vitestStep('vitest.config.ts', vitestArguments)),
  ]);
  const results = [build, ...checks, vitest];
  // a run that was asked for some tests is about those
  if (vitestArguments.length > 0) return results;
  // after the tests, because some of these faults have a time limit
  const last = [runStep('chaos', () => vitestStep('vitest.chaos.config.ts', []))];
  // a count of bytes, which other work does not change
  if (process.env.TEST_REQUIRE === 'all') last.push(check('kept', ...KEPT));
  return [...results, ...(await Promise.all(last))];
}

async function runChecks() {
  const lint = await check('lint', 'node_modules/@biomejs/biome/bin/biome', 'check', '.');
  const types = await runStep('types', typesStep);
  const sections = await check('sections', 'scripts/spec-sections.mjs');
  const generated = await runStep('generated', () =>
    checkStep('npm', ['run', '--silent', 'generated']),
  );
  return [lint, types, sections, generated];
}

if (!existsSync(join(ROOT, 'node_modules'))) {
  console.log('node_modules is missing: run npm ci first\n\n0 passed, 1 failed, 0 skipped');
  process.exit(1);
}
const results = await runSteps(process.argv.slice(2));
const { lines, ok } = closingLines(results, process.env.TEST_REQUIRE === 'all');
console.log(lines.join('\n'));
process.exitCode = ok ? 0 : 1;
