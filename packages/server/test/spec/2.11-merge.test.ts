import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  QUERY,
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

const search = (block: object, rest: object = {}) =>
  server.search({ user_input: QUERY, search: block, ...rest });
const override = (provider_overrides: unknown, rest: object = {}) =>
  search({ provider_overrides, ...rest });
const refused = (block: object, detail: string) =>
  server.expectRefusal('/v1/search', { user_input: QUERY, search: block }, 400, detail);

/** The request to exa at tier default without overrides. */
const PLAIN = {
  query: QUERY.query,
  type: 'auto',
  numResults: 5,
  contents: { highlights: true },
};
/** The same for brave, as pairs. */
const PAIRS = { q: QUERY.query, count: '5', text_decorations: 'false', result_filter: 'web' };

describe('2.11 deep-merged into the request of the provider it names', () => {
  test.each<[title: string, block: unknown, sent: object]>([
    ['nothing', {}, PLAIN],
    ['a new key', { category: 'news' }, { ...PLAIN, category: 'news' }],
    ['a value over ours', { type: 'fast' }, { ...PLAIN, type: 'fast' }],
    ['the query itself', { query: 'other words' }, { ...PLAIN, query: 'other words' }],
    [
      'a key inside an object, next to ours',
      { contents: { text: { maxCharacters: 300 } } },
      { ...PLAIN, contents: { highlights: true, text: { maxCharacters: 300 } } },
    ],
    [
      'an object over a value',
      { contents: { highlights: { maxCharacters: 100 } } },
      { ...PLAIN, contents: { highlights: { maxCharacters: 100 } } },
    ],
    ['a list', { includeDomains: ['a.example'] }, { ...PLAIN, includeDomains: ['a.example'] }],
    ['null over an object', { contents: null }, { ...PLAIN, contents: null }],
    [
      'null inside an object',
      { contents: { highlights: null, extras: null } },
      { ...PLAIN, contents: { highlights: null, extras: null } },
    ],
    ['an empty object over one of ours', { contents: {} }, PLAIN],
  ])('2.11 exa: %s', async (_title, block, sent) => {
    const answer = await override({ exa: block });
    expect(sentTo(server, 'exa')).toEqual(sent);
    expect(Object.fromEntries(sentTo(server, 'brave'))).toEqual(PAIRS);
    const run = runOf(answer, 'exa');
    expect(run.status).toBe('succeeded');
    expect(run.request_payload.body).toEqual(sent);
  });

  test.each([
    ['a string', 'text', { contents: 'all' }, { ...PLAIN, contents: 'all' }],
    ['a list', 'list', { contents: [{ text: true }] }, { ...PLAIN, contents: [{ text: true }] }],
    ['a key the vendor does not know', 'key', { nope: 1 }, { ...PLAIN, nope: 1 }],
    ['a wrong value', 'value', { numResults: 0 }, { ...PLAIN, numResults: 0 }],
  ])(
    '2.11 native keys are passed on: %s is sent, and the provider refuses it',
    async (_title, _, block, sent) => {
      const answer = await override({ exa: block });
      expect(sentTo(server, 'exa')).toEqual(sent);
      expect(runOf(answer, 'exa')).toMatchObject({
        status: 'failed',
        error: { code: 'bad_request', provider: 'exa', http_status: 400 },
      });
      expect(runOf(answer, 'brave').status).toBe('succeeded');
      expect(answer.json.status).toBe('partially_succeeded');
    },
  );

  test.each<[title: string, block: object, pairs: [string, string][]]>([
    ['nothing', {}, Object.entries(PAIRS)],
    ['a new parameter', { country: 'DE' }, Object.entries({ ...PAIRS, country: 'DE' })],
    [
      'a value over ours, in its place',
      { text_decorations: true },
      Object.entries({ ...PAIRS, text_decorations: 'true' }),
    ],
    ['null leaves a parameter out', { result_filter: null }, Object.entries(PAIRS).slice(0, 3)],
    [
      'a list is joined',
      { result_filter: ['web', 'news'] },
      Object.entries({ ...PAIRS, result_filter: 'web,news' }),
    ],
    [
      'a list of goggles is repeated',
      { goggles: ['one', 'two'] },
      [...Object.entries(PAIRS), ['goggles', 'one'], ['goggles', 'two']],
    ],
    [
      'text that needs encoding',
      { goggles: 'a&b=c#d ?/%é😀' },
      [...Object.entries(PAIRS), ['goggles', 'a&b=c#d ?/%é😀']],
    ],
  ])('2.11 brave: %s, in its query string', async (_title, block, pairs) => {
    const answer = await override({ brave: block });
    expect(sentTo(server, 'brave')).toEqual(pairs);
    expect(sentTo(server, 'exa')).toEqual(PLAIN);
    const run = runOf(answer, 'brave');
    expect(run.status).toBe('succeeded');
    expect([...new URL(run.request_payload.url).searchParams]).toEqual(pairs);
  });

  test('2.11 each provider gets its own block, in every query of a batch', async () => {
    const before = server.sandbox.calls.length;
    const body = {
      user_input: [{ query: 'a' }, { query: 'b' }],
      search: { provider_overrides: { exa: { category: 'news' }, brave: { country: 'FR' } } },
    };
    expect((await server.search(body)).json.status).toBe('succeeded');
    for (const call of server.sandbox.calls.slice(before)) {
      if (call.vendor === 'exa') expect(call.json()).toMatchObject({ category: 'news' });
      else expect(Object.fromEntries(call.query).country).toBe('FR');
    }
    expect(server.sandbox.calls.length - before).toBe(4);
  });

  test('2.11 keys with names of JavaScript members stay plain keys', async () => {
    const block = '{"__proto__":{"polluted":1},"contents":{"__proto__":{"text":true}}}';
    const rawBody = `{"user_input":{"query":"q"},"search":{"provider_overrides":{"exa":${block},"brave":{"__proto__":5,"constructor":"x"}}}}`;
    const answer = await server.call('POST', '/v1/search', { rawBody });
    expect(answer.status, answer.text).toBe(200);
    const call = server.sandbox.calls.findLast(({ vendor }) => vendor === 'exa');
    expect(call?.body).toBe(
      '{"query":"q","type":"auto","numResults":5,"contents":{"highlights":true,"__proto__":{"text":true}},"__proto__":{"polluted":1}}',
    );
    expect(sentTo(server, 'brave').slice(-2)).toEqual([
      ['__proto__', '5'],
      ['constructor', 'x'],
    ]);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    await search({});
    expect(sentTo(server, 'exa')).toEqual(PLAIN);
  });

  test.each([{ provider_overrides: null }, { provider_overrides: {} }, {}])(
    '2.11 %j overrides nothing',
    async (block) => {
      expect((await search(block)).status).toBe(200);
      expect(sentTo(server, 'exa')).toEqual(PLAIN);
    },
  );

  test('2.11 paid features bill accordingly', async () => {
    const costOf = async (block: object) => {
      const answer = await override({ exa: block }, { providers: { include: ['exa'] } });
      const { interaction_id } = answer.json;
      const [row] = await server.server.store.reader.ledger(server.projectId, interaction_id);
      return row?.costMicros;
    };
    expect(await costOf({})).toBe(7_000);
    expect(await costOf({ contents: { summary: true } })).toBe(12_000);
    expect(await costOf({ type: 'fast' })).toBe(7_000);
  });
});

describe('2.11 only providers named in the request may be overridden', () => {
  const outside = (slug: string) =>
    `search.provider_overrides: ${slug} does not run in this request; add it to search.providers.include or leave its overrides out`;

  test.each([
    ['included', { include: ['exa'] }, { exa: {} }],
    ['of the default set', undefined, { exa: {}, brave: {} }],
    ['left of the default set', { exclude: ['brave'] }, { exa: {} }],
  ])('2.11 %s: taken', async (_title, providers, provider_overrides) => {
    expect((await search({ providers, provider_overrides })).status).toBe(200);
  });

  test.each<[providers: object, overrides: object, slug: string]>([
    [{ include: ['brave'] }, { exa: { category: 'news' } }, 'exa'],
    [{ include: ['exa'] }, { exa: {}, brave: {} }, 'brave'],
    [{ exclude: ['exa'] }, { exa: { numResults: 3 } }, 'exa'],
  ])('2.11 %j with %j is a 400', (providers, provider_overrides, slug) =>
    refused({ providers, provider_overrides }, outside(slug)),
  );

  test('2.11 preprocessor_names name providers, too', async () => {
    const body = (slug: string) => ({
      user_input: QUERY,
      preprocessor_names: ['brave'],
      search: { provider_overrides: { [slug]: {} } },
    });
    const taken = await server.call('POST', '/v1/interactions', { body: body('brave') });
    expect(slugsOf(taken)).toEqual(['brave']);
    await server.expectRefusal('/v1/interactions', body('exa'), 400, outside('exa'));
  });

  test.each(['nope', 'EXA', ' exa', '', 'constructor', 'hasOwnProperty'])(
    '2.11 the unknown slug %j is a 400 that lists the available ones',
    (slug) =>
      refused(
        { provider_overrides: { exa: {}, [slug]: {} } },
        `search.provider_overrides: unknown provider ${JSON.stringify(slug)}; ${server.available}`,
      ),
  );

  test('2.11 the slug __proto__ is unknown, too', async () => {
    const rawBody = `{"user_input":{"query":"q"},"search":{"provider_overrides":{"__proto__":{"exa":{}}}}}`;
    const answer = await server.refused('POST', '/v1/search', { rawBody });
    expect(answer.status).toBe(400);
    expect(answer.json.detail).toBe(
      `search.provider_overrides: unknown provider "__proto__"; ${server.available}`,
    );
  });
});

describe('2.11 credentials, streaming and the form of the answer cannot be overridden', () => {
  test.each([
    ...['api_key', 'apiKey', 'API-KEY', 'x-api-key', 'access_token', 'Authorization'],
    ...['stream', 'Stream', 'X_Subscription_Token', 'base_url', 'api_base', 'endpoint', 'url'],
    ...['callback', 'callbackUrl', 'webhook', 'webhook_url'],
  ])('2.11 %s is a 400', async (key) => {
    for (const slug of ['exa', 'brave']) {
      await refused(
        { provider_overrides: { [slug]: { category: 'news', [key]: 'x' } } },
        `search.provider_overrides.${slug}: ${JSON.stringify(key)} cannot be overridden: credentials, addresses, streaming and the form of the answer are the service's; leave it out`,
      );
    }
  });

  test('2.11 the form of the answer is refused where the vendor has such a parameter', async () => {
    const providers = { include: ['serpapi', 'exa'] };
    for (const key of ['engine', 'output', 'async', 'source']) {
      const block = { [key]: 'x' };
      await refused(
        { providers, provider_overrides: { serpapi: block } },
        `search.provider_overrides.serpapi: ${JSON.stringify(key)} cannot be overridden: credentials, addresses, streaming and the form of the answer are the service's; leave it out`,
      );
      const found = await search({ providers, provider_overrides: { exa: block } });
      expect(found.status, key).toBe(200);
    }
  });

  test('2.11 overrides never change auth, host or path: such keys are plain parameters', async () => {
    const block = { headers: { 'x-api-key': 'mine' }, host: 'evil.example', path: '/x' };
    const answer = await override({ exa: block, brave: block });
    for (const vendor of ['exa', 'brave']) {
      const call = server.sandbox.calls.findLast((one) => one.vendor === vendor);
      expect(call?.path).toBe(vendor === 'exa' ? '/search' : '/res/v1/web/search');
      expect(call?.key).toMatch(/^planted-/);
      expect(runOf(answer, vendor).request_payload.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    }
  });
});
