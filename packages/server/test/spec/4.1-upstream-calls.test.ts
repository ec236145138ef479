import { providerKey } from '@trawl/test-support/harness';
import { describe, expect, test } from 'vitest';
import { bodiesTo, callsTo, queriesTo, search, TIERS, useServer } from './support/search-runs.ts';

const server = useServer();
const QUERY = 'tidal energy';

/** The bodies that exa's documents prescribe for each tier. */
const EXTRAS = { links: 10, imageLinks: 10 };
const EXA_CONTENTS = {
  minimalist: undefined,
  default: { highlights: true },
  extended: { highlights: true },
  max: { text: true, highlights: true, summary: { query: QUERY }, extras: EXTRAS },
};
const BRAVE_PARAMETERS = {
  minimalist: { result_filter: 'web' },
  default: { result_filter: 'web' },
  extended: { result_filter: 'web', extra_snippets: 'true' },
  max: { extra_snippets: 'true', include_fetch_metadata: 'true' },
};
const exaBody = (contents: object | undefined, numResults = 5) => ({
  query: QUERY,
  type: 'auto',
  numResults,
  ...(contents ? { contents } : {}),
});
const braveQuery = (more: object, count = '5') => ({
  q: QUERY,
  count,
  text_decorations: 'false',
  ...more,
});

describe('2.5 the requests of a tier', () => {
  test.each(TIERS)('2.5 tier %s: exa gets exactly this body', async (tier) => {
    await search(server(), QUERY, { tier });
    expect(bodiesTo(server(), 'exa')).toEqual([exaBody(EXA_CONTENTS[tier])]);
  });

  test.each(TIERS)('2.5 tier %s: brave gets exactly these parameters', async (tier) => {
    await search(server(), QUERY, { tier });
    expect(queriesTo(server(), 'brave')).toEqual([braveQuery(BRAVE_PARAMETERS[tier])]);
  });
});

/** The options that each field adds to a request; a field that is not listed adds none. */
const EXA_BY_FIELD: Record<string, object> = {
  summary: { highlights: true },
  excerpt: { highlights: true },
  full_content: { text: true },
  enrichments: { extras: EXTRAS },
};
const BRAVE_BY_FIELD: Record<string, object> = {
  excerpt: { result_filter: 'web', extra_snippets: 'true' },
  fetch_meta: { result_filter: 'web', include_fetch_metadata: 'true' },
  entities: {},
  related: {},
  verticals: {},
};
const NAMEABLE = [
  ...['url', 'title', 'rank', 'summary', 'excerpt', 'full_content', 'publish_date', 'thumbnail'],
  ...['favicon', 'source', 'enrichments', 'fetch_meta'],
  ...['usage', 'answer', 'entities', 'related', 'verticals', 'latency_ms', 'warnings'],
];

test.each(NAMEABLE)('2.5 fields mode: %s alone asks only for what it needs', async (field) => {
  await search(server(), QUERY, { fields: [field] });
  expect(bodiesTo(server(), 'exa')).toEqual([exaBody(EXA_BY_FIELD[field])]);
  const parameters = BRAVE_BY_FIELD[field] ?? { result_filter: 'web' };
  expect(queriesTo(server(), 'brave')).toEqual([braveQuery(parameters)]);
});

test('2.5 fields mode: all fields together ask for all of it, and never for the paid summary', async () => {
  await search(server(), QUERY, { fields: NAMEABLE });
  expect(bodiesTo(server(), 'exa')).toEqual([
    exaBody({ text: true, highlights: true, extras: EXTRAS }),
  ]);
  expect(queriesTo(server(), 'brave')).toEqual([
    braveQuery({ extra_snippets: 'true', include_fetch_metadata: 'true' }),
  ]);
});

describe('4.1 each provider gets one plain call per query', () => {
  test('4.1 exa: a POST of JSON to /search with its key in x-api-key', async () => {
    await search(server(), QUERY);
    const [call, ...more] = callsTo(server(), 'exa');
    expect(more).toEqual([]);
    expect(call).toMatchObject({ method: 'POST', path: '/search', query: [] });
    expect(call?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json',
      'x-api-key': providerKey('exa'),
    });
    expect(call?.headers.authorization).toBeUndefined();
  });

  test('4.1 brave: a GET without a body, with its key in x-subscription-token', async () => {
    await search(server(), QUERY);
    const [call, ...more] = callsTo(server(), 'brave');
    expect(more).toEqual([]);
    expect(call).toMatchObject({ method: 'GET', path: '/res/v1/web/search', body: '' });
    expect(call?.headers).toMatchObject({
      accept: 'application/json',
      'x-subscription-token': providerKey('brave'),
    });
    expect(call?.headers.authorization).toBeUndefined();
    expect(call?.headers['content-type']).toBeUndefined();
  });

  test("4.1 a provider's query never contains conversation history", async () => {
    const session_id = '00000000-1111-4222-8333-444444444444';
    await search(server(), 'the question before', {}, { session_id });
    server().sandbox.clearCalls();
    const turns = [{ index: 0, role: 'user', content: 'a secret of the conversation' }];
    const metadata = { conversation: { id: 'c1', from: 0, turns }, trajectory_goal: 'a goal' };
    const userInput = { query: QUERY, context: 'keys of the query object' };
    await search(server(), userInput, {}, { session_id, metadata, user_id: 'mara' });
    expect(bodiesTo(server(), 'exa')).toEqual([exaBody({ highlights: true })]);
    expect(queriesTo(server(), 'brave')).toEqual([braveQuery({ result_filter: 'web' })]);
    const headers = JSON.stringify(server().sandbox.calls.map((call) => call.headers));
    for (const text of ['conversation', session_id, 'mara', server().key])
      expect(headers).not.toContain(text);
  });

  test('4.1 qualifiers go in the query text: the query is sent unchanged', async () => {
    const query = 'tides site:example.org after:2024-01-01 -lunar "spring tide"';
    await search(server(), query);
    expect(bodiesTo(server(), 'exa')).toMatchObject([{ query }]);
    expect(queriesTo(server(), 'brave')).toMatchObject([{ q: query }]);
  });

  test('4.1 the same query twice in a batch: two calls and two runs each', async () => {
    const { runs } = await search(server(), [QUERY, QUERY]);
    expect(runs.map((run) => [run.preprocessor_name, run.batch_index, run.query])).toEqual([
      ['exa', 0, QUERY],
      ['brave', 0, QUERY],
      ['exa', 1, QUERY],
      ['brave', 1, QUERY],
    ]);
    expect([callsTo(server(), 'exa').length, callsTo(server(), 'brave').length]).toEqual([2, 2]);
  });
});
