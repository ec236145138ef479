import { createOutageLog } from '@trawl/base';
import { collectingLog } from '@trawl/test-support/collecting-log';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Trial } from '../../src/recorder/recorder-protocol.ts';
import { createStoreGate } from '../../src/recording/gate.ts';

const full = () => Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' });
const damaged = () => Object.assign(new Error('malformed'), { code: 'SQLITE_CORRUPT' });

it.each([full, damaged])(
  'tries a store again by itself when a write fails just after a trial succeeded (%s)',
  async (fault) => {
    const { log } = collectingLog();
    let trials = 0;
    let endFirst = () => {};
    let secondBegan = () => {};
    const second = new Promise<void>((resolve) => {
      secondBegan = resolve;
    });
    const gate = createStoreGate({
      trial: async () => {
        trials += 1;
        if (trials === 2) secondBegan();
        if (trials > 1) return;
        await new Promise<void>((resolve) => {
          endFirst = resolve;
        });
      },
      ping: async () => {},
      now: Date.now,
      log: { info: () => queueMicrotask(() => trials === 1 && gate.close(fault())) },
      outages: createOutageLog({ log, now: Date.now }),
    });
    gate.close(full());
    await expect.poll(() => trials).toBe(1);
    // it waits for the trial after the running one
    const passing = gate.pass();
    endFirst();
    await second;
    await passing;
    expect(await gate.pass()).toBeNull();
    gate.stop();
  },
);

it('stays closed after a file became damaged until trials that read the whole file succeed', async () => {
  // the pause between two such trials is half a minute
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { log } = collectingLog();
  const trials: Trial[] = [];
  let isDamaged = true;
  const gate = createStoreGate({
    // small writes work on such a file: only a trial that reads all of it finds the damage
    trial: async (trial) => {
      trials.push(trial);
      if (isDamaged && trial.integrity === 'whole') throw damaged();
    },
    ping: async () => {},
    now: () => performance.now(),
    log,
    outages: createOutageLog({ log, now: Date.now }),
  });
  await gate.start();
  expect(await gate.pass()).toBeNull();
  gate.close(damaged());
  for (const count of [2, 3]) {
    await expect.poll(() => trials.length).toBe(count);
    expect(await gate.pass()).toContain('damaged');
    await vi.advanceTimersByTimeAsync(30_000);
  }
  isDamaged = false;
  await vi.advanceTimersByTimeAsync(30_000);
  await expect.poll(() => gate.pass()).toBeNull();
  expect(new Set(trials.slice(1).map(({ integrity }) => integrity))).toEqual(new Set(['whole']));
  gate.stop();
});
