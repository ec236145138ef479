import { Exa, ExaError } from 'exa-js';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../src/util/json.ts';
import { testSearch } from './search-table.ts';
import { rowsAt } from './support.ts';

const q = { query: 'tidal energy' };
const NUMBER = expect.any(Number);
const TEXT = expect.any(String);
const ID = expect.stringMatching(/^[0-9a-f]{32}$/);
const CONTENT_FIELDS = ['text', 'highlights', 'highlightScores', 'summary', 'extras', 'subpages'];
const key = (value: string) => ({ 'x-api-key': value });
const error = (status: number, tag: unknown): [number, unknown] => [
  status,
  { requestId: ID, error: TEXT, tag },
];
const tooDeep = {
  type: 'object',
  properties: {
    a: { type: 'object', properties: { b: { type: 'object', properties: { c: {} } } } },
  },
};
const tooWide = {
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`p${n}`, {}])),
};

const exa = testSearch({
  vendor: 'exa',
  route: 'POST /search',
  keyed: key,
  asking: (query) => ({ query }),
  rows: ['results'],
  envelope: {
    requestId: ID,
    autoDate: TEXT,
    resolvedSearchType: 'neural',
    searchTime: NUMBER,
    results: expect.any(Array),
    costDollars: { total: 0.007, search: { neural: 0.007 } },
  },
  row: expect.objectContaining({ id: TEXT, url: TEXT, title: TEXT }),
  counts: [
    [{}, 10],
    [{ numResults: 1 }, 1],
    [{ numResults: 11 }, 11],
    [{ numResults: 100 }, 100],
  ],
  refused: {
    'no JSON': ['{"query":', 'JSON object'],
    'numResults 101': [{ ...q, numResults: 101 }, '100', error(400, 'NUM_RESULTS_EXCEEDED')],
    '26 deep rows': [
      { ...q, type: 'deep', numResults: 26 },
      '25',
      error(400, 'NUM_RESULTS_EXCEEDED'),
    ],
    'an unknown type': [{ ...q, type: 'turbo' }, "'auto', 'lite'"],
    'an unknown parameter': [{ ...q, num_results: 5 }, 'num_results'],
    'additional queries without deep': [
      { ...q, additionalQueries: ['b'] },
      'additionalQueries',
      error(400, 'INVALID_REQUEST'),
    ],
    'dates with companies': [
      { ...q, category: 'company', startPublishedDate: '2025-01-01' },
      'startPublishedDate',
      error(400, 'INVALID_REQUEST'),
    ],
    'livecrawl with an age': [
      { ...q, contents: { livecrawl: 'always', maxAgeHours: 1 } },
      'livecrawl',
      error(400, 'INVALID_REQUEST'),
    ],
    'dynamic highlights without their header': [
      { ...q, contents: { highlights: { dynamic: true } } },
      'Exa-Beta',
      error(400, 'INVALID_REQUEST'),
    ],
    'lite with a summary': [{ ...q, type: 'lite', contents: { summary: {} } }, 'contents.summary'],
    'lite with a system prompt': [{ ...q, type: 'lite', systemPrompt: 'x' }, 'systemPrompt'],
    'too deep a schema': [
      { ...q, outputSchema: tooDeep },
      '2 levels',
      error(400, 'INVALID_JSON_SCHEMA'),
    ],
    'too wide a schema': [
      { ...q, outputSchema: tooWide },
      '10 properties',
      error(400, 'INVALID_JSON_SCHEMA'),
    ],
    'a schema without a type': [
      { ...q, outputSchema: {} },
      'type',
      error(400, 'INVALID_JSON_SCHEMA'),
    ],
  },
  refusal: error(400, 'INVALID_REQUEST_BODY'),
  keys: {
    'no key': [key(''), ...error(401, 'INVALID_API_KEY')],
    'an unknown key': [key('bad-key'), ...error(401, 'INVALID_API_KEY')],
    'a used-up key': [key('quota-key'), ...error(402, 'NO_MORE_CREDITS')],
    'another content type': [
      { ...key('test-key'), 'content-type': 'text/plain' },
      ...error(400, 'INVALID_REQUEST_BODY'),
    ],
  },
  elsewhere: {
    'POST /nothing': [404, expect.objectContaining({ error: TEXT, tag: TEXT })],
    'GET /search': [405, expect.anything()],
  },
  failures: { 429: { error: TEXT }, 500: error(500, 'INTERNAL_ERROR')[1] },
  empty: [200, expect.objectContaining({ results: [] })],
});

describe('a search of exa', () => {
  test('carries no content field that was not asked for', async () => {
    for (const contents of [undefined, {}, { text: false, highlights: null }]) {
      for (const row of await exa.rowsWith({ contents })) {
        for (const field of CONTENT_FIELDS) expect(row).not.toHaveProperty(field);
      }
    }
  });

  test.each<[string, JsonObject, readonly string[]]>([
    ['text', { text: true }, ['text']],
    ['highlights', { highlights: true }, ['highlights', 'highlightScores']],
    ['summary as an object', { summary: {} }, ['summary']],
    ['summary as true', { summary: true }, ['summary']],
    ['extras', { extras: { links: 3, imageLinks: 2 } }, ['extras']],
    ['subpages', { subpages: 2 }, ['subpages']],
  ])('adds exactly the fields of %s', async (_name, contents, fields) => {
    for (const row of await exa.rowsWith({ contents })) {
      expect(CONTENT_FIELDS.filter((field) => field in row)).toEqual(fields);
    }
  });

  test('honours the sizes of the content options', async () => {
    const contents = {
      text: { maxCharacters: 120 },
      highlights: { maxCharacters: 50 },
      extras: { links: 3, imageLinks: 2 },
    };
    for (const row of await exa.rowsWith({ contents })) {
      expect(row.text).toHaveLength(120);
      expect([row.highlights].flat(2).join('').length).toBeLessThanOrEqual(50);
      expect(rowsAt(row, 'extras', 'links')).toHaveLength(3);
      expect(rowsAt(row, 'extras', 'imageLinks')).toHaveLength(2);
    }
  });

  test('gives page texts of a few KB, half of them with HTML entities', async () => {
    const rows = await exa.rowsWith({ numResults: 50, contents: { text: true } });
    const texts = rows.map((row) => String(row.text));
    for (const text of texts) {
      expect(text.length).toBeGreaterThan(2_000);
      expect(text).toContain('\n');
    }
    const encoded = texts.filter((text) => text.includes('&amp;') || text.includes('&#x27;'));
    expect(encoded.length).toBeGreaterThan(10);
    expect(encoded.length).toBeLessThan(40);
  });

  test('gives the summary as JSON text when a schema asks for it', async () => {
    const schema = { type: 'object', properties: { topic: { type: 'string' } } };
    const [row] = await exa.rowsWith({ contents: { summary: { schema } } });
    expect(JSON.parse(String(row?.summary))).toEqual({ topic: expect.any(String) });
  });

  test('leaves out or empties author, date, image and favicon as real rows do', async () => {
    const rows = await exa.rowsWith({ numResults: 100 });
    const share = (holds: (row: JsonObject) => boolean) => rows.filter(holds).length;
    expect(share((row) => row.author === null)).toBeGreaterThan(5);
    expect(share((row) => row.author === '')).toBeGreaterThan(5);
    expect(share((row) => !('publishedDate' in row))).toBeGreaterThan(2);
    expect(share((row) => !('image' in row))).toBeGreaterThan(2);
    expect(share((row) => !('favicon' in row))).toBeGreaterThan(2);
    expect(share((row) => 'score' in row)).toBe(0);
    const midnight = /^\d{4}-\d\d-\d\dT00:00:00\.000Z$/;
    expect(share((row) => midnight.test(String(row.publishedDate)))).toBeGreaterThan(20);
  });

  test('accepts the key as a bearer token too', async () => {
    const headers = { 'x-api-key': '', authorization: 'Bearer test-key' };
    expect((await exa.search({ query: 'tidal energy' }, headers)).status).toBe(401);
    const response = await fetch(`${exa().baseUrl('exa')}/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer test-key' },
      body: '{"query":"tidal energy"}',
    });
    expect(response.status).toBe(200);
    expect(exa().calls.at(-1)?.key).toBe('test-key');
  });

  test('adds synthesized output when an output schema is sent, and only then', async () => {
    expect((await exa.searchWith({})).body).not.toHaveProperty('output');
    const asText = await exa.searchWith({ outputSchema: { type: 'text' } });
    expect(asText.body.output).toMatchObject({
      content: expect.any(String),
      grounding: [{ field: 'content', confidence: 'medium' }],
    });
    const properties = { leader: { type: 'string' }, count: { type: 'number' } };
    const asObject = await exa.searchWith({
      outputSchema: { type: 'object', properties },
    });
    expect(asObject.body.output).toMatchObject({
      content: { leader: expect.any(String), count: NUMBER },
      grounding: [{ field: 'leader' }, { field: 'count' }],
    });
  });

  test.each(['company', 'people', 'publication'])(
    'adds entities for category %s',
    async (category) => {
      for (const row of await exa.rowsWith({ category })) {
        expect(rowsAt(row, 'entities')).toHaveLength(1);
      }
    },
  );

  test('warns about parameters without effect', async () => {
    const answer = await exa.searchWith({ startCrawlDate: '2025-01-01' });
    expect(rowsAt(answer.body, 'warnings')).toHaveLength(1);
  });
});

describe('the price of a search', () => {
  const ten = { numResults: 10 };
  test.each<[string, JsonObject, number]>([
    ['auto', ten, 0.007],
    ['text and highlights', { ...ten, contents: { text: true, highlights: true } }, 0.007],
    ['lite', { ...ten, type: 'lite' }, 0.004],
    ['instant', { ...ten, type: 'instant' }, 0.004],
    ['deep', { ...ten, type: 'deep' }, 0.012],
    ['deep-reasoning', { ...ten, type: 'deep-reasoning' }, 0.015],
    ['five rows above ten', { ...ten, numResults: 15 }, 0.012],
    ['ten summaries', { ...ten, contents: { summary: {} } }, 0.017],
  ])('is right for %s', async (_name, body, total) => {
    expect((await exa.searchWith(body)).body.costDollars).toMatchObject({ total });
  });
});

const client = (key = 'test-key') => new Exa(key, exa().baseUrl('exa'));
const QUERY = 'node 20 release notes';

/** The official client's error for a failing search. */
async function errorOf(run: Promise<unknown>): Promise<ExaError> {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ExaError) return error;
  throw new Error(`expected an ExaError, got ${String(error)}`);
}

describe('the official exa client', () => {
  test('parses a search without contents', async () => {
    const answer = await client().search(QUERY, { type: 'auto', numResults: 5, contents: false });
    expect(answer.results).toHaveLength(5);
    expect(answer.requestId).toMatch(/^[0-9a-f]{32}$/);
    expect(answer.costDollars?.total).toBe(0.007);
    expect(exa().calls.at(-1)?.json()).toEqual({ query: QUERY, type: 'auto', numResults: 5 });
  });

  test('parses every content field it can ask for', async () => {
    const contents = {
      text: true,
      highlights: true,
      summary: { query: QUERY },
      extras: { links: 10, imageLinks: 10 },
    } as const;
    const { results } = await client().search(QUERY, { type: 'auto', numResults: 5, contents });
    expect(results).toHaveLength(5);
    for (const row of results) {
      expect(row.text.length).toBeGreaterThan(1_000);
      expect(row.highlights.length).toBeGreaterThan(0);
      expect(row.summary).toEqual(expect.any(String));
      expect(row.extras.links).toHaveLength(10);
    }
    expect(exa().calls.at(-1)?.json()).toEqual({
      query: QUERY,
      type: 'auto',
      numResults: 5,
      contents,
    });
  });

  test('may be called with its own defaults', async () => {
    const { results } = await client().search(QUERY);
    expect(results).toHaveLength(10);
    expect(exa().calls.at(-1)?.json()).toEqual({
      query: QUERY,
      contents: { text: { maxCharacters: 10_000 } },
    });
  });

  test('parses synthesized output', async () => {
    const { output } = await client().search(QUERY, {
      outputSchema: { type: 'text' },
      contents: false,
    });
    expect(output?.content).toEqual(expect.any(String));
    expect(output?.grounding[0]?.citations.length).toBeGreaterThan(0);
  });

  test('opts into beta features with its header', async () => {
    const contents = { highlights: { dynamic: true } } as const;
    const beta = { betas: ['dynamic-highlights-2026-08-28'] };
    expect((await client().search(QUERY, { contents, ...beta })).results).toHaveLength(10);
    expect((await errorOf(client().search(QUERY, { contents }))).statusCode).toBe(400);
  });

  test.each([400, 401, 402, 403, 422, 429, 500, 502, 503])(
    'raises ExaError with status %i',
    async (status) => {
      const error = await errorOf(
        client().search(`${QUERY} [[exa:status=${status}]]`, { contents: false }),
      );
      expect(error.statusCode).toBe(status);
      expect(error.message).toMatch(/^The .+/);
      if (status !== 429) expect(error.requestId).toMatch(/^[0-9a-f]{32}$/);
      expect(exa().calls).toHaveLength(1);
    },
  );

  test.each([
    ['bad-key', 401],
    ['quota-key', 402],
  ])('raises ExaError for the key %s', async (key, status) => {
    const error = await errorOf(client(key).search(QUERY, { contents: false }));
    expect(error.statusCode).toBe(status);
  });

  test.each(['not-json', 'broken-json'])('raises ExaError for a body that is %s', async (fault) => {
    const error = await errorOf(client().search(`${QUERY} [[exa:${fault}]]`, { contents: false }));
    expect(error.statusCode).toBe(200);
  });
});
