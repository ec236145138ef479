import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { expect, it } from 'vitest';
import {
  DEADLINE_MS,
  figure,
  finishTraffic,
  startPair,
  startStub,
  startTraffic,
  tally,
} from './support.ts';

const JUMP = `--require=${fileURLToPath(new URL('./support/jump-clock.cjs', import.meta.url))}`;
const HOUR_MS = 3_600_000;
const PAID_FOR = 200;
/** Load before and after each jump. */
const SPAN_MS = 3_000;

/** Not to exa, whose calls are those of the load's budget. */
const SEARCH = { user_input: { query: 'tides' }, search: { providers: { include: ['brave'] } } };

describeOnDatabases(
  'the clock of a replica jumps under load',
  (database) => {
    it.each([
      ['ahead', 5 * HOUR_MS, false],
      ['back', -5 * HOUR_MS, false],
      ['ahead, less than an hour', HOUR_MS / 2, true],
    ])('%s', async (name, jumpMs, isTolerated) => {
      const stub = await startStub({ delayMs: 20, countsQueries: true });
      const data = await database.create();
      const settings = { ...stub.settings, REQUEST_DEADLINE_MS: String(DEADLINE_MS) };
      const jumping = { ...settings, NODE_OPTIONS: JUMP, CLOCK_JUMP_MS: String(jumpMs) };
      const { location } = data;
      const pair = await startPair({ location, settings: [jumping, settings] });
      const traffic = await startTraffic({ target: pair, stub, location, paidFor: PAID_FOR });
      const budgeted = await pair.replica(1).makeKey('clock', '--monthly-budget', '1');
      const jumped = pair.replica(0);
      await traffic.during(async () => {
        await delay(SPAN_MS);
        process.kill(jumped.pid, 'SIGUSR2');
        await delay(SPAN_MS);
        const paid = await jumped.search(SEARCH, budgeted);
        if (isTolerated) expect(paid.status).toBe(200);
        else {
          expect([paid.status, paid.text]).toEqual([503, expect.stringContaining('300 minutes')]);
        }
        expect((await jumped.search(SEARCH)).status).toBe(200);
        expect((await pair.replica(1).search(SEARCH, budgeted)).status).toBe(200);
        process.kill(jumped.pid, 'SIGUSR2');
        await expect.poll(async () => (await jumped.search(SEARCH, budgeted)).status).toBe(200);
        await delay(SPAN_MS);
      });
      figure('replicas-clock', name, JSON.stringify(tally(traffic.statuses())));
      const checked = await finishTraffic('replicas-clock', traffic, PAID_FOR);
      expect(checked.unbooked).toBe(0);
      await pair.stop();
      await stub.stop();
      await data.drop();
    });
  },
  'PostgreSQL',
);
