import { createOutageLog } from '@trawl/base';
import { collectingLog } from '@trawl/test-support/collecting-log';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Trial } from '../../src/recorder/recorder-protocol.ts';
import { TRIAL_BYTES } from '../../src/recorder/trial-write.ts';
import {
  createStoreGate,
  nextState,
  OPEN,
  type StoreEvent,
  type StorePhase,
  trialDueAt,
} from '../../src/recording/gate.ts';

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
      log: { info: () => queueMicrotask(() => trials === 1 && gate.refuse(fault())) },
      outages: createOutageLog({ log, now: Date.now }),
    });
    gate.refuse(full());
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
  gate.refuse(damaged());
  await vi.advanceTimersByTimeAsync(0);
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

const EVENTS: Readonly<Record<StoreEvent['kind'], StoreEvent>> = {
  refused: { kind: 'refused', cause: full() },
  begun: { kind: 'begun' },
  passed: { kind: 'passed' },
  failed: { kind: 'failed', cause: full() },
  stopped: { kind: 'stopped' },
};
type Kinds = readonly StoreEvent['kind'][];
const after = (kinds: Kinds) =>
  kinds.reduce((state, kind, at) => nextState(state, EVENTS[kind], at), OPEN);
const TRYING: Kinds = ['refused', 'begun'];

it.each<[path: Kinds, phase: StorePhase, next: readonly StorePhase[]]>([
  [[], 'open', ['refused', 'open', 'open', 'open', 'closed']],
  [['refused'], 'refused', ['refused', 'trying', 'refused', 'refused', 'closed']],
  [TRYING, 'trying', ['doubted', 'trying', 'open', 'refused', 'closed']],
  [[...TRYING, 'refused'], 'doubted', ['doubted', 'doubted', 'refused', 'refused', 'closed']],
  [['stopped'], 'closed', ['closed', 'closed', 'closed', 'closed', 'closed']],
])('after %j is %s, and goes on with each event', (path, phase, next) => {
  const state = after(path);
  expect(state.phase).toBe(phase);
  const phases = Object.values(EVENTS).map((event) => nextState(state, event, 9).phase);
  expect(phases).toEqual(next);
});

it('has a reason while it is not open, and forgets the failure when it opens', () => {
  for (const path of [['refused'], TRYING, [...TRYING, 'failed'], ['refused', 'stopped']]) {
    expect(after(path as Kinds).reason).toMatch(/full/);
  }
  expect(after([...TRYING, 'passed'])).toEqual(OPEN);
  expect(after(['stopped']).reason).toBeNull();
});

it('tries as much as the largest record that failed, up to 16 MB', () => {
  const refused = (bytes: number, state = OPEN) =>
    nextState(state, { kind: 'refused', cause: full(), bytes }, 0);
  expect(refused(10).bytes).toBe(TRIAL_BYTES);
  expect(refused(10, refused(3 * TRIAL_BYTES)).bytes).toBe(3 * TRIAL_BYTES);
  expect(refused(90 * TRIAL_BYTES).bytes).toBe(16 * TRIAL_BYTES);
});

it('tries at once, then less often unless a request waits, and a damaged file rarely', () => {
  const tried = (trials: number, isDamaged = false) => ({
    ...{ ...OPEN, since: 100, triedAt: 1_000 },
    ...{ trials, isDamaged },
  });
  const due = [0, 1, 2, 3].map((trials) => trialDueAt(tried(trials), false));
  expect(due).toEqual([100, 1_500, 2_000, 2_000]);
  expect(trialDueAt(tried(3), true)).toBe(1_250);
  expect(trialDueAt(tried(1, true), true)).toBe(31_000);
});

it('says when it closes, and when it records again', async () => {
  const { log } = collectingLog();
  const changes: (string | null)[] = [];
  let fails = true;
  const gate = createStoreGate({
    trial: async () => {
      if (fails) throw full();
    },
    ping: async () => {},
    now: () => performance.now(),
    log,
    outages: createOutageLog({ log, now: Date.now }),
    onChanged: (reason) => changes.push(reason),
  });
  await gate.start();
  gate.refuse(full());
  expect(changes).toEqual(['its disk is full or cannot be written']);
  fails = false;
  await expect.poll(() => changes).toEqual(['its disk is full or cannot be written', null]);
  gate.stop();
});
