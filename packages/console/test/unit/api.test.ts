import { addressOf, TrawlApiError } from '@trawl/client/http';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { call, callApi, callForFile, streamApi } from '../../src/api/call.ts';
import { describeError, hasStatus, issueAt, mayPass } from '../../src/api/error.ts';

/** What the page sent, each as method and address. */
let sent: string[] = [];

function answerWith(answer: () => Response): void {
  vi.stubGlobal('fetch', async (address: string, { method }: RequestInit) => {
    sent.push(`${method} ${address}`);
    return answer();
  });
}

afterEach(() => {
  vi.unstubAllGlobals();
  sent = [];
});

describe('the address of a call', () => {
  test('has its parameters, escaped, and leaves out what is not given', () => {
    const path = '/console/api/projects/{project_id}/keys/{key_id}';
    const params = { project_id: 'a/b', key_id: '7 ?' };
    const query = { q: 'x & y', none: null, absent: undefined, off: false };
    expect(addressOf(path, params, query)).toBe(
      '/console/api/projects/a%2Fb/keys/7%20%3F?q=x+%26+y&off=false',
    );
    expect(addressOf('/console/api/session')).toBe('/console/api/session');
  });

  test('names a parameter that is missing', () => {
    expect(() => addressOf('/a/{id}')).toThrow('id');
  });

  test('of the public API is below the project', async () => {
    answerWith(() => Response.json({ rows: [] }));
    const query = { from: '2026-03-01', group_by: 'day,provider' };
    await callApi('a/b', 'GET /v1/usage', { query });
    await callApi('p', 'GET /v1/sessions/{session_id}/history', { params: { session_id: 's' } });
    expect(sent).toEqual([
      'GET /console/api/projects/a%2Fb/v1/usage?from=2026-03-01&group_by=day%2Cprovider',
      'GET /console/api/projects/p/v1/sessions/s/history',
    ]);
  });
});

describe('a refused call', () => {
  const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
    new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
  const failureOf = (refusal: Response): Promise<unknown> => {
    answerWith(() => refusal);
    return call('GET /console/api/session').catch((error: unknown) => error);
  };

  test('has the text, the hint, the request id and the time to wait', async () => {
    const error = await failureOf(
      answer(
        429,
        { detail: 'Too many attempts', hint: 'wait' },
        { 'x-request-id': 'r1', 'retry-after': '12' },
      ),
    );
    expect(error).toBeInstanceOf(TrawlApiError);
    expect(error).toMatchObject({ status: 429, retryAfterMs: 12_000 });
    expect(describeError(error)).toEqual({
      detail: 'Too many attempts',
      hint: 'wait',
      requestId: 'r1',
    });
    expect([hasStatus(error, 429), hasStatus(error, 401), mayPass(error)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('says which field is wrong', async () => {
    const error = await failureOf(
      answer(422, {
        detail: [
          {
            type: 'string_too_short',
            loc: ['body', 'name'],
            msg: 'String should have at least 2 characters',
            ctx: { min_length: 2 },
            input: '',
          },
          { type: 'missing', loc: ['body', 'limits', 0], msg: 'is missing', hint: 'add it' },
        ],
      }),
    );
    expect(describeError(error).detail).toBe('name: At least 2 characters are needed');
    expect(issueAt(error, 'body', 'name')).toBe('At least 2 characters are needed');
    expect(issueAt(error, 'body', 'limits', 0)).toBe('is missing; add it');
    expect(issueAt(error, 'body')).toBeUndefined();
    expect(issueAt(new Error('other'), 'body', 'name')).toBeUndefined();
  });

  test('of a typed route has its message', async () => {
    const body = { error: { code: 'not_found', message: 'Session not found' } };
    expect(describeError(await failureOf(answer(404, body))).detail).toBe('Session not found');
  });

  test('of a typed route has the field that it names', async () => {
    const error = { code: 'over_url_cap', message: 'too many', param: 'urls' };
    expect(await failureOf(answer(400, { error }))).toMatchObject({ param: 'urls' });
  });

  test.each(['<html>Bad gateway</html>', '', 'null', '[]', '{"detail":[]}'])(
    'of something else on the way has a text too: %s',
    async (body) => {
      const error = await failureOf(answer(502, body));
      expect(hasStatus(error, 502)).toBe(true);
      expect(mayPass(error)).toBe(true);
      expect(describeError(error).detail).toBe('The server answered 502');
    },
  );

  test('that was not answered says so, and may succeed later', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
    const error = await call('GET /console/api/session').catch((failure: unknown) => failure);
    expect(describeError(error)).toEqual({ detail: 'The server did not answer' });
    expect(mayPass(error)).toBe(true);
  });
});

describe('a streamed answer', () => {
  const streamOf = (...parts: string[]) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
        controller.close();
      },
    });
  const eventsOf = (body: ReadableStream<Uint8Array>) => {
    const headers = { 'content-type': 'text/event-stream' };
    answerWith(() => new Response(body, { headers }));
    return streamApi('p', 'POST /v1/search', {});
  };
  const all = async (body: ReadableStream<Uint8Array>) => {
    const events: unknown[] = [];
    for await (const event of eventsOf(body)) events.push(event);
    return events;
  };

  test('is read event by event, wherever its pieces are cut', async () => {
    const text = 'event: run\ndata: {"a":"é"}\n\n: keep-alive\n\nevent: done\r\ndata: {}\r\n\r\n';
    const expected = [
      { event: 'run', data: { a: 'é' } },
      { event: 'done', data: {} },
    ];
    expect(await all(streamOf(text))).toEqual(expected);
    expect(await all(streamOf(...text))).toEqual(expected);
  });

  test('ends its connection when the reader stops', async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) =>
        controller.enqueue(new TextEncoder().encode('event: run\ndata: 1\n\n')),
      cancel: () => {
        isCancelled = true;
      },
    });
    for await (const _ of eventsOf(body)) break;
    expect(isCancelled).toBe(true);
  });

  test('throws what its error says', async () => {
    const body = streamOf('event: error\ndata: {"detail":"no provider is left","hint":"wait"}\n\n');
    const error = await all(body).catch((failure: unknown) => failure);
    expect(describeError(error)).toMatchObject({ detail: 'no provider is left', hint: 'wait' });
  });
});

test('a file is saved as it was answered', async () => {
  const lines = '{"a":1}\n{"a":2}\n';
  answerWith(() => new Response(lines, { headers: { 'content-type': 'application/x-ndjson' } }));
  const file = await callForFile('GET /console/api/audit/export');
  expect(await file.text()).toBe(lines);
});
