import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  atLeast,
  atMost,
  BLANK,
  BOOLEAN,
  batchOf,
  DICTIONARY,
  EXTRA,
  FRACTION,
  INTEGER,
  LIST,
  literalWords,
  MISSING,
  MODEL,
  QUERY,
  type SpecServer,
  STRING,
  startSpecServer,
  tooLong,
  tooShort,
  UUID_TYPE,
  uuidWords,
  type Words,
  type WrongValue,
  withValue,
  wrong,
} from './support/server.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startSpecServer();
});
afterAll(() => server.stop());

const both = ['/v1/search', '/v1/interactions'] as const;
const UUID = 'a1b2c3d4-0000-4000-8000-00000000000f';
const FIELDS = literalWords(
  "'url', 'title', 'rank', 'summary', 'excerpt', 'full_content', 'publish_date', 'thumbnail', 'favicon', 'source', 'enrichments', 'fetch_meta', 'usage', 'answer', 'entities', 'related', 'verticals', 'latency_ms' or 'warnings'",
);
const TIERS = literalWords("'minimalist', 'default', 'extended' or 'max'");

/** Body, place, echoed input and words of requests in which something is missing or incomplete. */
type Whole = readonly [body: object, loc: (string | number)[], input: unknown, words: Words];

const inUserInput: Whole[] = [
  [{ user_input: {} }, ['user_input', 'query'], {}, MISSING],
  [{ user_input: { q: 'x' } }, ['user_input', 'query'], { q: 'x' }, MISSING],
  [{ user_input: [QUERY, {}] }, ['user_input', 1, 'query'], {}, MISSING],
  [{ user_input: [] }, ['user_input'], [], tooShort(0)],
  [{ user_input: batchOf(33) }, ['user_input'], batchOf(33), tooLong(32, 33)],
];

const ofRequest: WrongValue[] = [
  ...wrong(['session_id'], UUID_TYPE, 5, 1.5, true, false, [], {}, [UUID]),
  ...(
    [
      ['', 'invalid length: expected length 32 for simple format, found 0'],
      ['x', 'invalid character: found `x` at 1'],
      ['null', 'invalid character: found `n` at 1'],
      [`{${UUID}}`, 'invalid character: found `{` at 1'],
      [`urn:uuid:${UUID}`, 'invalid character: found `u` at 1'],
      [` ${UUID}`, 'invalid character: found ` ` at 1'],
      [`${UUID}\n`, 'invalid character: found `\n` at 37'],
      [UUID.replaceAll('-', ''), 'invalid group count: expected 5, found 1'],
      [UUID.slice(0, -1), 'invalid group length in group 4: expected 12, found 11'],
      [`${UUID}0`, 'invalid group length in group 4: expected 12, found 13'],
      [UUID.replace('-', ''), 'invalid group count: expected 5, found 4'],
      [UUID.replace('f', 'g'), 'invalid character: found `g` at 36'],
    ] as const
  ).flatMap(([value, error]) => wrong(['session_id'], uuidWords(error), value)),
  ...wrong(['user_input'], DICTIONARY, 5, 'text', '', true, false, 0),
  ...wrong(['user_input', 'query'], STRING, null, 5, true, [], {}, ['q']),
  ...wrong(['user_input', 'query'], BLANK, '', ' ', '\t\n\r', '\u00a0\u2003'),
  ...wrong(['user_input', 1, 'query'], STRING, null, 5),
  ...wrong(['user_input', 2, 'query'], BLANK, '', ' '),
  ...wrong(['user_input', 1], DICTIONARY, null, 'text', 5, true, [], [QUERY]),
  ...wrong(['metadata'], DICTIONARY, 5, 'text', true, [], [{}]),
  ...wrong(['search'], MODEL, 5, 'text', true, [], [{}]),
];

const ofSearch: WrongValue[] = [
  ...wrong(['search', 'num_result'], EXTRA, 5, null),
  ...wrong(['search', 'preprocessor_names'], EXTRA, ['exa']),
  ...wrong(['search', 'Tier'], EXTRA, 'max'),
  ...wrong(['search', 'constructor'], EXTRA, {}),
  ...wrong(['search', 'providers', 'includes'], EXTRA, ['exa']),
  ...wrong(['search', 'providers', 'exa'], EXTRA, true),
  ...wrong(['search', 'auto_routing'], literalWords("'accuracy'"), 'off', 'Accuracy', '', true, []),
  ...wrong(['search', 'tier'], TIERS, 'Max', ' max', '', 'none', 5, true, [], {}, ['max']),
  ...wrong(['search', 'fields'], LIST, 'url', 5, true, {}),
  ...wrong(['search', 'fields'], tooShort(0), []),
  ...wrong(['search', 'fields', 0], FIELDS, 'nope', 'URL', 'schema_version', 5, null, ['url']),
  ...wrong(['search', 'fields', 2], FIELDS, '', {}),
  ...wrong(['search', 'providers'], MODEL, 'exa', 5, true, [], ['exa']),
  ...['include', 'exclude'].flatMap((name) => [
    ...wrong(['search', 'providers', name], LIST, 'exa', 5, true, {}),
    ...wrong(['search', 'providers', name, 1], STRING, null, 5, true, ['exa'], {}),
  ]),
  ...wrong(['search', 'provider_overrides'], DICTIONARY, 'exa', 5, true, [], [{}]),
  ...wrong(['search', 'provider_overrides', 'exa'], DICTIONARY, null, 'x', 5, true, []),
  ...wrong(['search', 'num_results'], INTEGER, '5', '', true, false, [], {}, [5]),
  ...wrong(['search', 'num_results'], FRACTION, 5.5, 0.5, 20.1, 1e-7),
  ...wrong(['search', 'num_results'], atLeast(1), 0, -1, -1e300),
  ...wrong(['search', 'num_results'], atMost(20), 21, 1e20, 2 ** 53),
  ...['include_raw', 'include_full_content'].flatMap((name) =>
    wrong(['search', name], BOOLEAN, 'true', '', 0, 1, [], {}),
  ),
];

const ofInteraction: WrongValue[] = [
  ...wrong(['user_id'], STRING, 5, true, [], {}),
  ...wrong(['user_id'], atMost256(), 'x'.repeat(257), '😀'.repeat(257)),
  ...['preprocessor_names', 'postprocessor_names'].flatMap((name) => [
    ...wrong([name], LIST, 'exa', 5, true, {}),
    ...wrong([name, 1], STRING, null, 5, ['exa'], {}),
  ]),
];

function atMost256(): Words {
  return {
    type: 'string_too_long',
    msg: 'String should have at most 256 characters',
    ctx: { max_length: 256 },
  };
}

const expectWrong = (path: string, [loc, value, words]: WrongValue) =>
  server.expectRefusal(path, withValue(loc, value), 422, [
    { loc: ['body', ...loc], input: value, ...words },
  ]);

describe.each(both)('2.1 and 2.2: strict types on %s', (path) => {
  test.each(ofRequest)('2.1 %j: %j is refused', (...value) => expectWrong(path, value));

  test.each(ofSearch)('2.2 %j: %j is refused', (...value) => expectWrong(path, value));

  test.each(inUserInput)('2.1 %j is refused', (body, loc, input, words) =>
    server.expectRefusal(path, body, 422, [{ loc: ['body', ...loc], input, ...words }]),
  );

  test('2.1 search: every unknown key is reported, and the wrong values next to it', () =>
    server.expectRefusal(
      path,
      {
        session_id: 5,
        user_input: [{}, QUERY, 'x'],
        metadata: [],
        search: { a: 1, tier: 'x', providers: { b: 2, include: 'exa' }, num_results: 0 },
      },
      422,
      [
        { loc: ['body', 'session_id'], input: 5, ...UUID_TYPE },
        { loc: ['body', 'user_input', 0, 'query'], input: {}, ...MISSING },
        { loc: ['body', 'user_input', 2], input: 'x', ...DICTIONARY },
        { loc: ['body', 'metadata'], input: [], ...DICTIONARY },
        { loc: ['body', 'search', 'tier'], input: 'x', ...TIERS },
        { loc: ['body', 'search', 'providers', 'include'], input: 'exa', ...LIST },
        { loc: ['body', 'search', 'providers', 'b'], input: 2, ...EXTRA },
        { loc: ['body', 'search', 'num_results'], input: 0, ...atLeast(1) },
        { loc: ['body', 'search', 'a'], input: 1, ...EXTRA },
      ],
    ));

  test.each([[['search']], [['search', 'providers']]])(
    '2.1 __proto__ is an unknown key inside %j',
    async (place) => {
      const inner = place.reduceRight((below, key) => `{"${key}":${below}}`, '{"__proto__":[1]}');
      const rawBody = `{"user_input":{"query":"q"},${inner.slice(1)}`;
      const answer = await server.refused('POST', path, { rawBody });
      expect(answer.status).toBe(422);
      expect(answer.json).toEqual({
        detail: [{ loc: ['body', ...place, '__proto__'], input: [1], ...EXTRA }],
      });
    },
  );
});

describe('2.1 rules of one route only', () => {
  test.each(ofInteraction)('2.1 %j: %j is refused on /v1/interactions', (...value) =>
    expectWrong('/v1/interactions', value),
  );

  test.each([{}, { metadata: { a: 1 } }, { queri: 'q' }, { user_input: null }])(
    '2.1 user_input: %j has no query, which /v1/search refuses',
    (body) =>
      server.expectRefusal('/v1/search', body, 422, [
        { loc: ['body', 'user_input'], input: body, ...MISSING },
      ]),
  );
});
