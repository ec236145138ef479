import { Agent, createServer } from 'node:http';
import { connect } from 'node:net';
import { getJson } from 'serpapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../src/util/json.ts';
import { testSearch } from './search-table.ts';
import { ask, rowsAt } from './support.ts';

const TEXT = expect.any(String);
const ERROR = { error: TEXT };
const BASE = { engine: 'google', q: 'tidal energy', output: 'json' };
const metadata = expect.objectContaining({
  status: 'Success',
  id: expect.stringMatching(/^[0-9a-f]{24}$/),
});
const some = expect.arrayContaining([expect.any(Object)]);

const serpapi = testSearch({
  vendor: 'serpapi',
  route: 'GET /search',
  keyIn: 'query',
  keyed: (api_key) => ({ api_key }),
  asking: (q) => ({ ...BASE, q }),
  rows: ['organic_results'],
  envelope: expect.objectContaining({
    search_metadata: metadata,
    search_parameters: expect.objectContaining({ engine: 'google', q: 'tidal energy' }),
    search_information: expect.objectContaining({
      organic_results_state: 'Results for exact spelling',
    }),
    answer_box: expect.objectContaining({ snippet: TEXT, link: TEXT }),
    knowledge_graph: expect.objectContaining({ title: 'Tidal energy', description: TEXT }),
    serpapi_pagination: expect.objectContaining({ current: 1 }),
    related_questions: some,
    related_searches: some,
    top_stories: some,
  }),
  row: expect.objectContaining({
    position: expect.any(Number),
    title: TEXT,
    link: expect.stringMatching(/^https:/),
  }),
  counts: [
    [{}, 10],
    [{ num: '3' }, 10],
    [{ num: '100' }, 10],
  ],
  refused: {
    'no query': [{ ...BASE, q: '' }, 'Missing query `q`'],
    'another engine': [{ ...BASE, engine: 'altavista' }, '`engine`'],
    'half a place': [{ ...BASE, lat: '52.5' }, '`lon`'],
    'an unknown parameter': [{ ...BASE, num_results: '5' }, '`num_results`'],
    'a repeated parameter': [`${new URLSearchParams(BASE)}&api_key=test-key&q=again`, '`q`'],
    'an unknown key, whatever else is wrong': [
      { api_key: 'bad-key' },
      'Invalid API key',
      [401, ERROR],
    ],
  },
  refusal: [400, ERROR],
  keys: {
    'no key': [{ api_key: '' }, 401, ERROR],
    'a used-up key': [{ api_key: 'quota-key' }, 429, ERROR],
  },
  elsewhere: { 'GET /account': [404, expect.anything()], 'POST /search': [405, expect.anything()] },
  failures: Object.fromEntries(
    [400, 401, 403, 404, 410, 429, 500].map((status) => [status, ERROR]),
  ),
  empty: [
    200,
    expect.objectContaining({
      search_metadata: metadata,
      search_information: expect.objectContaining({ organic_results_state: 'Fully empty' }),
      error: expect.stringContaining("hasn't returned any results"),
    }),
  ],
});

describe('a search of serpapi', () => {
  test('echoes its parameters without the key', async () => {
    const { body, text } = await serpapi.searchWith({ gl: 'de', hl: 'de' });
    expect(body.search_parameters).toMatchObject({ gl: 'de', hl: 'de' });
    expect(text).not.toContain('test-key');
  });

  test('has rows in order, and most members only at times', async () => {
    const rows = await serpapi.rowsWith({ q: 'tidal [[serpapi:rows=100]]' });
    const count = (holds: (row: JsonObject) => boolean) => rows.filter(holds).length;
    expect(rows.map((row) => row.position)).toEqual(rows.map((_, index) => index + 1));
    for (const member of ['snippet', 'date', 'favicon', 'thumbnail', 'author', 'sitelinks']) {
      expect([member, count((row) => member in row) > 2]).toEqual([member, true]);
      expect([member, count((row) => !(member in row)) > 1]).toEqual([member, true]);
    }
    expect(count(({ date }) => /ago$/.test(String(date)))).toBeGreaterThan(0);
    expect(count(({ date }) => /^[A-Z][a-z]{2} \d+, \d{4}$/.test(String(date)))).toBeGreaterThan(5);
  });

  test('goes on at a start', async () => {
    const [[first], [eleventh]] = [
      await serpapi.rowsWith({}),
      await serpapi.rowsWith({ start: '10' }),
    ];
    expect(first?.link).not.toBe(eleventh?.link);
  });

  test('is the same at /search.json, and has no rows where nothing is found', async () => {
    const json = await ask(
      serpapi(),
      'serpapi',
      'GET',
      '/search.json',
      { ...BASE, api_key: 'test-key' },
      {},
    );
    expect(rowsAt(json.body, 'organic_results')).toHaveLength(10);
    expect((await serpapi.faulty('empty')).body).not.toHaveProperty('organic_results');
  });
});

describe('the official serpapi client', () => {
  // the client cannot set its host or a path prefix: a server in between adds the sandbox's prefix
  const between = createServer(async (request, response) => {
    const answer = await fetch(`${serpapi().baseUrl('serpapi')}${request.url}`);
    response.writeHead(answer.status).end(await answer.text());
  });
  class LoopbackAgent extends Agent {
    override createConnection() {
      const address = between.address();
      return connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
    }
  }
  beforeAll(() => new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    between.close();
    between.closeAllConnections();
  });

  const run = (q: string, key = 'test-key') =>
    getJson({
      engine: 'google',
      q,
      api_key: key,
      requestOptions: { agent: new LoopbackAgent(), protocol: 'http:' },
    });

  test('parses an answer, and nothing it sends on its own is refused', async () => {
    const answer = await run('tidal energy');
    expect(answer.search_metadata.status).toBe('Success');
    expect(answer.organic_results).toHaveLength(10);
    const names = serpapi()
      .calls.at(-1)
      ?.query.map(([name]) => name);
    expect(names?.sort()).toEqual(['api_key', 'engine', 'output', 'q', 'source']);
  });

  test('parses an answer with nothing found', async () => {
    const answer = await run('tidal [[serpapi:empty]]');
    expect(answer.error).toContain("hasn't returned any results");
  });

  test.each([
    ['tidal [[serpapi:status=503]]', 'test-key', '<!DOCTYPE'],
    ['tidal [[serpapi:status=429]]', 'test-key', 'hourly throughput'],
    ['tidal', 'bad-key', 'Invalid API key'],
    ['tidal', 'quota-key', 'run out of searches'],
  ])('rejects %s for %s with the body as text', async (q, key, part) => {
    await expect(run(q, key)).rejects.toContain(part);
  });
});
