import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestServer } from '@trawl/test-support/harness';
import { runProgram } from '@trawl/test-support/program';
import { expect, test } from 'vitest';
import { testPlaces } from './program.ts';

const at = testPlaces();

const ASK = ['--providers', 'exa', '--yes'];

test.each([
  ['mine.csv', 'query,golds\ntidal,x\n', 'line 1 has an unknown column "golds"'],
  [
    'mine.jsonl',
    '{"query": "a"}\n{"query": "b", "id": "1"}\n',
    'line 2, id: "1" is that of line 1 too',
  ],
  ['mine.jsonl', '\n', 'it has no queries'],
])('a fault of %s names its place, and nothing is asked', async (name, text, message) => {
  await writeFile(join(at.place.folder, name), text);
  const { code, stderr } = await at.place.evaluate([name, ...ASK]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${name}: ${message}`)]);
  expect(at.server.sandbox.calls).toEqual([]);
});

test.each([
  [['--set', 'nowhere'], 'the sets are starter, octen-anchors, simpleqa, frames', 2],
  [['mine.jsonl', '--k', '21'], '--k takes a whole number from 1 to 20', 2],
  [['mine.jsonl', '--providers', 'nobody'], 'nobody', 2],
  [['mine.jsonl', '--providers', 'exa,oracle'], 'oracle is the name of a control', 2],
])('%j is refused before anything is paid', async (args, message, expected) => {
  await at.place.setFile([{ query: 'tidal power' }]);
  const { code, stderr } = await at.place.evaluate([...ASK, ...args]);
  expect([code, stderr]).toEqual([expected, expect.stringContaining(message)]);
  expect(at.server.sandbox.calls).toEqual([]);
});

test.each([
  ['--html', 'mine.jsonl', 'is the same file as mine.jsonl'],
  ['--html', 'mine.run.jsonl', 'is the same file as mine.run.jsonl'],
  ['--html', 'notes.html', 'exists and is something else'],
  ['--html', '.', 'is a folder'],
  ['--run', 'mine.jsonl', 'is the same file as mine.jsonl'],
  ['--run', '.', 'is a folder'],
])('%s %s is refused before anything is paid', async (flag, path, message) => {
  const file = await at.place.setFile([{ query: 'tidal power' }]);
  await writeFile(join(at.place.folder, 'notes.html'), '<!doctype html><p>mine');
  const { code, stderr } = await at.place.evaluate([file, ...ASK, flag, path]);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${flag}: ${path} ${message}`)]);
  expect(at.server.sandbox.calls).toEqual([]);
  expect(await at.place.rowsOf('mine.run.jsonl')).toHaveLength(0);
});

test('a provider without a key is not measured, and is asked once it has one', async () => {
  const rows = Array.from({ length: 12 }, (_, at) => ({ query: `tidal power ${at}` }));
  const file = await at.place.setFile(
    rows.map((row) => ({ ...row, gold_urls: ['https://a.test/'] })),
  );
  const args = [file, '--providers', 'exa,brave', '--yes', '--json'];
  const keyless = await startTestServer({ env: { BRAVE_API_KEY: undefined } });
  try {
    const own = { SERVICE_BASE_URL: keyless.url, SERVICE_API_KEY: keyless.key };
    const first = JSON.parse((await at.place.evaluate(args, own)).stdout);
    const brave = first.groups[0].providers.find(
      ({ provider }: { provider: string }) => provider === 'brave',
    );
    expect([brave.ndcg, brave.failures]).toEqual([null, { missing_credential: 12 }]);
    expect([first.missing_calls, first.groups[0].comparisons]).toEqual([12, []]);
    const again = await at.place.evaluate(args, own);
    expect(again.stderr).toContain('12 search calls to make');
  } finally {
    await keyless.stop();
  }
});

test('a question that nobody can answer is not a yes', async () => {
  const file = await at.place.setFile([{ query: 'tidal power' }]);
  const { code, stderr } = await at.place.evaluate([file, '--providers', 'exa']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--yes makes the calls')]);
  expect(at.server.sandbox.calls).toEqual([]);
});

test('a run is not mixed with another set, or another k', async () => {
  const file = await at.place.setFile([{ query: 'tidal power' }]);
  await at.place.evaluate([file, ...ASK]);
  const deeper = await at.place.evaluate([file, ...ASK, '--k', '3']);
  expect([deeper.code, deeper.stderr]).toEqual([
    2,
    expect.stringContaining('a run with another --k: 5'),
  ]);
  await at.place.setFile([{ query: 'rope walks' }]);
  const changed = await at.place.evaluate([file, ...ASK]);
  expect(changed.stderr).toContain('a run with another set: mine');
});

test('a line that was cut is measured again; one that was changed is named', async () => {
  const file = await at.place.setFile([{ query: 'tidal power' }, { query: 'rope walks' }]);
  await at.place.evaluate([file, ...ASK]);
  const path = join(at.place.folder, 'mine.run.jsonl');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.slice(0, -40));
  expect((await at.place.evaluate([file, ...ASK])).code).toBe(0);
  expect(await at.place.rowsOf('mine.run.jsonl')).toHaveLength(2);
  // the call was answered from its record
  expect(at.server.sandbox.calls).toHaveLength(2);
  await writeFile(path, text.replace('"kind":"search"', '"kind":"surch"'));
  const { code, stderr } = await at.place.evaluate([file, ...ASK]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('line 2 is not a row of a run')]);
});

test('a gold page that is gone is a row, and does not count', async () => {
  const gone = 'https://atlas.example.org/wiki/missing?n=7';
  const file = await at.place.setFile([
    { query: 'tidal power', gold_urls: [gone] },
    { query: 'rope walks', gold_urls: ['https://www.example.com/guides/rope-walks'] },
  ]);
  const { code, stdout } = await at.place.evaluate([file, ...ASK, '--json', '--check-gold']);
  const { faults, groups } = JSON.parse(stdout);
  expect(code).toBe(0);
  expect(faults).toMatchObject([{ what: 'gold_gone', query: '1', about: gone }]);
  expect(groups[0].providers[0].ndcg.queries).toBe(1);
});

test('a budget that ends in the middle: rows are kept, and the run goes on when there is more', async () => {
  const { id, key } = await at.server.makeKey('budgeted');
  const limit = (usd: string) =>
    runProgram({
      args: ['keys', 'limit', id, '--monthly-budget', usd],
      settings: at.server.environment,
      folder: at.place.folder,
    });
  expect((await limit('0.03')).code).toBe(0);
  const words = [
    'tidal power',
    'rope walks',
    'heat pumps',
    'salt marshes',
    'peat bogs',
    'windmills',
  ];
  const file = await at.place.setFile(
    // a request is refused whose calls together cost more than what is left, so each is alone
    [...words, ...words.map((word) => `old ${word}`)].map((query, index) => ({
      query,
      filters: { published_after: `2020-01-${10 + index}` },
    })),
  );
  const env = { SERVICE_API_KEY: key };
  const stopped = await at.place.evaluate([file, ...ASK], env);
  expect(stopped.code).toBe(1);
  expect(stopped.stderr).toMatch(/\d rows are kept in mine\.run\.jsonl: the same command goes on/);
  expect(stopped.stderr).toContain('change budgets');
  // a dry run of the batch costs more than what is left
  expect(stopped.stderr).toContain('topics and the order in use are not known');
  const kept = (await at.place.rowsOf('mine.run.jsonl')).length;
  expect(kept).toBe(at.server.sandbox.calls.length);
  expect(kept).toBeLessThan(12);
  expect((await limit('10')).code).toBe(0);
  await expect
    .poll(async () => (await at.place.evaluate([file, ...ASK], env)).code, { timeout: 30_000 })
    .toBe(0);
  expect(at.server.sandbox.calls).toHaveLength(12);
});
