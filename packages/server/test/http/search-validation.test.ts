import { describe, expect, it } from 'vitest';
import { withoutHints } from '../support/without-hints.ts';
import { post, testApp } from './app.ts';

const { app } = testApp();
const QUERY = { query: 'q' };
const UUID = 'A1B2C3D4-0000-0000-0000-00000000000F';

/** Message and ctx of each type, in Pydantic's words. */
const WORDS = {
  missing: { msg: 'Field required' },
  string_type: { msg: 'Input should be a valid string' },
  int_type: { msg: 'Input should be a valid integer' },
  int_from_float: { msg: 'Input should be a valid integer, got a number with a fractional part' },
  bool_type: { msg: 'Input should be a valid boolean' },
  list_type: { msg: 'Input should be a valid list' },
  dict_type: { msg: 'Input should be a valid dictionary' },
  model_attributes_type: {
    msg: 'Input should be a valid dictionary or object to extract fields from',
  },
  extra_forbidden: { msg: 'Extra inputs are not permitted' },
  uuid_type: { msg: 'UUID input should be a string, bytes or UUID object' },
} as const;

const literal = (expected: string) => ({
  type: 'literal_error',
  msg: `Input should be ${expected}`,
  ctx: { expected },
});
const TIER = literal("'minimalist', 'default', 'extended' or 'max'");
const FIELD = literal(
  "'url', 'title', 'rank', 'summary', 'excerpt', 'full_content', 'publish_date', 'thumbnail', 'favicon', 'source', 'enrichments', 'fetch_meta', 'usage', 'answer', 'entities', 'related', 'verticals', 'latency_ms' or 'warnings'",
);
const atLeast = (ge: number) => ({
  type: 'greater_than_equal',
  msg: `Input should be greater than or equal to ${ge}`,
  ctx: { ge },
});
const atMost = (le: number) => ({
  type: 'less_than_equal',
  msg: `Input should be less than or equal to ${le}`,
  ctx: { le },
});
const tooShort = (actual: number) => ({
  type: 'too_short',
  msg: `List should have at least 1 item after validation, not ${actual}`,
  ctx: { field_type: 'List', min_length: 1, actual_length: actual },
});
const tooLong = (actual: number) => ({
  type: 'too_long',
  msg: `List should have at most 32 items after validation, not ${actual}`,
  ctx: { field_type: 'List', max_length: 32, actual_length: actual },
});
const BLANK = {
  type: 'string_too_short',
  msg: 'String should have at least 1 character',
  ctx: { min_length: 1 },
};
const badUuid = (error: string) => ({
  type: 'uuid_parsing',
  msg: `Input should be a valid UUID, ${error}`,
  ctx: { error },
});
const of = (type: keyof typeof WORDS) => ({ type, ...WORDS[type] });

type Case = [body: unknown, loc: (string | number)[], input: unknown, words: object];

async function expectIssues(path: string, [body, loc, input, words]: Case): Promise<void> {
  const answer = await post(app, path, body);
  expect(answer.status).toBe(422);
  expect(withoutHints(answer.body)).toEqual({
    detail: [{ loc: ['body', ...loc], input, ...words }],
  });
}

const search = (block: unknown) => ({ user_input: QUERY, search: block });
const inSearch = (name: string, value: unknown, words: object): Case => [
  search({ [name]: value }),
  ['search', name],
  value,
  words,
];

/** Rules that only /v1/search has. */
const required: Case[] = [
  [{}, ['user_input'], {}, of('missing')],
  [{ metadata: { a: 1 } }, ['user_input'], { metadata: { a: 1 } }, of('missing')],
  [{ user_input: null }, ['user_input'], { user_input: null }, of('missing')],
];

const cases: Case[] = [
  // session_id
  ...[5, true, [], {}, 1.5].map(
    (value): Case => [
      { user_input: QUERY, session_id: value },
      ['session_id'],
      value,
      of('uuid_type'),
    ],
  ),
  ...(
    [
      ['', 'invalid length: expected length 32 for simple format, found 0'],
      ['abc', 'invalid length: expected length 32 for simple format, found 3'],
      ['zzz', 'invalid character: found `z` at 1'],
      [`{${UUID}}`, 'invalid character: found `{` at 1'],
      [`urn:uuid:${UUID}`, 'invalid character: found `u` at 1'],
      [`${UUID} `, 'invalid character: found ` ` at 37'],
      [UUID.replaceAll('-', ''), 'invalid group count: expected 5, found 1'],
      [UUID.slice(1), 'invalid group length in group 0: expected 8, found 7'],
      [`${UUID}0`, 'invalid group length in group 4: expected 12, found 13'],
      ['1-2-3-4', 'invalid group count: expected 5, found 4'],
      ['12345678-1234-1234-1234-12345678é12', 'invalid character: found `é` at 33'],
    ] as const
  ).map(
    ([value, error]): Case => [
      { user_input: QUERY, session_id: value },
      ['session_id'],
      value,
      badUuid(error),
    ],
  ),
  // user_input
  ...[5, 'text', true].map(
    (value): Case => [{ user_input: value }, ['user_input'], value, of('dict_type')],
  ),
  [{ user_input: [] }, ['user_input'], [], tooShort(0)],
  [{ user_input: {} }, ['user_input', 'query'], {}, of('missing')],
  [{ user_input: { q: 'x' } }, ['user_input', 'query'], { q: 'x' }, of('missing')],
  ...[null, 5, true, [], {}].map(
    (value): Case => [
      { user_input: { query: value } },
      ['user_input', 'query'],
      value,
      of('string_type'),
    ],
  ),
  ...['', ' ', '\t\n\u00a0'].map(
    (value): Case => [{ user_input: { query: value } }, ['user_input', 'query'], value, BLANK],
  ),
  [{ user_input: [QUERY, {}] }, ['user_input', 1, 'query'], {}, of('missing')],
  [{ user_input: [QUERY, { query: 5 }] }, ['user_input', 1, 'query'], 5, of('string_type')],
  [{ user_input: [QUERY, { query: ' ' }] }, ['user_input', 1, 'query'], ' ', BLANK],
  ...[null, 'text', 5, []].map(
    (value): Case => [{ user_input: [QUERY, value] }, ['user_input', 1], value, of('dict_type')],
  ),
  [{ user_input: Array(33).fill(QUERY) }, ['user_input'], Array(33).fill(QUERY), tooLong(33)],
  // metadata
  ...[5, 'text', [], true].map(
    (value): Case => [{ user_input: QUERY, metadata: value }, ['metadata'], value, of('dict_type')],
  ),
  // search
  ...[5, 'text', [], true].map(
    (value): Case => [search(value), ['search'], value, of('model_attributes_type')],
  ),
  [search({ num_result: 5 }), ['search', 'num_result'], 5, of('extra_forbidden')],
  [search({ constructor: null }), ['search', 'constructor'], null, of('extra_forbidden')],
  ...['fast', 'ACCURACY', '', 5, true, [], {}].map((value) =>
    inSearch('auto_routing', value, literal("'accuracy'")),
  ),
  ...['Max', '', 5, true, [], {}].map((value) => inSearch('tier', value, TIER)),
  ...['url', 5, true, {}].map((value) => inSearch('fields', value, of('list_type'))),
  inSearch('fields', [], tooShort(0)),
  ...['nope', 'URL', 5, null, []].map(
    (value): Case => [search({ fields: ['url', value] }), ['search', 'fields', 1], value, FIELD],
  ),
  ...[5, 'exa', [], true].map((value) => inSearch('providers', value, of('model_attributes_type'))),
  [
    search({ providers: { includes: ['exa'] } }),
    ['search', 'providers', 'includes'],
    ['exa'],
    of('extra_forbidden'),
  ],
  ...['include', 'exclude'].flatMap((name): Case[] => [
    ...['exa', 5, {}].map(
      (value): Case => [
        search({ providers: { [name]: value } }),
        ['search', 'providers', name],
        value,
        of('list_type'),
      ],
    ),
    ...[5, null, ['exa']].map(
      (value): Case => [
        search({ providers: { [name]: ['exa', value] } }),
        ['search', 'providers', name, 1],
        value,
        of('string_type'),
      ],
    ),
  ]),
  ...[5, 'exa', [], true].map((value) => inSearch('provider_overrides', value, of('dict_type'))),
  ...[5, null, 'x', []].map(
    (value): Case => [
      search({ provider_overrides: { exa: value } }),
      ['search', 'provider_overrides', 'exa'],
      value,
      of('dict_type'),
    ],
  ),
  ...['5', true, [], {}].map((value) => inSearch('num_results', value, of('int_type'))),
  ...[5.5, 0.5, 20.5].map((value) => inSearch('num_results', value, of('int_from_float'))),
  ...[0, -1, -1e20].map((value) => inSearch('num_results', value, atLeast(1))),
  ...[21, 1e20].map((value) => inSearch('num_results', value, atMost(20))),
  ...['include_raw', 'include_full_content'].flatMap((name) =>
    ['true', 1, 0, [], {}].map((value) => inSearch(name, value, of('bool_type'))),
  ),
];

describe('POST /v1/search refuses', () => {
  it.each([...required, ...cases])('%j', async (...parts) => expectIssues('/v1/search', parts));

  it('a number too large for JSON', async () => {
    const answer = await post(
      app,
      '/v1/search',
      '{"user_input":{"query":"q"},"search":{"num_results":1e999}}',
    );
    expect(answer.body).toEqual({
      detail: [{ loc: ['body', 'search', 'num_results'], input: 'Infinity', ...of('int_type') }],
    });
  });

  it('overrides over 16 KB, counted in UTF-8 bytes of compact JSON', async () => {
    const block = (padding: string) => search({ provider_overrides: { exa: { text: padding } } });
    const bytes = (padding: string) => Buffer.byteLength(`{"exa":{"text":"${padding}"}}`);
    const fits = `x${'é'.repeat(8_182)}`;
    expect(bytes(fits)).toBe(16_384);
    expect((await post(app, '/v1/search', block(fits))).status).toBe(200);
    const error = 'provider_overrides is 16385 bytes as compact JSON; at most 16384 are allowed';
    expect((await post(app, '/v1/search', block(`${fits}x`))).body.detail).toMatchObject([
      {
        type: 'value_error',
        loc: ['body', 'search', 'provider_overrides'],
        msg: `Value error, ${error}`,
        ctx: { error },
      },
    ]);
  });

  it('with all faults in one answer', async () => {
    const { body } = await post(app, '/v1/search', {
      session_id: 'x',
      user_input: [{}, 5],
      search: { tier: 'x', num_results: 0, a: 1, b: 2, providers: { include: 'exa', c: 3 } },
    });
    expect(
      body.detail.map((issue: { type: string; loc: string[] }) => [
        issue.type,
        issue.loc.slice(1).join('.'),
      ]),
    ).toEqual([
      ['uuid_parsing', 'session_id'],
      ['missing', 'user_input.0.query'],
      ['dict_type', 'user_input.1'],
      ['literal_error', 'search.tier'],
      ['list_type', 'search.providers.include'],
      ['extra_forbidden', 'search.providers.c'],
      ['greater_than_equal', 'search.num_results'],
      ['extra_forbidden', 'search.a'],
      ['extra_forbidden', 'search.b'],
    ]);
  });
});

describe('POST /v1/search accepts', () => {
  const accepted: [name: string, body: object, read: object][] = [
    [
      'a query object with further keys',
      { user_input: { query: ' q ', lang: 'de' } },
      { user_input: { query: ' q ', lang: 'de' } },
    ],
    ['32 queries', { user_input: Array(32).fill(QUERY) }, { user_input: Array(32).fill(QUERY) }],
    [
      'a uuid of any version and case, in lower case',
      { user_input: QUERY, session_id: UUID },
      { user_input: QUERY, session_id: UUID.toLowerCase() },
    ],
    [
      'unknown keys at the top, ignored',
      { user_input: QUERY, user_id: 5, zz: 1, purpose: 5 },
      { user_input: QUERY },
    ],
    [
      'null for every optional field',
      { user_input: QUERY, session_id: null, metadata: null, search: null },
      { user_input: QUERY },
    ],
    [
      'null for every option',
      search({
        auto_routing: null,
        tier: null,
        fields: null,
        providers: null,
        provider_overrides: null,
        num_results: null,
        include_raw: null,
        include_full_content: null,
      }),
      search({}),
    ],
    [
      'null for both provider lists',
      search({ providers: { include: null, exclude: null } }),
      search({ providers: {} }),
    ],
    [
      'every option',
      search({
        auto_routing: 'accuracy',
        tier: 'max',
        fields: ['url', 'usage', 'warnings', 'url'],
        providers: { include: [], exclude: ['exa'] },
        provider_overrides: { exa: { a: [1] } },
        num_results: 20,
        include_raw: true,
        include_full_content: false,
      }),
      search({
        auto_routing: 'accuracy',
        tier: 'max',
        fields: ['url', 'usage', 'warnings', 'url'],
        providers: { include: [], exclude: ['exa'] },
        provider_overrides: { exa: { a: [1] } },
        num_results: 20,
        include_raw: true,
        include_full_content: false,
      }),
    ],
  ];
  it.each(accepted)('%s', async (_name, body, read) => {
    const answer = await post(app, '/v1/search', body);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ route: 'search', input: { query: {}, body: read } });
  });

  it('2.2 num_results 5.0 is 5', async () => {
    const answer = await post(
      app,
      '/v1/search',
      '{"user_input":{"query":"q"},"search":{"num_results":5.0}}',
    );
    expect(answer.body.input.body.search.num_results).toBe(5);
  });
});

describe('POST /v1/interactions', () => {
  const further: Case[] = [
    ...[5, true, [], {}].map(
      (value): Case => [{ user_id: value }, ['user_id'], value, of('string_type')],
    ),
    [
      { user_id: 'x'.repeat(257) },
      ['user_id'],
      'x'.repeat(257),
      {
        type: 'string_too_long',
        msg: 'String should have at most 256 characters',
        ctx: { max_length: 256 },
      },
    ],
    ...['preprocessor_names', 'postprocessor_names'].flatMap((name): Case[] => [
      ...['exa', 5, {}].map((value): Case => [{ [name]: value }, [name], value, of('list_type')]),
      ...[5, null].map(
        (value): Case => [{ [name]: ['exa', value] }, [name, 1], value, of('string_type')],
      ),
    ]),
  ];
  it.each([...cases, ...further])('refuses %j', async (...parts) =>
    expectIssues('/v1/interactions', parts),
  );

  it.each([
    {},
    { user_input: null },
    { user_id: 'u', preprocessor_names: [], postprocessor_names: ['citations'] },
  ])('takes %j', async (body) => {
    const answer = await post(app, '/v1/interactions', body);
    expect(answer.status).toBe(200);
    const { user_input: _, ...rest } = body as { user_input?: null };
    expect(answer.body.input.body).toEqual(rest);
  });
});
