import zlib from 'node:zlib';
import { freePort, serveHttp, serveTcp } from '@trawl/test-support/loopback';
import { describe, expect, test } from 'vitest';
import { HEAD, localDownloader, textOf, verdictOf, verdictWith } from './support.ts';

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
    ['cut off before its length', 'content-length: 500\r\n\r\n<p>Once'],
    ['cut off between chunks', 'transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n'],
    ['with a broken chunk', 'transfer-encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n'],
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

  test.each(['gzip', 'br', 'deflate'])('in %s that is cut off is broken', async (coding) => {
    const pack = { gzip: zlib.gzipSync, br: zlib.brotliCompressSync, deflate: zlib.deflateSync };
    const packed = pack[coding as keyof typeof pack](page).subarray(0, -9);
    const server = await serveHttp((response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(packed),
    );
    expect(verdictOf(await localDownloader().get(server.url))).toBe('target_error broken_body');
  });

  test('that is broken is reported at once, also when its sender then stops', async () => {
    const server = await serveTcp((socket) => {
      socket.write(`${HEAD}content-encoding: gzip\r\n\r\nno gzip at all`);
    });
    expect(verdictOf(await localDownloader().get(server.url))).toBe('target_error broken_body');
  });

  test('that breaks later is reported at once too', async () => {
    const packed = zlib.deflateSync(page);
    packed.fill(0xff, packed.length - 4);
    const server = await serveTcp((socket) => {
      socket.write(`${HEAD}content-encoding: deflate\r\n\r\n`);
      socket.write(packed.subarray(0, 50));
      setImmediate(() => socket.write(packed.subarray(50)));
    });
    expect(verdictOf(await localDownloader().get(server.url))).toBe('target_error broken_body');
  });

  test('longer than its length is read up to it', async () => {
    const server = await serveTcp((socket) => {
      socket.end(`${HEAD}content-length: 5\r\n\r\nhello, and more`);
    });
    expect(textOf(await localDownloader().get(server.url))).toBe('hello');
  });

  test.each(['zstd', 'compress', 'gzip, gzip', 'br, gzip', 'constructor'])(
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
    'application/zip',
    'application/x-gzip',
    'application/vnd.rar',
    'application/epub+zip',
    'application/x-7z-compressed',
    'application/wasm',
    'application/x-msdownload',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ])('%s is not downloaded', async (contentType) => {
    const server = await serveEndless(contentType);
    const result = await localDownloader().get(server.url);
    expect(result).toEqual(verdictWith('unsupported_type', 'binary_type', 200));
    await expect.poll(() => server.sockets.size).toBe(0);
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
    ['sends too many headers', `${HEAD}${'x-a: b\r\n'.repeat(20_000)}\r\n`, 'invalid_response'],
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
