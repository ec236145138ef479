import { describe, expect, test } from 'vitest';
import { exaSearch, useSandbox } from './support.ts';

const sandbox = useSandbox();
const search = (body: unknown, headers?: Record<string, string>) =>
  exaSearch(sandbox(), body, headers);

describe('a search that exa refuses', () => {
  const INVALID = 'INVALID_REQUEST_BODY';
  const q = { query: 'tidal energy' };
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
  test.each<[string, unknown, string, string]>([
    ['no JSON', '{"query":', INVALID, 'JSON object'],
    ['an array', [], INVALID, 'JSON object'],
    ['no query', {}, INVALID, 'query'],
    ['a null query', { query: null }, INVALID, 'query'],
    ['an empty query', { query: '  ' }, INVALID, 'query'],
    ['a query of another type', { query: 7 }, INVALID, 'query'],
    ['numResults 0', { ...q, numResults: 0 }, INVALID, 'numResults'],
    ['numResults 2.5', { ...q, numResults: 2.5 }, INVALID, 'numResults'],
    ['numResults as text', { ...q, numResults: '5' }, INVALID, 'numResults'],
    ['numResults 101', { ...q, numResults: 101 }, 'NUM_RESULTS_EXCEEDED', '100'],
    ['26 deep rows', { ...q, type: 'deep', numResults: 26 }, 'NUM_RESULTS_EXCEEDED', '25'],
    ['an unknown type', { ...q, type: 'turbo' }, INVALID, "'auto', 'lite'"],
    ['an unknown category', { ...q, category: 'tweet' }, INVALID, "'news'"],
    ['an unknown parameter', { ...q, num_results: 5 }, INVALID, 'num_results'],
    ['a content option at the top', { ...q, text: true }, INVALID, 'text'],
    ['an unknown content option', { ...q, contents: { full: true } }, INVALID, 'contents.full'],
    ['contents as a boolean', { ...q, contents: true }, INVALID, 'contents'],
    [
      'too large a text',
      { ...q, contents: { text: { maxCharacters: 10_001 } } },
      INVALID,
      'maxCharacters',
    ],
    [
      'an unknown verbosity',
      { ...q, contents: { text: { verbosity: 'max' } } },
      INVALID,
      'verbosity',
    ],
    ['too many links', { ...q, contents: { extras: { links: 1_001 } } }, INVALID, 'extras.links'],
    ['an age out of range', { ...q, contents: { maxAgeHours: 721 } }, INVALID, 'maxAgeHours'],
    ['subpages as text', { ...q, contents: { subpages: '2' } }, INVALID, 'subpages'],
    [
      'a date that does not exist',
      { ...q, startPublishedDate: '2025-02-30' },
      INVALID,
      'startPublishedDate',
    ],
    ['two text filters', { ...q, includeText: ['a', 'b'] }, INVALID, 'includeText'],
    ['six words to exclude', { ...q, excludeText: ['a b c d e f'] }, INVALID, 'excludeText'],
    [
      'six additional queries',
      { ...q, type: 'deep', additionalQueries: ['1', '2', '3', '4', '5', '6'] },
      INVALID,
      'additionalQueries',
    ],
    [
      'additional queries without deep',
      { ...q, additionalQueries: ['b'] },
      'INVALID_REQUEST',
      'additionalQueries',
    ],
    [
      'dates with companies',
      { ...q, category: 'company', startPublishedDate: '2025-01-01' },
      'INVALID_REQUEST',
      'startPublishedDate',
    ],
    [
      'livecrawl with an age',
      { ...q, contents: { livecrawl: 'always', maxAgeHours: 1 } },
      'INVALID_REQUEST',
      'livecrawl',
    ],
    [
      'dynamic highlights without their header',
      { ...q, contents: { highlights: { dynamic: true } } },
      'INVALID_REQUEST',
      'Exa-Beta',
    ],
    [
      'lite with a summary',
      { ...q, type: 'lite', contents: { summary: {} } },
      INVALID,
      'contents.summary',
    ],
    [
      'lite with a system prompt',
      { ...q, type: 'lite', systemPrompt: 'x' },
      INVALID,
      'systemPrompt',
    ],
    ['too deep a schema', { ...q, outputSchema: tooDeep }, 'INVALID_JSON_SCHEMA', '2 levels'],
    ['too wide a schema', { ...q, outputSchema: tooWide }, 'INVALID_JSON_SCHEMA', '10 properties'],
    ['a schema without a type', { ...q, outputSchema: {} }, 'INVALID_JSON_SCHEMA', 'type'],
  ])('%s is a 400', async (_name, sent, tag, part) => {
    const { status, body } = await search(sent);
    expect(status).toBe(400);
    expect(body).toEqual({
      requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
      error: expect.stringContaining(part),
      tag,
    });
  });

  test('another content type is a 400', async () => {
    const { status, body } = await search(q, { 'content-type': 'text/plain' });
    expect([status, body.tag]).toEqual([400, INVALID]);
  });

  test('a missing key and one starting with bad- are a 401', async () => {
    for (const key of ['', 'bad-key']) {
      const { status, body } = await search(q, { 'x-api-key': key });
      expect([status, body.tag]).toEqual([401, 'INVALID_API_KEY']);
    }
  });

  test('a key starting with quota- is a 402', async () => {
    const { status, body } = await search(q, { 'x-api-key': 'quota-key' });
    expect([status, body.tag]).toEqual([402, 'NO_MORE_CREDITS']);
  });

  test('the key is judged before the body', async () => {
    expect((await search({}, { 'x-api-key': 'bad-key' })).status).toBe(401);
  });

  test('another path or method is a 404 or 405 in the flat shape', async () => {
    const unknown = await fetch(`${sandbox().baseUrl('exa')}/nothing`, { method: 'POST' });
    const method = await fetch(`${sandbox().baseUrl('exa')}/search`);
    expect([unknown.status, method.status]).toEqual([404, 405]);
    expect(await unknown.json()).toMatchObject({
      error: expect.any(String),
      tag: expect.any(String),
    });
  });
});
