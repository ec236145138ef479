import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { growthOf } from '@trawl/test-support/cpu-growth';
import { describe, expect, test } from 'vitest';
import { type BodyPart, createPartQueue } from '../src/text/part-queue.ts';

function taken(parts: readonly BodyPart[]): string {
  const queue = createPartQueue();
  for (const part of parts) queue.push(part);
  const pieces: Uint8Array[] = [];
  for (let piece = queue.next(); piece; piece = queue.next()) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Each is a JSON of its own, and as long as those of a session's history. */
const partsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `{"part":${at},"text":"${'x'.repeat(40)}"},`);

describe('the parts of a body', () => {
  test('come out whole and in order, however many they are', () => {
    const parts = partsOf(100_000);
    expect(taken(parts)).toBe(parts.join(''));
  });

  test('take CPU time in proportion to their number', async () => {
    const { fault } = await growthOf({
      given: partsOf,
      work: (parts) => {
        const queue = createPartQueue();
        for (const part of parts) queue.push(part);
        while (queue.next());
      },
      most: 400_000,
    });
    expect(fault).toBeUndefined();
  });

  test('count as held until they were taken, when others come in between too', () => {
    const queue = createPartQueue();
    const part = 'x'.repeat(16 * 1024);
    for (let round = 0; round < 1_000; round += 1) {
      queue.push(part);
      queue.push(part);
      expect(queue.next()?.length).toBe(2 * part.length);
      expect([queue.heldBytes(), queue.waitingBytes(), queue.isEmpty()]).toEqual([0, 0, true]);
    }
    queue.push(part);
    expect([queue.heldBytes(), queue.waitingBytes()]).toEqual([part.length, part.length]);
    queue.clear();
    expect([queue.heldBytes(), queue.isEmpty(), queue.next()]).toEqual([0, true, undefined]);
  });

  test('leave memory when they were taken, though later ones still wait', async () => {
    const queue = createPartQueue();
    const parts = Array.from({ length: 64 }, () => {
      const part = new Uint8Array(100_000);
      queue.push(part);
      return new WeakRef(part);
    });
    while (queue.waitingBytes() > 400_000) queue.next();
    expect(queue.heldBytes()).toBeLessThan(600_000);
    // a reference that was made in a turn keeps its part until that turn ends
    await nextTurn();
    collectAll();
    expect(parts.filter((part) => part.deref()).length).toBeLessThan(10);
  });

  test('begin at their start when others were thrown away in the middle', () => {
    const queue = createPartQueue();
    queue.push('x'.repeat(100_000));
    queue.next();
    queue.clear();
    queue.push('all of it');
    expect(String(queue.next())).toBe('all of it');
  });
});

function collectAll(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
