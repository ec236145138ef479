import { LIMITS, PERMISSIONS } from '@trawl/contract';
import { describeMainlyOn } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addWatch, HOURLY, readWatch, SEARCH } from './support.ts';

const UNKNOWN = '01a21ddb-2f1d-779c-94fb-2f086c1956e6';
const PAGES = { urls: ['https://www.example.com/a'] };

describeMainlyOn('SQLite', 'watches that are refused', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    // no run begins: what is refused must cost nothing, and neither must what is asked about it
    server = await startTestServer({ database, watchTimes: { lookMs: 3_600_000 } });
  });
  afterAll(async () => {
    expect(server.sandbox.calls).toEqual([]);
    expect((await server.call('GET', '/v1/sessions')).json.sessions).toEqual([]);
    expect((await server.call('GET', '/v1/usage?group_by=provider')).json.rows).toEqual([]);
    await server.stop();
  });

  const post = (body: unknown, key?: string) =>
    server.call('POST', '/v1/watches', { body, ...(key === undefined ? {} : { key }) });

  it.each([
    ['interval_minutes', 'greater_than_equal', { ...HOURLY, interval_minutes: 14 }],
    ['interval_minutes', 'less_than_equal', { ...HOURLY, interval_minutes: 44_641 }],
    ['interval_minutes', 'int_type', { ...HOURLY, interval_minutes: '60' }],
    ['interval_minutes', 'missing', { search: SEARCH }],
    ['search', 'missing', { interval_minutes: 60 }],
    ['fetch', 'value_error', { ...HOURLY, fetch: PAGES }],
    ['search.user_input', 'missing', { ...HOURLY, search: {} }],
    [
      'search.user_input.query',
      'string_too_short',
      { ...HOURLY, search: { user_input: { query: ' ' } } },
    ],
    ['search.query', 'extra_forbidden', { ...HOURLY, search: { ...SEARCH, query: 'tides' } }],
    [
      'search.session_id',
      'extra_forbidden',
      { ...HOURLY, search: { ...SEARCH, session_id: UNKNOWN } },
    ],
    [
      'search.search.fields',
      'value_error',
      { ...HOURLY, search: { ...SEARCH, search: { fields: ['title'] } } },
    ],
    [
      'search.search.num_results',
      'value_error',
      {
        ...HOURLY,
        search: {
          user_input: Array.from({ length: 32 }, () => ({ query: 'tides' })),
          search: { providers: { include: ['exa'] }, num_results: 20 },
        },
      },
    ],
    [
      'fetch.options.tier',
      'value_error',
      { interval_minutes: 60, fetch: { ...PAGES, options: { tier: 'minimalist' } } },
    ],
    ['name', 'value_error', { ...HOURLY, name: 'a\nb' }],
    ['inteval_minutes', 'extra_forbidden', { ...HOURLY, inteval_minutes: 60 }],
  ])('422 at %s (%s)', async (place, type, body) => {
    const { status, json } = await post(body);
    expect(status).toBe(422);
    expect(
      json.detail.map((issue: { loc: string[]; type: string }) => [
        issue.loc.join('.'),
        issue.type,
      ]),
    ).toEqual([[`body.${place}`, type]]);
  });

  it('names an unknown provider as a search and a fetch do', async () => {
    const search = { ...SEARCH, search: { providers: { include: ['exaa'] } } };
    const searched = await post({ ...HOURLY, search });
    const direct = await server.search(search);
    expect([searched.status, searched.json.detail]).toEqual([400, `search.${direct.json.detail}`]);
    const fetch = { ...PAGES, options: { providers: ['nobody'] } };
    const fetched = await post({ interval_minutes: 60, fetch });
    expect([fetched.status, fetched.json.detail]).toEqual([
      400,
      expect.stringMatching(/^fetch\.options\.providers.*nobody/),
    ]);
    const twice = { urls: [...PAGES.urls, ...PAGES.urls] };
    const { status, json } = await post({ interval_minutes: 60, fetch: twice });
    expect([status, json.detail]).toEqual([
      422,
      [
        {
          type: 'value_error',
          loc: ['body', 'fetch', 'urls', 1],
          msg: expect.stringMatching(/^Value error, .*same page/),
          input: PAGES.urls[0],
          ctx: { error: expect.any(String) },
        },
      ],
    ]);
  });

  it('need manage, and search or fetch, of a key that asks providers', async () => {
    const keyWith = async (...permissions: (typeof PERMISSIONS)[number][]) =>
      (await server.makeKey('main', permissions)).key;
    const reading = await post(HOURLY, await keyWith('read', 'search'));
    expect([reading.status, reading.json.detail]).toEqual([
      403,
      expect.stringContaining('"manage"'),
    ]);
    const managing = await post(HOURLY, await keyWith('manage', 'fetch'));
    expect([managing.status, managing.json.detail]).toEqual([
      403,
      expect.stringContaining('"search"'),
    ]);
    const pages = await post(
      { interval_minutes: 60, fetch: PAGES },
      await keyWith('manage', 'search'),
    );
    expect([pages.status, pages.json.detail]).toEqual([403, expect.stringContaining('"fetch"')]);
    const { keys } = server.server.store;
    const disabled = await server.makeKey('main');
    await keys.disableKey(disabled.id, new Date().toISOString());
    expect((await post(HOURLY, disabled.key)).status).toBe(401);
  });

  it('run sooner or again only for a key that could ask for the same', async () => {
    const { id } = await addWatch(server);
    const change = (body: object, key: string) =>
      server.call('PATCH', `/v1/watches/${id}`, { body, key });
    const { key: managing } = await server.makeKey('main', ['manage']);
    const { key: fetching } = await server.makeKey('main', ['manage', 'fetch']);
    const limited = await server.makeKey('main', ['manage', 'search']);
    const { keys } = server.server.store;
    await keys.changeKey(limited.id, { allowedProviders: ['brave'] });
    for (const other of [managing, fetching, limited.key]) {
      for (const body of [{ interval_minutes: 15 }, { state: 'active' }]) {
        expect((await change(body, other)).status).toBe(403);
      }
    }
    expect((await readWatch(server, id)).interval_minutes).toBe(60);
    // what spends nothing needs "manage" only
    expect((await change({ state: 'paused', name: 'tides' }, managing)).status).toBe(200);
    const { key: asking } = await server.makeKey('main', ['manage', 'search']);
    const resumed = await change({ state: 'active', interval_minutes: 30 }, asking);
    expect(resumed.status).toBe(200);
    expect(resumed.json).toMatchObject({
      ...{ state: 'active', interval_minutes: 30, key_id: server.keyId },
    });
    await server.call('DELETE', `/v1/watches/${id}`);
    // one that names no providers asks those of the deployment
    const unnamed = await addWatch(server, {
      ...{ interval_minutes: 60, search: { user_input: SEARCH.user_input } },
    });
    for (const body of [{ interval_minutes: 15 }, { state: 'active' }]) {
      const path = `/v1/watches/${unnamed.id}`;
      expect((await server.call('PATCH', path, { body, key: limited.key })).status).toBe(403);
    }
    await server.call('DELETE', `/v1/watches/${unnamed.id}`);
  });

  it('are those of another project, and unknown ones', async () => {
    const { id } = await addWatch(server);
    const other = await server.makeKey('another project');
    for (const [watch, key] of [
      [id, other.key],
      [UNKNOWN, server.key],
    ] as const) {
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['GET', '/news', undefined],
        ['PATCH', '', { state: 'paused' }],
        ['DELETE', '', undefined],
      ] as const) {
        const answer = await server.call(method, `/v1/watches/${watch}${path}`, { body, key });
        expect([answer.status, answer.json.detail]).toEqual([404, 'Watch not found']);
      }
    }
    expect((await server.call('GET', '/v1/watches', { key: other.key })).json).toEqual({
      watches: [],
    });
    const { status } = await server.call('GET', '/v1/watches/no-id');
    expect(status).toBe(422);
    expect((await server.call('DELETE', `/v1/watches/${id}`)).status).toBe(204);
    expect((await server.call('GET', `/v1/watches/${id}`)).status).toBe(404);
  });

  it.each(['1', 'yesterday', '-1', '1.5', '2026-13-01T00:00:00Z', '12345678901234567890'])(
    'news after %s',
    async (after) => {
      const { id } = await addWatch(server);
      const { status, json } = await server.call('GET', `/v1/watches/${id}/news?after=${after}`);
      expect([status, json.detail]).toEqual([404, expect.stringContaining('after: ')]);
      await server.call('DELETE', `/v1/watches/${id}`);
    },
  );

  it('an Idempotency-Key, which would promise what is not kept', async () => {
    const headers = { 'idempotency-key': 'once' };
    const { status, json } = await server.call('POST', '/v1/watches', { body: HOURLY, headers });
    expect([status, json.detail]).toEqual([400, expect.stringContaining('no Idempotency-Key')]);
  });

  it('changes of what it asks for, and of states that are not set', async () => {
    const { id } = await addWatch(server);
    for (const body of [{ search: SEARCH }, { state: 'stopped' }, { interval_minutes: 5 }]) {
      const { status } = await server.call('PATCH', `/v1/watches/${id}`, { body });
      expect(status).toBe(422);
    }
    await server.call('DELETE', `/v1/watches/${id}`);
  });

  it('the one above the most of a project, also of many at once', async () => {
    const many = await server.makeKey('many watches', PERMISSIONS);
    const answers = await Promise.all(
      Array.from({ length: LIMITS.watches + 3 }, () => post(HOURLY, many.key)),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, json }) => [status, json.detail])).toEqual(
      Array.from({ length: 3 }, () => [
        400,
        'This project has 100 watches, which is the most: delete one first',
      ]),
    );
  });
});
