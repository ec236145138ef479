import type { ServerResponse } from 'node:http';
import { serveHttp } from '@trawl/test-support/loopback';
import { describe, expect, test } from 'vitest';
import { downloaderFor, namesOf, textOf, verdictOf } from './support.ts';

/**
 * An unassigned global unicast address (the former 6bone): on any machine a connection to it fails
 * or gets no answer.
 */
const UNASSIGNED = '3ffe::1';

const redirectTo =
  (location: string, status = 302) =>
  (response: ServerResponse) =>
    response.writeHead(status, { location }).end('moved');

/** The server that must never receive a request. */
const serveSecret = () => serveHttp((response) => response.end('secret'));

describe('a name', () => {
  test('that changes after the check is connected to at the checked address only', async () => {
    const secret = await serveSecret();
    const answers = [[UNASSIGNED], ['127.0.0.1'], ['127.0.0.1']];
    let asked = 0;
    const resolve = async () => answers[asked++] ?? [];
    const { get } = downloaderFor({ resolve, connectTimeoutMs: 1_000 });
    const result = await get(`http://rebind.example.com:${secret.port}/`);
    expect(verdictOf(result)).toMatch(
      /^(target_error (host_unreachable|connection_refused)|timeout connect_timeout)$/,
    );
    expect(asked).toBe(1);
    expect(secret.received).toEqual([]);
    expect(secret.sockets.size).toBe(0);
  });

  test('that changes is refused at the next download', async () => {
    const secret = await serveSecret();
    const answers = [[UNASSIGNED], ['127.0.0.1']];
    const resolve = async () => answers.shift() ?? [];
    const { get } = downloaderFor({ resolve, connectTimeoutMs: 1_000 });
    const url = `http://rebind.example.com:${secret.port}/`;
    await get(url);
    expect(verdictOf(await get(url))).toBe('forbidden_address private_address');
    expect(secret.received).toEqual([]);
  });

  test.each([
    [['127.0.0.1']],
    [['::1']],
    [['8.8.8.8', '127.0.0.1']],
    [['127.0.0.1', '8.8.8.8']],
    [['8.8.8.8', '2606:4700::1111', '::ffff:127.0.0.1']],
    [['2606:4700::1111', 'fe80::1%eth0']],
    [['64:ff9b::7f00:1']],
    [['169.254.169.254']],
    [['0.0.0.0']],
    [['not an address']],
  ])('that resolves to %j is refused', async (addresses) => {
    const secret = await serveSecret();
    const names = namesOf({ 'public.example.com': addresses });
    const { get } = downloaderFor({ resolve: names.resolve });
    const result = await get(`http://public.example.com:${secret.port}/`);
    expect(verdictOf(result)).toBe('forbidden_address private_address');
    expect(names.asked).toEqual(['public.example.com']);
    expect(secret.received).toEqual([]);
  });

  test('with a trailing dot is judged like the one without', async () => {
    const names = namesOf({ 'public.example.com.': ['127.0.0.1'] });
    const { get } = downloaderFor({ resolve: names.resolve });
    expect(verdictOf(await get('http://public.example.com./'))).toBe(
      'forbidden_address private_address',
    );
    expect(verdictOf(await get('http://localhost./'))).toBe('forbidden_address local_name');
  });

  test('that does not exist is a dns_error', async () => {
    const { get } = downloaderFor({ resolve: namesOf({ 'empty.example.com': [] }).resolve });
    expect(verdictOf(await get('http://none.example.com/'))).toBe('dns_error unknown_host');
    expect(verdictOf(await get('https://empty.example.com/'))).toBe('dns_error unknown_host');
  });

  test('that cannot be looked up is a dns_error', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error(), { code: 'EAI_AGAIN' }));
    const { get } = downloaderFor({ resolve });
    expect(verdictOf(await get('http://www.example.com/'))).toBe('dns_error resolver_failed');
  });

  test('whose look-up hangs ends with the time of the download', async () => {
    const { get } = downloaderFor({ resolve: () => new Promise(() => undefined) });
    expect(verdictOf(await get('http://www.example.com/', 50))).toBe('timeout time_limit');
  });

  test('of which one address does not answer is reached at the next', async () => {
    const page = await serveHttp((response) => response.end('here'));
    const names = namesOf({ 'wiki.lan': ['::1', '127.0.0.1'] });
    const { get } = downloaderFor({ allowed: 'wiki.lan', resolve: names.resolve });
    expect(textOf(await get(`http://wiki.lan:${page.port}/`))).toBe('here');
  });
});

describe('a redirect from an allowed host', () => {
  test.each([
    ['http://127.0.0.1:PORT/', 'redirect_to_private_address'],
    ['//127.0.0.1:PORT/', 'redirect_to_private_address'],
    ['http://2130706433:PORT/', 'redirect_to_private_address'],
    ['http://[::ffff:127.0.0.1]:PORT/', 'redirect_to_private_address'],
    ['http://169.254.169.254/latest/meta-data/', 'redirect_to_private_address'],
    ['http://innocent.example.com:PORT/', 'redirect_to_private_address'],
    ['https://innocent.example.com:PORT/', 'redirect_to_private_address'],
    ['http://localhost:PORT/', 'redirect_to_local_name'],
    ['http://metadata.google.internal/', 'redirect_to_local_name'],
    ['http://public.example.com:6667/', 'redirect_to_bad_port'],
    ['file:///etc/passwd', 'redirect_to_unsupported_scheme'],
    ['gopher://127.0.0.1:PORT/_GET', 'redirect_to_unsupported_scheme'],
    ['data:text/html,hello', 'redirect_to_unsupported_scheme'],
    ['http://me:secret@wiki.lan:PORT/', 'redirect_to_user_info'],
  ])('to %s is not followed', async (location, reason) => {
    const secret = await serveSecret();
    const front = await serveHttp(redirectTo(location.replace('PORT', String(secret.port))));
    const names = namesOf({
      'wiki.lan': ['127.0.0.1'],
      'innocent.example.com': ['127.0.0.1'],
    });
    const { get } = downloaderFor({
      allowed: `wiki.lan:${front.port}`,
      resolve: names.resolve,
    });
    const result = await get(`http://wiki.lan:${front.port}/`);
    expect(verdictOf(result)).toBe(`forbidden_address ${reason}`);
    expect(front.received).toHaveLength(1);
    expect(secret.received).toEqual([]);
  });

  test('to itself on another port is not followed', async () => {
    const secret = await serveSecret();
    const front = await serveHttp(redirectTo(`http://127.0.0.1:${secret.port}/`));
    const { get } = downloaderFor({ allowed: `127.0.0.1:${front.port}` });
    expect(verdictOf(await get(front.url))).toBe('forbidden_address redirect_to_private_address');
    expect(secret.received).toEqual([]);
  });
});

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])(
    'with %i are followed, relative ones too',
    async (status) => {
      const server = await serveHttp((response, { url }) => {
        if (url === '/') return redirectTo('a/b?c#d', status)(response);
        response.writeHead(404, { 'content-type': 'text/plain' }).end(`at ${url}`);
      });
      const { get } = downloaderFor({ allowed: '127.0.0.1' });
      const result = await get(server.url);
      expect(textOf(result)).toBe('at /a/b?c');
      expect(result).toMatchObject({
        download: { status: 404, url: `${server.url}/a/b?c`, contentType: 'text/plain' },
      });
    },
  );

  test('are followed five times, not six', async () => {
    const server = await serveHttp((response, { url }) => {
      const left = Number(url.slice(1));
      if (left === 0) response.end('there');
      else redirectTo(`/${left - 1}`)(response);
    });
    const { get } = downloaderFor({ allowed: '127.0.0.1' });
    expect(textOf(await get(`${server.url}/5`))).toBe('there');
    expect(server.received).toHaveLength(6);
    const tooFar = await get(`${server.url}/6`);
    expect(tooFar).toEqual({
      kind: 'verdict',
      verdict: { code: 'target_error', reason: 'too_many_redirects', httpStatus: 302 },
    });
    expect(server.received).toHaveLength(12);
  });

  test('in a circle end', async () => {
    const server = await serveHttp(redirectTo('/'));
    const { get } = downloaderFor({ allowed: '127.0.0.1' });
    expect(verdictOf(await get(server.url))).toBe('target_error too_many_redirects');
  });

  describe('with cookies', () => {
    const setTo = (response: ServerResponse, location: string, ...cookies: string[]) =>
      response.writeHead(302, { location, 'set-cookie': cookies }).end();
    /** The Cookie header of each request of a chain; the first answer sets these cookies. */
    async function sentAfter(cookies: readonly string[], location = '/a/next', start = '/a/first') {
      const server = await serveHttp((response, _request, index) =>
        index === 0 ? setTo(response, location, ...cookies) : response.end(),
      );
      await downloaderFor({ allowed: '127.0.0.1' }).get(server.url + start);
      return server.received.map(({ headers }) => headers.cookie);
    }

    test('of a page that comes after its cookie end at the page', async () => {
      const server = await serveHttp((response, { headers, url }) => {
        if (headers.cookie === 'seen=1; id=a=b') response.end('the page');
        else setTo(response, url, 'seen=1; Path=/; HttpOnly', 'id=a=b; Max-Age=60');
      });
      const { get } = downloaderFor({ allowed: '127.0.0.1' });
      expect(textOf(await get(`${server.url}/page`))).toBe('the page');
      expect(textOf(await get(`${server.url}/page`))).toBe('the page');
      expect(server.received.map(({ headers }) => headers.cookie !== undefined)).toEqual([
        false,
        true,
        false,
        true,
      ]);
    });

    test.each([
      ['without a value of its own', ['a']],
      ['without a name', ['=b']],
      ['of 100 KB', [`a=${'b'.repeat(100_000)}`]],
      ['of another domain', ['a=b; Domain=other.example']],
      ['for another path', ['a=b; Path=/b']],
      ['for a path that only begins alike', ['a=b; Path=/a/ne']],
      ['for https', ['a=b; Secure']],
      ['that has ended', ['a=b', 'a=b; Max-Age=0']],
      ['that ended long ago', ['a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT']],
    ])('%s send none', async (_, cookies) => {
      expect(await sentAfter(cookies)).toEqual([undefined, undefined]);
    });

    test('send those of longer paths first, the newest value, and twenty at most', async () => {
      const cookies = ['b=2; path=/', 'a=0; path=/a', 'a=1; PATH=/a ; expires=never'];
      expect(await sentAfter(cookies)).toEqual([undefined, 'a=1; b=2']);
      const many = Array.from({ length: 30 }, (_, at) => `c${at}=1`);
      const [, sent] = await sentAfter(many);
      expect(sent?.split('; ')).toEqual(many.slice(10));
    });

    test('give them to no other host, and forget them on the way', async () => {
      const server = await serveHttp((response, { url }) => {
        if (url === '/1') setTo(response, `http://b.lan:${server.port}/2`, 'a=b');
        else if (url === '/2') setTo(response, `http://a.lan:${server.port}/3`, 'c=d');
        else response.end();
      });
      const { resolve } = namesOf({ 'a.lan': ['127.0.0.1'], 'b.lan': ['127.0.0.1'] });
      const { get } = downloaderFor({ allowed: 'a.lan, b.lan', resolve });
      await get(`http://a.lan:${server.port}/1`);
      expect(server.received.map(({ headers }) => headers.cookie)).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    });

    test('in a circle end too', async () => {
      const server = await serveHttp((response, _request, index) =>
        setTo(response, '/', `a=${index}`),
      );
      const { get } = downloaderFor({ allowed: '127.0.0.1' });
      expect(verdictOf(await get(server.url))).toBe('target_error too_many_redirects');
    });
  });

  test.each(['http://', 'http://exa mple/', 'http://[::1', 'http://1.2.3.4.5/'])(
    'to %j, which is not an address, are a fault of the target',
    async (location) => {
      const server = await serveHttp(redirectTo(location));
      const { get } = downloaderFor({ allowed: '127.0.0.1' });
      expect(verdictOf(await get(server.url))).toBe('target_error bad_redirect');
    },
  );

  test.each([
    [300, '/elsewhere'],
    [304, '/elsewhere'],
    [302, undefined],
  ])('that are not redirects are answers like others: %i to %s', async (status, location) => {
    const server = await serveHttp((response) =>
      response.writeHead(status, location === undefined ? {} : { location }).end(),
    );
    const { get } = downloaderFor({ allowed: '127.0.0.1' });
    expect(await get(server.url)).toMatchObject({ kind: 'downloaded', download: { status } });
    expect(server.received).toHaveLength(1);
  });

  test('whose own body never ends are still followed, and their connection is dropped', async () => {
    const server = await serveHttp((response, { url }) => {
      if (url !== '/') return response.end('there');
      response.writeHead(302, { location: '/next' }).write('more to come');
      return undefined;
    });
    const downloader = downloaderFor({ allowed: '127.0.0.1' });
    expect(textOf(await downloader.get(server.url))).toBe('there');
    await downloader.close();
    await expect.poll(() => server.sockets.size).toBe(0);
  });
});
