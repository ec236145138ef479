import { describe, expect, it } from 'vitest';
import { AUTHORIZED, answerOf, post, testApp } from './app.ts';

const { app } = testApp();
const BODY = JSON.stringify({ user_input: { query: 'q' } });

describe('the content type', () => {
  it.each([
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/json; charset=utf8; profile=x',
    'application/vnd.api+json',
    'text/x+json',
    '',
  ])('%j is JSON', async (type) => {
    expect((await post(app, '/v1/search', BODY, { 'content-type': type })).status).toBe(200);
  });

  it('may be left out', async () => {
    const body = new TextEncoder().encode(BODY);
    const answer = await answerOf(
      app.request('/v1/search', { method: 'POST', headers: AUTHORIZED, body }),
    );
    expect(answer.status).toBe(200);
  });

  it.each([
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/json, text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'json',
    '+json',
    ';charset=utf-8',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; charset=',
    'application/json; charset=utf-8; charset=latin1',
  ])('%j is a 415', async (type) => {
    const answer = await post(app, '/v1/search', BODY, { 'content-type': type });
    expect(answer.status).toBe(415);
    expect(typeof answer.body.detail).toBe('string');
  });

  it.each(['gzip', 'br', 'identity', 'x'])('Content-Encoding %s is a 415', async (encoding) => {
    const answer = await post(app, '/v1/fetch', '{"urls":["x"]}', { 'content-encoding': encoding });
    expect(answer.status).toBe(415);
    expect(answer.body).toEqual({
      error: {
        code: 'unsupported_media_type',
        message: 'Content-Encoding is not supported on requests',
      },
    });
  });
});

describe('the size', () => {
  const bodyOf = (bytes: number) => {
    const frame = '{"user_input":{"query":""}}';
    return frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`);
  };

  it('may be 1 MiB', async () => {
    expect((await post(app, '/v1/search', bodyOf(1_048_576))).status).toBe(200);
  });

  it('is a 413 one byte above, in the style of the route', async () => {
    const detail = 'The request body is larger than 1048576 bytes';
    const search = await post(app, '/v1/search', bodyOf(1_048_577));
    expect([search.status, search.body]).toEqual([413, { detail }]);
    const fetch = await post(app, '/v1/fetch', bodyOf(1_048_577));
    expect([fetch.status, fetch.body]).toEqual([
      413,
      { error: { code: 'payload_too_large', message: detail } },
    ]);
  });

  it('is a 413 by its content length, before a byte is read', async () => {
    const body = new ReadableStream({
      pull() {
        throw new Error('was read');
      },
    });
    const answer = await answerOf(
      app.request('/v1/search', {
        method: 'POST',
        headers: { ...AUTHORIZED, 'content-length': '1048577' },
        body,
        duplex: 'half',
      } as RequestInit),
    );
    expect(answer.status).toBe(413);
  });

  it('is counted while the body arrives: an endless body is cut off', async () => {
    let pulls = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulls += 1;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    const init = { method: 'POST', headers: AUTHORIZED, body, duplex: 'half' } as RequestInit;
    expect((await answerOf(app.request('/v1/search', init))).status).toBe(413);
    expect(pulls).toBeLessThan(20);
  });
});
