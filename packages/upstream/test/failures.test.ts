import { freePort, sendJson, serveHttp, serveTcp } from '@trawl/test-support/loopback';
import { describe, expect, test } from 'vitest';
import { createRunner, failureOf, fakeClock, KEY, requestTo, targetAt } from './support/calls.ts';

async function runAgainstStatus(status: number, headers: Record<string, string> = {}) {
  const server = await serveHttp((response) => {
    sendJson(response, { error: 'upstream words' }, status, headers);
  });
  return createRunner().run(requestTo(targetAt(server.url)));
}

describe('the status of an answer', () => {
  test.each([
    [300, 'upstream_error', false],
    [301, 'upstream_error', false],
    [307, 'upstream_error', false],
    [400, 'bad_request', false],
    [401, 'invalid_credential', false],
    [402, 'quota_exhausted', false],
    [403, 'bad_request', false],
    [404, 'bad_request', false],
    [408, 'timeout', true],
    [413, 'bad_request', false],
    [422, 'bad_request', false],
    [429, 'rate_limited', true],
    [500, 'upstream_error', true],
    [502, 'upstream_error', true],
    [503, 'upstream_error', true],
    [504, 'upstream_error', true],
    [529, 'upstream_error', true],
  ] as const)('%i is read as %s', async (status, code, retryable) => {
    const result = await runAgainstStatus(status);
    expect(failureOf(result)).toMatchObject({ code, retryable, httpStatus: status });
    expect(failureOf(result).message).toMatch(new RegExp(`^acme .+ \\(HTTP ${status}\\): .+`));
    expect(JSON.stringify(failureOf(result))).not.toContain('upstream words');
    expect(result).toMatchObject({ calls: 1, raw: { error: 'upstream words' } });
  });

  test.each([401, 403])(
    'the message of a %i does not mention keys without a key',
    async (status) => {
      const server = await serveHttp((response) => sendJson(response, {}, status));
      const target = targetAt(server.url, {
        authentication: { in: 'none' },
        credentials: [],
      });
      expect(failureOf(await createRunner().run(requestTo(target))).code).toBe('bad_request');
    },
  );

  test('names the provider and the remedy', async () => {
    expect(failureOf(await runAgainstStatus(401)).message).toBe(
      'acme refused its credential (HTTP 401): check its API key in the server settings',
    );
  });

  test('3xx is not followed', async () => {
    const server = await serveHttp((response) => {
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    const result = await createRunner().run(requestTo(targetAt(server.url)));
    expect(failureOf(result).code).toBe('upstream_error');
    expect(server.received).toHaveLength(1);
  });

  test('counts even if the body is text, empty, damaged or too large', async () => {
    const server = await serveHttp((response, _request, index) => {
      const gzip = { 'content-encoding': 'gzip' };
      if (index === 0) response.writeHead(401).end('no entry');
      else if (index === 1) response.writeHead(401).end();
      else if (index === 2) response.writeHead(401, gzip).end('no gzip');
      else response.writeHead(401).end(Buffer.alloc(2 * 1024 * 1024));
    });
    const runner = createRunner({ maxBodyBytes: 1024 * 1024 });
    const raws: unknown[] = [];
    for (let index = 0; index < 4; index += 1) {
      const result = await runner.run(requestTo(targetAt(server.url)));
      expect(failureOf(result)).toMatchObject({ code: 'invalid_credential', httpStatus: 401 });
      raws.push(result.raw);
    }
    expect(raws).toEqual([{ body: 'no entry' }, null, null, null]);
  });
});

describe('retryAfterMs', () => {
  const clock = fakeClock(Date.UTC(2026, 0, 1, 12));
  test.each([
    ['7', 7_000],
    ['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
    ['soon', null],
  ])('comes from the header %j', async (header, expected) => {
    const server = await serveHttp((response) => {
      sendJson(response, {}, 429, { 'retry-after': header });
    });
    const request = requestTo(targetAt(server.url), { deadlineAt: clock.now() + 60_000 });
    const result = await createRunner({ clock }).run(request);
    expect(failureOf(result).retryAfterMs).toBe(expected);
  });
});

describe("a declaration's own reading", () => {
  test('wins over the general one and sees status, headers and parsed body', async () => {
    const server = await serveHttp((response) => {
      sendJson(response, { tag: 'NO_CREDITS' }, 429, { 'X-Left': ['0', '12'] });
    });
    const target = targetAt(server.url, {
      readFailure: ({ status, body, headers }) =>
        status === 429 && headers['x-left'] === '0, 12' && JSON.stringify(body).includes('CREDITS')
          ? { code: 'quota_exhausted' }
          : undefined,
    });
    const failure = failureOf(await createRunner().run(requestTo(target)));
    expect(failure).toMatchObject({ code: 'quota_exhausted', retryable: false, httpStatus: 429 });
  });

  test('gets text where the body is not JSON, and may give the time to wait', async () => {
    const server = await serveHttp((response) => response.writeHead(429).end('slow down'));
    const target = targetAt(server.url, {
      readFailure: ({ body }) =>
        body === 'slow down' ? { code: 'rate_limited', retryAfterMs: 1234 } : undefined,
    });
    expect(failureOf(await createRunner().run(requestTo(target))).retryAfterMs).toBe(1234);
  });

  test('that finds nothing falls back to the general one', async () => {
    const server = await serveHttp((response) => sendJson(response, {}, 402));
    const target = targetAt(server.url, { readFailure: () => undefined });
    expect(failureOf(await createRunner().run(requestTo(target))).code).toBe('quota_exhausted');
  });

  test('may read a failed status as an answer', async () => {
    const server = await serveHttp((response) => sendJson(response, { code: 'NO_RESULT' }, 400));
    const request = requestTo(targetAt(server.url), {
      readFailedAnswer: ({ status, body }) => (status === 400 ? { nothing: body } : undefined),
    });
    expect(await createRunner().run(request)).toMatchObject({
      status: 'succeeded',
      value: { nothing: { code: 'NO_RESULT' } },
      raw: { code: 'NO_RESULT' },
    });
  });
});

describe('a connection that fails is a network_error', () => {
  test('refused: nothing was sent', async () => {
    const result = await createRunner().run(
      requestTo(targetAt(`http://127.0.0.1:${await freePort()}`)),
    );
    expect(result).toMatchObject({ calls: 0, raw: null });
    expect(failureOf(result)).toMatchObject({ code: 'network_error', httpStatus: null });
    expect(failureOf(result).message).toContain('acme could not be reached (ECONNREFUSED): ');
  });

  test('an unknown host: nothing was sent', async () => {
    const result = await createRunner().run(requestTo(targetAt('http://acme.invalid')));
    expect(result.calls).toBe(0);
    expect(failureOf(result).message).toMatch(
      /could not be reached \((ENOTFOUND|EAI_AGAIN)\): .*this machine has (?:a|no) connection to the internet/,
    );
  });

  test('no TLS on the other side: nothing was sent', async () => {
    const server = await serveTcp((socket) => socket.once('data', () => socket.end('HTTP/1.1')));
    const url = `https://127.0.0.1:${server.port}`;
    const result = await createRunner().run(requestTo(targetAt(url)));
    expect(result.calls).toBe(0);
    expect(failureOf(result).code).toBe('network_error');
  });

  test('a handshake that hangs ends with the connect timeout: nothing was sent', async () => {
    const server = await serveTcp(() => undefined);
    const runner = createRunner({ connectTimeoutMs: 20 });
    const result = await runner.run(requestTo(targetAt(`https://127.0.0.1:${server.port}`)));
    expect(result.calls).toBe(0);
    expect(failureOf(result).message).toContain('UND_ERR_CONNECT_TIMEOUT');
  });

  test('reset after the request was sent', async () => {
    const server = await serveTcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const result = await createRunner().run(requestTo(targetAt(server.url)));
    expect(result.calls).toBe(1);
    expect(failureOf(result)).toMatchObject({ code: 'network_error', httpStatus: null });
  });

  test('something that is not HTTP', async () => {
    const server = await serveTcp((socket) => socket.once('data', () => socket.end('SSH-2.0\r\n')));
    const result = await createRunner().run(requestTo(targetAt(server.url)));
    expect(result.calls).toBe(1);
    expect(failureOf(result).code).toBe('network_error');
  });

  test.each([
    ['with a content length', 'content-length: 500\r\n\r\n{"results":['],
    ['in chunks', 'transfer-encoding: chunked\r\n\r\nc\r\n{"results":[\r\n'],
    ['in chunks, closing', 'connection: close\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n'],
  ])('cut in the middle of a body %s', async (_case, rest) => {
    const server = await serveTcp((socket) => {
      const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
      socket.once('data', () => socket.end(head + rest));
    });
    const result = await createRunner().run(requestTo(targetAt(server.url)));
    expect(failureOf(result)).toMatchObject({ code: 'network_error', httpStatus: 200 });
    expect(result).toMatchObject({ calls: 1, raw: null });
  });

  test('and the next call gets a new connection', async () => {
    const server = await serveHttp((response, _request, index) => {
      if (index === 0) response.destroy();
      else sendJson(response, { ok: true });
    });
    const runner = createRunner();
    const request = requestTo(targetAt(server.url));
    expect((await runner.run(request)).status).toBe('failed');
    expect((await runner.run(request)).status).toBe('succeeded');
  });
});

describe('a missing credential', () => {
  test('is named with its setting, without a call', async () => {
    const server = await serveHttp((response) => sendJson(response, {}));
    const target = targetAt(server.url, { credentials: [] });
    const result = await createRunner().run(requestTo(target));
    expect(result).toMatchObject({ calls: 0, latencyMs: null, raw: null });
    expect(failureOf(result)).toMatchObject({
      code: 'missing_credential',
      message:
        'acme has no credential (ACME_API_KEY is not set): set its API key in the server settings',
      httpStatus: null,
      retryable: false,
    });
    expect(server.received).toHaveLength(0);
  });

  test('is also the code of an address that is not set', async () => {
    const target = targetAt('', { baseUrl: null, credentialVariable: 'ACME_BASE_URL' });
    const result = await createRunner().run(requestTo(target));
    expect(result).toMatchObject({ calls: 0, latencyMs: null });
    expect(failureOf(result).code).toBe('missing_credential');
    expect(failureOf(result).message).toContain('ACME_BASE_URL is not set');
  });

  test('does not matter to a provider that needs none', async () => {
    const server = await serveHttp((response) => sendJson(response, {}));
    const target = targetAt(server.url, { authentication: { in: 'none' }, credentials: [] });
    expect((await createRunner().run(requestTo(target))).status).toBe('succeeded');
  });

  test('with characters that a header cannot hold is invalid, without a call', async () => {
    const target = targetAt('http://127.0.0.1:9', { credentials: [`${KEY}\u200b`] });
    const result = await createRunner().run(requestTo(target));
    expect(result).toMatchObject({ calls: 0, latencyMs: null });
    expect(failureOf(result).code).toBe('invalid_credential');
    expect(failureOf(result).message).toContain('ACME_API_KEY');
    expect(failureOf(result).message).not.toContain(KEY);
  });
});

describe('an exception of our own is an internal_error', () => {
  const boom = (): never => {
    throw new TypeError(`cannot read ${KEY} of\n    at the body`);
  };

  test.each(['read', 'readFailedAnswer', 'readFailure'] as const)(
    'from %s, logged without body or secret',
    async (where) => {
      const server = await serveHttp((response) => {
        sendJson(response, { page: 'the body' }, where === 'read' ? 200 : 400);
      });
      const lines: string[] = [];
      const log = {
        info: () => undefined,
        warn: () => undefined,
        error: (fields: object, message: string) => lines.push(JSON.stringify([fields, message])),
      };
      const target = targetAt(server.url, where === 'readFailure' ? { readFailure: boom } : {});
      const changes = where === 'readFailure' ? {} : { [where]: boom };
      const result = await createRunner({ log }).run(requestTo(target, changes));

      expect(failureOf(result)).toMatchObject({ code: 'internal_error', retryable: false });
      expect(result).toMatchObject({ calls: 1, raw: { page: 'the body' } });
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain('TypeError');
      expect(lines[0]).toContain('failures.test.ts');
      expect(lines[0]).not.toContain(KEY);
      expect(lines[0]).not.toContain('the body');
    },
  );

  test('from a header that cannot be sent, before any call', async () => {
    const request = requestTo(targetAt('http://127.0.0.1:9'), {
      call: { method: 'GET', path: '/', headers: { 'x-odd': 'a\nb' } },
    });
    const result = await createRunner().run(request);
    expect(failureOf(result).code).toBe('internal_error');
    expect(result).toMatchObject({ calls: 0, raw: null });
  });

  test('from a base URL that is not a URL', async () => {
    const result = await createRunner().run(requestTo(targetAt('not a url')));
    expect(failureOf(result).code).toBe('internal_error');
  });
});
