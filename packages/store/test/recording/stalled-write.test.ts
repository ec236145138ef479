import { createOutageLog } from '@trawl/base';
import type { InteractionRecord } from '@trawl/router';
import { collectingLog } from '@trawl/test-support/collecting-log';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RefusedWriteError } from '../../src/recorder/recorder.ts';
import { OverloadedError } from '../../src/recorder/recorder-thread.ts';
import { createInteractionStore } from '../../src/recording/interaction-store.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const RECORD = { ledger: [], runs: [], titles: [], metadata: '{}', userInput: null } as never;

/**
 * Interactions on a recorder that commits the records one after the other, each after some seconds.
 */
function slowStore(
  secondsToCommit: number,
  record = oneAfterTheOther(secondsToCommit),
  trial: () => Promise<void> = () => new Promise(() => undefined),
  recordLedger = () => new Promise<void>((resolve) => setTimeout(resolve, 4_000)),
) {
  const { log, lines } = collectingLog();
  const now = () => Date.now();
  const store = createInteractionStore({
    store: {
      recorder: { record, recordLedger } as never,
      ping: async () => undefined,
      trial,
    },
    now,
    log,
    outages: createOutageLog({ log, now }),
  });
  return { store, lines };
}

function oneAfterTheOther(secondsToCommit: number) {
  let done = Promise.resolve();
  return (_record: InteractionRecord) => {
    done = done.then(
      () => new Promise<void>((resolve) => setTimeout(resolve, secondsToCommit * 1_000)),
    );
    return done;
  };
}

test('records that wait behind others are not a failure of the store', async () => {
  const { store, lines } = slowStore(1);
  const writes = Array.from({ length: 20 }, () => store.write(RECORD, Date.now() + 60_000));
  await vi.advanceTimersByTimeAsync(21_000);
  await Promise.all(writes);
  await store.ready();
  expect(lines).toEqual([]);
});

test('no commit for several seconds is a failure', async () => {
  const { store, lines } = slowStore(50);
  const write = store.write(RECORD, Date.now() + 60_000);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(lines.map(({ cause }) => cause)).toEqual(['store no_answer']);
  await vi.advanceTimersByTimeAsync(50_000);
  await write;
});

/** A record with the text of large pages. */
const LARGE = {
  ...(RECORD as object),
  runs: [{ text: 'x'.repeat(9_000_000) }],
} as never as InteractionRecord;
const TOO_SLOW = new RefusedWriteError('canceling statement due to statement timeout', '57014');

test('a very large record may take longer, and those behind it too', async () => {
  let done = Promise.resolve();
  const { store, lines } = slowStore(0, (record) => {
    const milliseconds = record === LARGE ? 5_000 : 10;
    done = done.then(() => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)));
    return done;
  });
  const inTime = [LARGE, RECORD].map((record) => store.write(record, Date.now() + 60_000));
  const late = expect(store.write(RECORD, Date.now())).rejects.toMatchObject({ status: 503 });
  await vi.advanceTimersByTimeAsync(6_000);
  await Promise.all([...inTime, late]);
  await store.ready();
  expect(lines).toEqual([]);
});

test('a very large record that nothing is committed after is a failure', async () => {
  const { store, lines } = slowStore(50);
  const write = store.write(LARGE, Date.now() + 60_000);
  await vi.advanceTimersByTimeAsync(8_500);
  expect(lines.map(({ cause }) => cause)).toEqual(['store no_answer']);
  await vi.advanceTimersByTimeAsync(50_000);
  await write;
});

test('a store that hangs at a very large record is a failure, also when each request has less time', async () => {
  const { store, lines } = slowStore(50);
  const refused: Promise<unknown>[] = [];
  for (const record of [LARGE, ...Array.from({ length: 12 }, () => RECORD)]) {
    const write = store.write(record, Date.now() + 5_000);
    refused.push(expect(write).rejects.toMatchObject({ status: 503 }));
    await vi.advanceTimersByTimeAsync(1_000);
    if (lines.length > 0) break;
  }
  expect(lines.map(({ cause }) => cause)).toEqual(['store no_answer']);
  // the first look after 8 s, not the end of the last request
  expect(refused.length).toBeLessThanOrEqual(10);
  await vi.advanceTimersByTimeAsync(6_000);
  await Promise.all(refused);
});

test('a very large record that is refused before it is sent does not hide a store that hangs', async () => {
  const never = new Promise<void>(() => undefined);
  const { store, lines } = slowStore(0, (record) =>
    record === LARGE ? Promise.reject(new OverloadedError(5)) : never,
  );
  const refused = [expect(store.write(RECORD, Date.now() + 20_000)).rejects.toThrow()];
  for (let turn = 0; turn < 2; turn += 1) {
    await vi.advanceTimersByTimeAsync(1_700);
    refused.push(expect(store.write(LARGE, Date.now() + 20_000)).rejects.toThrow());
  }
  expect(lines.map(({ cause }) => cause)).toEqual(['store no_answer']);
  await vi.advanceTimersByTimeAsync(20_000);
  await Promise.all(refused);
});

test('a store that does not answer is a failure, however large the record is', async () => {
  const silent = new RefusedWriteError('the server did not answer', 'NO_ANSWER');
  const { store, lines } = slowStore(0, () => Promise.reject(silent));
  const refused = expect(store.write(LARGE, Date.now() + 60_000)).rejects.toMatchObject({
    status: 503,
    detail: expect.stringMatching(/^The store cannot be written/),
  });
  await vi.advanceTimersByTimeAsync(2_000);
  await refused;
  expect(lines.map(({ cause }) => cause)).toEqual(['store no_answer']);
});

test.each([
  ['a very large record, unless its calls can be booked', LARGE],
  ['a small one', RECORD],
])('a statement that takes too long is a failure for %s', async (_name, record) => {
  const refuse = () => Promise.reject(TOO_SLOW);
  const { store, lines } = slowStore(0, refuse, undefined, refuse);
  const write = store.write(record, Date.now() + 60_000);
  await expect(write).rejects.toMatchObject({ status: 503 });
  expect(lines.map(({ cause }) => cause)).toEqual(['store slow']);
});

test('a record that the recorder has no room for says nothing about the store, and its calls are booked', async () => {
  const { store, lines } = slowStore(0, () => Promise.reject(new OverloadedError(5)));
  const row = { id: 'a', keyId: 'k', projectId: 'p', createdAt: '2026-01-02', costMicros: 7 };
  const record = { ...(RECORD as object), ledger: [{ ...row, calls: 0 }] } as never;
  const unbooked = () =>
    store.unbookedMicros({ kind: 'key', id: 'k' } as never, '2026-01-01', '2026-02-01');
  const refused = expect(store.write(record, Date.now() + 60_000)).rejects.toMatchObject({
    status: 503,
  });
  await vi.advanceTimersByTimeAsync(2_000);
  await refused;
  await store.ready();
  expect(await unbooked()).toBe(7);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await unbooked()).toBe(0);
  expect(lines).toEqual([]);
});

test('a clock that is set back does not delay the next trial', async () => {
  let trials = 0;
  const full = () => Promise.reject(new Error('disk full'));
  const { store } = slowStore(0, full, async () => {
    trials += 1;
    if (trials === 1) await full();
  });
  const write = store.write(RECORD, Date.now() + 60_000);
  const refused = expect(write).rejects.toMatchObject({ status: 503 });
  await vi.waitFor(() => expect(trials).toBe(1));
  vi.setSystemTime(Date.now() - 3_600_000);
  await vi.advanceTimersByTimeAsync(10_000);
  await refused;
  await store.ready();
  await store.stop();
});
