import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createConcurrencyGate, startDeadline } from '@trawl/base';
import { expect, onTestFinished, test } from 'vitest';

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

test('projects take turns for slots, however many keys each has, and so do the keys of one', async () => {
  const gate = createConcurrencyGate();
  const slot = (callerId: string) => ({ lane: 'exa', slots: 1, callerId });
  expect(gate.enter(slot('busy/0'))).toBe(true);
  const admitted: string[] = [];
  const wait = (callerId: string) => {
    const deadline = startDeadline({ timeoutMs: 60_000 });
    onTestFinished(() => deadline.release());
    return gate.wait(slot(callerId), deadline).then(() => admitted.push(callerId));
  };
  // ten keys of one project, two calls each, and the only key of another
  const busy = Array.from({ length: 20 }, (_, call) => wait(`busy/${call % 10}`));
  expect(gate.ahead(slot('other/1'))).toBe(2);
  expect(gate.ahead(slot('busy/new'))).toBe(11);
  const other = [wait('other/1'), wait('other/1')];
  expect(gate.load('exa')).toEqual({ active: 1, waiting: 22 });
  for (let call = 0; call < 22; call += 1) gate.leave('exa');
  await Promise.all([...busy, ...other]);
  expect(admitted.slice(0, 6)).toEqual([
    'busy/0',
    'other/1',
    'busy/1',
    'other/1',
    'busy/2',
    'busy/3',
  ]);
  expect(admitted.slice(2 + 10).filter((id) => id === 'busy/0')).toHaveLength(1);
  expect(gate.load('exa')).toEqual({ active: 1, waiting: 0 });
});
