import { serveHttp, serveTcp } from '@trawl/test-support/loopback';
import { describe, expect, test } from 'vitest';
import { downloaderFor, localDownloader, textOf, verdictOf, verdictWith } from './support.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const TYPE = 'Content-Type: text/html\r\n';
const FIVE = 'Content-Length: 5\r\n\r\nhello';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';

/** Sends an answer as it is, each byte a character. */
const serveRaw = (answer: string) =>
  serveTcp((socket) => socket.once('data', () => socket.end(answer, 'latin1')));

async function read(answer: string) {
  const server = await serveRaw(answer);
  return localDownloader().get(server.url);
}

describe('a head that browsers accept', () => {
  test.each([
    ['with bare line feeds', `${OK}${TYPE}${FIVE}`.replaceAll('\r', '')],
    ['with empty lines in front', `\r\n\r\n${OK}${TYPE}${FIVE}`],
    ['without a reason', `HTTP/1.1 200\r\n${TYPE}${FIVE}`],
    ['with an empty reason', `HTTP/1.1 200 \r\n${TYPE}${FIVE}`],
    ['with a reason that is not ASCII', `HTTP/1.1 200 Trouv\xe9\r\n${TYPE}${FIVE}`],
    ['with two spaces in its first line', `HTTP/1.1  200  OK\r\n${TYPE}${FIVE}`],
    ['of version 1.0, which ends with the connection', `HTTP/1.0 200 OK\r\n${TYPE}\r\nhello`],
    ['with a version in short', `HTTP/2 200\r\n${TYPE}${FIVE}`],
    ['in lower case', `http/1.1 200 ok\r\n${TYPE}${FIVE}`],
    [
      'with a folded header',
      `${OK}X-Policy: default-src\r\n 'self';\r\n\timg-src *\r\n${TYPE}${FIVE}`,
    ],
    ['with a folded type', `${OK}Content-Type:\r\n text/html\r\n${FIVE}`],
    ['with a folded length', `${OK}${TYPE}Content-Length:\r\n\t5\r\n\r\nhello, and more`],
    ['with an empty header', `${OK}${TYPE}X-Empty:\r\nContent-Encoding:\r\n${FIVE}`],
    ['with a space before a colon', `${OK}Content-Type : text/html\r\n${FIVE}`],
    ['with a line without a colon', `${OK}Served by the harbour\r\n${TYPE}${FIVE}`],
    ['with a header without a name', `${OK}: nobody\r\n${TYPE}${FIVE}`],
    ['with a name that is not a token', `${OK}X(a)/b: c\r\n more\r\n${TYPE}${FIVE}`],
    ['with a name that is not ASCII', `${OK}X-\xc3\xa9: c\r\n${TYPE}${FIVE}`],
    ['with a value that is not ASCII', `${OK}X-A: caf\xe9 \xe2\x98\x83\r\n${TYPE}${FIVE}`],
    ['with control characters in a value', `${OK}X-A: a\x01b\x7f\r\n${TYPE}${FIVE}`],
    ['with a length twice', `${OK}${TYPE}Content-Length: 5\r\n${FIVE}, and more`],
    ['with a length as a list', `${OK}${TYPE}Content-Length: 5, 5\r\n\r\nhello, and more`],
    ['with a length that is no number', `${OK}${TYPE}Content-Length: five\r\n\r\nhello`],
    ['with an empty length', `${OK}${TYPE}Content-Length: \r\n\r\nhello`],
    ['with a negative length', `${OK}${TYPE}Content-Length: -1\r\n\r\nhello`],
    [
      'with a length beyond all numbers',
      `${OK}${TYPE}Content-Length: ${'9'.repeat(30)}\r\n\r\nhello`,
    ],
    [
      'with a length and chunks',
      `${OK}${TYPE}Content-Length: 3\r\n${CHUNKED}\r\n5\r\nhello\r\n0\r\n\r\n`,
    ],
    [
      'with other lengths and chunks',
      `${OK}${TYPE}${CHUNKED}Content-Length: 3\r\nContent-Length: 9\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
    ],
    ['with an encoding that is none', `${OK}${TYPE}Transfer-Encoding: UTF-8\r\n${FIVE}, and more`],
    ['with an identity encoding', `${OK}${TYPE}Transfer-Encoding: identity\r\n\r\nhello`],
    ['with chunks twice', `${OK}${TYPE}${CHUNKED}${CHUNKED}\r\n5\r\nhello\r\n0\r\n\r\n`],
    [
      'with an offer to upgrade',
      `${OK}${TYPE}Upgrade: h2,h2c\r\nConnection: Upgrade, close\r\n${FIVE}`,
    ],
    ['of 24 KB', `${OK}${`X-A: ${'a'.repeat(1_000)}\r\n`.repeat(24)}${TYPE}${FIVE}`],
    ['with a header of 60 KB', `${OK}X-A: ${'a'.repeat(60_000)}\r\n${TYPE}${FIVE}`],
    ['with 5,000 headers', `${OK}${'X-A: a\r\n'.repeat(5_000)}${TYPE}${FIVE}`],
  ])('%s is read', async (_title, answer) => {
    const result = await read(answer);
    expect(textOf(result)).toBe('hello');
    expect(result).toMatchObject({
      download: { status: 200, contentType: 'text/html', isPartial: false },
    });
  });

  test('that comes byte by byte is read', async () => {
    const answer = `${OK}${'X-A: b\r\n c\r\n'.repeat(200)}${TYPE}${CHUNKED}\r\n5\r\nhello\r\n0\r\n\r\n`;
    const server = await serveTcp((socket) => {
      socket.setNoDelay(true);
      socket.once('data', () => {
        for (const character of answer) socket.write(character, 'latin1');
      });
    });
    expect(textOf(await localDownloader().get(server.url))).toBe('hello');
  });

  test.each([
    ['text/plain\r\nContent-Type: text/html; charset=utf-8', 'text/html; charset=utf-8'],
    ['text/html; charset=big5\r\nContent-Type: text/html', 'text/html; charset=big5'],
    ['text/html\r\nContent-Type:', 'text/html'],
    ['text/html;\r\n charset=koi8-r', 'text/html; charset=koi8-r'],
  ])('with the type %j has the type of browsers', async (value, contentType) => {
    const result = await read(`${OK}Content-Type: ${value}\r\n${FIVE}`);
    expect(result).toMatchObject({ download: { contentType } });
  });
});

describe('a head that browsers refuse', () => {
  test.each([
    ['with two lengths', `${OK}Content-Length: 6\r\n${FIVE}`],
    ['with two lengths in a list', `${OK}Content-Length: 5, 6\r\n\r\nhello`],
    ['without a status', `HTTP/1.1 OK\r\n${FIVE}`],
    ['that is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
    ['that is only a page', '<!doctype html>\n\n<p>hello</p>'],
  ])('%s is not an answer', async (_title, answer) => {
    expect(await read(answer)).toEqual(verdictWith('target_error', 'invalid_response', null));
  });

  test.each([`X-A: ${'a'.repeat(300_000)}\r\n`, 'X-A: b\r\n'.repeat(40_000), 'x'.repeat(300_000)])(
    'because it is larger than 256 KB is not an answer',
    async (headers) => {
      const result = await read(`${OK}${headers}${FIVE}`);
      expect(verdictOf(result)).toBe('target_error invalid_response');
    },
  );

  test('because it never ends is not read on', async () => {
    const server = await serveTcp((socket) => {
      socket.write(OK);
      const more = () => {
        while (!socket.destroyed && socket.write('X-A: b\r\n'.repeat(100)));
      };
      socket.on('drain', more);
      more();
    });
    expect(verdictOf(await localDownloader().get(server.url))).toBe(
      'target_error invalid_response',
    );
    await expect.poll(() => server.sockets.size).toBe(0);
  });
});

describe('chunks', () => {
  test.each([
    ['with bare line feeds', '5\nhello\n6\n world\n0\n\n'],
    ['without an end of line after their data', '5\r\nhello6\r\n world0\r\n\r\n'],
    ['with spaces after their size', '5  \r\nhello\r\n6\t\r\n world\r\n0  \r\n\r\n'],
    ['with spaces before their size', ' 5\r\nhello\r\n 6\r\n world\r\n0\r\n\r\n'],
    ['with zeros before their size', `${'0'.repeat(40)}5\r\nhello\r\n06\r\n world\r\n000\r\n\r\n`],
    ['with extensions', '5;a=b\r\nhello\r\n6 ; c = "d;\xe9" ;\r\n world\r\n0;e\r\n\r\n'],
    ['with trailers', '5\r\nhello\r\n6\r\n world\r\n0\r\nX-Sum: 1\r\nno header\r\n\r\n'],
    ['without the last empty line', '5\r\nhello\r\n6\r\n world\r\n0\r\n'],
  ])('%s are read', async (_title, body) => {
    const result = await read(`${OK}${TYPE}${CHUNKED}\r\n${body}`);
    expect(textOf(result)).toBe('hello world');
    expect(result).toMatchObject({ download: { isPartial: false } });
  });

  test.each(['0x5', '-5', 'five', ';', '5 5', 'f'.repeat(20), '1'.repeat(20_000)])(
    'whose size is %j end what is read',
    async (size) => {
      const result = await read(
        `${OK}${TYPE}${CHUNKED}\r\n5\r\nhello\r\n${size}\r\nworld\r\n0\r\n\r\n`,
      );
      expect(textOf(result)).toBe('hello');
      expect(result).toMatchObject({ download: { isPartial: true } });
    },
  );
});

describe('a redirect', () => {
  test.each([
    ['/caf\xc3\xa9?q=\xe2\x82\xac', '/caf%C3%A9?q=%E2%82%AC'],
    ['/caf\xe9', '/caf%E9'],
    ['/a\r\n b', '/a%20b'],
  ])('to %j is followed as browsers follow it', async (location, path) => {
    const server = await serveTcp((socket) => {
      socket.once('data', (request) => {
        const isFirst = String(request).startsWith('GET / ');
        const answer = isFirst ? `HTTP/1.1 302\r\nLocation: ${location}\r\n\r\n` : `${OK}${FIVE}`;
        socket.end(answer, 'latin1');
      });
    });
    const result = await localDownloader().get(server.url);
    expect(textOf(result)).toBe('hello');
    const { pathname, search } = new URL(result.kind === 'downloaded' ? result.download.url : '');
    expect((pathname + search).toUpperCase()).toBe(path.toUpperCase());
  });
});

describe('nothing but the answer to its own request becomes a page', () => {
  const SECOND = `${OK}${TYPE}Content-Length: 6\r\n\r\nforged`;
  const BODIES = {
    'with a length': FIVE,
    'in chunks': `${CHUNKED}\r\n5\r\nhello\r\n0\r\n\r\n`,
    'with a length and chunks': `Content-Length: 900\r\n${CHUNKED}\r\n5\r\nhello\r\n0\r\n\r\n`,
  };

  test.each(Object.entries(BODIES))(
    'a second answer after one %s is not read, now or later',
    async (_title, body) => {
      for (const connection of ['', 'Connection: keep-alive\r\nKeep-Alive: timeout=60\r\n']) {
        let connections = 0;
        const server = await serveTcp((socket) => {
          connections += 1;
          socket.on('data', () => socket.write(`${OK}${connection}${body}${SECOND}${SECOND}`));
        });
        const { get } = localDownloader();
        for (const path of ['/a', '/b', '/c'])
          expect(textOf(await get(server.url + path))).toBe('hello');
        const together = await Promise.all(['/d', '/e'].map((path) => get(server.url + path)));
        expect(together.map(textOf)).toEqual(['hello', 'hello']);
        expect(connections).toBe(5);
        await expect.poll(() => server.sockets.size).toBe(0);
      }
    },
  );

  test('an answer that is sent before it is asked for belongs to the next request of no one', async () => {
    const server = await serveTcp((socket) => {
      socket.write(`${OK}${FIVE}`);
      socket.on('data', () => socket.write(SECOND));
    });
    const { get } = localDownloader();
    expect(textOf(await get(`${server.url}/a`))).toBe('hello');
    expect(textOf(await get(`${server.url}/b`))).toBe('hello');
  });

  test.each([204, 304])('an answer %i has no body, and what follows is dropped', async (status) => {
    const server = await serveRaw(`HTTP/1.1 ${status} X\r\nContent-Length: 6\r\n\r\n${SECOND}`);
    const result = await localDownloader().get(server.url);
    expect(result).toMatchObject({ kind: 'downloaded', download: { status } });
    expect(textOf(result)).toBe('');
  });

  test.each([
    ['one', 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n'],
    ['one that asks for more', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['one with a length', 'HTTP/1.1 102 Processing\r\nContent-Length: 900\r\n\r\n'],
    ['one with chunks', `HTTP/1.1 103 Early Hints\r\n${CHUNKED}\r\n`],
    ['thousands', 'HTTP/1.1 103 Early Hints\nLink: </a>\n\n'.repeat(5_000)],
  ])('interim answers are dropped: %s', async (_title, interim) => {
    const result = await read(`${interim}${OK}${TYPE}${FIVE}${SECOND}`);
    expect(textOf(result)).toBe('hello');
    expect(result).toMatchObject({ download: { status: 200, contentType: 'text/html' } });
  });

  test('an interim answer is not the page, also when nothing follows', async () => {
    const result = await read('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n');
    expect(verdictOf(result)).toBe('target_error connection_closed');
  });

  test('a switch of protocols that no one asked for is not followed', async () => {
    const result = await read(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\nPRI * HTTP/2.0',
    );
    expect(verdictOf(result)).toMatch(/^target_error (invalid_response|connection_closed)$/);
  });

  test.each([
    ['X-A: b\rContent-Length: 3', 'a bare carriage return'],
    ['X-A: b\x0bContent-Length: 3', 'a vertical tab'],
    ['X-A: b\r\n Content-Length: 3', 'a folded line'],
    ['X-A: b\xe5\x98\x8d\xe5\x98\x8aContent-Length: 3', 'characters that cut to line ends'],
  ])('a header %j does not split the answer of another request', async (header) => {
    const server = await serveRaw(`${OK}${header}\r\nContent-Length: 5\r\n\r\nhello${SECOND}`);
    const { get } = localDownloader();
    for (const path of ['/a', '/b']) {
      const result = await get(server.url + path);
      expect(['hello', '<verdict>']).toContain(textOf(result));
    }
  });

  test('the address of a page cannot add a request or a header', async () => {
    const server = await serveHttp((response) => response.end('page'));
    const { get } = downloaderFor({ allowed: '127.0.0.1' });
    await get(`${server.url}/a\r\nX-B: c\r\n\r\nGET /d HTTP/1.1\r\n?e= f%0d%0aX-G: h`);
    expect(server.received).toHaveLength(1);
    expect(server.received[0]?.url).toBe('/aX-B:%20cGET%20/d%20HTTP/1.1?e=%20f%0d%0aX-G:%20h');
    expect(server.received[0]?.headers).not.toHaveProperty('x-b');
  });
});
