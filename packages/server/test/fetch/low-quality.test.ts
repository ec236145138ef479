import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { serveHttp } from '@trawl/test-support/loopback';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

const NAMES = ['Platform', 'Pricing', 'Resources', 'Customers', 'Agencies', 'Support', 'Log in'];
const MENU = NAMES.map((name) => `<li><a href="/${name}">${name}</a></li>`).join('');
const menusOf = (count: number): string =>
  Array.from({ length: count }, (_, at) => `<h3>Group ${at}</h3><ul>${MENU}</ul>`).join('');
/** A page whose text only comes with its scripts. */
const SHELL = `<!doctype html><html><head><title>Tide Mail: letters for many</title></head><body>
  <header><nav>${menusOf(12)}</nav></header><main><h1>Letters</h1></main><footer>${menusOf(6)}</footer>
  <p>All prices include VAT. Offers end on 5 May. See our terms.</p></body></html>`;

const SENTENCES = [
  'The engineers measured the current below the bridge for three years before they chose a place.',
  'Each turbine turns slowly, so that fish can pass between its blades, and makes power for eight hours a day.',
  'In winter, when the tides are strong, the station sends more than half of its power to the mainland.',
  'Nearby villages own a third of the company, and they decide each spring how its profit is used.',
];
const PARAGRAPHS = SENTENCES.flatMap((one, index) =>
  SENTENCES.map((other) => `${one} In part ${index + 1}, the report adds: ${other}`),
);
const TEXT = PARAGRAPHS.join('\n\n');
const ARTICLE = `<!doctype html><html><head><title>Power from the tides</title></head><body>
  <article><h1>Power from the tides</h1>${PARAGRAPHS.map((text) => `<p>${text}</p>`).join('')}</article></body></html>`;

/**
 * For each call of a test Jina sends the next text or status, and from then on the last; null = it
 * never answers.
 */
let sends: readonly (string | number | null)[] = [];
const jina = createServer((_request, response) => {
  const [sent = null, ...later] = sends;
  if (later.length > 0) sends = later;
  if (typeof sent === 'number') response.writeHead(sent).end();
  if (typeof sent !== 'string') return;
  const data = { title: 'Tide Mail', url: 'https://tides.example/', content: sent };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ code: 200, status: 20000, data }));
});

let server: TestServer;
beforeAll(async () => {
  await once(jina.listen(0, '127.0.0.1'), 'listening');
  // more than our reader needs on a busy machine
  server = await startServer('8000');
});
const startServer = (attemptTimeoutMs: string) =>
  startTestServer({
    env: {
      JINA_BASE_URL: `http://127.0.0.1:${(jina.address() as AddressInfo).port}`,
      FETCH_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
      FETCH_CHAIN: 'direct,jina',
      CHAIN_ATTEMPT_TIMEOUT_MS: attemptTimeoutMs,
    },
  });
afterAll(async () => {
  await server.stop();
  jina.closeAllConnections();
  jina.close();
});

async function serveSite(): Promise<string> {
  const pages: Record<string, string> = { '/article': ARTICLE, '/notes.txt': TEXT };
  const site = await serveHttp((response, { url }) => {
    const type = url.endsWith('.txt') ? 'text/plain' : 'text/html';
    const status = url === '/gone' ? 404 : 200;
    response.writeHead(status, { 'content-type': type }).end(pages[url] ?? SHELL);
  });
  return site.url;
}

async function fetchRow(url: string, options: object, on = server) {
  const { json } = await on.fetch({ urls: [url], options: { tier: 'extended', ...options } });
  const [row] = json.preprocessor_runs[0].output_payload.fetched_results;
  return row;
}

const stepsOf = (row: { provider_chain: { provider: string; outcome: string; code: string }[] }) =>
  row.provider_chain.map(({ provider, outcome, code }) => [provider, outcome, code]);

describe('a page that our reader probably read badly', () => {
  const providers = ['direct', 'jina'];

  test('is asked of the next provider, whose page is returned', async () => {
    sends = [TEXT];
    const row = await fetchRow(await serveSite(), { providers });
    expect(row).toMatchObject({ status: 'succeeded', provider: 'jina', content: TEXT });
    expect(row.quality).toBeGreaterThan(0.5);
    expect(stepsOf(row)).toEqual([
      ['direct', 'failed', 'low_quality'],
      ['jina', 'answered', null],
    ]);
    const codes = row.warnings.map(({ code }: { code: string }) => code);
    expect(codes).not.toContain('provider_error');
  });

  test('is returned when the next provider fails', async () => {
    sends = [503];
    const row = await fetchRow(await serveSite(), { providers });
    expect(row).toMatchObject({ status: 'succeeded', provider: 'direct', error: null });
    expect(row.content).toContain('Pricing');
    expect(row.quality).toBeLessThan(0.5);
    expect(stepsOf(row)).toEqual([
      ['direct', 'answered', 'low_quality'],
      ['jina', 'failed', 'upstream_error'],
    ]);
  });

  test('is returned when the page of the next provider is worse', async () => {
    sends = ['Log in'];
    const row = await fetchRow(await serveSite(), { providers });
    expect(row.provider).toBe('direct');
    expect(stepsOf(row)).toEqual([
      ['direct', 'answered', 'low_quality'],
      ['jina', 'failed', 'low_quality'],
    ]);
  });

  test('is compared at tiers that do not show the quality, too', async () => {
    sends = ['Log in'];
    const row = await fetchRow(await serveSite(), { providers, tier: 'default' });
    expect(row.provider).toBe('direct');
    expect(row).not.toHaveProperty('quality');
  });

  test('is returned without waiting for the whole time of a provider that hangs', {
    timeout: 60_000,
  }, async () => {
    sends = [null];
    const site = await serveSite();
    const impatient = await startServer('5000');
    onTestFinished(() => impatient.stop());
    // the first page of a server takes longer
    await fetchRow(`${site}/article`, { providers: ['direct'] }, impatient);
    const row = await fetchRow(site, { providers }, impatient);
    expect(stepsOf(row)).toEqual([
      ['direct', 'answered', 'low_quality'],
      ['jina', 'failed', 'timeout'],
    ]);
    // the own limit of jina is 45 s
    expect(row.latency_ms).toBeLessThan(30_000);
  });

  test('is returned when the next provider says that the page is gone', async () => {
    sends = [404];
    const row = await fetchRow(await serveSite(), { providers });
    expect(row).toMatchObject({ status: 'succeeded', provider: 'direct' });
  });

  test('is not cached, so the next fetch may have a better one, which is', async () => {
    sends = [503, TEXT];
    const site = await serveSite();
    expect((await fetchRow(site, {})).provider).toBe('direct');
    expect(await fetchRow(site, {})).toMatchObject({ provider: 'jina', content: TEXT });
    expect(await fetchRow(site, {})).toMatchObject({
      provider: 'jina',
      cache_state: 'hit',
    });
  });

  test('is returned at once when no provider follows', async () => {
    sends = [TEXT];
    const row = await fetchRow(await serveSite(), { providers: ['direct'] });
    expect(row.provider).toBe('direct');
    expect(row.quality).toBeLessThan(0.5);
    expect(stepsOf(row)).toEqual([['direct', 'answered', null]]);
  });
});

describe('the predicted quality', () => {
  test('of a good page is high, and the next provider is not asked', async () => {
    sends = [503];
    const site = await serveSite();
    const row = await fetchRow(`${site}/article`, { providers: ['direct', 'jina'] });
    expect(stepsOf(row)).toEqual([['direct', 'answered', null]]);
    expect(row.quality).toBeGreaterThan(0.8);
    expect(row.quality).toBeLessThanOrEqual(1);
  });

  test('of a provider’s bad text is low, but its page is paid, so the next one is not asked', async () => {
    sends = ['Log in'];
    const site = await serveSite();
    const row = await fetchRow(`${site}/article`, { providers: ['jina', 'direct'] });
    expect(row.provider).toBe('jina');
    expect(row.quality).toBeLessThan(0.5);
    expect(stepsOf(row)).toEqual([['jina', 'answered', null]]);
  });

  test('is kept with a page in the cache, and with its record', async () => {
    sends = [503];
    const url = `${await serveSite()}/article`;
    const { quality } = await fetchRow(url, {});
    expect(quality).toBeGreaterThan(0.8);
    const { json } = await server.fetch({ urls: [url], options: { tier: 'max' } });
    const again = await fetchRow(url, {});
    expect(again).toMatchObject({ cache_state: 'hit', quality });
    const { session_id, interaction_id } = json;
    const read = await server.call(
      'GET',
      `/v1/interactions?session_id=${session_id}&interaction_id=${interaction_id}`,
    );
    const [recorded] = read.json.preprocessor_runs[0].output_payload.fetched_results;
    expect(recorded.quality).toBe(quality);
  });

  test('is null for a document that is not a web page, and for a page that failed', async () => {
    sends = [503];
    const site = await serveSite();
    const gone = await fetchRow(`${site}/gone`, { providers: ['direct'] });
    expect(gone).toMatchObject({ status: 'failed', http_status: 404, quality: null });
    const document = await fetchRow(`${site}/notes.txt`, { providers: ['direct'] });
    expect(document).toMatchObject({ status: 'succeeded', quality: null });
  });

  test.each(['/report.pdf?download=1', '/pdf/2401.00001', '/feed.rss', '/README.md#top'])(
    'is null where the address names another document than a web page, from any provider: %s',
    async (path) => {
      sends = [TEXT];
      const row = await fetchRow(`https://tides.example${path}`, { providers: ['jina'] });
      expect(row).toMatchObject({ status: 'succeeded', quality: null });
    },
  );

  test.each([
    ['minimalist', false],
    ['default', false],
    ['extended', true],
    ['max', true],
  ])('at tier %s: %s', async (tier, isThere) => {
    sends = [503];
    const row = await fetchRow(`${await serveSite()}/article`, { tier });
    expect('quality' in row).toBe(isThere);
  });
});
