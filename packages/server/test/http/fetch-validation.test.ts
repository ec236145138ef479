import { describe, expect, it } from 'vitest';
import { post, testApp } from './app.ts';

const { app } = testApp();
const URLS = ['https://example.com/'];
const TIERS = "Input should be 'minimalist', 'default', 'extended' or 'max'";

async function errorOf(body: unknown): Promise<{ code: string; message: string; param?: string }> {
  const answer = await post(app, '/v1/fetch', body);
  expect(answer.status).toBe(422);
  expect(Object.keys(answer.body)).toEqual(['error']);
  return answer.body.error;
}

/** This message, with or without a hint after it. */
const saying = (message: string) =>
  expect.stringMatching(new RegExp(`^${escaped(message)}(; .+)?$`));
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

describe('POST /v1/fetch refuses', () => {
  it.each<[unknown, string, string, string]>([
    [{}, 'missing_urls', 'urls', 'urls: give at least one URL'],
    [{ urls: null }, 'missing_urls', 'urls', 'urls: give at least one URL'],
    [{ urls: [] }, 'missing_urls', 'urls', 'urls: give at least one URL'],
    ...['https://a.example', 5, {}, true].map((urls): [unknown, string, string, string] => [
      { urls },
      'invalid_request',
      'urls',
      'urls: Input should be a valid list',
    ]),
    ...[5, null, {}, true].map((url): [unknown, string, string, string] => [
      { urls: [...URLS, url] },
      'invalid_url',
      'urls[1]',
      'urls[1]: Input should be a valid string',
    ]),
    [
      { urls: URLS, session_id: 5 },
      'invalid_session',
      'session_id',
      'session_id: UUID input should be a string, bytes or UUID object',
    ],
    [
      { urls: URLS, session_id: 'x' },
      'invalid_session',
      'session_id',
      'session_id: Input should be a valid UUID, invalid character: found `x` at 1',
    ],
    [
      { urls: URLS, metadata: [] },
      'invalid_request',
      'metadata',
      'metadata: Input should be a valid dictionary',
    ],
    [
      { urls: URLS, options: [] },
      'invalid_request',
      'options',
      'options: Input should be a valid dictionary or object to extract fields from',
    ],
    ...(
      [
        [{ tier: 'x' }, 'tier', TIERS],
        [{ tier: 5 }, 'tier', TIERS],
        [{ content_format: 'html' }, 'content_format', "Input should be 'markdown' or 'text'"],
        [{ inline_content: 'true' }, 'inline_content', 'Input should be a valid boolean'],
        [{ inline_max_chars: '5' }, 'inline_max_chars', 'Input should be a valid integer'],
        [{ inline_max_chars: 0 }, 'inline_max_chars', 'Input should be greater than or equal to 1'],
        [
          { inline_max_chars: 1.5 },
          'inline_max_chars',
          'Input should be a valid integer, got a number with a fractional part',
        ],
        [
          { inline_max_chars: 1e20 },
          'inline_max_chars',
          'Input should be less than or equal to 9007199254740991',
        ],
        [{ max_age_seconds: -1 }, 'max_age_seconds', 'Input should be greater than or equal to 0'],
        [{ max_age_seconds: true }, 'max_age_seconds', 'Input should be a valid integer'],
        [{ no_cache: 1 }, 'no_cache', 'Input should be a valid boolean'],
        [{ providers: 'exa' }, 'providers', 'Input should be a valid list'],
        [
          { providers: [] },
          'providers',
          'List should have at least 1 item after validation, not 0',
        ],
        [{ providers: ['exa', 5] }, 'providers[1]', 'Input should be a valid string'],
        [{ cache: true }, 'cache', 'Extra inputs are not permitted'],
      ] as const
    ).map(([options, name, message]): [unknown, string, string, string] => [
      { urls: URLS, options },
      'invalid_request',
      `options.${name}`,
      `options.${name}: ${message}`,
    ]),
  ])('%j as %s at %s', async (body, code, param, message) => {
    expect(await errorOf(body)).toEqual({ code, param, message: saying(message) });
  });

  it.each([
    ['[]', 'The body must be a JSON object'],
    ['5', 'The body must be a JSON object'],
    ['"urls"', 'The body must be a JSON object'],
    ['null', 'The body is not JSON: Field required'],
    ['', 'The body is not JSON: Field required'],
    ['{"urls"', "The body is not JSON: Expecting ':' delimiter"],
    ['\uFEFF{}', 'The body is not JSON: A byte order mark is not allowed'],
  ])('the body %j, naming no parameter', async (body, message) => {
    expect(await errorOf(body)).toEqual({ code: 'invalid_request', message: saying(message) });
  });

  it('with missing_urls before any other fault, otherwise with the first', async () => {
    const faults = { session_id: 'x', options: { tier: 'x' } };
    expect(await errorOf(faults)).toMatchObject({ code: 'missing_urls' });
    expect(await errorOf({ ...faults, urls: [] })).toMatchObject({ code: 'missing_urls' });
    expect(await errorOf({ ...faults, urls: [5] })).toMatchObject({ code: 'invalid_session' });
    expect(await errorOf({ urls: [5], options: { tier: 'x' } })).toMatchObject({
      code: 'invalid_url',
      param: 'urls[0]',
    });
  });

  it('an unknown option with a name of any length, cut', async () => {
    const { param } = await errorOf({ urls: URLS, options: { ['k'.repeat(100_000)]: 1 } });
    expect(param).toBe(`options.${'k'.repeat(248)}…`);
  });
});

describe('POST /v1/fetch accepts', () => {
  it.each([
    { urls: URLS },
    { urls: ['not a url', ''], metadata: { a: null } },
    {
      urls: URLS,
      options: {
        providers: ['unknown'],
        inline_content: false,
        inline_max_chars: 1,
        content_format: 'text',
        tier: 'max',
        max_age_seconds: 0,
        no_cache: true,
      },
    },
  ])('%j', async (body) => {
    const answer = await post(app, '/v1/fetch', body);
    expect(answer.status).toBe(200);
    expect(answer.body.input.body).toEqual(body);
  });

  it('null for every optional field, and unknown keys at the top', async () => {
    const options = { providers: null, tier: null, no_cache: null };
    const body = { urls: URLS, session_id: null, metadata: null, options, zz: 1 };
    const answer = await post(app, '/v1/fetch', body);
    expect(answer.body.input.body).toEqual({ urls: URLS, options: {} });
  });
});
