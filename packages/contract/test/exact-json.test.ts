import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson, writeJson } from '../src/index.ts';

const back = (text: string) => writeJson(parseJson(text));

describe('whole numbers beyond 2^53', () => {
  test.each([
    '{"id":12345678901234567890}',
    '[9007199254740993,-9007199254740993]',
    '{"a":[{"b": 18446744073709551615}]}',
    '{"__proto__":12345678901234567890,"b":1}',
    '{"a":12345678901234567890,"a":"12345678901234567890"}',
    `{"a":"\\",12345678901234567890","b":${'9'.repeat(400)}}`,
  ])('keep their digits: %s', (text) => {
    const plain = text.replaceAll(' ', '').replace('"a":12345678901234567890,"a"', '"a"');
    expect(back(text)).toBe(plain);
  });

  test('are of type bigint; all others stay numbers', () => {
    expect(parseJson('{"a":9007199254740992,"b":9007199254740991,"c":1.5e3,"d":1e400}')).toEqual({
      a: 9007199254740992n,
      b: 9007199254740991,
      c: 1500,
      d: Number.POSITIVE_INFINITY,
    });
    // as JSON.parse: these are not written as whole numbers
    expect(parseJson('[1,12345678901234567890.5]')).toEqual([1, 12345678901234567000]);
    expect(parseJson('[1,12345678901234567890e0]')).toEqual([1, 12345678901234567000]);
  });

  test.each([
    '[1,00123456789012345678]',
    '{"a":-}',
    '[12345678901234567890',
    '[,12345678901234567890]',
    '["12345678901234567890, 12345678901234567890]',
  ])('a text that is not JSON is refused: %s', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  test('are left to a replacer and written within any value', () => {
    const doubled = (_key: string, value: unknown) =>
      typeof value === 'number' ? value * 2 : value;
    expect(writeJson({ a: 1, b: 12345678901234567890n }, doubled)).toBe(
      '{"a":2,"b":12345678901234567890}',
    );
  });

  test('what JSON cannot write is refused as before', () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect(() => writeJson(circle)).toThrow();
    expect(writeJson(undefined)).toBeUndefined();
  });
});

test('any JSON is read as JSON.parse reads it, up to these numbers', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.parse(writeJson(parseJson(text)))).toEqual(JSON.parse(text));
    }),
  );
});

test('texts that look like long numbers are read in linear time', () => {
  const text = `[${'"1234567890123456\\\\", 1234567890123456789,'.repeat(50_000)}0]`;
  const startedAt = performance.now();
  expect(back(text)).toBe(text.replaceAll(' ', ''));
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
