import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, test } from 'vitest';

/**
 * Recorded requests of the vendor's own client, which has no option for another address.
 * The query string is compared as decoded pairs: a space is `+` there and may be `%20` here.
 */
const ALL_OPTIONS = {
  country: 'US',
  search_lang: 'en',
  safesearch: 'moderate',
  freshness: 'pw',
  text_decorations: false,
  spellcheck: true,
  result_filter: ['web', 'news', 'videos'],
  extra_snippets: true,
  goggles: ['https://x.example/g.goggle'],
};
const RECORDED =
  'q=rust+async+runtimes&count=5&country=US&search_lang=en&safesearch=moderate&freshness=pw&text_decorations=false&spellcheck=true&result_filter=web%2Cnews%2Cvideos&extra_snippets=true&goggles=https%3A%2F%2Fx.example%2Fg.goggle';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function sent(overrides: object) {
  server.sandbox.clearCalls();
  await server.search({
    user_input: { query: 'rust async runtimes' },
    search: {
      num_results: 5,
      providers: { include: ['brave'] },
      provider_overrides: { brave: overrides },
    },
  });
  const [call] = server.sandbox.calls;
  if (!call) throw new Error('brave was not asked');
  return call;
}

const pairs = (query: string): string[][] =>
  [...new URLSearchParams(query)].map(([name, value]) => [name, value]);

test('2.3 brave: with every option of the client, the request is the one that the client sends', async () => {
  const call = await sent(ALL_OPTIONS);
  expect([call.method, call.path.endsWith('/res/v1/web/search')]).toEqual(['GET', true]);
  expect(call.query.map(([name, value]) => [name, value]).toSorted()).toEqual(
    pairs(RECORDED).toSorted(),
  );
  expect(call.headers).toMatchObject({ accept: 'application/json' });
  expect(call.headers['accept-encoding']).toContain('gzip');
  expect(call.key).toMatch(/^planted-brave/);
  expect(call.body).toBe('');
});

test('2.3 brave: without options, it differs from the client only in the parameters that we always send', async () => {
  const call = await sent({});
  expect(call.query.map(([name, value]) => [name, value]).toSorted()).toEqual(
    [
      ...pairs('q=rust+async+runtimes&count=5'),
      // no markup in titles, and only the blocks that the active fields need
      ['text_decorations', 'false'],
      ['result_filter', 'web'],
    ].toSorted(),
  );
});
