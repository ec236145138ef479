import type { ServerResponse } from 'node:http';
import zlib from 'node:zlib';
import { sendJson, serveHttp, serveTcp } from '@trawl/test-support/loopback';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRunner, failureOf, KEY, requestTo, targetAt } from './support/calls.ts';

const MIB = 1024 * 1024;
const answer = { results: [{ title: 'Eulen – größer' }] };
const json = JSON.stringify(answer);

/** Runs one call against a server that answers with these bytes. */
async function runAgainst(
  body: string | Buffer,
  headers: Record<string, string>,
  { status = 200, maxBodyBytes = MIB } = {},
) {
  const server = await serveHttp((response) => {
    response.writeHead(status, headers);
    response.end(body);
  });
  return createRunner({ maxBodyBytes }).run(requestTo(targetAt(server.url)));
}

test('large answers that arrive at once are read one per turn of the event loop', async () => {
  // packed, so that each arrives in one piece
  const large = zlib.gzipSync(JSON.stringify({ results: ['x'.repeat(MIB - 100)] }));
  const waiting: ServerResponse[] = [];
  const server = await serveHttp((response) => {
    waiting.push(response);
    if (waiting.length < 6) return;
    for (const one of waiting) one.writeHead(200, { 'content-encoding': 'gzip' }).end(large);
  });
  let turn = 0;
  const count = () => {
    turn += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  onTestFinished(() => clearImmediate(counting));
  const readIn: number[] = [];
  const runner = createRunner();
  const read = (body: unknown) => {
    readIn.push(turn);
    return body;
  };
  const calls = Array.from({ length: 6 }, () =>
    runner.run(requestTo(targetAt(server.url), { read })),
  );
  const results = await Promise.all(calls);
  expect(results.map(({ status }) => status)).toEqual(results.map(() => 'succeeded'));
  expect([readIn.length, new Set(readIn).size]).toEqual([6, 6]);
});

describe('a JSON answer', () => {
  test.each([
    ['application/json'],
    ['application/json; charset=utf-8'],
    ['Application/JSON'],
    ['application/problem+json'],
    ['text/plain'],
    [''],
  ])('is read with the content type %j', async (contentType) => {
    const result = await runAgainst(json, { 'content-type': contentType });
    expect(result).toMatchObject({ status: 'succeeded', value: answer, raw: answer, calls: 1 });
  });

  test('is read without a content type and after a byte order mark', async () => {
    const marked = await runAgainst(`\ufeff${json}`, {});
    expect(marked).toMatchObject({ status: 'succeeded', value: answer });
  });

  test.each([
    ['application/json; charset=iso-8859-1', 'Caf\xe9 gr\xf6\xdfer', 'Café größer'],
    ['application/json; charset="ISO-8859-1"', 'Caf\xe9', 'Café'],
    ['application/json;charset=windows-1252', '\x93Caf\xe9\x94 5 \x80', '“Café” 5 €'],
    ['application/json; charset=shift_jis', '\x93\xfa\x96\x7b', '日本'],
    // what the header names wrongly, or what nobody knows, is UTF-8
    ['application/json; charset=iso-8859-1', 'Caf\xc3\xa9', 'Café'],
    ['application/json; charset=nobody-knows', 'Caf\xc3\xa9', 'Café'],
    ['application/json; charset=utf8', 'Caf\xc3\xa9', 'Café'],
  ])('is read in the character set of %j: %j', async (contentType, bytes, title) => {
    const body = Buffer.from(`{"results":[{"title":"${bytes}"}]}`, 'latin1');
    const result = await runAgainst(body, { 'content-type': contentType });
    const value = { results: [{ title }] };
    expect(result).toMatchObject({ status: 'succeeded', value, raw: value });
  });

  test('in another character set keeps the credential out of the record', async () => {
    const body = Buffer.from(`{"results":[{"title":"Caf\xe9 ${KEY}"}]}`, 'latin1');
    const result = await runAgainst(body, { 'content-type': 'application/json; charset=latin1' });
    const value = { results: [{ title: 'Café [redacted]' }] };
    expect(result).toMatchObject({ status: 'succeeded', value, raw: value });
  });

  test('that is not an object is recorded as {body}', async () => {
    const result = await runAgainst('[1,2]', { 'content-type': 'application/json' });
    expect(result).toMatchObject({ status: 'succeeded', value: [1, 2], raw: { body: [1, 2] } });
  });

  test('that arrives in many pieces is joined', async () => {
    const server = await serveHttp((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const bytes = Buffer.from(json);
      const pieces = Array.from({ length: bytes.length }, (_, at) => bytes.subarray(at, at + 1));
      const next = () => {
        const piece = pieces.shift();
        if (piece) response.write(piece, () => setImmediate(next));
        else response.end();
      };
      next();
    });
    const result = await createRunner().run(requestTo(targetAt(server.url)));
    expect(result).toMatchObject({ status: 'succeeded', value: answer });
  });

  test.each([
    [24, 'succeeded'],
    [70, 'failed'],
  ])('with %i KB of headers has %s', async (kilobytes, status) => {
    const headers = {
      'content-type': 'application/json',
      'x-policy': 'a'.repeat(kilobytes * 1_000),
    };
    expect((await runAgainst(json, headers)).status).toBe(status);
  });

  test('after an early hint (103) is read', async () => {
    const server = await serveTcp((socket) => {
      socket.once('data', () => {
        socket.end(
          `HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\nHTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${json}`,
        );
      });
    });
    const result = await createRunner().run(requestTo(targetAt(server.url)));
    expect(result).toMatchObject({ status: 'succeeded', value: answer });
  });
});

describe('an unusable 2xx answer is a bad_response', () => {
  const type = { 'content-type': 'application/json' };
  test.each([
    ['no content (204)', '', {}, 204],
    ['an empty body', '', type, 200],
    ['HTML', '<html>', { 'content-type': 'text/html' }, 200],
    ['JSON under another content type', json, { 'content-type': 'text/html' }, 200],
    ['JSON that does not parse', '{"results":[', type, 200],
    ['text that does not parse', 'upstream busy', { 'content-type': 'text/plain' }, 200],
  ])('%s', async (_case, body, headers, status) => {
    const result = await runAgainst(body, headers, { status });
    expect(failureOf(result)).toMatchObject({
      code: 'bad_response',
      httpStatus: status,
      retryable: true,
    });
    expect(failureOf(result).message).not.toContain('busy');
    expect(result.calls).toBe(1);
  });

  test('JSON that the declaration does not accept as its answer', async () => {
    const server = await serveHttp((response) => sendJson(response, { error: 'odd' }));
    const request = requestTo(targetAt(server.url), { read: () => undefined });
    const result = await createRunner().run(request);
    expect(failureOf(result).code).toBe('bad_response');
    expect(result.raw).toEqual({ error: 'odd' });
  });

  test('text is recorded as {body}, cut to 64 KiB without splitting a character', async () => {
    const html = `${'x'.repeat(64 * 1024 - 1)}🦉 and more`;
    const result = await runAgainst(html, { 'content-type': 'text/html' });
    expect(result.raw).toEqual({ body: 'x'.repeat(64 * 1024 - 1) });
  });

  test('an empty answer records nothing', async () => {
    expect((await runAgainst('', type)).raw).toBeNull();
  });
});

describe('a compressed answer', () => {
  test.each([
    ['gzip', zlib.gzipSync(json)],
    ['GZIP', zlib.gzipSync(json)],
    ['x-gzip', zlib.gzipSync(json)],
    ['deflate', zlib.deflateSync(json)],
    ['deflate', zlib.deflateRawSync(json)],
    ['br', zlib.brotliCompressSync(json)],
    ['identity', Buffer.from(json)],
    ['utf-8, gzip', zlib.gzipSync(json)],
  ])('in %s is unpacked', async (encoding, body) => {
    const result = await runAgainst(body, {
      'content-type': 'application/json',
      'content-encoding': encoding,
    });
    expect(result).toMatchObject({ status: 'succeeded', value: answer });
  });

  test.each([
    ['long', Array.from({ length: 300_000 }, (_, at) => at).join(' ')],
    ['short for its size', 'x'.repeat(3 * MIB)],
  ])('that is %s is unpacked too', async (_case, text) => {
    const large = { text };
    const body = zlib.gzipSync(JSON.stringify(large));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const result = await runAgainst(body, headers, { maxBodyBytes: 4 * MIB });
    expect(result).toMatchObject({ status: 'succeeded', value: large });
  });

  test.each([
    ['gzip', zlib.gzipSync(json).subarray(0, -12)],
    ['deflate', zlib.deflateSync(json).subarray(0, -12)],
    ['br', zlib.brotliCompressSync(json).subarray(0, -12)],
  ])('in %s that ends too early is a network_error', async (encoding, body) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    const result = await runAgainst(body, headers);
    expect(failureOf(result)).toMatchObject({ code: 'network_error', httpStatus: 200 });
    expect(result.raw).toBeNull();
  });

  test.each([
    'utf-8',
    'UTF8',
    'None',
    'identity',
    'iso-8859-1',
    'application/json',
    'constructor',
    '',
  ])('in %s, which does not compress, is read as it is', async (encoding) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    expect((await runAgainst(Buffer.from(json), headers)).status).toBe('succeeded');
  });

  test.each([
    ['gzip', Buffer.from('this is not gzip at all')],
    ['br', Buffer.from('this is not brotli at all')],
    ['deflate', Buffer.from('\x78\x9c this is not deflate', 'latin1')],
    ['zstd', Buffer.from(json)],
    ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(json))],
  ])('in %s that is damaged or unknown is a bad_response', async (encoding, body) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    expect(failureOf(await runAgainst(body, headers)).code).toBe('bad_response');
  });
});

describe('an answer over the size limit is a bad_response that names the limit', () => {
  const tooLarge = 'acme sent an answer larger than 2 MiB (HTTP 200): ';
  const headers = { 'content-type': 'application/json' };
  const limit = { maxBodyBytes: 2 * MIB };
  const body = JSON.stringify('x'.repeat(2 * MIB));

  test('announced by its content length, without reading it', async () => {
    const server = await serveTcp((socket) => {
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`);
      });
    });
    const result = await createRunner(limit).run(requestTo(targetAt(server.url)));
    expect(failureOf(result)).toMatchObject({ code: 'bad_response' });
    expect(failureOf(result).message).toContain(tooLarge);
  });

  test('in chunks, without reading the rest', async () => {
    let written = 0;
    const server = await serveHttp((response) => {
      response.writeHead(200, headers);
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const next = () => {
        written += chunk.length;
        response.write(chunk, (error) => {
          if (!error) next();
        });
      };
      next();
    });
    const result = await createRunner(limit).run(requestTo(targetAt(server.url)));
    expect(failureOf(result).message).toContain(tooLarge);
    expect(written).toBeLessThan(32 * MIB);
  });

  test.each([
    ['gzip', zlib.gzipSync(Buffer.alloc(64 * MIB, 'x'))],
    ['br', zlib.brotliCompressSync(Buffer.alloc(64 * MIB, 'x'))],
  ])('as a %s bomb', async (encoding, bomb) => {
    expect(bomb.length).toBeLessThan(MIB / 4);
    const result = await runAgainst(bomb, { ...headers, 'content-encoding': encoding }, limit);
    expect(failureOf(result).message).toContain(tooLarge);
  });

  test('but one of exactly that size is read', async () => {
    const exact = JSON.stringify('x'.repeat(2 * MIB - 2));
    expect((await runAgainst(exact, headers, limit)).status).toBe('succeeded');
  });
});
