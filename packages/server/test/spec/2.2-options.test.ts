import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  codesOf,
  QUERY,
  type Run,
  runOf,
  type SpecServer,
  sentTo,
  slugsOf,
  startSpecServer,
} from './support/server.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startSpecServer();
});
afterAll(() => server.stop());

const search = (block: unknown) => server.search({ user_input: QUERY, search: block });
const refused = (block: unknown, detail: string) =>
  server.expectRefusal('/v1/search', { user_input: QUERY, search: block }, 400, detail);

/** The cumulative field sets of 2.5. */
const MINIMALIST = ['url', 'title', 'rank'];
const DEFAULT = [...MINIMALIST, 'summary'];
const EXTENDED = [...DEFAULT, 'excerpt', 'full_content', 'publish_date', 'usage'];
const MAX = [
  ...DEFAULT,
  ...['excerpt', 'full_content', 'publish_date', 'thumbnail', 'favicon', 'source'],
  ...['enrichments', 'fetch_meta', 'usage', 'answer', 'entities', 'related', 'verticals'],
];

describe('2.2 auto_routing', () => {
  test.each([{}, { auto_routing: null }])('2.2 auto_routing: %j is off', async (block) => {
    expect((await search(block)).json.routing).toBeNull();
  });

  test('2.2 auto_routing: accuracy lets the service choose, per query', async () => {
    const answer = await server.search({
      user_input: [QUERY, { query: 'x' }],
      search: { auto_routing: 'accuracy' },
    });
    expect(answer.json.routing).toHaveLength(2);
    for (const [index, entry] of answer.json.routing.entries()) {
      const ran = answer.json.preprocessor_runs.filter((run: Run) => run.batch_index === index);
      expect(entry.providers).toEqual(ran.map((run: Run) => run.preprocessor_name));
    }
  });
});

describe('2.2 tier and fields', () => {
  test.each([
    ['minimalist', MINIMALIST],
    ['default', DEFAULT],
    ['extended', EXTENDED],
    ['max', MAX],
  ])('2.2 tier: %s selects its field set', async (tier, fields) => {
    const answer = await search({ tier });
    for (const run of answer.json.preprocessor_runs) {
      expect(run.output_payload).toMatchObject({ tier, fields });
    }
  });

  test.each([{}, { tier: null }, { tier: null, fields: null }])(
    '2.2 tier: %j means default',
    async (block) => {
      const { output_payload } = runOf(await search(block), 'exa');
      expect(output_payload).toMatchObject({ tier: 'default', fields: DEFAULT });
    },
  );

  test.each<[title: string, block: object, fields: string[], row: string[]]>([
    ['named in any order', { fields: ['summary', 'url'] }, ['url', 'summary'], ['url', 'summary']],
    ['count once when repeated', { fields: ['url', 'url', 'url'] }, ['url'], ['url']],
    ['together with a null tier', { tier: null, fields: ['title'] }, ['title'], ['title']],
    ['of the envelope', { fields: ['url', 'usage'] }, ['url', 'usage'], ['url']],
    ['that are always there', { fields: ['warnings', 'url', 'latency_ms'] }, ['url'], ['url']],
  ])('2.2 fields: %s; no tier preset applies', async (_title, block, fields, row) => {
    const { output_payload } = runOf(await search(block), 'exa');
    expect(output_payload).toMatchObject({ tier: null, fields });
    expect(output_payload.results.length).toBeGreaterThan(0);
    for (const result of output_payload.results) expect(Object.keys(result)).toEqual(row);
  });

  test('2.2 fields: a null list does not change the tier', async () => {
    const { output_payload } = runOf(await search({ tier: 'minimalist', fields: null }), 'exa');
    expect(output_payload).toMatchObject({ tier: 'minimalist', fields: MINIMALIST });
  });

  test.each(['minimalist', 'default', 'max'])(
    '2.2 fields: mutually exclusive with tier %s, even where both mean the same',
    (tier) =>
      refused(
        { tier, fields: tier === 'default' ? DEFAULT : ['url'] },
        'search: tier and fields exclude each other; send one of them',
      ),
  );
});

describe('2.2 providers', () => {
  test.each<[title: string, providers: unknown, runs: string[]]>([
    ['absent, the default set runs', undefined, ['exa', 'brave']],
    ['null, the default set runs', null, ['exa', 'brave']],
    ['empty, the default set runs', {}, ['exa', 'brave']],
    ['include replaces the default set', { include: ['brave'] }, ['brave']],
    ['include sets the order', { include: ['brave', 'exa'] }, ['brave', 'exa']],
    ['include counts a repeated name once', { include: ['exa', 'exa'] }, ['exa']],
    ['include null is absent', { include: null }, ['exa', 'brave']],
    ['exclude subtracts from the default set', { exclude: ['exa'] }, ['brave']],
    ['exclude counts a repeated name once', { exclude: ['exa', 'exa'] }, ['brave']],
    ['exclude [] is absent', { exclude: [] }, ['exa', 'brave']],
    ['exclude null is absent', { include: ['exa'], exclude: null }, ['exa']],
    ['exclude of a provider that would not run', { include: ['exa'], exclude: ['brave'] }, ['exa']],
  ])('2.2 providers: %s', async (_title, providers, runs) => {
    const before = server.sandbox.calls.length;
    const answer = await search({ providers });
    expect(slugsOf(answer)).toEqual(runs);
    const called = server.sandbox.calls.slice(before).map(({ vendor }) => vendor);
    expect(called.sort()).toEqual([...runs].sort());
  });

  test.each([{ include: [] }, { exclude: ['exa', 'brave'] }, { include: [], exclude: ['exa'] }])(
    '2.2 providers: %j leaves an empty set, which is a 400',
    (providers) =>
      refused({ providers }, `search.providers: no provider is left to run; ${server.available}`),
  );

  test('2.2 providers: an empty set is a 400 for an interaction without input, too', () =>
    server.expectRefusal(
      '/v1/interactions',
      { search: { providers: { include: [] } } },
      400,
      `search.providers: no provider is left to run; ${server.available}`,
    ));

  test.each([
    ['include', ['exa', 'nope'], '"nope"'],
    ['exclude', ['nope'], '"nope"'],
    ['include', ['Exa'], '"Exa"'],
    ['include', ['exa '], '"exa "'],
    ['include', [''], '""'],
    ['include', ['a', 'b'], '"a", "b"'],
    ['include', ['__proto__'], '"__proto__"'],
    ['exclude', ['constructor', 'toString'], '"constructor", "toString"'],
  ])('2.2 providers: %s %j is a 400 that lists the available ones', (list, names, shown) =>
    refused(
      { providers: { [list]: names } },
      `search.providers.${list}: unknown provider ${shown}; ${server.available}`,
    ),
  );

  test('2.2 providers: hostile names are cut in the message', async () => {
    const include = Array.from({ length: 2_000 }, (_, index) => `${index}${'é"'.repeat(100)}`);
    const body = { user_input: QUERY, search: { providers: { include } } };
    const answer = await server.refused('POST', '/v1/search', { body });
    expect(answer.status).toBe(400);
    expect(answer.json.detail.length).toBeLessThan(1_000);
  });
});

describe('2.2 num_results', () => {
  /** Directives make both vendors send more rows than requested. */
  const rows = async (block: object) => {
    const query = 'bees [[*:rows=40]]';
    const answer = await server.search({ user_input: { query }, search: block });
    return ['exa', 'brave'].map((slug) => runOf(answer, slug).output_payload.results.length);
  };
  const asked = () => [
    sentTo(server, 'exa').numResults,
    Object.fromEntries(sentTo(server, 'brave')).count,
  ];

  test.each([
    [{}, 5, 5],
    [{ num_results: null }, 5, 5],
    [{ num_results: 1 }, 1, 1],
    [{ num_results: 7 }, 7, 7],
    [{ num_results: 10 }, 10, 10],
    [{ num_results: 11 }, 10, 11],
    [{ num_results: 20 }, 10, 20],
  ])('2.2 num_results: %j is for each provider, not per request', async (block, exa, brave) => {
    expect(await rows(block)).toEqual([exa, brave]);
    expect(asked()).toEqual([exa, String(brave)]);
  });

  test('2.2 num_results: 5.0 is 5', async () => {
    const rawBody = '{"user_input":{"query":"q"},"search":{"num_results":7.0}}';
    expect((await server.call('POST', '/v1/search', { rawBody })).status).toBe(200);
    expect(asked()).toEqual([7, '7']);
  });

  test('2.2 num_results: exa is clamped to 10, with a warning; brave is not', async () => {
    const answer = await search({ num_results: 11 });
    expect(codesOf(runOf(answer, 'exa'))).toEqual(['count_clamped']);
    expect(codesOf(runOf(answer, 'brave'))).toEqual([]);
    expect(codesOf(runOf(await search({ num_results: 10 }), 'exa'))).toEqual([]);
  });
});

describe('2.2 include_raw and include_full_content', () => {
  test.each([
    [{ include_raw: true }, true],
    [{ include_raw: false }, false],
    [{ include_raw: null }, false],
    [{}, false],
  ])('2.2 include_raw: %j', async (block, isFilled) => {
    const answer = await search(block);
    for (const run of answer.json.preprocessor_runs) {
      if (isFilled) expect(run.raw_payload).toEqual(expect.any(Object));
      else expect(run.raw_payload).toBeNull();
    }
  });

  test('2.2 include_raw: is the original response', async () => {
    const answer = await search({ include_raw: true, tier: 'minimalist' });
    const { raw_payload, output_payload } = runOf(answer, 'exa');
    expect(raw_payload.results).toHaveLength(output_payload.results.length);
    expect(raw_payload.costDollars.total).toBeGreaterThan(0);
    expect(runOf(answer, 'brave').raw_payload.query.original).toBe(QUERY.query);
  });

  test.each([
    [{ tier: 'extended', include_full_content: true }, true],
    [{ tier: 'extended', include_full_content: false }, false],
    [{ tier: 'extended', include_full_content: null }, false],
    [{ tier: 'extended' }, false],
    [{ tier: 'default', include_full_content: true }, false],
  ])('2.2 include_full_content: with %j page text is bought: %j', async (block, isBought) => {
    const answer = await search(block);
    expect(Object.hasOwn(sentTo(server, 'exa').contents, 'text')).toBe(isBought);
    const [first] = runOf(answer, 'exa').output_payload.results;
    if (isBought) expect(first.full_content).toEqual(expect.any(String));
    else expect(first.full_content ?? null).toBeNull();
  });
});
