import { expect, it } from 'vitest';
import type { RecorderTask } from '../src/recorder/recorder-protocol.ts';
import { createRecorderThread } from '../src/recorder/recorder-thread.ts';

/** A thread that settles one write per turn, and reports the most characters it held. */
const PROGRAM = `
  import { parentPort } from 'node:worker_threads';
  const held = [];
  let characters = 0;
  let most = 0;
  const settle = () => {
    const next = held.shift();
    characters -= next.characters;
    parentPort.postMessage([{ ticket: next.ticket, status: 'failed', message: String(most) }]);
    if (held.length > 0) setTimeout(settle, 1);
  };
  parentPort.on('message', (message) => {
    if (message === 'close') return parentPort.close();
    const wasIdle = held.length === 0;
    for (const task of message) {
      held.push(task);
      characters += task.characters;
    }
    most = Math.max(most, characters);
    if (wasIdle) setTimeout(settle, 1);
  });
`;

const openThread = () =>
  createRecorderThread({
    workerUrl: new URL(`data:text/javascript,${encodeURIComponent(PROGRAM)}`),
    location: { databaseUrl: undefined, dataDir: '/nowhere' },
    onWorkerError: (error) => {
      throw error;
    },
  });

it('posts writes to its thread in order, and only as many as it will commit soon', async () => {
  const thread = openThread();
  const order: number[] = [];
  const operation: RecorderTask = { kind: 'probe' };
  const sizes = Array.from({ length: 40 }, (_, index) => (index === 20 ? 30_000_000 : 4_000_000));
  const outcomes = await Promise.all(
    sizes.map(async (size, index) => {
      const outcome = await thread.send(operation, size);
      order.push(index);
      return outcome;
    }),
  );
  await thread.close();
  expect(order).toEqual(sizes.map((_, index) => index));
  const held = outcomes.map((outcome) =>
    outcome.status === 'failed' ? Number(outcome.message) : 0,
  );
  expect(Math.max(...held.slice(0, 20))).toBe(8_000_000);
  expect(Math.max(...held)).toBe(30_000_000);
});

it('lacks room while much waits for its commit, and wakes callers that wait for room', async () => {
  const thread = openThread();
  expect(thread.hasRoom()).toBe(true);
  await thread.whenRoom();
  const events: string[] = [];
  const writes = [1, 2, 3, 4].map(async (name) => {
    await thread.send({ kind: 'probe' }, 10_000_000);
    events.push(`write ${name}`);
  });
  expect(thread.hasRoom()).toBe(false);
  await thread.whenRoom().then(() => events.push('room'));
  expect(thread.hasRoom()).toBe(true);
  await Promise.all(writes);
  await thread.close();
  expect(events.indexOf('room')).toBeLessThan(events.indexOf('write 4'));
});
