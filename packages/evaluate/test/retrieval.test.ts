import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { type Place, testPlaces } from './program.ts';

const at = testPlaces();
const evaluate: Place['evaluate'] = (...args) => at.place.evaluate(...args);
const setFile: Place['setFile'] = (...args) => at.place.setFile(...args);

const WORDS = [
  'tidal power',
  'rope walks',
  'heat pumps',
  'salt marshes',
  'peat bogs',
  'wind mills',
];
const TEXTS = [...WORDS, ...WORDS.map((word) => `history of ${word}`)];

/** The first page of each provider for a query. */
async function firstPages(query: string, include: readonly string[]): Promise<readonly string[]> {
  const { json } = await at.server.search({
    user_input: { query },
    search: { providers: { include } },
  });
  return json.preprocessor_runs.map(
    (run: { output_payload: { results: { url: string }[] } }) => run.output_payload.results[0]?.url,
  );
}

interface Planted {
  readonly query: string;
  readonly gold_urls: readonly string[];
}

/** Queries whose gold pages are the first of each provider; `spoilt` names who finds nothing. */
function planted(spoilt: (index: number) => string): Promise<readonly Planted[]> {
  return Promise.all(
    TEXTS.map(async (text, index) => ({
      query: `${text} ${spoilt(index)}`.trim(),
      gold_urls: await firstPages(text, ['exa', 'brave']),
    })),
  );
}

const ASK = ['--providers', 'exa,brave', '--yes', '--json'];

describe('which provider is better', () => {
  test('a planted better provider is found, and the cost is what was shown', async () => {
    const file = await setFile(await planted((index) => (index < 9 ? '[[brave:empty]]' : '')));
    at.server.sandbox.clearCalls();
    const priced = await evaluate([file, '--providers', 'exa,brave', '--dry-run', '--json']);
    expect(at.server.sandbox.calls).toEqual([]);
    const { search_usd: shown, search_calls: calls } = JSON.parse(priced.stdout);
    expect(calls).toBe(24);
    const { code, stdout, stderr } = await evaluate([file, ...ASK]);
    expect([code, stderr]).toEqual([0, expect.stringContaining('24 search calls to make')]);
    const report = JSON.parse(stdout);
    expect(report.cost.search_usd).toBeCloseTo(shown, 9);
    expect(report.cost.ledger).toEqual({ usd: expect.closeTo(shown, 9), unpriced_calls: 0 });
    expect(at.server.sandbox.calls).toHaveLength(24);
    expect(report.rows.real).toBe(0);
    const [all] = report.groups;
    expect(all.comparisons).toMatchObject([
      { first: 'exa', second: 'brave', measure: 'ndcg', queries: 12, verdict: 'better' },
    ]);
    expect(all.comparisons[0].difference.low).toBeGreaterThan(0);
    const table = await evaluate([file, '--providers', 'exa,brave']);
    expect(table.stdout).toContain('SIMULATED');
    expect(table.stdout).toContain('exa is better than brave: nDCG@5 +');
    // all rows are there, so nothing is asked and nothing has to be confirmed
    expect(table.code).toBe(0);
    expect(at.server.sandbox.calls).toHaveLength(24);
  });

  test('a planted equal provider is not called better', async () => {
    const file = await setFile(
      await planted((index) => (index % 2 === 0 ? '[[brave:empty]]' : '[[exa:empty]]')),
    );
    const { stdout } = await evaluate([file, ...ASK]);
    const [all] = JSON.parse(stdout).groups;
    expect(all.comparisons).toMatchObject([{ queries: 12, verdict: 'not separable' }]);
    const { low, high } = all.comparisons[0].difference;
    expect([low <= 0, high >= 0]).toEqual([true, true]);
  });

  test('with few queries nothing is called better', async () => {
    const rows = await planted(() => '[[brave:empty]]');
    const { stdout } = await evaluate([await setFile(rows.slice(0, 9)), ...ASK]);
    expect(JSON.parse(stdout).groups[0].comparisons).toMatchObject([
      { queries: 9, verdict: 'too few queries' },
    ]);
  });

  test('without gold, the pages count that several others agree on', async () => {
    const file = await setFile(TEXTS.map((query) => ({ query })));
    const args = [file, '--providers', 'exa,brave,tavily,you', '--yes'];
    const { stdout } = await evaluate(args);
    expect(stdout).toContain('agreed nDCG@5');
    expect(stdout).toContain('that is agreement, not truth');
  });

  test('the page has the figures, no script, and what a set says only as text', async () => {
    const rows = await planted(() => '');
    const hostile = rows.map((row, index) => ({
      ...row,
      id: `<img src=x onerror=alert(${index})>`,
    }));
    const file = await setFile(hostile, 'a&b.jsonl');
    const { code } = await evaluate([file, ...ASK, '--html', 'report.html']);
    expect(code).toBe(0);
    const page = await readFile(join(at.place.folder, 'report.html'), 'utf8');
    expect(page).toContain("content=\"default-src 'none'; style-src 'sha256-");
    expect(page).toContain('<h1>Evaluation of a&amp;b</h1>');
    expect(page).toMatch(/aria-label="exa: \d\.\d\d \(\d\.\d\d to \d\.\d\d\), 12 queries"/);
    expect(page).toContain('SIMULATED');
    expect(page).not.toMatch(/<script|<img|style="|https?:\/\/(?!127\.0\.0\.1)/);
  });

  test('topics that a set lacks, and the order in use, are those of the server', async () => {
    const file = await setFile([
      { query: 'breaking news: harbour strike vote result today' },
      { query: 'how to fix a leaking tap', topic: 'news' },
    ]);
    const { json: answer } = await at.server.search({
      user_input: { query: 'breaking news: harbour strike vote result today' },
      search: { auto_routing: 'accuracy' },
    });
    at.server.sandbox.clearCalls();
    const { stdout } = await evaluate([file, ...ASK]);
    const report = JSON.parse(stdout);
    expect(report.scores.map(({ topic }: { topic: string }) => topic)).toEqual(['news', 'news']);
    expect(report.set.classified).toBe(1);
    expect(report.in_use).toEqual({ news: answer.routing[0].providers });
    expect(at.server.sandbox.calls).toHaveLength(4);
  });

  test('the same seed gives the same report', async () => {
    const file = await setFile(await planted(() => ''));
    const [first, second] = [await evaluate([file, ...ASK]), await evaluate([file, ...ASK])];
    expect(second.stdout).toBe(first.stdout);
    const other = await evaluate([file, ...ASK, '--sample', '4', '--seed', '7']);
    expect(JSON.parse(other.stdout).set.queries).toBe(4);
  });
});

describe('a run that ends early', () => {
  test.each([
    ['SIGKILL', null, ''],
    ['SIGINT', 130, 'the same command goes on from there'],
  ] as const)('goes on after %s, and no call is made twice', async (kill, ending, said) => {
    const file = await setFile(TEXTS.map((query) => ({ query: `${query} [[*:latency=300]]` })));
    const child = at.place.start([file, ...ASK]);
    const closed = once(child, 'close');
    await vi.waitFor(
      async () => expect((await at.place.rowsOf('mine.run.jsonl')).length).toBeGreaterThan(5),
      { timeout: 20_000 },
    );
    const printed = child.stderr?.toArray();
    child.kill(kill);
    expect((await closed)[0]).toBe(ending);
    expect(Buffer.concat((await printed) ?? []).toString()).toContain(said);
    const { code, stdout, stderr } = await evaluate([file, ...ASK]);
    expect([code, stderr]).toEqual([0, expect.stringContaining('of this run already')]);
    const { cost } = JSON.parse(stdout);
    expect(cost.search_calls).toBe(24);
    expect(at.server.sandbox.calls).toHaveLength(24);
  });
});
