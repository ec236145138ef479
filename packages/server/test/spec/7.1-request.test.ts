import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SpecServer, startSpecServer } from './support/server.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startSpecServer();
});
afterAll(() => server.stop());

const BODY = { urls: ['https://news.example.com/tides'] };

describe('7.1 refusals of the request itself', () => {
  const FORM = 'send the header Authorization: Bearer <API key>';
  test.each([
    ['no header', null, {}, 'Missing API key', FORM],
    ['another scheme', null, { authorization: 'Basic dGs6' }, 'Missing API key', FORM],
    ['an empty token', null, { authorization: 'Bearer ' }, 'Missing API key', FORM],
    ['an unknown key', 'tk_unknown', {}, 'Invalid API key', 'it is not a key of this server'],
  ])('5.3, 7.1 unauthorized: %s; detail is next to error', async (...row) => {
    const [, key, headers, detail, hint] = row;
    const answer = await server.refused('POST', '/v1/fetch', { body: BODY, key, headers });
    expect(answer.status).toBe(401);
    expect(answer.json).toEqual({
      error: { code: 'unauthorized', message: detail },
      detail,
      hint: expect.stringContaining(hint),
    });
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /);
    expect(answer.headers.get('www-authenticate')).toContain(FORM);
  });

  test.each([[['search', 'read', 'manage']], [['read']], [['search']]] as const)(
    '5.4, 7.1 forbidden: a key with %j may not fetch; detail is next to error',
    async (permissions) => {
      const { key } = await server.makeKey('main', [...permissions]);
      const answer = await server.refused('POST', '/v1/fetch', { body: BODY, key });
      expect(answer.status).toBe(403);
      const { error, detail, ...rest } = answer.json;
      expect(rest).toEqual({});
      expect(error).toEqual({ code: 'forbidden', message: detail });
      expect(detail).toContain('"fetch"');
    },
  );

  test('5.4 a key with only fetch may fetch, but not search', async () => {
    const { key } = await server.makeKey('main', ['fetch']);
    expect((await server.call('POST', '/v1/fetch', { body: BODY, key })).status).toBe(200);
    const search = { user_input: { query: 'q' } };
    expect((await server.call('POST', '/v1/search', { body: search, key })).status).toBe(403);
  });

  test.each([
    ['404', 'POST', '/v1/fetch/', 404, 'not_found'],
    ['405', 'GET', '/v1/fetch', 405, 'method_not_allowed'],
    ['405', 'DELETE', '/v1/fetch', 405, 'method_not_allowed'],
  ])('7.1 %s: %s %s', async (_, method, path, status, code) => {
    const answer = await server.refused(method, path, {});
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual({ error: { code, message: expect.any(String) } });
  });

  test('7.1 payload_too_large: a byte over 1 MiB; 1 MiB itself is read', async () => {
    const text = JSON.stringify(BODY);
    const filled = (bytes: number) => text + ' '.repeat(bytes - text.length);
    const over = await server.refused('POST', '/v1/fetch', { rawBody: filled(1_048_577) });
    expect(over.status).toBe(413);
    expect(over.json).toEqual({
      error: { code: 'payload_too_large', message: expect.stringContaining('1048576') },
    });
    const whole = await server.call('POST', '/v1/fetch', { rawBody: filled(1_048_576) });
    expect(whole.status, whole.text).toBe(200);
  });

  test.each<[string, Record<string, string>]>([
    ['text', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['another charset', { 'content-type': 'application/json; charset=latin1' }],
    ['a content encoding', { 'content-encoding': 'gzip' }],
  ])('7.1 unsupported_media_type: %s', async (_, headers) => {
    const answer = await server.refused('POST', '/v1/fetch', { body: BODY, headers });
    expect(answer.status).toBe(415);
    expect(answer.json).toEqual({
      error: { code: 'unsupported_media_type', message: expect.any(String) },
    });
  });

  test.each([
    ['no JSON', '{"urls":'],
    ['nothing', ''],
    ['a list', '[]'],
    ['a text', '"https://news.example.com/"'],
    ['null', 'null'],
    ['a BOM', `\ufeff${JSON.stringify(BODY)}`],
    ['65 levels', `{"urls":["https://news.example.com/"],"metadata":${nested(64)}}`],
  ])('7.1 invalid_request: a body that is %s: the error has no param', async (_, rawBody) => {
    const answer = await server.refused('POST', '/v1/fetch', { rawBody });
    expect(answer.status).toBe(422);
    expect(answer.json).toEqual({
      error: { code: 'invalid_request', message: expect.any(String) },
    });
  });

  test('7.1 invalid_request: a body that is not UTF-8', async () => {
    const rawBody = Uint8Array.from([...Buffer.from('{"urls":["'), 0xff, 0xfe, 0x22, 0x5d, 0x7d]);
    const answer = await server.refused('POST', '/v1/fetch', { rawBody });
    expect([answer.status, answer.json.error.code]).toEqual([422, 'invalid_request']);
    expect(answer.json.error).not.toHaveProperty('param');
  });
});

function nested(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
}
