import { serveHttp } from '@trawl/test-support/loopback';
import { describe, expect, test } from 'vitest';
import { parseAllowedHosts } from '../src/download/allowed-hosts.ts';
import { createDocumentReader, type DocumentOptions } from '../src/download/read-document.ts';
import { namesOf } from './support.ts';

/** As for documents of clients, but with less time. */
function readerFor(allowed: string, options: Partial<DocumentOptions> = {}) {
  const parsed = parseAllowedHosts(allowed);
  if ('problem' in parsed) throw new Error(parsed.problem);
  const limits = { maxBytes: 5 * 1024, timeoutMs: 500, userAgent: 'trawl/test' };
  const read = createDocumentReader({ ...limits, allowed: parsed.value, ...options });
  return (url: string) => read(new URL(url));
}

describe('a small document of another site', () => {
  test('is read with a plain GET, without credentials', async () => {
    const server = await serveHttp((response) => response.end('{"a": 1}'));
    expect(await readerFor('127.0.0.1')(`${server.url}/client.json`)).toEqual({
      text: '{"a": 1}',
      freshSeconds: undefined,
    });
    expect(server.received[0]?.headers).toEqual({
      host: `127.0.0.1:${server.port}`,
      connection: 'close',
      'user-agent': 'trawl/test',
      accept: 'application/json',
    });
  });

  test.each([
    ['max-age=120', {}, 120],
    ['public, max-age=120', { age: '100' }, 20],
    ['max-age=10', { age: '100' }, 0],
    ['no-store', {}, 0],
    ['max-age=120, no-cache', {}, 0],
    ['max-age=many', {}, undefined],
  ])('may be kept as "%s" says', async (cacheControl, headers, freshSeconds) => {
    const server = await serveHttp((response) =>
      response.writeHead(200, { 'cache-control': cacheControl, ...headers }).end('{}'),
    );
    expect(await readerFor('127.0.0.1')(`${server.url}/a`)).toMatchObject({ freshSeconds });
  });

  test.each([
    ['5,120 bytes', 5_120, undefined],
    ['5,121 bytes', 5_121, 'it is larger than 5120 bytes'],
    ['a million bytes', 1_000_000, 'it is larger than 5120 bytes'],
  ])('of %s', async (_what, bytes, problem) => {
    const server = await serveHttp((response) => response.end('x'.repeat(bytes)));
    const found = await readerFor('127.0.0.1')(`${server.url}/a`);
    expect('problem' in found ? found.problem : undefined).toBe(problem);
  });

  test('without an end is not waited for', async () => {
    const server = await serveHttp((response) => {
      response.write('{');
    });
    const found = await readerFor('127.0.0.1')(`${server.url}/a`);
    expect(found).toEqual({ problem: 'it took longer than 0.5 s' });
  });

  test('that is not there says so', async () => {
    const server = await serveHttp((response) => response.writeHead(403).end('<html>'));
    const found = await readerFor('127.0.0.1')(`${server.url}/a`);
    expect(found).toEqual({ problem: 'it was answered with status 403' });
  });

  test('may move on its own site, and to no other', async () => {
    const other = await serveHttp((response) => response.end('{"other": 1}'));
    const server = await serveHttp((response, { url }) => {
      if (url === '/b') response.end('{"b": 1}');
      else {
        const location = url === '/a' ? '/b' : `${other.url}/x`;
        response.writeHead(302, { location }).end();
      }
    });
    const read = readerFor('127.0.0.1');
    expect(await read(`${server.url}/a`)).toMatchObject({ text: '{"b": 1}' });
    expect(await read(`${server.url}/away`)).toEqual({
      problem: expect.stringContaining('redirect to another origin'),
    });
    expect(other.received).toEqual([]);
  });

  test('that moves without end is not followed for ever', async () => {
    const server = await serveHttp((response, _, index) =>
      response.writeHead(302, { location: `/${index}` }).end(),
    );
    const found = await readerFor('127.0.0.1')(`${server.url}/a`);
    expect(found).toEqual({ problem: expect.stringContaining('too many redirects') });
    expect(server.received).toHaveLength(4);
  });

  test.each([
    'http://127.0.0.1/client.json',
    'http://[::1]/client.json',
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/client.json',
    'http://0x7f000001/client.json',
    'http://localhost/client.json',
    'http://metadata.google.internal/x',
  ])('at the private address %s is not asked for', async (url) => {
    expect(await readerFor('')(url)).toEqual({
      problem: expect.stringMatching(/cannot be read/),
    });
  });

  test('of a public name that leads to a private address is not asked for', async () => {
    const server = await serveHttp((response) => response.end('{}'));
    const { resolve } = namesOf({ 'app.example': ['127.0.0.1'] });
    const found = await readerFor('', { resolve })(`http://app.example:${server.port}/a`);
    expect(found).toEqual({ problem: expect.stringContaining('private address') });
    expect(server.received).toEqual([]);
  });
});
