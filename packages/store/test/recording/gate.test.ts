import { expect, it } from 'vitest';
import { createOutageLog } from '../../../base/src/faults/outage-log.ts';
import { collectingLog } from '../../../server/test/http/app.ts';
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
