import { describe, expect, it } from 'vitest';
import { withoutHints } from '../support/without-hints.ts';
import { get, testApp } from './app.ts';

const { app } = testApp();
const ID = 'A1B2C3D4-0000-0000-0000-00000000000F';
const LOWER = ID.toLowerCase();
const HISTORY = `/v1/sessions/${ID}/history`;

const intParsing = {
  type: 'int_parsing',
  msg: 'Input should be a valid integer, unable to parse string as an integer',
};
const atLeast = {
  type: 'greater_than_equal',
  msg: 'Input should be greater than or equal to 1',
  ctx: { ge: 1 },
};
const atMost = (le: number) => ({
  type: 'less_than_equal',
  msg: `Input should be less than or equal to ${le}`,
  ctx: { le },
});
const badUuid = (error: string) => ({
  type: 'uuid_parsing',
  msg: `Input should be a valid UUID, ${error}`,
  ctx: { error },
});
const TIME_FAULT = 'expected a date-time with a time zone, such as 2026-01-31T12:00:00Z';

describe('a query is refused', () => {
  it.each<[string, string[], unknown, object]>([
    ['/v1/sessions?limit=x', ['query', 'limit'], 'x', intParsing],
    ['/v1/sessions?limit=', ['query', 'limit'], '', intParsing],
    ['/v1/sessions?limit', ['query', 'limit'], '', intParsing],
    ['/v1/sessions?limit=5.5', ['query', 'limit'], '5.5', intParsing],
    ['/v1/sessions?limit=1e2', ['query', 'limit'], '1e2', intParsing],
    ['/v1/sessions?limit=0x10', ['query', 'limit'], '0x10', intParsing],
    ['/v1/sessions?limit=%', ['query', 'limit'], '%', intParsing],
    ['/v1/sessions?limit=%ff', ['query', 'limit'], '\ufffd', intParsing],
    ['/v1/sessions?limit=%00', ['query', 'limit'], '\ufffd', intParsing],
    ['/v1/sessions?limit=0', ['query', 'limit'], '0', atLeast],
    ['/v1/sessions?limit=-5', ['query', 'limit'], '-5', atLeast],
    ['/v1/sessions?limit=201', ['query', 'limit'], '201', atMost(200)],
    [`/v1/sessions?limit=${'9'.repeat(400)}`, ['query', 'limit'], '9'.repeat(400), atMost(200)],
    ['/v1/sessions?limit=5&limit=x', ['query', 'limit'], 'x', intParsing],
    [`${HISTORY}?limit=1001`, ['query', 'limit'], '1001', atMost(1000)],
    [
      `${HISTORY}?type=long`,
      ['query', 'type'],
      'long',
      {
        type: 'literal_error',
        msg: "Input should be 'short' or 'full'",
        ctx: { expected: "'short' or 'full'" },
      },
    ],
    [`${HISTORY}?after=x`, ['query', 'after'], 'x', badUuid('invalid character: found `x` at 1')],
    ...['', 'now', '2026-01-01', '2026-01-01T00:00:00', '2026-02-30T00:00:00Z'].map(
      (text): [string, string[], unknown, object] => [
        `/v1/sessions?before=${text}`,
        ['query', 'before'],
        text,
        {
          type: 'datetime_from_date_parsing',
          msg: `Input should be a valid datetime or date, ${TIME_FAULT}`,
          ctx: { error: TIME_FAULT },
        },
      ],
    ),
  ])('%.60s', async (path, loc, input, words) => {
    const answer = await get(app, path);
    expect(answer.status).toBe(422);
    expect(withoutHints(answer.body)).toEqual({ detail: [{ loc, input, ...words }] });
  });

  it('with each missing name, with null as its input', async () => {
    const missing = { type: 'missing', msg: 'Field required', input: null };
    const answer = await get(app, '/v1/interactions?session=5');
    expect(withoutHints(answer.body)).toEqual({
      detail: [
        { ...missing, loc: ['query', 'session_id'] },
        { ...missing, loc: ['query', 'interaction_id'] },
      ],
    });
  });
});

describe('a query is read', () => {
  it.each<[string, object]>([
    ['limit=5', { limit: 5 }],
    ['limit=%205%20', { limit: 5 }],
    ['limit=%2B5', { limit: 5 }],
    ['limit=005', { limit: 5 }],
    ['limit=5.0', { limit: 5 }],
    ['limit=1_0', { limit: 10 }],
    ['limit=x&limit=5', { limit: 5 }],
    ['limit=200&zz=1&__proto__=2&%ff=%ff&&=', { limit: 200 }],
    ['before=2026-01-01T00:00:00.123Z', { before: '2026-01-01T00:00:00.123Z' }],
    ['before=2026-01-01T00:00:00%2B01:00', { before: '2026-01-01T00:00:00+01:00' }],
    ['', {}],
  ])('%s', async (query, read) => {
    const answer = await get(app, `/v1/sessions?${query}`);
    expect(answer.status).toBe(200);
    expect(answer.body.input.query).toEqual(read);
  });

  it('with ids in lower case', async () => {
    const answer = await get(app, `/v1/interactions?session_id=${ID}&interaction_id=${ID}`);
    expect(answer.body.input.query).toEqual({ session_id: LOWER, interaction_id: LOWER });
  });
});

describe('a path', () => {
  it('gives its parameter in lower case', async () => {
    const answer = await get(app, `${HISTORY}?type=full`);
    expect(answer.body.input).toEqual({ params: { session_id: LOWER }, query: { type: 'full' } });
  });

  it.each([
    ['x', 'x', 'invalid character: found `x` at 1'],
    ['%C3%A9', 'é', 'invalid character: found `é` at 1'],
    ['%ff', '%ff', 'invalid character: found `%` at 1'],
    ['%00', '\ufffd', 'invalid character: found `\ufffd` at 1'],
    ['a%2Fb', 'a/b', 'invalid character: found `/` at 2'],
  ])('with the id %s is a 422', async (encoded, input, error) => {
    const answer = await get(app, `/v1/sessions/${encoded}/history`);
    expect(answer.status).toBe(422);
    expect(withoutHints(answer.body)).toEqual({
      detail: [{ ...badUuid(error), loc: ['path', 'session_id'], input }],
    });
  });

  it('reports its faults before those of the query, in one answer', async () => {
    const answer = await get(app, '/v1/sessions/x/history?limit=x&type=x');
    expect(answer.body.detail.map((issue: { loc: string[] }) => issue.loc)).toEqual([
      ['path', 'session_id'],
      ['query', 'type'],
      ['query', 'limit'],
    ]);
  });
});
