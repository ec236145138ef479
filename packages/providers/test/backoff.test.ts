import { expect, test } from 'vitest';
import { SEARCH_PROVIDERS } from '../src/index.ts';

const asking = [...SEARCH_PROVIDERS].filter(({ readBackoff }) => readBackoff !== undefined);

test.each(asking)(
  '$slug is left alone for the seconds that its answer names',
  ({ readBackoff }) => {
    const waitMs = (backoff: unknown) => readBackoff?.({ backoff } as never);
    expect(waitMs(10)).toBe(10_000);
    expect(waitMs(0.5)).toBe(500);
    for (const nothing of [undefined, null, 0, -1, 'soon']) expect(waitMs(nothing)).toBeNull();
  },
);

test('one of them at least is asked for it', () => {
  expect(asking.map(({ slug }) => slug)).toEqual(['stackexchange']);
});
