import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  EXTRA,
  QUERY,
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

const interact = (body: unknown) => server.call('POST', '/v1/interactions', { body });
const read = async ({ json }: { json: { session_id: string; interaction_id: string } }) => {
  const { session_id, interaction_id } = json;
  const query = new URLSearchParams({ session_id, interaction_id });
  const answer = await server.call('GET', `/v1/interactions?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};
const both = ['/v1/search', '/v1/interactions'] as const;

describe('2.1 preprocessor_names and postprocessor_names', () => {
  test.each<[title: string, names: unknown, runs: string[]]>([
    ['name the providers, in their order', ['brave', 'exa'], ['brave', 'exa']],
    ['name one', ['brave'], ['brave']],
    ['count once when repeated', ['brave', 'brave', 'exa', 'brave'], ['brave', 'exa']],
    ['empty are absent', [], ['exa', 'brave']],
    ['null are absent', null, ['exa', 'brave']],
  ])('2.1 preprocessor_names: %s', async (_title, preprocessor_names, runs) => {
    expect(slugsOf(await interact({ user_input: QUERY, preprocessor_names }))).toEqual(runs);
  });

  test('2.1 preprocessor_names: exclude of a provider that is not named is allowed', async () => {
    const search = { providers: { exclude: ['brave'] } };
    const body = { user_input: QUERY, preprocessor_names: ['exa'], search };
    expect(slugsOf(await interact(body))).toEqual(['exa']);
  });

  test('2.1 preprocessor_names: an unknown name is a 400 that lists the available ones', () =>
    server.expectRefusal(
      '/v1/interactions',
      { user_input: QUERY, preprocessor_names: ['exa', 'nope'] },
      400,
      `preprocessor_names: unknown provider "nope"; ${server.available}`,
    ));

  test('2.1 preprocessor_names: the same as include, so exclude of one of them is a 400', () =>
    server.expectRefusal(
      '/v1/interactions',
      {
        user_input: QUERY,
        preprocessor_names: ['exa', 'brave'],
        search: { providers: { exclude: ['exa'] } },
      },
      400,
      'search.providers: exa in both preprocessor_names and exclude; name it in one',
    ));

  test.each([['exa'], ['brave']])(
    '2.1 preprocessor_names: together with include [%s] a 400',
    (included) =>
      server.expectRefusal(
        '/v1/interactions',
        {
          user_input: QUERY,
          preprocessor_names: ['exa'],
          search: { providers: { include: [included] } },
        },
        400,
        'preprocessor_names and search.providers.include mean the same; send one of them',
      ),
  );

  test.each([[[]], [null]])(
    '2.1 preprocessor_names: %j together with include counts as absent',
    async (names) => {
      const search = { providers: { include: ['brave'] } };
      const answer = await interact({ user_input: QUERY, preprocessor_names: names, search });
      expect(slugsOf(answer)).toEqual(['brave']);
    },
  );

  test.each([[[]], [null]])(
    '2.1 postprocessor_names: %j counts as absent',
    async (postprocessor_names) => {
      const answer = await interact({ user_input: QUERY, postprocessor_names });
      expect(answer.json.postprocessor_runs).toEqual([]);
      expect(answer.status).toBe(200);
    },
  );

  test('2.1 postprocessor_names: one run for each name and query, a repeated name once', async () => {
    const answer = await interact({
      user_input: [QUERY, { query: 'other' }],
      postprocessor_names: ['citations', 'rank_fusion', 'citations'],
    });
    const runs = answer.json.postprocessor_runs.map((run: Record<string, unknown>) =>
      [run.batch_index, run.postprocessor_name].join(' '),
    );
    expect(runs.sort()).toEqual(['0 citations', '0 rank_fusion', '1 citations', '1 rank_fusion']);
  });

  test('2.1 postprocessor_names: an unknown name is a 400 that shows it', async () => {
    const body = { user_input: QUERY, postprocessor_names: ['nope'] };
    const answer = await server.refused('POST', '/v1/interactions', { body });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({
      detail:
        'postprocessor_names: unknown postprocessor "nope"; available: rank_fusion, citations',
    });
  });

  test.each(['preprocessor_names', 'postprocessor_names'])(
    '2.1 %s: only on /v1/interactions; /v1/search refuses it, null and [] are absent',
    async (name) => {
      for (const value of [['brave'], ['nope'], 'exa', 5, {}]) {
        const body = { user_input: QUERY, [name]: value };
        await server.expectRefusal('/v1/search', body, 422, [
          { ...EXTRA, loc: ['body', name], input: value },
        ]);
      }
      for (const value of [null, []]) {
        const answer = await server.search({ user_input: QUERY, [name]: value });
        expect(slugsOf(answer)).toEqual(['exa', 'brave']);
      }
    },
  );
});

describe('2.1 metadata', () => {
  const free = {
    trace: 'ü😀',
    nested: { list: [1, 2.5, -0.1, null, true, { deep: [[]] }], empty: {} },
    '': '',
    'key with "quotes"': 1e21,
  };
  test.each(both)('2.1 metadata: free keys of any depth are read back from %s', async (path) => {
    const answer = await server.call('POST', path, { body: { user_input: QUERY, metadata: free } });
    expect((await read(answer)).metadata).toEqual(free);
  });

  test('2.1 metadata: a key named __proto__ is a key', async () => {
    const rawBody = '{"user_input":{"query":"q","__proto__":{"a":1}},"metadata":{"__proto__":[1]}}';
    const answer = await server.call('POST', '/v1/search', { rawBody });
    const { user_input, metadata } = await read(answer);
    expect(Object.entries(user_input)).toEqual([
      ['query', 'q'],
      ['__proto__', { a: 1 }],
    ]);
    expect(Object.entries(metadata)).toEqual([['__proto__', [1]]]);
  });

  test.each([{}, { metadata: null }, { metadata: {} }])(
    '2.1 metadata: with %j it is read back empty',
    async (body) => {
      const answer = await server.search({ user_input: QUERY, ...body });
      expect((await read(answer)).metadata).toEqual({});
    },
  );
});

describe('2.1 search and unknown keys', () => {
  test.each([{}, { search: null }, { search: {} }])(
    '2.1 search: %j is a search with the defaults',
    async (more) => {
      const answer = await server.search({ user_input: QUERY, ...more });
      expect(slugsOf(answer)).toEqual(['exa', 'brave']);
      expect(sentTo(server, 'exa').numResults).toBe(5);
    },
  );

  test.each(both)('2.1 unknown keys at the top of %s are ignored', async (path) => {
    const more = { purpose: 5, ids: ['nope'], zz: 'x', toString: null, query: null, limit: null };
    const answer = await server.call('POST', path, { body: { user_input: QUERY, ...more } });
    expect(answer.status, answer.text).toBe(200);
  });

  test.each<[key: string, hint: string]>([
    ['options', 'put options into search'],
    ['option', 'put options into search'],
    ['provider', 'name the providers in search.providers.include'],
    ['stream', 'send the header Accept: text/event-stream for an answer in events'],
    ['limit', 'write the number of results as search.num_results'],
    ['count', 'write the number of results as search.num_results'],
    ['max_results', 'write the number of results as search.num_results'],
    ['teir', 'did you mean search.tier?'],
    ['filds', 'did you mean search.fields?'],
    ['numResults', 'did you mean search.num_results?'],
    ['session_ids', 'did you mean session_id?'],
    ['usr_input', 'did you mean user_input?'],
  ])('9 misplaced: %s at the top is refused', async (key, hint) => {
    for (const path of both) {
      const body = { user_input: QUERY, [key]: 3 };
      const answer = await server.refused('POST', path, { body });
      expect(answer.json.detail).toMatchObject([
        { type: 'extra_forbidden', loc: ['body', key], input: 3, hint },
      ]);
    }
  });

  test.each(['tie', 'feel', 'searxh!!', 'numresul', 'purpose', 'tag', 'userinputs!'])(
    '9 misplaced: %s is another word and ignored',
    async (key) => {
      const body = { user_input: QUERY, [key]: 3 };
      expect((await server.call('POST', '/v1/search', { body })).status).toBe(200);
    },
  );

  test('9 misplaced: an option next to a query is refused, in a batch too', async () => {
    for (const path of both) {
      const one = { user_input: { ...QUERY, num_results: 3, note: 'kept', tier: null } };
      const batch = { user_input: [QUERY, { ...QUERY, fields: ['url'] }] };
      const first = await server.refused('POST', path, { body: one });
      expect(first.json.detail).toMatchObject([
        {
          type: 'extra_forbidden',
          loc: ['body', 'user_input', 'num_results'],
          hint: 'put num_results into search',
        },
      ]);
      const second = await server.refused('POST', path, { body: batch });
      expect(second.json.detail).toMatchObject([
        { type: 'extra_forbidden', loc: ['body', 'user_input', 1, 'fields'] },
      ]);
    }
  });

  test('2.1 unknown keys at the top: __proto__ adds no fields', async () => {
    const rawBody = '{"user_input":{"query":"q"},"__proto__":{"search":{"num_results":1}}}';
    expect((await server.call('POST', '/v1/search', { rawBody })).status).toBe(200);
    expect(sentTo(server, 'exa').numResults).toBe(5);
  });
});
