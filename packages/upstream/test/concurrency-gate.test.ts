import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createConcurrencyGate } from '@trawl/base';
import { expect, test } from 'vitest';

const KEYS = 100_000;

/** Bytes of the heap that are in use. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

test('a lane for each API key keeps no memory once the key has no calls in progress', () => {
  const gate = createConcurrencyGate();
  const before = heapBytes();
  for (let at = 0; at < KEYS; at += 1) {
    const lane = `key-${at}`;
    expect(gate.enter({ lane, slots: 1, callerId: lane })).toBe(true);
    gate.leave(lane);
  }
  const bytesForEach = (heapBytes() - before) / KEYS;
  expect(gate.enter({ lane: 'key-0', slots: 1, callerId: 'key-0' })).toBe(true);
  expect(gate.enter({ lane: 'key-0', slots: 1, callerId: 'key-0' })).toBe(false);
  // a lane takes a few hundred
  expect(bytesForEach).toBeLessThan(20);
});
