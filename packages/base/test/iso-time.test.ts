import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoTime } from '../src/index.ts';

test('times are written as Date writes them, in any order', () => {
  const aroundOneSecond = fc.integer({ min: -3_000, max: 3_000 });
  const anyTime = fc.integer({ min: 0, max: 8_640_000_000_000_000 });
  fc.assert(
    fc.property(fc.array(fc.oneof(aroundOneSecond, anyTime), { minLength: 1 }), (times) => {
      for (const time of times) expect(isoTime(time)).toBe(new Date(time).toISOString());
    }),
  );
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, 8_640_000_000_001_000])(
  '%d is not a valid time',
  (time) => {
    expect(() => isoTime(time)).toThrow(RangeError);
  },
);
