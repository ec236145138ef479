import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOutageLog } from '../../../base/src/faults/outage-log.ts';
import type { InteractionRecord } from '../../../router/src/interaction/records.ts';
import { collectingLog } from '../../../server/test/http/app.ts';
import { createInteractionStore } from '../../src/recording/interaction-store.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const RECORD = { ledger: [], runs: [], titles: [], metadata: '{}', userInput: null } as never;

/** Interactions on a recorder that commits the records one after the other, each after a second. */
function slowStore(secondsToCommit: number) {
  let done = Promise.resolve();
  const record = (_record: InteractionRecord) => {
    done = done.then(
      () => new Promise<void>((resolve) => setTimeout(resolve, secondsToCommit * 1_000)),
    );
    return done;
  };
  const { log, lines } = collectingLog();
  const now = () => Date.now();
  const store = createInteractionStore({
    store: {
      recorder: { record } as never,
      ping: async () => undefined,
      trial: () => new Promise(() => undefined),
    },
    now,
    log,
    outages: createOutageLog({ log, now }),
  });
  return { store, lines };
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
