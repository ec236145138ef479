/**
 * `npm run walk [-- --list]`: the way of a request, counted. Starts a server in this process on
 * upstreams that answer at once, and counts by V8's precise coverage which functions of ours one
 * search and one fetch run on the main thread, in how many source files: the least of six, so
 * that work of the server's own does not count. `--list` prints them by file.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ROOT } from './source-files.mjs';

const KEY = 'tk_of_the_walk_000000000000000000000';
const TURNS = 6;
const QUIET_MS = 300;
const REQUESTS = {
  search: [
    '/v1/search',
    { user_input: { query: 'tidal' }, search: { providers: { include: ['exa'] } } },
  ],
  fetch: ['/v1/fetch', { urls: ['https://example.org/'], options: { providers: ['tinyfish'] } }],
};

const stub = fork(join(ROOT, 'scripts', 'bench', 'stub.mjs'));
const [{ url: upstream }] = await once(stub, 'message');
const folder = mkdtempSync(join(tmpdir(), 'trawl-walk-'));
const port = 20_000 + (process.pid % 10_000);
Object.assign(process.env, {
  PORT: String(port),
  DATA_DIR: folder,
  BOOTSTRAP_API_KEY: KEY,
  LOG_LEVEL: 'error',
  PAGE_CACHE_TTL_SECONDS: '0',
  EXA_API_KEY: 'walk',
  EXA_BASE_URL: `${upstream}/exa`,
  TINYFISH_API_KEY: 'walk',
  TINYFISH_BASE_URL: `${upstream}/tinyfish`,
});
const isListed = process.argv.includes('--list');
const entry = join(ROOT, 'dist', 'trawl.js');
process.argv = [process.execPath, entry, 'serve'];
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
import(pathToFileURL(entry).href);
const ask = async (path, body) => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
  await answer.text();
};
while (!(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok) await pause(50);

/** The source of each function that ran since the last call, as `file:line name`. */
async function ran() {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const places = new Set();
  for (const { url, functions } of result) {
    if (!url.startsWith(pathToFileURL(join(ROOT, 'dist')).href)) continue;
    for (const { functionName, ranges } of functions) {
      if (ranges[0].count === 0) continue;
      const place = sourceOf(fileURLToPath(url), ranges[0].startOffset);
      if (place) places.add(`${place} ${functionName}`);
    }
  }
  return [...places];
}

const loaded = new Map();
function sourceOf(path, offset) {
  if (!loaded.has(path)) {
    const map = `${path}.map`;
    const text = readFileSync(path, 'utf8');
    const read = existsSync(map) && new SourceMap(JSON.parse(readFileSync(map, 'utf8')));
    loaded.set(path, { text, map: read });
  }
  const { text, map } = loaded.get(path);
  if (!map) return undefined;
  const before = text.slice(0, offset).split('\n');
  const { originalSource, originalLine } = map.findEntry(before.length - 1, before.at(-1).length);
  if (!originalSource) return undefined;
  const file = relative(ROOT, join(dirname(path), originalSource));
  return /^packages\/(?!cli\/)/.test(file) ? `${file}:${originalLine + 1}` : undefined;
}

for (const [name, [path, body]] of Object.entries(REQUESTS)) {
  await ask(path, body);
  let least;
  for (let turn = 0; turn < TURNS; turn += 1) {
    await pause(QUIET_MS);
    await ran();
    await ask(path, body);
    await pause(QUIET_MS);
    const places = await ran();
    if (!least || places.length < least.length) least = places;
  }
  const files = new Set(least.map((place) => place.split(':')[0]));
  console.log(`${name}: ${least.length} functions in ${files.size} files`);
  if (isListed) console.log(least.sort().join('\n'));
}
stub.kill();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
