import { recorded } from '@trawl/test-support/drop-in-recorded';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const PAGE = 'https://atlas.example.org/wiki/tides?a=1&b=%20x';

const get = (rest: string, headers: Record<string, string> = {}, key: string | null = server.key) =>
  server.call('GET', `/compat/reader/${rest}`, { headers, key });

const urlOf = async (headers: Headers) => {
  const read = await recorded(server, headers.get('x-interaction-id') ?? '');
  expect(read.metadata).toEqual({ compat: 'reader' });
  return read.preprocessor_runs[0].output_payload.fetched_results[0].url;
};

test('answers with the page as markdown', async () => {
  const { status, text, headers } = await get(PAGE, { accept: '*/*', 'x-forwarded-for': '::1' });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(text.length).toBeGreaterThan(100);
  expect(await urlOf(headers)).toBe(PAGE);
});

test.each([encodeURIComponent(PAGE), PAGE.replace('//', '/')])('takes %s too', async (rest) => {
  const { status, headers } = await get(rest);
  expect(status).toBe(200);
  expect(await urlOf(headers)).toBe(PAGE);
});

test('answers with JSON where that is accepted', async () => {
  const { json } = await get(PAGE, { accept: 'application/json' });
  expect(json).toMatchObject({
    code: 200,
    data: { url: PAGE, content: expect.stringMatching(/./) },
  });
});

test('a page that cannot be read is an error that says why', async () => {
  const { status, json } = await get('http://127.0.0.1/');
  expect([status, json.data]).toEqual([422, null]);
  expect(json.message).toMatch(/^(forbidden_address|declined|provider_error): /);
});

test.each<[string, Record<string, string>, number, RegExp]>([
  ['', {}, 400, /^url: /],
  ['not-a-url', {}, 422, /http/],
  [PAGE, { 'x-target-selector': 'main' }, 400, /^x-target-selector: /],
  [PAGE, { 'x-return-format': 'screenshot' }, 400, /^x-return-format: /],
])('refuses "%s" with %j', async (rest, headers, expected, message) => {
  const { status, json } = await get(rest, headers);
  expect([status, json]).toEqual([
    expected,
    { data: null, code: expected, message: expect.stringMatching(message) },
  ]);
});

test('needs a key', async () => {
  expect((await get(PAGE, {}, null)).status).toBe(401);
  expect((await get(PAGE, {}, 'tk_wrong')).json).toMatchObject({ code: 401 });
});
