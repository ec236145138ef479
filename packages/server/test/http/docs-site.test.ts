import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildDocs } from '@trawl/test-support/docs-site';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDocsSite } from '../../src/sites/docs-site.ts';
import { testApp } from './app.ts';

let docs: Awaited<ReturnType<typeof buildDocs>>;
const { app } = testApp();
beforeAll(async () => {
  docs = await buildDocs();
  addDocsSite(app, docs.folder);
}, 120_000);
afterAll(() => docs.remove());

const ask = (path: string, headers: Record<string, string> = {}) => app.request(path, { headers });
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('a page', () => {
  test('needs no key, may only load from its server and cannot be framed', async () => {
    const page = await ask('/docs/api', BROWSER);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<h1 id="');
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  });

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])(
    'is sent as %s to a client that accepts it, with its own ETag',
    async (encoding, decompress) => {
      const plain = await ask('/docs/api');
      const packed = await ask('/docs/api', { 'accept-encoding': `deflate, ${encoding};q=0.5` });
      expect(packed.headers.get('content-encoding')).toBe(encoding);
      expect(packed.headers.get('vary')).toBe('Accept-Encoding');
      expect(decompress(await packed.arrayBuffer()).toString()).toBe(await plain.text());
      expect(packed.headers.get('etag')).not.toBe(plain.headers.get('etag'));
      const refused = await ask('/docs/api', { 'accept-encoding': `${encoding};q=0` });
      expect(refused.headers.get('content-encoding')).toBeNull();
    },
  );

  test('is not sent again to a client that has it', async () => {
    const etag = (await ask('/docs/api')).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    const again = await ask('/docs/api', { 'if-none-match': `"other", ${etag}` });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(again.headers.get('etag')).toBe(etag);
    expect((await ask('/docs/api', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('names style and script by their content, so browsers can cache them', async () => {
    const html = await (await ask('/docs')).text();
    const assets = [...html.matchAll(/(?:src|href|data-search)="(\/docs\/assets\/[^"]+)"/g)];
    expect(assets).toHaveLength(4);
    for (const [, path = ''] of assets) {
      const asset = await ask(path);
      expect([path, asset.status]).toEqual([path, 200]);
      expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  test('is also available as markdown', async () => {
    for (const path of ['/docs/providers/exa.md', '/docs/README.md', '/docs/project/security.md']) {
      const source = await ask(path);
      expect(source.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      expect(await source.text()).toMatch(/^(<!-- .+ -->\n\n)?# /);
    }
  });
});

test.each([
  ['/docs/', '/docs'],
  ['/docs/api/', '/docs/api'],
  ['/docs/reference/', '/docs/reference'],
  ['/docs/README', '/docs'],
  ['/docs.md', '/docs/README.md'],
  ['/docs/api//?page=2&q=%C3%A4', '/docs/api?page=2&q=%C3%A4'],
  ['/docs.md?page=2', '/docs/README.md?page=2'],
])('%s leads to %s', async (from, to) => {
  // relative, so that it holds behind a proxy that speaks https under another name
  const proxy = { host: 'trawl.example.com', 'x-forwarded-proto': 'https' };
  const answer = await ask(from, proxy);
  expect([answer.status, answer.headers.get('location')]).toEqual([308, to]);
});

// each of these took a minute when the time grew with the square of the length
test('long requests are answered at once', { timeout: 20_000 }, async () => {
  const slashes = await ask(`/docs${'/'.repeat(300_000)}x`);
  expect(slashes.status).toBe(404);
  const page = await ask('/docs/api', { 'accept-encoding': `gzip${' '.repeat(300_000)}x` });
  expect([page.status, page.headers.get('content-encoding')]).toEqual([200, null]);
});

test('an unknown page shows browsers where to go, and is an ordinary 404 for others', async () => {
  const page = await ask('/docs/no-such-page', BROWSER);
  expect(page.status).toBe(404);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('vary')).toContain('Accept');
  expect(await page.text()).toMatch(/<a href="\/docs">/);
  const plain = await ask('/docs/no-such-page');
  expect([plain.status, await plain.json()]).toEqual([404, { detail: 'Not Found' }]);
});

test('the schema of the file of declared providers is served for editors', async () => {
  const answer = await ask('/docs/providers-file.schema.json');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
  expect(await answer.json()).toMatchObject({
    additionalProperties: false,
    properties: { providers: { items: { required: ['slug', 'url', 'results', 'fields'] } } },
  });
});

test('/llms.txt lists every page as markdown, /llms-full.txt has them all', async () => {
  const list = await (await ask('/llms.txt')).text();
  expect(list).toMatch(/^# trawl\n\n> .+\n\n## /);
  const full = await (await ask('/llms-full.txt')).text();
  const links = [...list.matchAll(/^- \[[^\]]+\]\((\/docs\/[^)]+)\): \S/gm)].map(([, to]) => to);
  expect(links.length).toBeGreaterThan(25);
  for (const link of links) {
    const page = await ask(String(link));
    expect([link, page.status]).toEqual([link, 200]);
    expect(full).toContain((await page.text()).trim());
  }
});

test('every link of the texts has a target, wherever they are served', async () => {
  const list = await (await ask('/llms.txt')).text();
  const sources = [...list.matchAll(/\]\((\/docs\/[^)]+)\)/g)].map(([, path = '']) => path);
  const targets = new Map<string, string>();
  for (const source of [...sources, '/llms.txt', '/llms-full.txt']) {
    const text = await (await ask(source)).text();
    for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      const { origin, pathname } = new URL(link, `http://docs.test${source}`);
      if (origin === 'http://docs.test') targets.set(pathname, `${source} → ${link}`);
    }
  }
  expect(targets.size).toBeGreaterThan(25);
  for (const [path, link] of targets) {
    expect([link, (await ask(path)).status]).toEqual([link, 200]);
  }
});

test('every page can be reached from the first, and every link and anchor has a target', async () => {
  const pages = new Map<string, string>();
  const links: { from: string; link: string; to: URL }[] = [];
  const open = ['/docs'];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (pages.has(path)) continue;
    const answer = await ask(path);
    pages.set(path, answer.status === 200 ? await answer.text() : '');
    // the files of the API reference have their own tests
    if (!answer.headers.get('content-type')?.includes('html') || path === '/docs/reference')
      continue;
    for (const [, link = ''] of pages.get(path)?.matchAll(/(?:href|src)="([^"]+)"/g) ?? []) {
      const to = new URL(link, `http://docs.test${path}`);
      if (to.origin !== 'http://docs.test') continue;
      links.push({ from: path, link, to });
      open.push(to.pathname);
    }
  }
  const dead = links.filter(({ to: { pathname, hash } }) => {
    const text = pages.get(pathname) ?? '';
    return (
      text === '' || (hash !== '' && !text.includes(`id="${decodeURIComponent(hash.slice(1))}"`))
    );
  });
  expect(dead.map(({ from, link }) => `${from} → ${link}`)).toEqual([]);
  expect(pages.size).toBeGreaterThan(50);
});

test('the root redirects browsers to the start page, and lists the addresses for others', async () => {
  const answer = await ask('/', BROWSER);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs']);
  expect(answer.headers.get('vary')).toBe('Accept');
  const bare = await ask('/', { accept: '*/*' });
  expect([bare.status, await bare.json()]).toEqual([
    200,
    { name: 'trawl', docs: '/docs', reference: '/docs/reference', openapi: '/openapi.json' },
  ]);
  expect(bare.headers.get('vary')).toBe('Accept');
  expect((await app.request('/', { method: 'POST', headers: BROWSER })).status).toBe(404);
});

test('a server without the built pages says so, and still has the API reference', async () => {
  const bare = testApp().app;
  addDocsSite(bare);
  const answer = await bare.request('/docs', { headers: BROWSER });
  expect([answer.status, await answer.json()]).toEqual([
    404,
    { detail: expect.stringContaining('npm run build') },
  ]);
  expect((await bare.request('/docs/reference')).status).toBe(200);
});
