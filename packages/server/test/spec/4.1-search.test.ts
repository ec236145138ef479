import { describe, expect, test } from 'vitest';
import { bodiesTo, callsTo, search, useServer } from './support/search-runs.ts';
import { useStubbedServer } from './support/stubbed-server.ts';

const server = useServer();
const stubbed = useStubbedServer();
const QUERY = 'tidal energy';
const slugs = (found: { runs: readonly { preprocessor_name: string }[] }) =>
  found.runs.map((run) => run.preprocessor_name);

/** A request that must be refused before anything is sent. */
async function refused(body: object, status: number) {
  const answer = await server().search({ user_input: { query: QUERY }, ...body });
  expect(answer.status, answer.text).toBe(status);
  expect(server().sandbox.calls).toEqual([]);
  return answer.json;
}

describe('4.1 the set of providers', () => {
  test.each([
    ['without providers the default set', undefined, ['exa', 'brave']],
    ['an empty block is the default set', {}, ['exa', 'brave']],
    ['null is the default set', null, ['exa', 'brave']],
    ['include replaces the default set', { include: ['brave'] }, ['brave']],
    ['include sets the order', { include: ['brave', 'exa'] }, ['brave', 'exa']],
    ['a name included twice counts once', { include: ['exa', 'exa'] }, ['exa']],
    ['exclude subtracts from the default set', { exclude: ['exa'] }, ['brave']],
    ['an empty exclude subtracts nothing', { exclude: [] }, ['exa', 'brave']],
    [
      'excluding a provider that would not run is allowed',
      { include: ['exa'], exclude: ['brave'] },
      ['exa'],
    ],
    ['null lists are absent', { include: null, exclude: null }, ['exa', 'brave']],
  ])('4.1 %s', async (_name, providers, expected) => {
    const found = await search(
      server(),
      QUERY,
      providers === undefined ? {} : ({ providers } as object),
    );
    expect(slugs(found)).toEqual(expected);
    for (const slug of ['exa', 'brave'])
      expect(callsTo(server(), slug)).toHaveLength(expected.includes(slug) ? 1 : 0);
  });

  test('4.1 include minus exclude, for each query of a batch', async () => {
    const found = await search(server(), ['a', 'b'], { providers: { exclude: ['brave'] } });
    expect(slugs(found)).toEqual(['exa', 'exa']);
  });

  test.each([
    ['include', { include: ['nimbus'] }],
    ['include next to a known one', { include: ['exa', 'nimbus'] }],
    ['exclude', { exclude: ['nimbus'] }],
    ['another case', { include: ['Exa'] }],
  ])(
    '4.1 a provider not routable at all is a 400 that lists the valid ones: %s',
    async (_name, providers) => {
      const { detail } = await refused({ search: { providers } }, 400);
      expect(detail).toMatch(/nimbus|Exa/);
      for (const slug of ['exa', 'brave']) expect(detail).toContain(slug);
    },
  );

  test('4.1 the same provider in include and exclude is a 400', async () => {
    const providers = { include: ['exa', 'brave'], exclude: ['brave'] };
    const { detail } = await refused({ search: { providers } }, 400);
    expect(detail).toContain('brave');
  });

  test('4.1 an override key that is not a provider is a 400 that lists the valid ones', async () => {
    const { detail } = await refused({ search: { provider_overrides: { nimbus: {} } } }, 400);
    for (const word of ['nimbus', 'exa', 'brave']) expect(detail).toContain(word);
  });
});

describe('4.1 the request', () => {
  test('4.1 user_id is not part of it and ignored', async () => {
    const found = await search(server(), QUERY, {}, { user_id: 7 });
    expect(slugs(found)).toEqual(['exa', 'brave']);
    expect(found.answer.postprocessor_runs).toEqual([]);
  });

  test.each(['preprocessor_names', 'postprocessor_names'])(
    '4.1 %s is not part of it and refused',
    async (name) => {
      const { detail } = await refused({ [name]: ['brave'] }, 422);
      expect(detail).toMatchObject([{ type: 'extra_forbidden', loc: ['body', name] }]);
    },
  );

  test('4.1 a separate date filter is refused', async () => {
    for (const key of ['date', 'start_date', 'freshness', 'time_range']) {
      const { detail } = await refused({ search: { [key]: '2024-01-01' } }, 422);
      expect(detail).toMatchObject([{ type: 'extra_forbidden', loc: ['body', 'search', key] }]);
    }
  });

  test('4.1 the content type is application/json, for request and answer', async () => {
    const answer = await server().search({ user_input: { query: QUERY } });
    expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
    const rawBody = JSON.stringify({ user_input: { query: QUERY } });
    const headers = { 'content-type': 'text/plain' };
    expect((await server().search(undefined, { rawBody, headers })).status).toBe(415);
  });

  test('4.1 other responses: 401, 403 and 422', async () => {
    const body = { user_input: { query: QUERY } };
    const reader = await server().makeKey('main', ['read']);
    expect((await server().search(body, { key: null })).status).toBe(401);
    expect((await server().search(body, { key: 'tk_unknown' })).status).toBe(401);
    expect((await server().search(body, { key: reader.key })).status).toBe(403);
    expect((await server().search({})).status).toBe(422);
    expect(server().sandbox.calls).toEqual([]);
  });
});

describe('4.1 batch', () => {
  test('4.1 batch: one run per pair of query and provider, tagged with batch_index and query', async () => {
    const batch = ['tides', 'waves', 'wind'];
    const { runs, rows } = await search(server(), batch, { num_results: 2 });
    expect(runs.map((run) => [run.batch_index, run.query, run.preprocessor_name])).toEqual(
      batch.flatMap((query, index) => [
        [index, query, 'exa'],
        [index, query, 'brave'],
      ]),
    );
    const urls = batch.map((_query, index) => JSON.stringify(rows('exa', index)));
    expect(new Set(urls).size).toBe(3);
  });

  test('4.1 batch: a list of one is a batch of one', async () => {
    const { runs } = await search(server(), ['tides']);
    expect(runs.map((run) => run.batch_index)).toEqual([0, 0]);
  });

  test('4.1 batch: every query runs against every provider concurrently', async () => {
    // no vendor answers before all of them got their calls
    const queries = ['a', 'b', 'c', 'd'];
    let open = () => {};
    const all = new Promise<void>((resolve) => {
      open = resolve;
    });
    let asked = 0;
    const respond = (body: unknown) => async () => {
      asked += 1;
      if (asked === queries.length * 2) open();
      await all;
      return { body };
    };
    stubbed().respond('exa', respond({ results: [] }));
    stubbed().respond('brave', respond({ type: 'search' }));
    const { answer } = await search(stubbed(), queries);
    expect(answer.status).toBe('succeeded');
    expect(asked).toBe(8);
  });

  test('4.1 batch: 32 queries are answered in order', async () => {
    const batch = Array.from({ length: 32 }, (_, index) => `query ${index}`);
    const { runs } = await search(server(), batch, { num_results: 5 });
    expect(runs.map((run) => run.query)).toEqual(batch.flatMap((query) => [query, query]));
    expect(bodiesTo(server(), 'exa')).toHaveLength(32);
  });

  test('4.1 batch: a slow or failing provider of one query does not affect the other runs', async () => {
    const batch = ['tides [[exa:status=400]]', 'waves [[brave:latency=80]]', 'wind'];
    const { answer, run, rows } = await search(server(), batch);
    expect(answer.status).toBe('partially_succeeded');
    expect(run('exa', 0).status).toBe('failed');
    for (const [slug, index] of [
      ['brave', 0],
      ['exa', 1],
      ['brave', 1],
      ['exa', 2],
      ['brave', 2],
    ] as const)
      expect(rows(slug, index)).toHaveLength(5);
  });
});

test('4.1 results are not merged: each row belongs to the run of the provider that found it', async () => {
  const { rows } = await search(server(), QUERY, { num_results: 10 });
  const urls = (slug: string) => rows(slug).map((row) => row.url);
  expect(urls('exa').filter((url) => urls('brave').includes(url)).length).toBeGreaterThan(0);
  expect([urls('exa').length, urls('brave').length]).toEqual([10, 10]);
});
