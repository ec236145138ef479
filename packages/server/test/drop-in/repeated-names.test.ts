import { growthOf } from '@trawl/test-support/cpu-growth';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const SERVING_KEY = 'tk_serves-keyless-calls';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    env: { COMPAT_SEARXNG_KEY: SERVING_KEY, BOOTSTRAP_API_KEY: SERVING_KEY },
  });
});
afterAll(() => server.stop());

const post = (form: string) =>
  server.call('POST', '/compat/searxng/search', {
    key: null,
    rawBody: form,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const brave = (query: string) =>
  server.call('GET', `/compat/brave/res/v1/web/search?${query}`, {
    key: null,
    headers: { 'x-subscription-token': server.key },
  });

/** How much CPU time requests take with n times `a=1&`. */
const growth = (work: (pairs: string) => Promise<unknown>, most: number) =>
  growthOf({ given: (count) => 'a=1&'.repeat(count), work, most });

test('a form takes CPU time in proportion to its size, up to the limit of a body', async () => {
  const { fault } = await growth(
    async (form) => expect((await post(form)).status).toBe(400),
    250_000,
  );
  expect(fault).toBeUndefined();
});

test('so does a query string', async () => {
  // one of this length takes too little to be measured
  const { fault } = await growth(async (query) => {
    for (let time = 0; time < 20; time += 1) expect((await brave(query)).status).toBe(422);
  }, 3_500);
  expect(fault).toBeUndefined();
});

describe('more than 500 parameters', () => {
  const many = 'format=json&q=tides&'.repeat(260);

  test('are refused in the shape of SearXNG, with the first that is too many and what to do', async () => {
    const { status, json } = await post(many);
    expect([status, json]).toEqual([
      400,
      { error: 'format: this is parameter 501, and trawl reads at most 500: send each one once' },
    ]);
  });

  test('are refused in the shape of Brave, which names the parameter too', async () => {
    const { status, json } = await brave(many);
    expect([status, json.error.meta.errors]).toEqual([
      422,
      [
        {
          loc: ['query', 'format'],
          msg: expect.stringMatching(/at most 500/),
          type: 'value_error',
        },
      ],
    ]);
  });

  test('count when they are empty and when they come in two places', async () => {
    const answer = await server.call('POST', `/compat/searxng/search?${'a=&'.repeat(300)}`, {
      key: null,
      rawBody: 'a=&'.repeat(300),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([answer.status, answer.json.error]).toEqual([400, expect.stringMatching(/^a: .*501/)]);
  });

  test('a long name is cut', async () => {
    const { json } = await post(`${'x'.repeat(10_000)}=&`.repeat(99) + 'y=&'.repeat(500));
    expect(json.error).toMatch(/^y: /);
    const cut = await post('y=&'.repeat(500) + 'x'.repeat(10_000));
    expect(cut.json.error).toMatch(/^x{64}…: /);
  });
});

test.each([
  ['tavily/search', 'include_domains', { query: 'tides' }],
  ['tavily/extract', 'urls', {}],
  ['exa/search', 'includeDomains', { query: 'tides' }],
  ['exa/contents', 'urls', {}],
  ['firecrawl/v2/search', 'sources', { query: 'tides' }],
  ['firecrawl/v2/scrape', 'formats', { url: 'https://example.org/' }],
])('%s refuses a list of 1,001 items as a whole, by its name: %s', async (path, name, body) => {
  const items = Array.from({ length: 1_001 }, () => 5);
  const answer = await server.call('POST', `/compat/${path}`, { body: { ...body, [name]: items } });
  expect([answer.status, answer.text]).toEqual([
    400,
    expect.stringContaining(`${name}: must have at most 1000 items`),
  ]);
});

test('a name that comes twice is refused by that name', async () => {
  const { status, json } = await post('q=a&format=json&q=b');
  expect([status, json]).toEqual([400, { error: expect.stringMatching(/^q: /) }]);
});
