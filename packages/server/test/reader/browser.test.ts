import type { ServerResponse } from 'node:http';
import {
  AMPLE_MS,
  CHROMIUM,
  drawnBy,
  isThere,
  openRenderer,
  programOf,
  rendererFor,
  SKIPPED,
  TEST_TIMEOUT_MS,
  tracedChromium,
} from '@trawl/reader/testing';
import { startTestServer } from '@trawl/test-support/harness';
import { type HttpLoopback, serveHttp } from '@trawl/test-support/loopback';
import { isAlive } from '@trawl/test-support/processes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchPages } from '../spec/support/fetch-tables.ts';

const STORY = 'The tide mill turns twice a day and grinds what the valley brings. '.repeat(5);

/** An application that is still empty. */
const shell = (script: string): string =>
  `<!doctype html><html lang="en"><head><title>Mill</title></head><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script>${script}</script></body></html>`;

/** Draws the answer of `/story`, and the address of the page. */
const APPLICATION = shell(
  `fetch('/story').then((answer) => answer.text()).then((story) => {
    const root = document.getElementById('root');
    root.innerHTML = '<article><h1>' + location.hash + '</h1><p>' + story + '</p><p>' + navigator.userAgent + '</p><img src="/picture.png"></article>';
  });`,
);

type Answers = Readonly<Record<string, string | ((response: ServerResponse) => void)>>;

/** A site of these pages. */
function serveSite(answers: Answers): Promise<HttpLoopback> {
  return serveHttp((response, { url }) => {
    const answer = answers[url];
    if (typeof answer === 'function') answer(response);
    else if (answer === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end(answer);
  });
}

const paths = ({ received }: HttpLoopback): string[] => received.map(({ url }) => url);

const endless = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/html' }).write('<p>more to come');
};

/** The renderer keeps this much of its time for reading the page. */
const READ_AFTER_MS = 1_000;

describe.skipIf(!isThere)(`with DIRECT_BROWSER${SKIPPED}`, { timeout: TEST_TIMEOUT_MS }, () => {
  // one Chromium, which takes a second of a processor to start
  let shared: ReturnType<typeof openRenderer>;
  const robots: string[] = [];
  beforeAll(() => {
    shared = openRenderer({
      allowed: '127.0.0.1',
      concurrency: 1,
      pageLimits: { maxBytes: 1_000_000, maxRequests: 50 },
      refusal: async ({ href }) => {
        robots.push(href);
        return null;
      },
    });
  });
  afterAll(() => shared.close());

  test('a page that only scripts fill is read as rendered', async () => {
    const server = await startTestServer({
      env: {
        FETCH_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
        DIRECT_BROWSER: CHROMIUM,
        DIRECT_BROWSER_SANDBOX: 'off',
        DIRECT_TIMEOUT_MS: String(AMPLE_MS),
      },
    });
    try {
      const site = await serveSite({ '/app': APPLICATION, '/story': STORY, '/plain': STORY });
      const options = { providers: ['direct'], no_cache: true } as const;
      const { row } = await fetchPages(server, `${site.url}/app#/mills/7`, options);
      expect(row).toMatchObject({ status: 'succeeded', js_rendered: true, http_status: 200 });
      expect(row).toMatchObject({ title: 'Mill', warning: null, canonical_url: `${site.url}/app` });
      expect(row.content).toContain(STORY.trim());
      expect(row.content).toContain('#/mills/7');
      expect(row.content).toMatch(/Chrome\/\d+\.0\.0\.0 Safari\/537\.36 trawl\//);
      expect(paths(site)).toEqual(['/app', '/app', '/story']);
      const plain = await fetchPages(server, `${site.url}/plain`, options);
      expect(plain.row).toMatchObject({ status: 'succeeded', js_rendered: false });
      expect(paths(site).slice(3)).toEqual(['/plain']);
      expect(server.logged()).not.toContain('DIRECT_BROWSER');
    } finally {
      await server.stop();
    }
  });

  test('scripts lead to another page, but to none that a web rule refuses, nor to its robots.txt', async () => {
    const away = await serveSite({ '/page': shell(''), '/robots.txt': '' });
    const site = await serveSite({
      '/': `<p>left</p><script>location.replace('/there?then#part')</script>`,
      '/there?then': STORY,
      '/app': shell(`location.href = '${away.url}/page'`),
      '/there': shell(`location.href = '/go'`),
      '/go': (response) => response.writeHead(302, { location: `${away.url}/page` }).end(),
    });
    const { render } = shared;
    const webRule = (url: string) => (url.startsWith(away.url) ? ('hosts.allow' as const) : null);
    const own = await render(site.url, AMPLE_MS, undefined, webRule);
    expect(drawnBy(own)).toContain(STORY.trim());
    expect(own).toMatchObject({ download: { url: `${site.url}/there?then`, status: 200 } });
    const app = await render(`${site.url}/app`, AMPLE_MS, undefined, webRule);
    expect(app.kind).toBe('failed');
    expect(paths(away)).toEqual([]);
    expect((await render(`${site.url}/there`, AMPLE_MS, undefined, webRule)).kind).toBe('failed');
    expect(robots).toContain(`${site.url}/app`);
    expect(robots.filter((url) => url.startsWith(away.url))).toEqual([]);
  });

  test('no page waits longer than its time limit, and no more pages are open than allowed', async () => {
    let open = 0;
    let most = 0;
    const held: ServerResponse[] = [];
    const site = await serveHttp((response, { url }) => {
      if (!url.startsWith('/page')) return response.writeHead(404).end('no such page');
      open += 1;
      most = Math.max(most, open);
      response.on('close', () => {
        open -= 1;
      });
      held.push(response.writeHead(200, { 'content-type': 'text/html' }));
      return undefined;
    });
    const { render } = shared;
    // so the three do not wait for its start
    expect(drawnBy(await render(`${site.url}/none`))).toBe(
      '<the browser was answered with HTTP 404>',
    );
    const pages = [1, 2, 3].map((page) => render(`${site.url}/page${page}`));
    await expect.poll(() => held.length, { timeout: AMPLE_MS }).toBe(1);
    expect(drawnBy(await render(`${site.url}/page4`, 1_000 + READ_AFTER_MS))).toBe(
      '<the browser was busy until its time ran out>',
    );
    for (const [index, page] of pages.entries()) {
      await expect.poll(() => held.length, { timeout: AMPLE_MS }).toBe(index + 1);
      held[index]?.end(STORY);
      expect(drawnBy(await page)).toContain(STORY.trim());
    }
    expect([most, held.length]).toEqual([1, 3]);
  });

  test('a page ends at its time limit or with its request, and frees its place for the next', async () => {
    const site = await serveSite({
      '/': STORY,
      '/busy': shell('while (true) {}'),
      '/endless': endless,
    });
    const { render, faults } = shared;
    expect(drawnBy(await render(site.url))).toContain(STORY.trim());
    expect(drawnBy(await render(`${site.url}/busy`, 1_500 + READ_AFTER_MS))).toMatch(
      /^<(its time ran out|the browser could not open it)>$/,
    );
    const caller = new AbortController();
    const left = render(`${site.url}/endless`, AMPLE_MS, caller.signal);
    await expect.poll(() => paths(site).includes('/endless'), { timeout: AMPLE_MS }).toBe(true);
    caller.abort();
    expect(await left).toEqual({ kind: 'cancelled' });
    expect(drawnBy(await render(site.url))).toContain(STORY.trim());
    expect(faults).toEqual([]);
  });

  test('a page that loads too much is stopped', async () => {
    const site = await serveSite({
      '/': shell(`fetch('/flood')`),
      '/flood': (response) => {
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.on('drain', more).writeHead(200, { 'content-type': 'text/html' });
        more();
      },
    });
    expect(drawnBy(await shared.render(`${site.url}/flood`))).toBe('<it asked for too many bytes>');
    await expect.poll(() => site.sockets.size, { timeout: AMPLE_MS }).toBe(0);
  });

  test('a crashed browser is started again, an idle one is closed', async () => {
    const site = await serveSite({ '/': STORY, '/endless': endless });
    const chromium = await tracedChromium();
    const { render } = rendererFor({
      allowed: '127.0.0.1',
      path: chromium.path,
      idleMs: 1,
    });
    const lost = render(`${site.url}/endless`);
    await expect.poll(() => paths(site).length, { timeout: AMPLE_MS }).toBe(1);
    const [first = 0] = await chromium.pids();
    process.kill(first, 'SIGKILL');
    expect(drawnBy(await lost)).toMatch(/^<the browser /);
    expect(drawnBy(await render(site.url))).toContain(STORY.trim());
    const [, second = 0] = await chromium.pids();
    await expect.poll(() => isAlive(second), { timeout: AMPLE_MS }).toBe(false);
  });
});

describe('a browser that does not work', () => {
  const allowed = { FETCH_ALLOW_PRIVATE_HOSTS: '127.0.0.1', DIRECT_BROWSER_SANDBOX: 'off' };

  test.each([
    ['is missing', '/nonexistent/chromium', 'the file does not exist'],
    ['fails to start', '#!/bin/sh\nexit 1\n', 'its program does not run'],
    ['is something else', '#!/bin/sh\necho hello\n', 'its program is not Chromium'],
  ])(
    'because it %s is reported at the start, and in the rows that need it',
    async (_title, browser, problem) => {
      const path = browser.startsWith('#!') ? (await programOf(browser)).path : browser;
      const server = await startTestServer({ env: { ...allowed, DIRECT_BROWSER: path } });
      try {
        expect(server.logged()).toContain(`DIRECT_BROWSER cannot be used: ${problem}`);
        const site = await serveSite({ '/app': APPLICATION, '/plain': STORY });
        const urls = [`${site.url}/app`, `${site.url}/plain`];
        const { rows } = await fetchPages(server, urls, { providers: ['direct'] });
        expect(rows.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
        expect(rows[0].error).toMatchObject({ code: 'empty_page', provider: 'direct' });
        expect(rows[0].warning).toContain(
          'script_shell, not rendered: the browser could not be started',
        );
      } finally {
        await server.stop();
      }
    },
  );
});
