import type { HttpCall } from '@trawl/providers';
import { sendJson, serveHttp } from '@trawl/test-support/loopback';
import { describe, expect, test } from 'vitest';
import { requestPayload } from '../src/runner/request-payload.ts';
import { createRunner, KEY, requestTo, targetAt } from './support/calls.ts';

const post: HttpCall = { method: 'POST', path: '/search', body: { query: 'owls', count: 3 } };

describe('requestPayload', () => {
  test('shows method, URL, headers and body of a POST without the credential', () => {
    expect(requestPayload(targetAt('https://api.acme.test/v2'), post)).toEqual({
      method: 'POST',
      url: 'https://api.acme.test/v2/search',
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip, deflate, br',
        'content-type': 'application/json',
        'user-agent': 'trawl',
      },
      body: { query: 'owls', count: 3 },
    });
  });

  test('encodes query parameters in their order and repeats the name of an array', () => {
    const call: HttpCall = {
      method: 'GET',
      path: '/search',
      query: { q: 'a b&c=ü', count: 20, safe: false, tag: ['x', 'y z'] },
    };
    const { url, body, headers } = requestPayload(targetAt('https://api.acme.test'), call);
    expect(url).toBe(
      'https://api.acme.test/search?q=a+b%26c%3D%C3%BC&count=20&safe=false&tag=x&tag=y+z',
    );
    expect(body).toBeNull();
    expect(headers).not.toHaveProperty('content-type');
  });

  test('appends to a query that the path already has', () => {
    const call: HttpCall = { method: 'GET', path: '/search?format=json', query: { q: 'owls' } };
    const { url } = requestPayload(targetAt('https://api.acme.test'), call);
    expect(url).toBe('https://api.acme.test/search?format=json&q=owls');
  });

  test('never contains the credential, in a header or in the query', () => {
    const call: HttpCall = {
      method: 'GET',
      path: '/search',
      query: { q: 'owls', api_key: 'from-an-override' },
      headers: { 'x-API-key': 'from-a-declaration' },
    };
    const inHeader = requestPayload(targetAt('https://api.acme.test'), call);
    const inQuery = requestPayload(
      targetAt('https://api.acme.test', { authentication: { in: 'query', name: 'api_key' } }),
      call,
    );
    expect(JSON.stringify(inHeader)).not.toContain(KEY);
    expect(inHeader.headers).not.toHaveProperty('x-api-key');
    expect(inQuery.url).toBe('https://api.acme.test/search?q=owls');
    expect(JSON.stringify(inQuery)).not.toContain(KEY);
  });

  test('is the same with and without a credential', () => {
    const withKey = requestPayload(targetAt('https://api.acme.test'), post);
    const without = requestPayload(targetAt('https://api.acme.test', { credentials: [] }), post);
    expect(without).toEqual(withKey);
  });

  test("takes the path that is used at the provider's own address", () => {
    const target = targetAt('https://api.acme.test', { pathAtBaseUrl: '/' });
    const call: HttpCall = { method: 'GET', path: '/v1/search', query: { q: 'owls' } };
    expect(requestPayload(target, call).url).toBe('https://api.acme.test/?q=owls');
  });

  test('shows only path and query where no address is set', () => {
    const call: HttpCall = { method: 'GET', path: '/search', query: { q: 'owls' } };
    expect(requestPayload(targetAt('', { baseUrl: null }), call).url).toBe('/search?q=owls');
  });

  test.each<readonly [`/${string}`, string]>([
    ['/a/../b', '/b?q=%27owls%27+%26'],
    ['/a b', '/a%20b?q=%27owls%27+%26'],
    ['/a ', '/a%20?q=%27owls%27+%26'],
    ['/a\\b', '/a/b?q=%27owls%27+%26'],
    ['/é|%2e', '/%C3%A9|%2e?q=%27owls%27+%26'],
    ['/page?x=1', '/page?x=1&q=%27owls%27+%26'],
    ['/page#part', '/page'],
  ])('writes the path %j as the parser of URLs does, each time', (path, expected) => {
    const call: HttpCall = { method: 'GET', path, query: { q: "'owls' &" } };
    const urls = [1, 2].map(() => requestPayload(targetAt('https://api.acme.test'), call).url);
    expect(urls).toEqual(Array(2).fill(`https://api.acme.test${expected}`));
    const { href } = new URL(`https://api.acme.test${path}`);
    expect(requestPayload(targetAt('https://api.acme.test'), { method: 'GET', path }).url).toBe(
      href.replace(/#.*$/, ''),
    );
  });

  test('leaves out the user info of the base URL', () => {
    const { url } = requestPayload(targetAt('https://me:secret@api.acme.test/v1'), post);
    expect(url).toBe('https://api.acme.test/v1/search');
  });
});

describe('the request that is sent', () => {
  test('is what the payload shows, and the credential in a header', async () => {
    const server = await serveHttp((response) => sendJson(response, {}));
    const target = targetAt(`${server.url}/prefix`, {
      authentication: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
    });
    const call: HttpCall = { ...post, headers: { 'X-Beta': 'on', Accept: 'application/vnd+json' } };
    await createRunner().run(requestTo(target, { call }));

    const [sent] = server.received;
    const payload = requestPayload(target, call);
    expect(payload.headers).toMatchObject({ 'x-beta': 'on', accept: 'application/vnd+json' });
    expect(sent).toMatchObject({ method: 'POST', url: '/prefix/search' });
    expect(sent?.headers).toMatchObject({ ...payload.headers, authorization: `Bearer ${KEY}` });
    expect(JSON.parse(sent?.body ?? '')).toEqual(payload.body);
  });

  test('is what the payload shows, and the credential in the query', async () => {
    const server = await serveHttp((response) => sendJson(response, {}));
    const target = targetAt(server.url, {
      authentication: { in: 'query', name: 'api_key' },
      credentials: ['a key/with+odd&parts'],
    });
    const call: HttpCall = { method: 'GET', path: '/search', query: { q: 'owls' } };
    await createRunner().run(requestTo(target, { call }));
    expect(server.received[0]?.url).toBe('/search?q=owls&api_key=a+key%2Fwith%2Bodd%26parts');
    expect(server.received[0]?.headers).not.toHaveProperty('content-type');
  });
});
