import { randomUUID } from 'node:crypto';
import { openDatabase } from '@trawl/database';
import type { Limits } from '@trawl/router';
import { describeOnDatabases } from '@trawl/test-support/databases';
import type { Answer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Replicas, startReplicas } from '../support/replicas.ts';

/** Costs $0.007. */
const SEARCH = { user_input: { query: 'tides' }, search: { providers: { include: ['exa'] } } };
const COST_MICROS = 7_000;

const statuses = (answers: readonly Answer[]) => ({
  paid: answers.filter(({ status }) => status === 200).length,
  refused: answers.filter(({ status }) => status === 402).length,
});

describeOnDatabases(
  'a budget shared by two servers',
  (database) => {
    let replicas: Replicas;
    beforeAll(async () => {
      replicas = await startReplicas({ database });
    });
    afterAll(() => replicas.stop());

    async function limitedKey(own: Partial<Limits>, ofProject: Partial<Limits> = {}) {
      const [server] = replicas.servers;
      const project = `project ${randomUUID()}`;
      const made = await server.makeKey(project);
      await server.server.store.keys.changeKey(made.id, own);
      await server.server.store.keys.limitProject(project, ofProject);
      return { ...made, project };
    }
    const search = (replica: 0 | 1, key: string, query = 'tides') =>
      replicas.servers[replica].search({ ...SEARCH, user_input: { query } }, { key });
    /** All at once, in turns on each server. */
    const searches = (keys: readonly string[], count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, turn) =>
          search(turn % 2 === 0 ? 0 : 1, keys[turn % keys.length] ?? ''),
        ),
      );
    const usage = async (key: string) => {
      const { json } = await replicas.servers[1].call('GET', '/v1/usage?group_by=provider', {
        key,
      });
      return json.rows;
    };

    it('is not exceeded by many requests at once', async () => {
      const { key } = await limitedKey({ monthlyBudgetMicros: 10 * COST_MICROS + 1 });
      expect(statuses(await searches([key], 40))).toEqual({ paid: 10, refused: 30 });
      expect(await usage(key)).toMatchObject([{ calls: 10, cost_usd: 0.07 }]);
    });

    it('of a key and of its project are both kept, or nothing is reserved', async () => {
      const { key, project } = await limitedKey(
        { monthlyBudgetMicros: 100 * COST_MICROS },
        { monthlyBudgetMicros: 6 * COST_MICROS },
      );
      const other = await replicas.servers[1].makeKey(project);
      // an odd number of keys, so each key uses both servers
      expect(statuses(await searches([key, other.key, key], 30))).toEqual({ paid: 6, refused: 24 });
      const refused = await search(1, key);
      expect(refused.json.detail).toContain('The monthly budget of this project is $0.042: $0.042');
      // the refused requests left nothing reserved on the key's own budget
      await replicas.servers[0].server.store.keys.limitProject(project, {
        monthlyBudgetMicros: null,
      });
      await expect.poll(async () => (await search(0, key)).status, { timeout: 20_000 }).toBe(200);
    });

    it('counter bug: "exactly twice the spend": what was spent is what the ledger says, on both', async () => {
      const { key } = await limitedKey({ monthlyBudgetMicros: 4 * COST_MICROS });
      expect(statuses(await searches([key], 4))).toEqual({ paid: 4, refused: 0 });
      for (const replica of [0, 1] as const) {
        const { status, json } = await search(replica, key);
        expect([status, json.detail]).toEqual([
          402,
          expect.stringContaining(': $0.028 spent, and'),
        ]);
      }
    });

    it('counter bug: "increments dropped": requests in turns fill it to the last cent', async () => {
      const { key } = await limitedKey({ monthlyBudgetMicros: 9 * COST_MICROS });
      let paid = 0;
      for (let round = 0; round < 5; round += 1) paid += statuses(await searches([key], 3)).paid;
      expect(paid).toBe(9);
      expect(await usage(key)).toMatchObject([{ calls: 9, cost_usd: 0.063 }]);
    });

    it('counter bug: "limit changed by an administrator": both refuse and allow by the new one', async () => {
      const { key, id } = await limitedKey({ monthlyBudgetMicros: 10 * COST_MICROS });
      const { keys } = replicas.servers[0].server.store;
      expect(statuses(await searches([key], 2))).toEqual({ paid: 2, refused: 0 });
      await keys.changeKey(id, { monthlyBudgetMicros: 2 * COST_MICROS });
      expect(statuses(await searches([key], 4))).toEqual({ paid: 0, refused: 4 });
      await keys.changeKey(id, { monthlyBudgetMicros: 4 * COST_MICROS });
      expect(statuses(await searches([key], 4))).toEqual({ paid: 2, refused: 2 });
    });

    it('counter bug: "reservation never settled": a request that fails leaves nothing reserved', async () => {
      const { key } = await limitedKey({ monthlyBudgetMicros: COST_MICROS });
      const [first] = replicas.servers;
      first.sandbox.inject('exa', 'status=500', { times: 2 });
      expect((await search(0, key)).json.status).toBe('failed');
      first.sandbox.clearFaults();
      expect((await search(1, key)).status).toBe(200);
    });

    it('counter bug: "reconcile fails, spend forgotten": costs that cannot be booked stay reserved until they are', async () => {
      const { key } = await limitedKey({ monthlyBudgetMicros: COST_MICROS });
      const { db } = openDatabase(replicas.servers[0].database.location, { connections: 1 });
      await db.schema.alterTable('ledger').renameTo('elsewhere').execute();
      try {
        const unbooked = await search(0, key);
        expect([unbooked.status, unbooked.json.detail]).toEqual([
          503,
          expect.stringContaining('are booked when the store is available again'),
        ]);
        const other = await search(1, key);
        expect([other.status, other.json.detail]).toEqual([
          402,
          expect.stringContaining('$0.00 spent, $0.007 reserved'),
        ]);
      } finally {
        await db.schema.alterTable('elsewhere').renameTo('ledger').execute();
        await db.destroy();
      }
      await expect
        .poll(async () => (await search(1, key)).json.detail, { timeout: 20_000 })
        .toContain(': $0.007 spent, and');
    });
  },
  'PostgreSQL',
);
