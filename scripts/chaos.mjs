/**
 * `npm run chaos`: the chaos suite, file after file, then its table with the old and the new
 * figures side by side. `--short` runs the short form, which is part of `npm test`. Other arguments
 * go to vitest. The last line is `N passed, N failed, N skipped`; with TEST_REQUIRE=all a skipped
 * test is a failure.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readFigures, readRows, tableLines } from './chaos-table.mjs';
import { ROOT } from './source-files.mjs';
import { closingLines } from './test-summary.mjs';

const ROWS = join(ROOT, 'packages', 'server', 'test', 'chaos', 'figures.tsv');
const POSTGRES_URL = process.env.TEST_DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/test';

const args = process.argv.slice(2);
const isShort = args.includes('--short');
const folder = mkdtempSync(join(tmpdir(), 'trawl-chaos-'));
const figures = join(folder, 'figures.jsonl');
const counts = join(folder, 'counts.json');

async function postgresVersion() {
  const client = new pg.Client({ connectionString: POSTGRES_URL, connectionTimeoutMillis: 3_000 });
  try {
    await client.connect();
    const { rows } = await client.query('show server_version');
    return rows[0].server_version;
  } catch {
    return 'not found';
  } finally {
    await client.end().catch(() => {});
  }
}

const load = () =>
  loadavg()
    .map((value) => value.toFixed(1))
    .join(' ');

async function machineLine() {
  const model = cpus()[0]?.model ?? 'unknown processor';
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const software = `Node ${process.versions.node}, PostgreSQL ${await postgresVersion()}`;
  return `${availableParallelism()} cores (${model}), ${memory}, ${software}, ${process.platform}`;
}

function runVitest() {
  const startedAt = performance.now();
  const { status } = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...['--config', 'vitest.chaos.config.ts'],
      '--reporter=default',
      '--reporter=./scripts/chaos-reporter.mjs',
      '--reporter=./scripts/vitest-report.mjs',
      ...args.filter((argument) => argument !== '--short'),
    ],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: {
        ...process.env,
        CHAOS_FORM: isShort ? 'short' : 'full',
        CHAOS_REPORT: figures,
        TRAWL_TEST_REPORT: counts,
      },
    },
  );
  return { ok: status === 0, seconds: (performance.now() - startedAt) / 1000 };
}

/** A crash leaves no report, or one without the failure: the exit code has the last word. */
function resultOf({ ok, seconds }) {
  const { files, errors } = existsSync(counts)
    ? JSON.parse(readFileSync(counts, 'utf8'))
    : { files: [], errors: 0 };
  const failed = files.reduce((sum, file) => sum + file.failed, errors);
  return {
    name: 'chaos',
    passed: files.reduce((sum, file) => sum + file.passed, 0),
    failed: ok ? failed : Math.max(failed, 1),
    skips: files.flatMap((file) => file.skips),
    seconds,
    output: 'see above',
  };
}

const loadBefore = load();
const result = resultOf(runVitest());
const { lines, ok } = closingLines([result], process.env.TEST_REQUIRE === 'all');
console.log(`\nChaos suite, ${isShort ? 'short' : 'full'} form, ${result.seconds.toFixed(0)} s`);
console.log(await machineLine());
console.log(`load average before ${loadBefore}, after ${load()}\n`);
console.log(tableLines(readRows(readFileSync(ROWS, 'utf8')), readFigures(figures)).join('\n'));
console.log(lines.join('\n'));
rmSync(folder, { recursive: true, force: true });
process.exitCode = ok ? 0 : 1;
