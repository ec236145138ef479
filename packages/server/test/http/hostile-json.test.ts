import { ROUTES, TypedError, ValidationError } from '@trawl/contract';
import { byForm } from '@trawl/test-support/form';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ADMIN_KEY, type Answer, post, testApp } from './app.ts';

const { app } = testApp();
const search = (body: unknown) => post(app, '/v1/search', body);

const jsonInvalid = (loc: (string | number)[], error: string) => ({
  detail: [{ type: 'json_invalid', loc, msg: 'JSON decode error', input: {}, ctx: { error } }],
});
const FORM = 'write {"user_input": {"query": …}}';
const missing = {
  detail: [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null, hint: FORM }],
};

describe('a body that is not JSON', () => {
  it.each<[string, number, string]>([
    ['{"a" 1}', 5, "Expecting ':' delimiter"],
    ['{"a":1 "b":2}', 7, "Expecting ',' delimiter"],
    ['{"a":1,}', 7, 'Expecting property name enclosed in double quotes'],
    ['{1:2}', 1, 'Expecting property name enclosed in double quotes'],
    ['[1 2]', 3, "Expecting ',' delimiter"],
    ['[1,]', 3, 'Expecting value'],
    ['{"a":', 5, 'Expecting value'],
    ['{"a":tru}', 5, 'Expecting value'],
    ['NaN', 0, 'Expecting value'],
    ['-', 0, 'Expecting value'],
    ['[1', 2, "Expecting ',' delimiter"],
    ['{"a":1', 6, "Expecting ',' delimiter"],
    ['{} {}', 3, 'Extra data'],
    ['{', 1, 'Expecting property name enclosed in double quotes'],
    ["{'a':1}", 1, 'Expecting property name enclosed in double quotes'],
    ['{a:1}', 1, 'Expecting property name enclosed in double quotes'],
    ['{"a":1;}', 6, "Expecting ',' delimiter"],
    ['{"a"=1}', 4, "Expecting ':' delimiter"],
    ['""x', 2, 'Extra data'],
    ['[', 1, 'Expecting value'],
    ['["a\nb"]', 3, 'Invalid control character at'],
    ['"a\\', 0, 'Unterminated string starting at'],
    ['[1.]', 2, "Expecting ',' delimiter"],
    ['1e+', 1, 'Extra data'],
    ['01', 1, 'Extra data'],
    ['{"a', 1, 'Unterminated string starting at'],
    ['["\\x"]', 2, 'Invalid \\escape'],
    ['["\\u12"]', 3, 'Invalid \\uXXXX escape'],
    ['   ', 3, 'Expecting value'],
    ['//c\n{}', 0, 'Expecting value'],
    ['\u00a0{}', 0, 'Expecting value'],
    ['{"é😀":x}', 6, 'Expecting value'],
    ['[,', 1, 'Expecting value'],
  ])('%j is json_invalid at %i', async (text, offset, error) => {
    const answer = await search(text);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual(jsonInvalid(['body', offset], error));
  });

  it('an unterminated string that hides deep nesting stays cheap', async () => {
    const answer = await search(`["\n${'['.repeat(1_000_000)}`);
    expect(answer.body).toEqual(jsonInvalid(['body', 2], 'Invalid control character at'));
  });

  it.each<[string, Uint8Array, string]>([
    ['a byte order mark', Buffer.from('\ufeff{}'), 'A byte order mark is not allowed'],
    ['a stray byte', Buffer.from([0x7b, 0xff, 0x7d]), 'Invalid UTF-8'],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'Invalid UTF-8'],
    ['an overlong form', Buffer.from([0x22, 0xc0, 0x80, 0x22]), 'Invalid UTF-8'],
    ['a character cut off', Buffer.from([0x22, 0xe2, 0x82]), 'Invalid UTF-8'],
    ['UTF-16', Buffer.from('{}', 'utf16le'), 'Expecting property name enclosed in double quotes'],
  ])('%s is json_invalid', async (name, bytes, error) => {
    const loc = name === 'UTF-16' ? ['body', 1] : ['body'];
    expect((await search(bytes)).body).toEqual(jsonInvalid(loc, error));
  });
});

describe('the top of a body', () => {
  it('empty or null is missing', async () => {
    expect((await search('')).body).toEqual(missing);
    expect((await search('null')).body).toEqual(missing);
    expect((await search(' null\n')).body).toEqual(missing);
  });

  it.each([[[]], [[{}]], [5], ['text'], [true], [false], [0]])(
    '%j is model_attributes_type',
    async (value) => {
      expect((await search(JSON.stringify(value))).body).toEqual({
        detail: [
          {
            type: 'model_attributes_type',
            loc: ['body'],
            msg: 'Input should be a valid dictionary or object to extract fields from',
            input: value,
            hint: FORM,
          },
        ],
      });
    },
  );
});

describe('nesting', () => {
  const nested = (levels: number) =>
    `{"user_input":{"query":"q"},"metadata":${'{"a":'.repeat(levels - 2)}[]${'}'.repeat(levels - 2)}}`;

  it('of 64 levels is accepted', async () => {
    expect((await search(nested(64))).status).toBe(200);
  });

  it('of more levels is json_invalid, at any depth', async () => {
    const refused = jsonInvalid(['body'], 'Nesting deeper than 64 levels');
    expect((await search(nested(65))).body).toEqual(refused);
    expect((await search('['.repeat(1_000_000))).body).toEqual(refused);
    expect((await search('{"a":'.repeat(200_000))).body).toEqual(refused);
  });

  it('is not counted inside strings', async () => {
    const text = `\\"${'[{'.repeat(100)}\\\\`;
    const answer = await search(`{"user_input":{"query":"${text}"}}`);
    expect(answer.status).toBe(200);
    expect(answer.body.input.body.user_input.query).toBe(`"${'[{'.repeat(100)}\\`);
  });
});

describe('texts', () => {
  it('with U+0000 or half a surrogate pair become U+FFFD, in values and keys, at any depth', async () => {
    const answer = await search(
      '{"user_input":{"query":"a\\u0000b\\ud800","k\\udc00":[["\\u0000"]]},"metadata":{"ok":"\\ud83d\\ude00"}}',
    );
    expect(answer.body.input.body).toEqual({
      user_input: { query: 'a\ufffdb\ufffd', 'k\ufffd': [['\ufffd']] },
      metadata: { ok: '😀' },
    });
  });

  it('are shown in a 422 as they were read', async () => {
    const answer = await search('{"user_input":{"query":"q"},"search":{"\\u0000":"\\ud800"}}');
    expect(answer.body.detail).toMatchObject([
      { loc: ['body', 'search', '\ufffd'], input: '\ufffd' },
    ]);
  });
});

describe('keys', () => {
  it('repeated: the last one counts', async () => {
    const answer = await search('{"user_input":5,"user_input":{"query":"a","query":"b"}}');
    expect(answer.body.input.body).toEqual({ user_input: { query: 'b' } });
  });

  it('named __proto__ or constructor stay keys', async () => {
    const free = '{"query":"q\\u0000","__proto__":{"x":["\\u0000"]},"constructor":1}';
    const answer = await search(
      `{"user_input":${free},"metadata":${free},"__proto__":{"search":5}}`,
    );
    const kept = '{"query":"q\ufffd","__proto__":{"x":["\ufffd"]},"constructor":1}';
    expect(answer.text).toContain(`"user_input":${kept},"metadata":${kept}}`);
  });

  it('named __proto__ add no inherited fields', async () => {
    const answer = await search('{"__proto__":{"user_input":{"query":"q"}}}');
    expect(answer.body.detail).toMatchObject([{ type: 'missing', loc: ['body', 'user_input'] }]);
  });
});

describe('a megabyte of faults', () => {
  const count = 150_000;
  const digits = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
  /** As many different keys as fit into a megabyte: more than a call can have arguments. */
  const keys = digits
    .flatMap((a) => digits.flatMap((b) => digits.map((c) => `"${a}${b}${c}":1`)))
    .slice(0, 130_000)
    .join();
  const many: Record<string, string> = {
    'wrong field names': `{"user_input":{"query":"q"},"search":{"fields":[${'1,'.repeat(count)}1]}}`,
    'wrong provider names': `{"user_input":{"query":"q"},"search":{"providers":{"include":[${'1,'.repeat(count)}1]}}}`,
    'wrong queries': `{"user_input":[${'1,'.repeat(count)}1]}`,
    'unknown keys': `{"user_input":{"query":"q"},"search":{${keys}}}`,
    'wrong overrides': `{"user_input":{"query":"q"},"search":{"provider_overrides":{${keys}}}}`,
  };

  it.each(Object.entries(many))('%s: at most 101 entries and 256 KB', async (_name, text) => {
    const answer = await search(text);
    expect(answer.status).toBe(422);
    expect([1, 101]).toContain(answer.body.detail.length);
    expect(answer.text.length).toBeLessThan(262_144);
  });

  it('says that there are more', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 102 }, (_, index) => [`k${index}`, 1]));
    const { body } = await search({ user_input: { query: 'q' }, search: unknown });
    expect(body.detail).toHaveLength(101);
    expect(body.detail[100]).toEqual({
      type: 'value_error',
      loc: ['body'],
      msg: 'Value error, further faults are not listed',
      input: null,
      ctx: { error: 'further faults are not listed' },
    });
  });

  it('is not returned in full: a long input is cut', async () => {
    const text = 'x'.repeat(2_046);
    const whole = await search({ user_input: { query: 'q' }, search: { tier: text } });
    expect(whole.body.detail[0].input).toBe(text);
    const cut = await search({ user_input: { query: 'q' }, search: { tier: `${text}x` } });
    expect(cut.body.detail[0].input).toBe(`${'x'.repeat(1_024)}… (cut, 2047 characters in all)`);
    const parent = await search({ metadata: { a: 'é'.repeat(100_000) } });
    expect(parent.body.detail[0].input).toBe(
      `{"metadata":{"a":"${'é'.repeat(1_006)}… (cut, 100021 characters in all)`,
    );
    const key = await search({ user_input: { query: 'q' }, search: { ['😀'.repeat(5_000)]: 1 } });
    expect(key.body.detail[0].loc[2]).toBe(`${'😀'.repeat(128)}…`);
  });
});

/** An answer that any client can read, and never an internal error. */
function expectPlainAnswer(answer: Answer, style: 'detail' | 'typed'): void {
  expect([200, 422]).toContain(answer.status);
  if (answer.status === 200) return;
  if (style === 'typed') TypedError.parse(answer.body);
  else ValidationError.parse(answer.body);
}

describe('fuzz: every body gives 200 or a well-formed 422', () => {
  const routes = Object.values(ROUTES).flatMap((route) => {
    const own = route.permission === 'admin' ? { authorization: `Bearer ${ADMIN_KEY}` } : {};
    return 'body' in route && route.method === 'POST'
      ? [[route.path, route.errors, own] as const]
      : [];
  });
  const names = fc.constantFrom(
    ...['session_id', 'user_input', 'query', 'search', 'metadata', 'urls', 'options', 'tier'],
    ...['fields', 'providers', 'include', 'provider_overrides', 'num_results', 'user_id'],
    ...['auto_routing', 'include_raw', 'preprocessor_names', '__proto__', 'constructor', ''],
  );
  /** JSON with our own names in any place. */
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('exa', 'max', 'url', '\ud800', '\u0000', 'accuracy'),
        fc.double(),
        fc.integer(),
        fc.constantFrom(null, true, false, 5, 21),
      ),
      fc.array(tie('value'), { maxLength: 4 }),
      fc
        .array(fc.tuple(fc.oneof(names, fc.string({ unit: 'binary' })), tie('value')), {
          maxLength: 6,
        })
        .map(Object.fromEntries),
    ),
  }));
  const limit = { interruptAfterTimeLimit: 1_500, numRuns: byForm({ small: 150, full: 3_000 }) };

  it.each(routes)('%s: JSON of any form', { timeout: 60_000 }, async (path, style, own) => {
    const property = fc.asyncProperty(value, async (body) => {
      expectPlainAnswer(await post(app, path, JSON.stringify(body), own), style);
    });
    await fc.assert(property, limit);
  });

  it.each(routes)('%s: JSON with bytes changed', { timeout: 60_000 }, async (path, style, own) => {
    const edit = fc.tuple(fc.nat(400), fc.uint8Array({ maxLength: 4 }));
    const property = fc.asyncProperty(
      value,
      fc.array(edit, { maxLength: 3 }),
      async (body, edits) => {
        let bytes = Buffer.from(JSON.stringify(body));
        for (const [at, patch] of edits) {
          bytes = Buffer.concat([bytes.subarray(0, at), patch, bytes.subarray(at + 1)]);
        }
        expectPlainAnswer(await post(app, path, bytes, own), style);
      },
    );
    await fc.assert(property, limit);
  });
});
