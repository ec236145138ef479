import { TypedError } from '@trawl/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROVIDERS, pageAt } from './support/fetch-tables.ts';
import { type SpecServer, startSpecServer } from './support/server.ts';

let server: SpecServer;
let foreignSession: string;
beforeAll(async () => {
  server = await startSpecServer({ env: { MAX_FETCH_URLS: '4' } });
  const theirs = await server.makeKey('theirs');
  const body = { urls: [pageAt()] };
  const answer = await server.call('POST', '/v1/fetch', { body, key: theirs.key });
  foreignSession = answer.json.session_id;
});
afterAll(() => server.stop());

/** A refusal of the typed family, compared in full; nothing was sent, recorded or billed. */
async function expectRefused(body: unknown, status: number, code: string, param: string | null) {
  const answer = await server.refused('POST', '/v1/fetch', { body });
  expect({ status: answer.status, code: answer.json.error?.code }, answer.text).toEqual({
    status,
    code,
  });
  const { error, ...rest } = answer.json;
  expect(rest).toEqual({});
  expect(Object.keys(error)).toEqual(['code', 'message', ...(param === null ? [] : ['param'])]);
  if (param !== null) expect(error.param).toBe(param);
  expect(error.message).not.toBe('');
  return String(error.message);
}

const OK = 'https://news.example.com/tides';
const HOST = 'https://news.example.com';

describe('7.1 urls', () => {
  test.each([
    ['absent', {}],
    ['empty', { urls: [] }],
  ])('7.1 missing_urls: urls are %s', async (_, body) => {
    await expectRefused(body, 422, 'missing_urls', 'urls');
  });

  test.each([
    ['a text', OK],
    ['an object', { 0: OK }],
    ['a number', 5],
    ['false', false],
  ])('7.1 invalid_request: urls are %s', async (_, urls) => {
    await expectRefused({ urls }, 422, 'invalid_request', 'urls');
  });

  test.each([
    ...[5, true, null, {}, [OK]],
    ...['', ' ', '/tides', 'news.example.com/tides', '//news.example.com/tides', 'tides'],
    ...['ftp://news.example.com/', 'file:///etc/passwd', 'javascript:alert(1)', 'data:text/html,x'],
    ...['mailto:mill@example.org', 'ws://news.example.com/', 'about:blank', 'htps://example.com/'],
    ...[
      'http://',
      'https://',
      'https:///',
      'https://?q=1',
      'https://#x',
      'http://[::1',
      'http://:80/',
    ],
    ...['https:///news.example.com/', 'https:////news.example.com/', 'http:///tides'],
    ...['https://ada@news.example.com/', 'https://ada:secret@news.example.com/'],
    ...['https://@news.example.com/', 'https://:@news.example.com/'],
    ...['https://:secret@news.example.com/', 'https://news.example.com:99999/'],
    ...['https://news.example.com\\@evil.example.com/', 'https://news.example.com\\tides'],
    ...[
      'https://\\news.example.com/',
      'https:///\\news.example.com/',
      'https:\\\\news.example.com/',
    ],
    ...['https://news example.com/', 'https://a..b%00.example.com/', 'https://300.1.1.1/'],
    `${HOST}/${'a'.repeat(2_049 - HOST.length - 1)}`,
  ])('7.1 invalid_url: %j', async (url) => {
    await expectRefused({ urls: [OK, url] }, 422, 'invalid_url', 'urls[1]');
  });

  test('7.1 invalid_url: a refused password is not repeated', async () => {
    const urls = ['https://ada:hunter2secret@news.example.com/'];
    expect(await expectRefused({ urls }, 422, 'invalid_url', 'urls[0]')).not.toContain('hunter2');
  });

  test('7.1 invalid_url: a backslash next to the host is named; one in the path is not refused', async () => {
    const refused = { urls: ['https://news.example.com\\@evil.example.com/'] };
    expect(await expectRefused(refused, 422, 'invalid_url', 'urls[0]')).toContain('backslash');
    const body = { urls: [`${pageAt()}a\\b`] };
    expect((await server.call('POST', '/v1/fetch', { body })).status).toBe(200);
  });

  test('7.1 a URL of 2048 characters is fetched', async () => {
    const url = `${HOST}/${'a'.repeat(2_048 - HOST.length - 1)}`;
    expect(url).toHaveLength(2_048);
    const answer = await server.call('POST', '/v1/fetch', { body: { urls: [url] } });
    expect(answer.status, answer.text).toBe(200);
    const wide = `${HOST}/${'🌊'.repeat(2_048 - HOST.length - 1)}`;
    const fetched = await server.call('POST', '/v1/fetch', { body: { urls: [wide] } });
    expect(fetched.status, fetched.text).toBe(200);
    await expectRefused({ urls: [`${wide}🌊`] }, 422, 'invalid_url', 'urls[0]');
  });

  test('8, 7.1 over_url_cap: one more than MAX_FETCH_URLS; the message names the limit', async () => {
    const urls = Array.from({ length: 5 }, () => pageAt());
    expect(await expectRefused({ urls }, 400, 'over_url_cap', 'urls')).toMatch(/\b4\b/);
    const answer = await server.call('POST', '/v1/fetch', { body: { urls: urls.slice(1) } });
    expect(answer.json.preprocessor_runs[0].output_payload.fetched_results).toHaveLength(4);
  });

  test.each([
    ['itself', OK],
    ['a fragment', `${OK}#part`],
    ['an empty fragment', `${OK}#`],
    ['an empty query', `${OK}?`],
    ['an escape that is not needed', OK.replace('tides', '%74ides')],
    ['the dot at the end of the host', OK.replace('.com', '.com.')],
    ['capitals in scheme and host', 'HTTPS://News.EXAMPLE.com/tides'],
    ['the default port', 'https://news.example.com:443/tides'],
    ['dot segments', `${HOST}/a/../b/./../tides`],
  ])('7.1 duplicate_urls: the same page except for %s', async (_, same) => {
    await expectRefused({ urls: [OK, `${HOST}/other`, same] }, 422, 'duplicate_urls', 'urls[2]');
  });

  test('7.1 duplicate_urls: an empty path and /, a host and its ASCII form', async () => {
    await expectRefused({ urls: [HOST, `${HOST}/`] }, 422, 'duplicate_urls', 'urls[1]');
    const idn = ['https://bücher.example.com/', 'https://xn--bcher-kva.example.com/'];
    await expectRefused({ urls: idn }, 422, 'duplicate_urls', 'urls[1]');
  });

  test.each([
    [OK, `${OK}/`],
    [OK, 'http://news.example.com/tides'],
    [OK, 'https://www.news.example.com/tides'],
    [OK, `${HOST}/Tides`],
    [`${OK}?a=1&b=2`, `${OK}?b=2&a=1`],
    [OK, 'https://news.example.com:8443/tides'],
    [`${OK}?a=1`, `${OK}?a=2`],
    [OK, `${OK}?utm_source=mail`],
    [`${OK}?utm_source=mail`, `${OK}?utm_source=letter`],
    [`${OK}#/one`, `${OK}#/two`],
    [`${OK}#!one`, OK],
  ])('7.1 no duplicates: %s and %s', async (...urls) => {
    const answer = await server.call('POST', '/v1/fetch', { body: { urls } });
    expect(answer.status, answer.text).toBe(200);
  });
});

describe('7.1 session and options', () => {
  test.each(['x', '', 5, {}, '0190c5f4-0000-7000-8000-00000000000', `{${'0'.repeat(36)}}`])(
    '7.1 invalid_session: %j is not a uuid',
    async (session_id) => {
      await expectRefused({ urls: [OK], session_id }, 422, 'invalid_session', 'session_id');
    },
  );

  test('7.1 invalid_session: a session of another project is a 404', async () => {
    await expectRefused(
      { urls: [OK], session_id: foreignSession },
      404,
      'invalid_session',
      'session_id',
    );
  });

  test.each<[param: string, options: unknown]>([
    ['options', 'fast'],
    ['options', []],
    ['options', 5],
    ['options.tier', { tier: 'huge' }],
    ['options.tier', { tier: 'MAX' }],
    ['options.providers', { providers: [] }],
    ['options.providers', { providers: 'exa' }],
    ['options.inline_content', { inline_content: 'true' }],
    ['options.inline_content', { inline_content: 1 }],
    ...[0, -1, 1.5, '5', true].map((value): [string, unknown] => [
      'options.inline_max_chars',
      { inline_max_chars: value },
    ]),
    ['options.content_format', { content_format: 'html' }],
    ...[-1, 0.5, '60'].map((value): [string, unknown] => [
      'options.max_age_seconds',
      { max_age_seconds: value },
    ]),
    ['options.no_cache', { no_cache: 'yes' }],
    ['options.no_cache', { no_cache: 0 }],
    ['options.format', { format: 'markdown' }],
    ['options.Tier', { Tier: 'max' }],
  ])('7.1 invalid_request: %s of %j', async (param, options) => {
    await expectRefused({ urls: [OK], options }, 422, 'invalid_request', param);
  });

  test.each([[[]], ['x'], [5]])('7.1 invalid_request: metadata of %j', async (metadata) => {
    await expectRefused({ urls: [OK], metadata }, 422, 'invalid_request', 'metadata');
  });

  test('7.1 unknown_provider: the message names the place and lists the names', async () => {
    const options = { providers: ['exa', 'nope'] };
    const param = 'options.providers[1]';
    const message = await expectRefused({ urls: [OK], options }, 400, 'unknown_provider', param);
    expect(message).toContain('nope');
    for (const name of PROVIDERS) expect(message).toMatch(new RegExp(`\\b${name}\\b`));
  });

  test.each(['brave', 'EXA', '', 'cache', '__proto__', 'constructor'])(
    '7.1 unknown_provider: %j is not a fetch provider',
    async (name) => {
      const options = { providers: [name] };
      const body = { urls: [OK], options };
      await expectRefused(body, 400, 'unknown_provider', 'options.providers[0]');
    },
  );

  test.each([
    OK,
    'https://linkedin.com.example.com/company/a',
    'https://notlinkedin.com/company/a',
  ])('4.3, 7.1 invalid_kind: brightdata as the only provider does not accept %s', async (url) => {
    const urls = ['https://www.linkedin.com/company/tide-works', url];
    const options = { providers: ['brightdata'] };
    await expectRefused({ urls, options }, 400, 'invalid_kind', 'urls[1]');
  });

  test('4.3 a pinned chain with one provider that accepts the URL is not an invalid_kind', async () => {
    const options = { providers: ['brightdata', 'exa'], tier: 'max' };
    const answer = await server.call('POST', '/v1/fetch', { body: { urls: [OK], options } });
    const [row] = answer.json.preprocessor_runs[0].output_payload.fetched_results;
    expect(row).toMatchObject({ provider: 'exa', status: 'succeeded' });
    expect(row.provider_chain[0]).toMatchObject({ provider: 'brightdata', outcome: 'declined' });
  });

  test('7.1 the body is the one of the contract', async () => {
    const answer = await server.refused('POST', '/v1/fetch', { body: {} });
    expect(TypedError.strict().safeParse(answer.json).error).toBeUndefined();
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  });
});
