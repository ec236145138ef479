import { describe, expect, test } from 'vitest';
import { systemClock } from '../src/index.ts';

describe('ids', () => {
  const before = Date.now();
  const ids = Array.from({ length: 5_000 }, systemClock.newId);
  const after = Date.now();

  test('are uuids of version 7', () => {
    const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(ids.filter((id) => !form.test(id))).toEqual([]);
  });

  test('differ, and sort in their order', () => {
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
  });

  test('begin with the time in which they were made', () => {
    const times = ids.map((id) => Number.parseInt(id.slice(0, 13).replace('-', ''), 16));
    expect(Math.min(...times)).toBeGreaterThanOrEqual(before);
    expect(Math.max(...times)).toBeLessThanOrEqual(after);
  });

  test('end in random digits', () => {
    for (let digit = 26; digit < 36; digit += 1) {
      const found = ids.map((id) => id.charAt(digit));
      expect(new Set(found).size).toBe(16);
    }
  });
});
