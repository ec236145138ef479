import type { ServerResponse } from 'node:http';
import { createRobots, localDownloader } from '@trawl/reader/testing';
import { startTestServer } from '@trawl/test-support/harness';
import { freePort, type HttpLoopback, serveHttp } from '@trawl/test-support/loopback';
import { afterAll, describe, expect, test } from 'vitest';
import { fetchPages } from '../spec/support/fetch-tables.ts';

const server = await startTestServer({
  env: { FETCH_ALLOW_PRIVATE_HOSTS: '127.0.0.1', DIRECT_ROBOTS: 'on' },
});
afterAll(() => server.stop());

const STORY = `<p>${'The tide mill turns twice a day and grinds what the valley brings. '.repeat(5)}</p>`;

/** A site of equal pages; `robots` answers for its robots.txt, `elsewhere` for redirects. */
function serveSite(
  robots: (response: ServerResponse) => void,
  redirects: Readonly<Record<string, string>> = {},
): Promise<HttpLoopback> {
  return serveHttp((response, { url }) => {
    const location = redirects[url];
    if (url === '/robots.txt') robots(response);
    else if (location !== undefined) response.writeHead(302, { location }).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end(STORY);
  });
}

const saying = (text: string) => (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/plain' }).end(text);

const paths = (site: HttpLoopback): string[] => site.received.map(({ url }) => url);

const read = (url: string | readonly string[]) =>
  fetchPages(server, url, { providers: ['direct'], no_cache: true });

describe('with DIRECT_ROBOTS=on', () => {
  test('a disallowed page is not requested, and its row says that robots.txt disallows it', async () => {
    const site = await serveSite(saying('user-agent: *\ndisallow: /private\n'));
    const { row } = await read(`${site.url}/private/page`);
    const host = `127.0.0.1:${site.port}`;
    expect(row).toMatchObject({ status: 'failed', http_status: null });
    expect(row.error).toMatchObject({ code: 'blocked', retryable: false, provider: 'direct' });
    expect(row.error.message).toContain(`robots.txt of ${host} disallows it`);
    expect(row.warning).toBe(`direct: blocked (robots.txt of ${host} disallows it)`);
    expect(paths(site)).toEqual(['/robots.txt']);
  });

  test('other pages are read, and the file is asked for once', async () => {
    const site = await serveSite(saying('\ufeffuser-agent: trawl\ndisallow: /private\n'));
    const { rows } = await read(['/a', '/b', '/private'].map((path) => site.url + path));
    expect(rows.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'failed']);
    const { row } = await read(`${site.url}/private/more`);
    expect(row.error.code).toBe('blocked');
    expect(paths(site).sort()).toEqual(['/a', '/b', '/robots.txt']);
    for (const { headers } of site.received) expect(headers['user-agent']).toMatch(/^trawl\//);
  });

  test('a redirect to a disallowed page is not followed', async () => {
    const target = await serveSite(saying('user-agent: *\ndisallow: /'));
    const start = await serveSite(saying(''), { '/go': `${target.url}/page` });
    const { row } = await read(`${start.url}/go`);
    expect(row.error.message).toContain(`robots.txt of 127.0.0.1:${target.port} disallows it`);
    expect(paths(start)).toEqual(['/robots.txt', '/go']);
    expect(paths(target)).toEqual(['/robots.txt']);
  });

  test.each([400, 401, 403, 404, 410, 429])(
    'a file answered with %i allows the page',
    async (status) => {
      const site = await serveSite((response) => response.writeHead(status).end('disallow: /'));
      expect((await read(`${site.url}/page`)).row.status).toBe('succeeded');
    },
  );

  test('a file that was cut off forbids the page: its rules may be missing', async () => {
    const site = await serveSite((response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 500 });
      response.write('user-agent: *\ndisallow: /priv', () => response.destroy());
    });
    const { row } = await read(`${site.url}/page`);
    expect(row.error).toMatchObject({ code: 'target_error', retryable: true });
    expect(paths(site)).toEqual(['/robots.txt']);
  });

  test.each([500, 503])(
    'a file answered with %i forbids the page, and the row blames the site',
    async (status) => {
      const site = await serveSite((response) => response.writeHead(status).end());
      const { row } = await read(`${site.url}/page`);
      expect(row.error).toMatchObject({ code: 'target_error', retryable: true });
      expect(row.error.message).toContain(`cannot be read: http_${status}`);
      expect(paths(site)).toEqual(['/robots.txt']);
    },
  );

  test('a file whose connection breaks forbids the page, and the row blames the site', async () => {
    const site = await serveSite((response) => response.destroy());
    const { row } = await read(`${site.url}/page`);
    expect(row.error.code).toBe('target_error');
    expect(row.error.message).toContain('cannot be read: connection_closed');
  });

  test('a site that is down fails as it would without the setting', async () => {
    const { row } = await read(`http://127.0.0.1:${await freePort()}/page`);
    expect(row.error.code).toBe('target_error');
    expect(row.error.message).toContain('connection_refused');
  });

  test('a file is followed through five redirects; with more it counts as absent', async () => {
    const hops = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `/hop${index}`,
          index + 1 === count ? '/rules' : `/hop${index + 1}`,
        ]),
      );
    for (const [count, code] of [
      [4, 'blocked'],
      [5, undefined],
    ] as const) {
      const redirects = hops(count);
      const site = await serveHttp((response, { url }) => {
        const location = url === '/robots.txt' ? '/hop0' : redirects[url];
        if (location) response.writeHead(302, { location }).end();
        else if (url === '/rules') saying('user-agent: *\ndisallow: /page')(response);
        else response.writeHead(200, { 'content-type': 'text/html' }).end(STORY);
      });
      expect((await read(`${site.url}/page`)).row.error?.code).toBe(code);
    }
  });

  test('a redirect of the file never leads to a private address', async () => {
    const secret = await serveSite(saying('user-agent: *\nallow: /'));
    const site = await serveSite((response) =>
      response.writeHead(302, { location: `http://localhost:${secret.port}/` }).end(),
    );
    const { row } = await read(`${site.url}/page`);
    expect(row.error.message).toContain('cannot be read: redirect_to_local_name');
    expect(secret.received).toEqual([]);
    expect(paths(site)).toEqual(['/robots.txt']);
  });

  test('only the first 500 KiB of a very long file count', async () => {
    const long = `user-agent: *\ndisallow: /early\n${'# filler\n'.repeat(60_000)}disallow: /late\n`;
    const site = await serveSite(saying(long));
    const { rows } = await read([`${site.url}/early`, `${site.url}/late`]);
    expect(rows.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
  });
});

test('a file is kept for a day, an unreadable one for a minute', async () => {
  let now = 1_000_000;
  let isUp = false;
  const site = await serveHttp((response) =>
    isUp ? saying('user-agent: *\ndisallow: /')(response) : response.writeHead(503).end(),
  );
  const downloader = localDownloader();
  const ask = createRobots({ downloader, userAgent: 'trawl/0', now: () => now });
  const codeAfter = async (ms: number) => {
    now += ms;
    return (await ask(new URL('/page', site.url)))?.code;
  };
  expect(await codeAfter(0)).toBe('target_error');
  isUp = true;
  expect(await codeAfter(50_000)).toBe('target_error');
  expect(await codeAfter(20_000)).toBe('blocked');
  expect(await codeAfter(23 * 3_600_000)).toBe('blocked');
  expect(site.received).toHaveLength(2);
  expect(await codeAfter(2 * 3_600_000)).toBe('blocked');
  expect(site.received).toHaveLength(3);
});

test('a redirect of the file is under the web rules of each caller', async () => {
  const target = await serveSite(saying('user-agent: *\nallow: /'));
  const site = await serveSite((response) =>
    response.writeHead(302, { location: `${target.url}/robots.txt` }).end(),
  );
  const ask = createRobots({
    downloader: localDownloader(),
    userAgent: 'trawl/0',
    now: () => 0,
  });
  const page = new URL('/page', site.url);
  const denied = (url: string) => (url.startsWith(target.url) ? ('hosts.deny' as const) : null);
  const asked = await Promise.all([ask(page, denied), ask(page, () => null), ask(page, denied)]);
  expect(asked.map((fault) => fault?.code)).toEqual(['blocked', undefined, undefined]);
  expect(asked[0]?.reason).toContain('web_rule');
  expect(paths(target)).toEqual(['/robots.txt']);
});

test('without the setting no robots.txt is requested', async () => {
  const plain = await startTestServer({ env: { FETCH_ALLOW_PRIVATE_HOSTS: '127.0.0.1' } });
  try {
    const site = await serveSite(saying('user-agent: *\ndisallow: /'));
    const { row } = await fetchPages(plain, `${site.url}/page`, { providers: ['direct'] });
    expect(row.status).toBe('succeeded');
    expect(paths(site)).toEqual(['/page']);
  } finally {
    await plain.stop();
  }
});
