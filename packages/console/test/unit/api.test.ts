import { describe, expect, test } from 'vitest';
import { ApiError, errorOf, issueAt } from '../../src/api/error.ts';
import { eventsOf } from '../../src/api/events.ts';
import { addressOf } from '../../src/api/send.ts';

describe('the address of a call', () => {
  test('has its parameters, escaped, and leaves out what is not given', () => {
    const path = '/console/api/projects/{project_id}/keys/{key_id}';
    const params = { project_id: 'a/b', key_id: '7 ?' };
    const query = { q: 'x & y', none: null, absent: undefined, off: false, list: ['a', 'b'] };
    expect(addressOf(path, { params, query })).toBe(
      '/console/api/projects/a%2Fb/keys/7%20%3F?q=x+%26+y&off=false&list=a&list=b',
    );
    expect(addressOf('/console/api/session', {})).toBe('/console/api/session');
  });

  test('names a parameter that is missing', () => {
    expect(() => addressOf('/a/{id}', { params: {} })).toThrow('id');
  });
});

describe('a refused call', () => {
  const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
    new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });

  test('has the text, the hint, the request id and the time to wait', async () => {
    const error = await errorOf(
      answer(
        429,
        { detail: 'Too many attempts', hint: 'wait' },
        { 'x-request-id': 'r1', 'retry-after': '12' },
      ),
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 429,
      detail: 'Too many attempts',
      hint: 'wait',
      requestId: 'r1',
      retryAfterSeconds: 12,
    });
  });

  test('says which field is wrong', async () => {
    const error = await errorOf(
      answer(422, {
        detail: [
          { type: 'string_too_short', loc: ['body', 'name'], msg: 'is too short', input: '' },
          { type: 'missing', loc: ['body', 'limits', 0], msg: 'is missing', hint: 'add it' },
        ],
      }),
    );
    expect(error.detail).toBe('name: is too short');
    expect(issueAt(error, 'body', 'name')).toBe('is too short');
    expect(issueAt(error, 'body', 'limits', 0)).toBe('is missing; add it');
    expect(issueAt(error, 'body')).toBeUndefined();
    expect(issueAt(new Error('other'), 'body', 'name')).toBeUndefined();
  });

  test('of a typed route has its message', async () => {
    const body = { error: { code: 'not_found', message: 'Session not found' } };
    expect((await errorOf(answer(404, body))).detail).toBe('Session not found');
  });

  test('of a typed route has the field that it names', async () => {
    const error = { code: 'over_url_cap', message: 'too many', param: 'urls' };
    expect((await errorOf(answer(400, { error }))).param).toBe('urls');
  });

  test.each(['<html>Bad gateway</html>', '', 'null', '[]', '{"detail":[]}'])(
    'of something else on the way has a text too: %s',
    async (body) => {
      const { status, detail } = await errorOf(answer(502, body));
      expect(status).toBe(502);
      expect(detail).not.toBe('');
    },
  );
});

describe('a streamed answer', () => {
  const streamOf = (...parts: string[]) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
        controller.close();
      },
    });
  const all = async (body: ReadableStream<Uint8Array>) => {
    const events: unknown[] = [];
    for await (const event of eventsOf(body)) events.push(event);
    return events;
  };

  test('is read event by event, wherever its pieces are cut', async () => {
    const text = 'event: run\ndata: {"a":"é"}\n\n: keep-alive\n\nevent: done\r\ndata: {}\r\n\r\n';
    const expected = [
      { name: 'run', data: { a: 'é' } },
      { name: 'done', data: {} },
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
});
