import { connect } from 'node:net';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

interface Sent {
  readonly answer: string;
  /** Bytes of the body that the connection took. */
  readonly bytes: number;
  readonly error: NodeJS.ErrnoException | undefined;
}

/**
 * A client that writes its whole request before it reads, as many do. `bytes` = of the body, in
 * all.
 */
function sendFirst(bytes: number, headers: readonly string[], written = bytes): Promise<Sent> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let answer = '';
    let error: NodeJS.ErrnoException | undefined;
    const head = ['POST /v1/search HTTP/1.1', 'Host: localhost', `Content-Length: ${bytes}`];
    socket.write(`${[...head, 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`);
    const piece = Buffer.alloc(64 * 1024, 'x');
    let left = written;
    const write = () => {
      while (left > 0) {
        const part = piece.subarray(0, Math.min(left, piece.length));
        left -= part.length;
        if (!socket.write(part)) return;
      }
    };
    socket.on('drain', write).on('data', (data) => {
      answer += data;
    });
    socket.on('error', (cause) => {
      error = cause;
    });
    socket.on('close', () => resolve({ answer, bytes: socket.bytesWritten, error }));
    write();
  });
}

const JSON_TYPE = 'Content-Type: application/json';
const key = () => `Authorization: Bearer ${server.key}`;

test.each<[status: number, what: string, headers: () => readonly string[]]>([
  [413, 'is too large', () => [key(), JSON_TYPE]],
  [401, 'has no key', () => [JSON_TYPE]],
  [415, 'is of another type', () => [key(), 'Content-Type: text/plain']],
])(
  '%i: a client whose request %s sends all of it and reads the answer',
  async (status, _, headers) => {
    const { answer, bytes, error } = await sendFirst(5_000_000, headers());
    expect(error).toBeUndefined();
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/\r\n\r\n\{"detail":.*\}$/);
    expect(bytes).toBeGreaterThan(5_000_000);
  },
);

test('more than 8 MiB are not read', async () => {
  const { answer, bytes } = await sendFirst(64 * 1024 * 1024, [key(), JSON_TYPE]);
  expect(answer).toMatch(/^HTTP\/1.1 413 /);
  expect(bytes).toBeLessThan(32 * 1024 * 1024);
});

test('a client that stops in the middle of its body is not waited for', async () => {
  const startedAt = performance.now();
  const { answer } = await sendFirst(5_000_000, [key(), JSON_TYPE], 2_000_000);
  expect(answer).toMatch(/^HTTP\/1.1 413 /);
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});

test('a connection that stays open serves the next request', async () => {
  const large = JSON.stringify({ user_input: { query: 'x'.repeat(3_000_000) } });
  for (const _turn of [1, 2]) {
    const { status, json } = await server.call('POST', '/v1/search', { rawBody: large });
    expect([status, json.detail]).toEqual([413, expect.stringContaining('larger than')]);
  }
});
