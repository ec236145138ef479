import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import zlib from 'node:zlib';
import { serveHttp, serveTcp } from '@trawl/test-support/loopback';
import { describe, expect, test } from 'vitest';
import {
  AMPLE_MS,
  downloaderFor,
  HEAD,
  localDownloader,
  namesOf,
  textOf,
  verdictOf,
  verdictWith,
} from './support.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Writes the same piece for as long as the other side reads; returns how many bytes were read. */
function pour(stream: Writable, piece: Buffer): { readonly taken: () => number } {
  let taken = 0;
  const more = () => {
    while (!stream.destroyed) {
      taken += piece.length;
      if (!stream.write(piece)) return;
    }
  };
  stream.on('drain', more);
  stream.on('error', () => undefined);
  more();
  return { taken: () => taken };
}

/** A piece every few milliseconds, without end. */
function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 5);
  socket.on('close', () => clearInterval(timer));
}

describe('the time limit', () => {
  test.each([
    ['a server that says nothing', '', '', null],
    ['headers that drip', 'HTTP/1.1 200 OK\r\n', 'x-a: b\r\n', null],
    ['one header that drips', 'HTTP/1.1 200 OK\r\nx-a: ', 'b', null],
    ['interim answers without end', '', 'HTTP/1.1 103 Early Hints\r\n\r\n', null],
    ['a body that drips', `${HEAD}\r\n<p>`, 'a', 200],
    ['chunks that drip', `${HEAD}transfer-encoding: chunked\r\n\r\n`, '1\r\na\r\n', 200],
    ['a promised body that does not come', `${HEAD}content-length: 50\r\n\r\n`, '', 200],
  ])('ends %s', async (_title, start, piece, httpStatus) => {
    const server = await serveTcp((socket) => {
      socket.write(start);
      if (piece !== '') drip(socket, piece);
      socket.resume();
    });
    const { get } = localDownloader();
    const result = await get(server.url, 300);
    expect(result).toEqual(verdictWith('timeout', 'time_limit', httpStatus));
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  test('counts all redirects together', async () => {
    const server = await serveHttp((response, { url }) => {
      const timer = setTimeout(() => response.writeHead(302, { location: `${url}a` }).end(), 80);
      response.on('close', () => clearTimeout(timer));
    });
    expect(verdictOf(await localDownloader().get(server.url, 200))).toBe('timeout time_limit');
    expect(server.received.length).toBeLessThan(5);
  });

  test('of the headers alone is a timeout too', async () => {
    const server = await serveTcp((socket) => socket.resume());
    const result = await localDownloader({ headersTimeoutMs: 100 }).get(server.url);
    expect(verdictOf(result)).toBe('timeout headers_timeout');
  });
});

describe('a download that is given up', () => {
  test.each([
    ['before the answer', ''],
    ['in the headers', 'HTTP/1.1 200 OK\r\nx-a: b'],
    ['in the body', `${HEAD}\r\n<p>Once`],
  ])('%s is cancelled and its connection dropped', async (_title, start) => {
    const caller = new AbortController();
    const server = await serveTcp((socket) => {
      socket.once('data', () => {
        socket.write(start);
        setImmediate(() => caller.abort());
      });
    });
    expect(await localDownloader().get(server.url, 10_000, caller.signal)).toEqual({
      kind: 'cancelled',
    });
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  test('before it starts sends nothing, not even a look-up of the name', async () => {
    const names = namesOf({});
    const { get } = downloaderFor({ resolve: names.resolve });
    const given = get('http://www.example.com/', AMPLE_MS, AbortSignal.abort());
    expect(await given).toEqual({ kind: 'cancelled' });
    expect(names.asked).toEqual([]);
  });

  test('leaves the others of the same caller alone', async () => {
    const server = await serveHttp((response, { url }) => {
      if (url === '/slow') response.write('<p>');
      else response.end('done');
    });
    const { get } = localDownloader();
    const caller = new AbortController();
    const slow = get(`${server.url}/slow`, 10_000, caller.signal);
    const others = Array.from({ length: 20 }, () => get(server.url));
    expect((await Promise.all(others)).map(textOf)).toEqual(others.map(() => 'done'));
    caller.abort();
    expect(await slow).toEqual({ kind: 'cancelled' });
  });

  test('because the downloader was closed is cancelled, as are later ones', async () => {
    const server = await serveHttp((response) => response.write('<p>'));
    const downloader = localDownloader();
    const running = downloader.get(server.url);
    await expect.poll(() => server.received.length).toBe(1);
    await downloader.close();
    expect(await running).toEqual({ kind: 'cancelled' });
    expect(await downloader.get(server.url)).toEqual({ kind: 'cancelled' });
    await expect.poll(() => server.sockets.size).toBe(0);
    expect(server.received).toHaveLength(1);
  });
});

const tooLarge = (mebibytes: number) =>
  `its body is larger than ${mebibytes} MiB, packed or unpacked`;

describe('the size limit', () => {
  const maxBytes = 256 * KIB;
  const brotli = (bytes: Buffer) =>
    zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } });
  /** The size of the buffers of two sockets and some streams. */
  const IN_TRANSIT = 8 * MIB;

  test('ends a body with a larger declared length at once', async () => {
    const server = await serveTcp((socket) => {
      socket.write(`${HEAD}content-length: ${maxBytes + 1}\r\n\r\n`);
    });
    const result = await localDownloader({ maxBytes }).get(server.url);
    expect(result).toEqual(verdictWith('too_large', tooLarge(0.25), 200));
  });

  test('lets a body of just the limit through', async () => {
    const body = Buffer.alloc(maxBytes, 'a');
    const server = await serveHttp((response) => response.end(body));
    const result = await localDownloader({ maxBytes }).get(server.url);
    expect(result).toMatchObject({ kind: 'downloaded' });
    expect(textOf(result)).toBe(body.toString());
  });

  test('ends a body without length or end', async () => {
    let poured = { taken: () => 0 };
    const server = await serveHttp((response) => {
      poured = pour(response, Buffer.alloc(16 * KIB, 'a'));
    });
    const result = await localDownloader({ maxBytes }).get(server.url);
    expect(result).toEqual(verdictWith('too_large', tooLarge(0.25), 200));
    await expect.poll(() => server.sockets.size).toBe(0);
    expect(poured.taken()).toBeLessThan(maxBytes + IN_TRANSIT);
  });

  test.each([
    ['gzip', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    ['deflate', zlib.deflateRawSync],
    ['br', brotli],
  ])('ends a %s bomb', async (coding, compress) => {
    const bomb = compress(Buffer.alloc(64 * MIB));
    const server = await serveHttp((response) => {
      response.writeHead(200, { 'content-encoding': coding, 'content-length': bomb.length });
      response.end(bomb);
    });
    const before = process.memoryUsage().arrayBuffers;
    const result = await localDownloader({ maxBytes }).get(server.url);
    expect(result).toEqual(verdictWith('too_large', tooLarge(0.25), 200));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * MIB);
  });

  test('ends a bomb without end after few packed bytes', async () => {
    let sent = 0;
    const packer = zlib.createGzip();
    const server = await serveHttp((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      packer.on('data', (chunk: Buffer) => {
        sent += chunk.length;
        if (!response.destroyed) response.write(chunk);
      });
      response.on('close', () => packer.destroy());
      pour(packer, Buffer.alloc(64 * KIB));
    });
    const result = await localDownloader({ maxBytes: 8 * MIB }).get(server.url);
    expect(result).toEqual(verdictWith('too_large', tooLarge(8), 200));
    await expect.poll(() => server.sockets.size).toBe(0);
    expect(sent).toBeLessThan(4 * MIB);
  });

  test('counts packed bytes too: empty members without end', async () => {
    let poured = { taken: () => 0 };
    const server = await serveHttp((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      poured = pour(response, Buffer.concat(Array(500).fill(zlib.gzipSync(''))));
    });
    const result = await localDownloader({ maxBytes }).get(server.url);
    expect(result).toEqual(verdictWith('too_large', tooLarge(0.25), 200));
    expect(poured.taken()).toBeLessThan(maxBytes + IN_TRANSIT);
  });

  test('ends a bomb whose sender then stops', async () => {
    const packed = zlib.gzipSync(Buffer.alloc(4 * MIB));
    const server = await serveHttp((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(packed.subarray(0, -100));
    });
    expect(verdictOf(await localDownloader({ maxBytes }).get(server.url))).toBe(
      `too_large ${tooLarge(0.25)}`,
    );
  });

  test('holds bytes that come one by one', async () => {
    const piece = Buffer.from('1\r\na\r\n'.repeat(4 * KIB));
    const server = await serveTcp((socket) => {
      socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
      pour(socket, piece);
    });
    expect(verdictOf(await localDownloader({ maxBytes }).get(server.url))).toBe(
      `too_large ${tooLarge(0.25)}`,
    );
  });
});
