import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../src/util/json.ts';
import { exaSearch, rowsAt, useSandbox } from './support.ts';

const sandbox = useSandbox();
const search = (body: unknown, headers?: Record<string, string>) =>
  exaSearch(sandbox(), body, headers);
const rowsOf = async (body: unknown) => rowsAt((await search(body)).body, 'results');

const NUMBER = expect.any(Number);
const CONTENT_FIELDS = ['text', 'highlights', 'highlightScores', 'summary', 'extras', 'subpages'];

describe('a search that exa accepts', () => {
  test('answers with the documented envelope and ten rows by default', async () => {
    const { status, headers, body } = await search({ query: 'tidal energy' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toMatchObject({
      requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
      resolvedSearchType: 'neural',
      searchTime: NUMBER,
      costDollars: { total: 0.007, search: { neural: 0.007 } },
    });
    const rows = rowsAt(body, 'results');
    expect(rows).toHaveLength(10);
    for (const row of rows) {
      expect(row.id).toBe(row.url);
      expect(row.title).toEqual(expect.any(String));
    }
  });

  test.each([1, 5, 11, 100])('gives numResults=%i rows', async (numResults) => {
    expect(await rowsOf({ query: 'tidal energy', numResults })).toHaveLength(numResults);
  });

  test('carries no content field that was not asked for', async () => {
    for (const contents of [undefined, {}, { text: false, highlights: null }]) {
      for (const row of await rowsOf({ query: 'tidal energy', contents })) {
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
    for (const row of await rowsOf({ query: 'tidal energy', contents })) {
      expect(CONTENT_FIELDS.filter((field) => field in row)).toEqual(fields);
    }
  });

  test('honours the sizes of the content options', async () => {
    const contents = {
      text: { maxCharacters: 120 },
      highlights: { maxCharacters: 50 },
      extras: { links: 3, imageLinks: 2 },
    };
    for (const row of await rowsOf({ query: 'tidal energy', contents })) {
      expect(row.text).toHaveLength(120);
      expect([row.highlights].flat(2).join('').length).toBeLessThanOrEqual(50);
      expect(rowsAt(row, 'extras', 'links')).toHaveLength(3);
      expect(rowsAt(row, 'extras', 'imageLinks')).toHaveLength(2);
    }
  });

  test('gives page texts of a few KB, half of them with HTML entities', async () => {
    const rows = await rowsOf({ query: 'tidal energy', numResults: 50, contents: { text: true } });
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
    const [row] = await rowsOf({ query: 'tidal energy', contents: { summary: { schema } } });
    expect(JSON.parse(String(row?.summary))).toEqual({ topic: expect.any(String) });
  });

  test('leaves out or empties author, date, image and favicon as real rows do', async () => {
    const rows = await rowsOf({ query: 'tidal energy', numResults: 100 });
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

  test('treats null as absent for every optional option', async () => {
    const answer = await search({
      query: 'tidal energy',
      type: null,
      category: null,
      contents: null,
    });
    expect(answer.status).toBe(200);
  });

  test('accepts the key as a bearer token too', async () => {
    const headers = { 'x-api-key': '', authorization: 'Bearer test-key' };
    expect((await search({ query: 'tidal energy' }, headers)).status).toBe(401);
    const response = await fetch(`${sandbox().baseUrl('exa')}/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer test-key' },
      body: '{"query":"tidal energy"}',
    });
    expect(response.status).toBe(200);
    expect(sandbox().calls.at(-1)?.key).toBe('test-key');
  });

  test('adds synthesized output when an output schema is sent, and only then', async () => {
    expect((await search({ query: 'tidal energy' })).body).not.toHaveProperty('output');
    const asText = await search({ query: 'tidal energy', outputSchema: { type: 'text' } });
    expect(asText.body.output).toMatchObject({
      content: expect.any(String),
      grounding: [{ field: 'content', confidence: 'medium' }],
    });
    const properties = { leader: { type: 'string' }, count: { type: 'number' } };
    const asObject = await search({
      query: 'tidal energy',
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
      for (const row of await rowsOf({ query: 'tidal energy', category })) {
        expect(rowsAt(row, 'entities')).toHaveLength(1);
      }
    },
  );

  test('warns about parameters without effect', async () => {
    const answer = await search({ query: 'tidal energy', startCrawlDate: '2025-01-01' });
    expect(rowsAt(answer.body, 'warnings')).toHaveLength(1);
  });
});

describe('the price of a search', () => {
  const ten = { query: 'tidal energy', numResults: 10 };
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
    expect((await search(body)).body.costDollars).toMatchObject({ total });
  });
});
