/**
 * npm run bench: what the server adds to the providers' own time. Our server and the least code
 * that does the same work (bench/bare.mjs) run in turns on one core, in front of the same stub
 * upstreams; load and stub have another core. A third one writes its answers to disk first
 * (bench/plain-recorder.mjs). Work is counted until a server is quiet again. Compare the ratios:
 * absolute times depend on the machine.
 *
 * Its options, after `npm run bench --`:
 *
 *   --seconds 2 --rounds 3   shorter measurements
 *   --only search            some of the requests
 *   --unpinned               all processes share all cores; with `--only`
 *   --memory                 memory of new servers after 60 s of searches
 *   --start                  only how long the program needs to start
 *   --database postgres://…  also records in this database, which must be empty
 *   --write                  writes the table of docs/performance.md, and bench/recorded.json
 *   --check                  compares the CPU time of a search with bench/recorded.json
 *   --kept                   only what requests leave, which --check looks at too
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CASES, type Case, CHECKED_CASE } from './bench/cases.ts';
import { type Child, pinLoad, SERVER_CORE, START_FLAGS, startChild } from './bench/child.ts';
import { keptBytes } from './bench/kept.ts';
import { measure } from './bench/load.ts';
import { type Measured, measureTarget, medianOf, type Target } from './bench/measure-case.ts';
import { startTable } from './bench/start.ts';
import { benchTable, type CaseResult } from './bench/table.ts';

/** npm runs scripts from the root of the repository. */
const ROOT = process.cwd();
const KEY = 'bench-key-0123456789';
const DOCS = join(ROOT, 'docs', 'performance.md');
const NOTES = join(ROOT, 'scripts', 'bench', 'NOTES.md');
const RECORDED = join(ROOT, 'scripts', 'bench', 'recorded.json');
/** How much more than recorded the check allows: machines differ, and neighbours disturb. */
const CHECK_ALLOWED = 1.4;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    unpinned: { type: 'boolean', default: false },
    memory: { type: 'boolean', default: false },
    start: { type: 'boolean', default: false },
    database: { type: 'string' },
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    kept: { type: 'boolean', default: false },
  },
});
const seconds = positive('--seconds', values.seconds);
const rounds = positive('--rounds', values.rounds);

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${name} takes a positive number`);
  return value;
}

const isPinned = !values.unpinned && !values.start && pinLoad();
refuseCombinations();

/** Each of these would be ignored, or would leave rows out of a table. */
function refuseCombinations(): void {
  const { database, memory, only, start, write } = values;
  const check = values.check || values.kept;
  if (start && (check || memory || write || database !== undefined || only !== undefined)) {
    throw new Error('--start measures the start only: leave out the other options');
  }
  if (memory && (check || database !== undefined || only !== undefined)) {
    throw new Error(
      '--memory measures searches alone: leave out --check, --kept, --database and --only',
    );
  }
  if (check && (database !== undefined || only !== undefined || write)) {
    throw new Error(
      '--check and --kept choose the cases: leave out --database, --only and --write',
    );
  }
  if (!write) return;
  if (memory && !isPinned) throw new Error('--memory --write needs taskset and two cores');
  if (!memory && isPinned && (only !== undefined || database === undefined)) {
    throw new Error('--write needs all rows: leave out --only, and give --database');
  }
}
const folder = mkdtempSync(join(tmpdir(), 'trawl-bench-'));
const children: Child[] = [];

async function start(
  script: string,
  environment: Record<string, string>,
  isServer: boolean,
  flags: readonly string[] = [],
) {
  const core = isPinned && isServer ? SERVER_CORE : null;
  const path = join(ROOT, 'scripts', 'bench', script);
  const child = await startChild(path, environment, core, flags);
  children.push(child);
  return child;
}

const startStub = () => start('stub.mjs', {}, false);

function startTrawl(stub: Child, store: Record<string, string>): Promise<Child> {
  const settings: Record<string, string> = {
    ...store,
    BOOTSTRAP_API_KEY: KEY,
    FETCH_CHAIN: 'tinyfish',
    LOG_LEVEL: 'warn',
    MAX_ACTIVE_REQUESTS: '1024',
    ENTRY: join(ROOT, 'dist', 'trawl.js'),
  };
  for (const slug of ['exa', 'brave', 'tinyfish']) {
    settings[`${slug.toUpperCase()}_BASE_URL`] = `${stub.url}/${slug}`;
    settings[`${slug.toUpperCase()}_API_KEY`] = 'bench';
  }
  return start('trawl.mjs', settings, true, START_FLAGS);
}

interface Targets {
  readonly bare: Child;
  /** The bare one with a plain recorder: an answer that is on disk is the floor. */
  readonly recording: Child;
  readonly trawl: Child;
  /** Only with `--database`. */
  readonly onPostgres: Child | undefined;
}

async function startTargets(): Promise<Targets> {
  const stub = await startStub();
  const bare = await start('bare.mjs', { STUB_URL: stub.url }, true);
  const plain = { STUB_URL: stub.url, RECORD_DIR: mkdtempSync(join(folder, 'plain-')) };
  const recording = await start('bare.mjs', plain, true);
  const trawl = await startTrawl(stub, { DATA_DIR: folder });
  const { database } = values;
  const onPostgres = database ? await startTrawl(stub, { DATABASE_URL: database }) : undefined;
  return { bare, recording, trawl, onPostgres };
}

function oursOf(
  { trawl, onPostgres }: Targets,
  { path, body, wantsEvents, isPostgres }: Case,
): Target {
  const child = isPostgres ? onPostgres : trawl;
  if (!child) throw new Error('--database is needed for this case');
  return { child, path, body, wantsEvents };
}
/** The check compares with the one that records alone. */
const bareOf = ({ bare }: Targets, { bare: work }: Case): Target | null =>
  work && !values.check ? { child: bare, path: '/', body: work.body } : null;
const recordingOf = ({ recording }: Targets, { bare: work, isRecorded }: Case): Target | null =>
  work && isRecorded ? { child: recording, path: '/', body: work.body } : null;

/**
 * In turns, so that what disturbs the machine disturbs all, and each begins when the others have
 * nothing left to do.
 */
async function measureCase(targets: Targets, measured: Case, times: number): Promise<CaseResult> {
  const ours = oursOf(targets, measured);
  const bare = bareOf(targets, measured);
  const recording = recordingOf(targets, measured);
  const servers = [
    targets.bare,
    targets.recording,
    targets.trawl,
    ...(targets.onPostgres ? [targets.onPostgres] : []),
  ];
  const options = { key: KEY, seconds, servers };
  const found = { bare: [] as Measured[], recording: [] as Measured[], ours: [] as Measured[] };
  for (let round = 0; round < times; round += 1) {
    if (bare) found.bare.push(await measureTarget(bare, measured, options));
    if (recording) found.recording.push(await measureTarget(recording, measured, options));
    found.ours.push(await measureTarget(ours, measured, options));
  }
  return {
    measured,
    bare: bare && medianOf(found.bare),
    recording: recording && medianOf(found.recording),
    ours: medianOf(found.ours),
  };
}

async function makeRecords({ trawl }: Targets, { before }: Case): Promise<void> {
  if (!before) return;
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  for (let made = 0; made < before.count; made += 1) {
    const request = { method: 'POST', headers, body: before.body() };
    const answer = await fetch(`${trawl.url}${before.path}`, request);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`a record was not made: ${answer.status}`);
  }
}

/** Measures servers that have run for a while, not their first requests. */
async function warmUp(targets: Targets, cases: readonly Case[]): Promise<void> {
  for (const measured of cases) {
    await makeRecords(targets, measured);
    const targetsOf = [bareOf, recordingOf, oursOf];
    for (const target of targetsOf.map((of) => of(targets, measured))) {
      if (!target) continue;
      const url = `${target.child.url}${target.path}`;
      const isLong = measured === CHECKED_CASE || measured.isPostgres;
      await measure({
        url,
        body: target.body,
        wantsEvents: target.wantsEvents,
        key: KEY,
        connections: measured.connections,
        seconds: isLong ? 8 : 1,
      });
    }
  }
}

const today = (): string => new Date().toISOString().slice(0, 10);

function machine(): string {
  const [cpu] = cpus();
  const place = isPinned
    ? 'each server alone on one core, load and stub on another'
    : `all processes on ${cpus().length} cores`;
  return `${cpu?.model.trim() ?? 'unknown processor'}, ${place}; Node.js ${process.version}`;
}

const conditions = (): string =>
  `${machine()}; median of ${rounds} rounds of ${seconds} s; the stub answers at once with 10 KB; ${today()}`;

function report(results: readonly CaseResult[]): void {
  const lines = [conditions(), '', ...benchTable(results)];
  console.log(lines.join('\n'));
  for (const { measured, ours, bare, recording } of results) {
    const failures = ours.failures + (bare?.failures ?? 0) + (recording?.failures ?? 0);
    if (failures === 0) continue;
    console.log(`${measured.name}: ${failures} answers were not 200`);
    process.exitCode = 1;
  }
  if (!values.write) return;
  writeDocs(isPinned ? 'bench' : 'unpinned', lines);
  if (isPinned) record(results);
}

/** @param table which one of the page */
function writeDocs(
  table: 'bench' | 'unpinned' | 'memory' | 'start',
  lines: readonly string[],
): void {
  const file = table === 'bench' ? DOCS : NOTES;
  const page = readFileSync(file, 'utf8');
  const mark = `<!-- ${table} -->`;
  const [begin, end] = [page.indexOf(mark), page.indexOf(`<!-- /${table} -->`)];
  if (begin < 0 || end < begin) throw new Error(`${file} has no place for the table`);
  const head = page.slice(0, begin + mark.length);
  writeFileSync(file, `${head}\n\n${lines.join('\n')}\n\n${page.slice(end)}`);
}

/** For the check. */
function record(results: readonly CaseResult[]): void {
  const checked = results.find(({ measured }) => measured === CHECKED_CASE);
  if (!checked?.recording) return;
  const { ours, recording } = checked;
  const cpuRatio = Math.round((ours.cpuMicros / recording.cpuMicros) * 100) / 100;
  writeFileSync(RECORDED, `{ "cpuRatio": ${cpuRatio} }\n`);
}

const MEMORY_SECONDS = 60;

/** Each of these servers is new: what requests of other kinds took is not counted. */
async function measureMemory(): Promise<void> {
  const stub = await startStub();
  const rows: string[] = [];
  for (const measured of CASES.filter(isSearch)) {
    // memory matters under load
    if (measured.connections === 1) continue;
    const store = mkdtempSync(join(folder, 'memory-'));
    const child = await startTrawl(stub, { DATA_DIR: store });
    const target = { child, path: measured.path, body: measured.body };
    const options = { key: KEY, seconds: MEMORY_SECONDS, servers: [child] };
    const { memoryMb, failures } = await measureTarget(target, measured, options);
    if (failures > 0) throw new Error(`${failures} answers were not 200`);
    rows.push(`| ${measured.connections} | ${memoryMb.toFixed(0)} |`);
    child.stop();
  }
  const head = ['| connections | RSS MB |', '| --- | --- |'];
  const lines = [`${machine()}; ${today()}`, '', ...head, ...rows];
  console.log(lines.join('\n'));
  if (values.write) writeDocs('memory', lines);
}

async function measureStart(): Promise<void> {
  const lines = [`${machine()}; ${today()}`, '', ...(await startTable())];
  console.log(lines.join('\n'));
}

/**
 * Fails when a search costs far more, next to the bare fan-out that records, than what is recorded.
 */
async function check(targets: Targets): Promise<void> {
  if (!CHECKED_CASE) throw new Error('the checked case is missing');
  const { recording, ours } = await measureCase(targets, CHECKED_CASE, rounds);
  const ratio = ours.cpuMicros / (recording?.cpuMicros ?? Number.NaN);
  const { cpuRatio } = JSON.parse(readFileSync(RECORDED, 'utf8')) as { cpuRatio: number };
  const verdict = ratio <= cpuRatio * CHECK_ALLOWED ? 'within' : 'above';
  console.log(
    `a search costs ${ratio.toFixed(2)} times the CPU time of the bare fan-out that records; recorded: ${cpuRatio}; ${verdict} ${CHECK_ALLOWED} times that`,
  );
  if (verdict === 'above') process.exitCode = 1;
  await checkKept(targets);
}

/**
 * A search leaves about 7 KB, 8 KB in events: what is in progress while young objects are collected
 * twice. It left 21 KB while a Map of requests in progress kept them, and 16 KB while each row was
 * spread for its date.
 */
const KEPT_BYTES = 12_000;

/** Fails when requests are kept until a full garbage collection, which makes each one cost more. */
async function checkKept(targets: Targets): Promise<void> {
  for (const measured of CASES) {
    const { connections, isPostgres } = measured;
    // with more connections, a request waits until it is rightly taken for an old one
    if (connections !== 32 || isPostgres) continue;
    const kept = Math.round(await keptBytes(oursOf(targets, measured), measured, KEY));
    const verdict = kept <= KEPT_BYTES ? 'within' : 'above';
    console.log(`${measured.name}: leaves ${kept} bytes; ${verdict} ${KEPT_BYTES}`);
    if (verdict === 'above') process.exitCode = 1;
  }
}

const isSearch = ({ name }: Case): boolean => name === 'search';

function isWanted(one: Case): boolean {
  if (values.check) return one === CHECKED_CASE;
  if (one.isPostgres && !values.database) return false;
  return one.name.includes(values.only ?? '');
}

async function measureTable(): Promise<void> {
  const wanted = CASES.filter(isWanted);
  if (wanted.length === 0) throw new Error(`no case has ${values.only} in its name`);
  const targets = await startTargets();
  if (values.kept) return checkKept(targets);
  await warmUp(targets, wanted);
  if (values.check) return check(targets);
  const results: CaseResult[] = [];
  for (const measured of wanted) results.push(await measureCase(targets, measured, rounds));
  report(results);
}

try {
  if (values.start) await measureStart();
  else await (values.memory ? measureMemory() : measureTable());
} finally {
  for (const child of children) child.stop();
  rmSync(folder, { recursive: true, force: true });
}
