import { Agent, createServer } from 'node:http';
import { connect } from 'node:net';
import { getJson } from 'serpapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../src/util/json.ts';
import { rowsAt, useSandbox } from './support.ts';

const sandbox = useSandbox();
const BASE = { engine: 'google', q: 'tidal energy', api_key: 'test-key', output: 'json' };

async function get(query: Record<string, string> | string, path = '/search') {
  const url = `${sandbox().baseUrl('serpapi')}${path}?${new URLSearchParams(query)}`;
  const response = await fetch(url);
  return { status: response.status, body: (await response.json()) as JsonObject };
}
const search = (more: Record<string, string> = {}) => get({ ...BASE, ...more });
const organic = async (more: Record<string, string>) =>
  rowsAt((await search(more)).body, 'organic_results');

describe('a search that serpapi accepts', () => {
  test('answers with one page of ten, whatever num says', async () => {
    for (const more of [{}, { num: '3' }, { num: '100' }]) {
      expect(await organic(more)).toHaveLength(10);
    }
  });

  test('describes the search and echoes its parameters without the key', async () => {
    const { status, body } = await search({ gl: 'de', hl: 'de' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      search_metadata: { status: 'Success', id: expect.stringMatching(/^[0-9a-f]{24}$/) },
      search_parameters: { engine: 'google', q: 'tidal energy', gl: 'de', hl: 'de' },
      search_information: { organic_results_state: 'Results for exact spelling' },
      answer_box: { snippet: expect.any(String), link: expect.any(String) },
      knowledge_graph: { title: 'Tidal energy', description: expect.any(String) },
      serpapi_pagination: { current: 1 },
    });
    expect(JSON.stringify(body)).not.toContain('test-key');
    for (const block of ['related_questions', 'related_searches', 'top_stories']) {
      expect(rowsAt(body, block).length).toBeGreaterThan(0);
    }
  });

  test('rows hold position, title and link, and the rest only at times', async () => {
    const rows = await organic({ q: 'tidal [[serpapi:rows=100]]' });
    const share = (holds: (row: JsonObject) => boolean) => rows.filter(holds).length;
    rows.forEach((row, index) => {
      expect(row).toMatchObject({
        position: index + 1,
        title: expect.any(String),
        link: expect.stringMatching(/^https:/),
      });
    });
    for (const member of ['snippet', 'date', 'favicon', 'thumbnail', 'author', 'sitelinks']) {
      expect([member, share((row) => member in row) > 2]).toEqual([member, true]);
      expect([member, share((row) => !(member in row)) > 1]).toEqual([member, true]);
    }
    expect(share(({ date }) => /ago$/.test(String(date)))).toBeGreaterThan(0);
    expect(share(({ date }) => /^[A-Z][a-z]{2} \d+, \d{4}$/.test(String(date)))).toBeGreaterThan(5);
  });

  test('start pages on, and the same request gives the same bytes', async () => {
    const [first] = await organic({});
    const [eleventh] = await organic({ start: '10' });
    expect(first?.link).not.toBe(eleventh?.link);
    expect((await search()).body).toEqual((await search()).body);
  });

  test('/search.json is the same thing', async () => {
    const { status, body } = await get(BASE, '/search.json');
    expect([status, rowsAt(body, 'organic_results').length]).toEqual([200, 10]);
  });

  test('nothing found is a 200 with an error text and no rows', async () => {
    const { status, body } = await search({ q: 'tidal [[serpapi:empty]]' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      search_metadata: { status: 'Success' },
      search_information: { organic_results_state: 'Fully empty' },
      error: expect.stringContaining("hasn't returned any results"),
    });
    expect(body).not.toHaveProperty('organic_results');
  });
});

describe('a search that serpapi refuses', () => {
  test.each<[string, Record<string, string>, string]>([
    ['no query', { q: '' }, 'Missing query `q`'],
    ['another engine', { engine: 'altavista' }, '`engine`'],
    ['another output', { output: 'xml' }, '`output`'],
    ['a start that is not a number', { start: 'ten' }, '`start`'],
    ['a country in capitals', { gl: 'US' }, '`gl`'],
    ['another device', { device: 'watch' }, '`device`'],
    ['another safety', { safe: 'on' }, '`safe`'],
    ['a flag in words', { no_cache: 'yes' }, '`no_cache`'],
    ['a bit in words', { nfpr: 'true' }, '`nfpr`'],
    ['half a place', { lat: '52.5' }, '`lon`'],
    ['a place twice over', { location: 'Austin', uule: 'w+x' }, '`uule`'],
    ['no cache for later', { no_cache: 'true', async: 'true' }, '`async`'],
    ['an unknown parameter', { num_results: '5' }, '`num_results`'],
  ])('%s is a 400 with a text', async (_name, more, part) => {
    const { status, body } = await search(more);
    expect([status, body]).toEqual([400, { error: expect.stringContaining(part) }]);
  });

  test('a repeated parameter is a 400', async () => {
    expect((await get(`${new URLSearchParams(BASE)}&q=again`)).status).toBe(400);
  });

  test.each([
    ['', 401, 'Invalid API key'],
    ['bad-key', 401, 'Invalid API key'],
    ['quota-key', 429, 'run out of searches'],
  ])('the key "%s" is a %i', async (api_key, status, part) => {
    const answer = await search({ api_key });
    expect([answer.status, answer.body]).toEqual([
      status,
      { error: expect.stringContaining(part) },
    ]);
  });

  test('the key is judged before the parameters', async () => {
    expect((await get({ api_key: 'bad-key' })).status).toBe(401);
  });

  test.each([400, 401, 403, 404, 410, 429, 500])('status %i has a text', async (status) => {
    const answer = await search({ q: `tidal [[serpapi:status=${status}]]` });
    expect([answer.status, answer.body]).toEqual([status, { error: expect.any(String) }]);
  });

  test('another path or method is a 404 or 405', async () => {
    const base = sandbox().baseUrl('serpapi');
    const statuses = [
      (await fetch(`${base}/account`)).status,
      (await fetch(`${base}/search`, { method: 'POST' })).status,
    ];
    expect(statuses).toEqual([404, 405]);
  });

  test('echo-key quotes the key in a row and in an error', async () => {
    const [row] = await organic({ q: 'tidal [[serpapi:echo-key]]' });
    expect(row?.title).toContain('test-key');
    const { body } = await search({ q: 'tidal [[serpapi:echo-key,status=500]]' });
    expect(body.error).toContain('test-key');
  });
});

describe('the official serpapi client', () => {
  // the client cannot set its host or a path prefix: a server in between adds the sandbox's prefix
  const between = createServer(async (request, response) => {
    const answer = await fetch(`${sandbox().baseUrl('serpapi')}${request.url}`);
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
    const names = sandbox()
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
