import { setTimeout as delay } from 'node:timers/promises';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { childrenOf } from '@trawl/test-support/processes';
import { expect, it } from 'vitest';
import {
  DEADLINE_MS,
  figure,
  finishTraffic,
  hasProc,
  NEEDS_PROC,
  sized,
  startStub,
  startTraffic,
  startTrawl,
  type Trawl,
} from './support.ts';

const PAID_FOR = sized({ short: 20, full: 300 });
const SPAN_MS = sized({ short: 400, full: 3_000 });
const CLIENTS = 8;
const CALL = { delayMs: 1_000, countsQueries: true };

describeOnDatabases(
  'a server of two workers under load',
  (database) => {
    it('kill -9 of a worker', async ({ skip }) => {
      skip(!hasProc, NEEDS_PROC);
      const stub = await startStub(CALL);
      const data = await database.create();
      const { location } = data;
      const settings = {
        ...stub.settings,
        WORKERS: '2',
        REQUEST_DEADLINE_MS: String(DEADLINE_MS),
      };
      const server = await startTrawl({ location, settings });
      await expect.poll(() => listening(server)).toBe(2);
      const traffic = await startTraffic({
        target: always(server),
        stub,
        location,
        paidFor: PAID_FOR,
      });
      await traffic.during(async () => {
        // most clients wait for a provider when it is killed
        await expect
          .poll(async () => (await stub.counts()).open)
          .toBeGreaterThanOrEqual(CLIENTS - 2);
        const [victim = 0] = childrenOf(server.pid);
        process.kill(victim, 'SIGKILL');
        const killedAt = performance.now();
        await expect.poll(() => listening(server), { interval: 20 }).toBe(3);
        figure('worker-killed', 'replaced after', performance.now() - killedAt, 'ms');
        await delay(SPAN_MS);
      });
      await stub.behave({ ...CALL, delayMs: 0 });
      const { unbooked, repeated } = await finishTraffic('worker-killed', traffic, PAID_FOR);
      expect(unbooked).toBeGreaterThan(0);
      expect(unbooked).toBeLessThanOrEqual(traffic.broken());
      expect(repeated).toBeLessThanOrEqual(unbooked);
      await server.stop();
      await stub.stop();
      await data.drop();
    });
  },
  'PostgreSQL',
);

const always = (server: Trawl) => ({ next: () => server, failed: () => {} });

const listening = (server: Trawl): number => server.stdout().split('"listening"').length - 1;
