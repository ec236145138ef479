import { createHash } from 'node:crypto';
import zlib from 'node:zlib';
import { freePort, serveHttp, serveTcp } from '@trawl/test-support/loopback';
import { describe, expect, test } from 'vitest';
import { HEAD, localDownloader, textOf, verdictOf, verdictWith } from './support.ts';

const PACKERS: Readonly<Record<string, (bytes: string | Buffer) => Buffer>> = {
  gzip: zlib.gzipSync,
  br: zlib.brotliCompressSync,
  deflate: zlib.deflateSync,
};

const pack = (coding: string, bytes: string | Buffer): Buffer =>
  PACKERS[coding]?.(bytes) ?? Buffer.from(bytes);

describe('a body', () => {
  const page = `<p>${'Lorem ipsum dolor sit amet. '.repeat(400)}</p>`;

  test.each([
    ['gzip', zlib.gzipSync(page)],
    ['x-gzip', zlib.gzipSync(page)],
    ['GZIP', zlib.gzipSync(page)],
    ['deflate', zlib.deflateSync(page)],
    ['deflate', zlib.deflateRawSync(page)],
    ['br', zlib.brotliCompressSync(page)],
    ['identity', Buffer.from(page)],
    ['', Buffer.from(page)],
  ])('in %j is unpacked, byte by byte too', async (coding, packed) => {
    const server = await serveTcp((socket) => {
      socket.setNoDelay(true);
      socket.write(`${HEAD}content-encoding: ${coding}\r\ntransfer-encoding: chunked\r\n\r\n`);
      for (const byte of packed) socket.write(Buffer.from([0x31, 13, 10, byte, 13, 10]));
      socket.write('0\r\n\r\n');
    });
    expect(textOf(await localDownloader().get(server.url))).toBe(page);
  });

  test('that is empty may claim any packing', async () => {
    const server = await serveHttp((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(),
    );
    expect(textOf(await localDownloader().get(server.url))).toBe('');
  });

  test('in two members is read whole', async () => {
    const server = await serveHttp((response) =>
      response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(Buffer.concat([zlib.gzipSync('one, '), zlib.gzipSync('two')])),
    );
    expect(textOf(await localDownloader().get(server.url))).toBe('one, two');
  });

  test.each([
    ['before its length', 'content-length: 500\r\n\r\n<p>Once'],
    ['between chunks', 'transfer-encoding: chunked\r\n\r\n7\r\n<p>Once\r\n'],
    ['within a chunk', 'transfer-encoding: chunked\r\n\r\n90\r\n<p>Once'],
    ['by a line that is not a size', 'transfer-encoding: chunked\r\n\r\n7\r\n<p>Once\r\nzz\r\nX'],
  ])('cut off %s is what came of it, and marked', async (_title, rest) => {
    const server = await serveTcp((socket) => socket.end(HEAD + rest));
    const result = await localDownloader().get(server.url);
    expect(textOf(result)).toBe('<p>Once');
    expect(result).toMatchObject({ download: { isPartial: true } });
  });

  test('cut off by a broken connection is what came of it', async () => {
    const server = await serveTcp((socket) => {
      socket.once('data', () => {
        const start = `${HEAD}content-length: 500000\r\n\r\n${'a'.repeat(200_000)}`;
        socket.write(start, () => setTimeout(() => socket.resetAndDestroy(), 100));
      });
    });
    const result = await localDownloader().get(server.url);
    expect(textOf(result)).toBe('a'.repeat(200_000));
    expect(result).toMatchObject({ download: { isPartial: true } });
  });

  test.each([
    ['of which nothing came', 'content-length: 500\r\n\r\n'],
    ['with a broken first chunk', 'transfer-encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n'],
    [
      'that is not packed as it says',
      'content-encoding: gzip\r\n\r\n<p>Plain text, no gzip at all',
    ],
    [
      'that is not packed as it says',
      'content-encoding: br\r\n\r\n<p>Plain text, no brotli at all',
    ],
    ['that is not packed as it says', 'content-encoding: deflate\r\n\r\n<p>Plain text, no deflate'],
  ])('%s is broken', async (_title, rest) => {
    const server = await serveTcp((socket) => socket.end(HEAD + rest));
    const result = await localDownloader().get(server.url);
    expect(result).toEqual(verdictWith('target_error', 'broken_body', 200));
  });

  const lines = Array.from({ length: 3_000 }, (_, index) => `line ${index * 7_919}`).join('\n');

  test.each(['gzip', 'br', 'deflate'])(
    'in %s that is cut off is read up to there',
    async (coding) => {
      const packed = pack(coding, lines);
      const server = await serveHttp((response) =>
        response
          .writeHead(200, { 'content-encoding': coding })
          .end(packed.subarray(0, packed.length / 2)),
      );
      const result = await localDownloader().get(server.url);
      const text = textOf(result);
      expect(lines.startsWith(text)).toBe(true);
      expect(text.length).toBeGreaterThan(lines.length / 3);
      expect(result).toMatchObject({ download: { isPartial: true } });
    },
  );

  test.each(['gzip', 'br', 'deflate'])(
    'in %s with rubbish after it is read whole',
    async (coding) => {
      for (const rubbish of ['\r\n', '\0\0\0', '<!-- 0.2 s -->', '\x1f']) {
        const server = await serveHttp((response) =>
          response
            .writeHead(200, { 'content-encoding': coding })
            .end(Buffer.concat([pack(coding, page), Buffer.from(rubbish)])),
        );
        const result = await localDownloader().get(server.url);
        expect(textOf(result)).toBe(page);
        expect(result).toMatchObject({ download: { isPartial: false } });
      }
    },
  );

  test.each(['gzip', 'deflate'])('in %s with a wrong checksum is read whole', async (coding) => {
    const wrong = pack(coding, page);
    wrong.fill(1, wrong.length - 4);
    const server = await serveHttp((response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(wrong),
    );
    expect(textOf(await localDownloader().get(server.url))).toBe(page);
  });

  test('in gzip without its end is read whole', async () => {
    const packed = zlib.gzipSync(page);
    for (const sent of [packed.subarray(0, -8), packed.subarray(0, -3)]) {
      const server = await serveHttp((response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(sent),
      );
      expect(textOf(await localDownloader().get(server.url))).toBe(page);
    }
  });

  test('in gzip with every optional part of its header is read', async () => {
    const packed = zlib.gzipSync(page);
    const flags = Buffer.from([0x1f, 0x8b, 8, 4 + 8 + 16 + 2, 0, 0, 0, 0, 0, 3]);
    const parts = Buffer.from('\x05\0extraname.html\0a comment\0\x12\x34');
    const server = await serveHttp((response) =>
      response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(Buffer.concat([flags, parts, packed.subarray(10)])),
    );
    expect(textOf(await localDownloader().get(server.url))).toBe(page);
  });

  test('in gzip with a header that never ends is broken', async () => {
    const start = Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]);
    const server = await serveHttp((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.write(Buffer.concat([start, Buffer.alloc(100_000, 'a')]));
    });
    expect(verdictOf(await localDownloader().get(server.url))).toBe('target_error broken_body');
  });

  test('that is broken is reported at once, also when its sender then stops', async () => {
    const server = await serveTcp((socket) => {
      socket.write(`${HEAD}content-encoding: gzip\r\n\r\nno gzip at all`);
    });
    expect(verdictOf(await localDownloader().get(server.url))).toBe('target_error broken_body');
  });

  test('that breaks later is what came before, at once', async () => {
    const text = createHash('shake256', { outputLength: 300_000 }).update('a').digest('hex');
    const packed = zlib.deflateSync(text, { finishFlush: zlib.constants.Z_SYNC_FLUSH });
    const server = await serveTcp((socket) => {
      socket.write(`${HEAD}content-encoding: deflate\r\n\r\n`);
      socket.write(packed);
      // not a kind of block
      socket.write(Buffer.from([0x07]));
    });
    const result = await localDownloader().get(server.url);
    expect(result).toMatchObject({ download: { isPartial: true } });
    expect(textOf(result).length).toBeGreaterThan(text.length / 2);
    expect(text.startsWith(textOf(result))).toBe(true);
  });

  test('longer than its length is read up to it', async () => {
    const server = await serveTcp((socket) => {
      socket.end(`${HEAD}content-length: 5\r\n\r\nhello, and more`);
    });
    expect(textOf(await localDownloader().get(server.url))).toBe('hello');
  });

  test.each(['gzip, gzip', 'br,gzip', 'deflate, identity, gzip', 'utf-8, gzip', 'gzip,'])(
    'in %s is unpacked step by step',
    async (codings) => {
      const packings = codings.split(',').map((each) => each.trim());
      const body = packings
        .filter((each) => ['gzip', 'br', 'deflate'].includes(each))
        .reduce<Buffer>((bytes, coding) => pack(coding, bytes), Buffer.from(page));
      const server = await serveHttp((response) =>
        response.writeHead(200, { 'content-encoding': codings }).end(body),
      );
      expect(textOf(await localDownloader().get(server.url))).toBe(page);
    },
  );

  test('in two codings that two headers name is unpacked', async () => {
    const server = await serveHttp((response) =>
      response
        .setHeader('content-encoding', ['br', 'GZip'])
        .end(zlib.gzipSync(zlib.brotliCompressSync(page))),
    );
    expect(textOf(await localDownloader().get(server.url))).toBe(page);
  });

  test.each([
    'utf-8',
    'UTF-8',
    'none',
    'None',
    'Identity',
    'iso-8859-1',
    'text/html',
    '*',
    '8bit',
    ' ',
  ])('with %j as its coding is not packed', async (coding) => {
    const server = await serveHttp((response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(page),
    );
    const result = await localDownloader().get(server.url);
    expect(textOf(result)).toBe(page);
    expect(result).toMatchObject({ download: { isPartial: false } });
  });

  test.each(['zstd', 'compress', 'x-compress', 'zstd, gzip', 'gzip, gzip, gzip, gzip'])(
    'in %s cannot be read',
    async (coding) => {
      const server = await serveHttp((response) =>
        response.writeHead(200, { 'content-encoding': coding }).end('x'),
      );
      const result = await localDownloader().get(server.url);
      expect(result).toEqual(verdictWith('unsupported_type', 'unsupported_encoding', 200));
    },
  );
});

describe('the type', () => {
  const serveEndless = (contentType: string, status = 200) =>
    serveTcp((socket) => {
      socket.resume();
      socket.write(`HTTP/1.1 ${status} X\r\ncontent-type: ${contentType}\r\n\r\n`);
    });

  test.each([
    'image/png',
    'IMAGE/JPEG; a=b',
    'video/mp4',
    'audio/mpeg',
    'font/woff2',
    'application/x-gzip',
    'application/vnd.rar',
    'application/x-7z-compressed',
    'application/wasm',
    'application/x-msdownload',
  ])('%s is not downloaded', async (contentType) => {
    const server = await serveEndless(contentType);
    const result = await localDownloader().get(server.url);
    expect(result).toMatchObject(verdictWith('unsupported_type', 'binary_type', 200));
    const [essence = ''] = contentType.split(';');
    expect(result).toMatchObject({ verdict: { meaning: expect.stringContaining(essence) } });
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  test.each([
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/epub+zip',
    'application/zip',
    'application/msword',
  ])('%s is downloaded: the bytes say what it is', async (contentType) => {
    const server = await serveHttp((response) =>
      response.writeHead(200, { 'content-type': contentType }).end('PK'),
    );
    const result = await localDownloader().get(server.url);
    expect(result).toMatchObject({ kind: 'downloaded', download: { contentType } });
    expect(textOf(result)).toBe('PK');
  });

  test('of an error does not hide its status', async () => {
    const server = await serveEndless('image/png', 404);
    const result = await localDownloader().get(server.url);
    expect(result).toMatchObject({ download: { status: 404, contentType: 'image/png' } });
    expect(textOf(result)).toBe('');
  });

  test.each([
    ['is too long', { 'content-length': '99999999' }],
    ['is packed in an unknown way', { 'content-encoding': 'zstd' }],
    ['is packed wrongly', { 'content-encoding': 'gzip' }],
  ])('nor does that of an error whose body %s', async (_, headers) => {
    const server = await serveHttp((response) => response.writeHead(410, headers).end('gone'));
    const result = await localDownloader().get(server.url);
    expect(result).toMatchObject({ kind: 'downloaded', download: { status: 410 } });
    expect(textOf(result)).toBe('');
  });

  test.each([
    'text/html; charset=utf-8',
    'text/plain',
    'application/pdf',
    'application/json',
    'application/xhtml+xml',
    'application/rss+xml',
    'application/xml',
    'application/octet-stream',
    'application/ld+json',
    'nonsense',
    '',
  ])('%j is downloaded', async (contentType) => {
    const server = await serveHttp((response) =>
      response.writeHead(200, { 'content-type': contentType, 'content-language': 'de' }).end('hi'),
    );
    const result = await localDownloader().get(server.url);
    expect(textOf(result)).toBe('hi');
    expect(result).toMatchObject({ download: { contentType, contentLanguage: 'de' } });
  });
});

describe('a target', () => {
  test('without a listening server refuses the connection', async () => {
    const result = await localDownloader().get(`http://127.0.0.1:${await freePort()}/`);
    expect(result).toEqual(verdictWith('target_error', 'connection_refused', null));
  });

  test.each([
    ['hangs up', '', 'connection_closed'],
    ['speaks another protocol', 'SSH-2.0-x\r\n', 'invalid_response'],
    ['sends too many headers', `${HEAD}${'x-a: b\r\n'.repeat(40_000)}\r\n`, 'invalid_response'],
  ])('that %s is named for it', async (_title, answer, reason) => {
    const server = await serveTcp((socket) => {
      socket.once('data', () => socket.end(answer));
    });
    expect(verdictOf(await localDownloader().get(server.url))).toBe(`target_error ${reason}`);
  });

  test('that does not support TLS is reported as such', async () => {
    const server = await serveHttp((response) => response.end());
    const result = await localDownloader().get(`https://127.0.0.1:${server.port}/`);
    expect(verdictOf(result)).toBe('target_error tls_error');
  });
});
