import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withoutHints } from '../support/without-hints.ts';
import {
  MISSING,
  MODEL,
  QUERY,
  type SpecServer,
  sentTo,
  startSpecServer,
} from './support/server.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startSpecServer();
});
afterAll(() => server.stop());

const paths = ['/v1/search', '/v1/interactions'] as const;
const jsonInvalid = (loc: (string | number)[], error: string) => ({
  detail: [{ type: 'json_invalid', loc, msg: 'JSON decode error', input: {}, ctx: { error } }],
});
const refused = async (path: string, rawBody: string | Uint8Array, body: unknown) => {
  const answer = await server.refused('POST', path, { rawBody });
  expect({ status: answer.status, body: withoutHints(answer.json) }).toEqual({ status: 422, body });
};
const accepted = async (rawBody: string) => {
  const answer = await server.call('POST', '/v1/search', { rawBody });
  expect(answer.status, answer.text).toBe(200);
  const { session_id, interaction_id } = answer.json;
  const query = new URLSearchParams({ session_id, interaction_id });
  return (await server.call('GET', `/v1/interactions?${query}`)).json;
};

describe.each(paths)('7.2 a body of %s that is not JSON', (path) => {
  test.each<[text: string, offset: number, error: string]>([
    ['{', 1, 'Expecting property name enclosed in double quotes'],
    ['{"user_input"', 13, "Expecting ':' delimiter"],
    ['{"user_input":', 14, 'Expecting value'],
    ['{"a":1,}', 7, 'Expecting property name enclosed in double quotes'],
    ["{'a':1}", 1, 'Expecting property name enclosed in double quotes'],
    ['{"a":1}}', 7, 'Extra data'],
    ['{"a":1}\n{"a":2}', 8, 'Extra data'],
    ['{"a":undefined}', 5, 'Expecting value'],
    ['user_input=q', 0, 'Expecting value'],
    ['<xml/>', 0, 'Expecting value'],
    ['{"é😀":x}', 6, 'Expecting value'],
    ['"\u0001"', 1, 'Invalid control character at'],
    ['["a', 1, 'Unterminated string starting at'],
  ])('7.2 422: %j is json_invalid at its offset', (text, offset, error) =>
    refused(path, text, jsonInvalid(['body', offset], error)),
  );

  test.each<[title: string, bytes: Uint8Array, error: string]>([
    ['a byte order mark', Buffer.from('\ufeff{}'), 'A byte order mark is not allowed'],
    ['a stray byte', Buffer.from([0x7b, 0xff, 0x7d]), 'Invalid UTF-8'],
    ['Latin-1', Buffer.from('{"user_input":{"query":"é"}}', 'latin1'), 'Invalid UTF-8'],
    ['a surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'Invalid UTF-8'],
    ['an overlong form', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 'Invalid UTF-8'],
    ['a character that is cut', Buffer.from('["€').subarray(0, 4), 'Invalid UTF-8'],
    ['65 levels', Buffer.from('['.repeat(65) + ']'.repeat(65)), 'Nesting deeper than 64 levels'],
    ['endless levels', Buffer.from('[{"a":'.repeat(150_000)), 'Nesting deeper than 64 levels'],
  ])('7.2 422: %s is json_invalid at the body', (_title, bytes, error) =>
    refused(path, bytes, jsonInvalid(['body'], error)),
  );

  test.each(['', 'null', ' null '])('7.2 422: %j is a missing body', (text) =>
    refused(path, text, { detail: [{ loc: ['body'], input: null, ...MISSING }] }),
  );

  test.each([[[]], [[QUERY]], [5], ['text'], [true], [false]])(
    '7.2 422: %j is not an object',
    (value) =>
      refused(path, JSON.stringify(value), { detail: [{ loc: ['body'], input: value, ...MODEL }] }),
  );
});

describe('7.2 unusual JSON', () => {
  test('7.2 the last one of a repeated key counts', async () => {
    const { user_input } = await accepted(
      '{"user_input":5,"search":5,"user_input":{"query":"a","query":"b"},"search":{"num_results":9,"num_results":2}}',
    );
    expect(user_input).toEqual({ query: 'b' });
    expect(sentTo(server, 'exa')).toMatchObject({ query: 'b', numResults: 2 });
  });

  test('7.2 U+0000 and lone surrogates become U+FFFD, when sent, answered and read back', async () => {
    const odd = 'a\\u0000b\\ud800c\\udc00\\ud83d\\ude00';
    const clean = 'a\ufffdb\ufffdc\ufffd😀';
    const read = await accepted(
      `{"user_input":{"query":"${odd}","${odd}":["${odd}"]},"metadata":{"${odd}":{"x":"${odd}"}}}`,
    );
    expect(sentTo(server, 'exa').query).toBe(clean);
    expect(Object.fromEntries(sentTo(server, 'brave')).q).toBe(clean);
    expect(read.user_input).toEqual({ query: clean, [clean]: [clean] });
    expect(read.metadata).toEqual({ [clean]: { x: clean } });
    expect(read.preprocessor_runs[0].query).toBe(clean);
  });

  test('7.2 numbers too large for JSON do no harm', async () => {
    const huge = '9'.repeat(5_000);
    await accepted(`{"user_input":{"query":"q","n":1e999},"metadata":{"a":-1e999,"b":${huge}}}`);
    const body = (value: string) =>
      `{"user_input":{"query":"q"},"search":{"num_results":${value}}}`;
    for (const value of ['1e999', '-1e999', huge, '1e-999', '0.1e1000']) {
      const answer = await server.refused('POST', '/v1/search', { rawBody: body(value) });
      expect(answer.status).toBe(422);
      expect(answer.json.detail).toMatchObject([{ loc: ['body', 'search', 'num_results'] }]);
    }
  });

  test('7.2 a megabyte of faults gets a short answer', async () => {
    const ones = `${'1,'.repeat(150_000)}1`;
    const bodies = [
      `{"user_input":[${ones}]}`,
      `{"user_input":{"query":"q"},"search":{"fields":[${ones}]}}`,
      `{"user_input":{"query":"q"},"search":{"providers":{"include":[${ones}]}}}`,
      `{"user_input":{"query":"q"},"search":{"provider_overrides":{"exa":{"a":[${ones}]}}}}`,
      `{"user_input":{"query":"q"},"search":{${Array.from({ length: 90_000 }, (_, index) => `"${index}":1`)}}}`,
      `{"user_input":{"query":"q"},"search":{"tier":"${'x'.repeat(1_000_000)}"}}`,
    ];
    for (const rawBody of bodies) {
      const answer = await server.refused('POST', '/v1/search', { rawBody });
      expect(answer.status).toBe(422);
      expect(answer.json.detail.length).toBeLessThanOrEqual(101);
      expect(answer.text.length).toBeLessThan(262_144);
    }
  });
});

describe('7.2 the content type', () => {
  const body = JSON.stringify({ user_input: QUERY });
  const send = (headers: Record<string, string>) =>
    server.raw('/v1/search', {
      body,
      headers: { authorization: `Bearer ${server.key}`, ...headers },
    });

  test.each([
    {},
    { 'content-type': 'application/json' },
    { 'content-type': 'application/json; charset=utf-8' },
    { 'content-type': 'APPLICATION/JSON;charset="UTF-8"' },
  ])('7.2 %j is JSON', async (headers) => {
    expect((await send(headers as Record<string, string>)).status).toBe(200);
  });

  test.each([
    [{ 'content-type': 'text/plain' }, 'Content-Type must be application/json'],
    [
      { 'content-type': 'application/x-www-form-urlencoded' },
      'Content-Type must be application/json',
    ],
    [
      { 'content-type': 'multipart/form-data; boundary=x' },
      'Content-Type must be application/json',
    ],
    [
      { 'content-type': 'application/json; charset=latin1' },
      'The charset of the request must be utf-8',
    ],
    [
      { 'content-type': 'application/json; charset=utf-16' },
      'The charset of the request must be utf-8',
    ],
    [
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      'Content-Encoding is not supported on requests',
    ],
    [
      { 'content-type': 'application/json', 'content-encoding': 'identity' },
      'Content-Encoding is not supported on requests',
    ],
  ])('7.2 415: %j', async (headers, detail) => {
    const answer = await server.refused('POST', '/v1/search', {
      rawBody: body,
      headers: headers as Record<string, string>,
    });
    expect(answer.status).toBe(415);
    expect(answer.json).toEqual({ detail });
  });
});
