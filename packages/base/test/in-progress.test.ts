import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { createInProgress } from '../src/index.ts';

describe('what is in progress', () => {
  test('is found by its name until it is deleted', () => {
    const pages = createInProgress<string, number>();
    pages.set('first', 1);
    pages.set('second', 2);
    pages.set('first', 3);
    expect(pages.size).toBe(2);
    expect(pages.get('first')).toBe(3);
    expect(pages.values()).toEqual([3, 2]);
    pages.delete('first');
    pages.delete('first');
    pages.delete('unknown');
    expect(pages.get('first')).toBeUndefined();
    expect(pages.size).toBe(1);
    expect(pages.values()).toEqual([2]);
  });

  test('is garbage soon after it is deleted, also when a full collection made its table old', () => {
    const VALUES = 20_000;
    const LIVE = 32;
    const pages = createInProgress<number, number[]>();
    const put = (at: number): void => {
      pages.set(
        at,
        Array.from({ length: 200 }, () => at),
      );
      pages.delete(at - LIVE);
    };
    for (let at = 0; at < LIVE; at += 1) put(at);
    collectAll();
    const before = oldBytes();
    for (let at = LIVE; at < VALUES; at += 1) put(at);
    // a Map keeps 28 MB of these 34 MB
    expect(oldBytes() - before).toBeLessThan(2_000_000);
    expect(pages.size).toBe(LIVE);
  });
});

function collectAll(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

function oldBytes(): number {
  const old = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space');
  return old?.space_used_size ?? 0;
}
