import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnDatabases, type FreshDatabase } from '../support/databases.ts';
import { newFolder, runProgram } from '../trust/support/program.ts';
import { figure, load, type Stub, startStub, startTrawl, type Trawl } from './support.ts';

const REPLICAS = 2;
/** A search that only asks exa and costs $0.007. */
const SEARCH = { user_input: { query: 'tides' }, search: { providers: { include: ['exa'] } } };
const COST_USD = 0.007;

describeOnDatabases(
  'two servers on one database, with the same requests at the same time',
  (database) => {
    let stub: Stub;
    let data: FreshDatabase;
    let servers: readonly Trawl[];
    beforeAll(async () => {
      stub = await startStub({ delayMs: 20 });
      data = await database.create();
      const start = () => startTrawl({ location: data.location, settings: stub.settings });
      const first = await start();
      servers = [first, await start()];
    });
    afterAll(async () => {
      await Promise.all(servers.map((server) => server.stop()));
      await stub.stop();
      await data.drop();
    });

    async function limitedKey(...limits: readonly string[]): Promise<string> {
      const folder = await newFolder();
      const { databaseUrl: DATABASE_URL, dataDir: DATA_DIR } = data.location;
      const args = ['keys', 'create', '--project', randomUUID(), '--name', 'limited', '--json'];
      const { code, stdout, stderr } = await runProgram({
        args: [...args, ...limits],
        settings: { DATABASE_URL, DATA_DIR },
        folder: folder.path,
      });
      expect([code, stderr]).toEqual([0, '']);
      await folder.remove();
      return JSON.parse(stdout).key;
    }

    /** This many searches, in turns on each server. */
    const searches = (key: string, count: number) =>
      load({ clients: 4, turns: count }, (turn) => {
        const server = servers[turn % REPLICAS];
        if (!server) throw new Error('no server');
        return server.search(SEARCH, key);
      });

    it('exceed a budget by what the other one spends within a minute', async () => {
      const budget = 0.21;
      const key = await limitedKey('--monthly-budget', String(budget));
      const answers = await searches(key, 120);
      const paid = answers.filter(({ status }) => status === 200).length;
      const { rows } = JSON.parse(
        (await servers[0]?.call('/v1/usage?group_by=provider', { key }))?.text ?? '{}',
      );
      figure('budget-replicas', 'budget', `$${budget}`);
      figure('budget-replicas', 'spent', `$${rows[0].cost_usd}`);
      figure('budget-replicas', 'times the budget', rows[0].cost_usd / budget);
      expect(answers.every(({ status }) => status === 200 || status === 402)).toBe(true);
      expect(rows).toMatchObject([{ calls: paid }]);
      expect(rows[0].cost_usd).toBeLessThanOrEqual(budget * REPLICAS + COST_USD);
    });

    it('let twice the rate limit through', async () => {
      const key = await limitedKey('--rate-limit', '20');
      const passed = (await searches(key, 80)).filter(({ status }) => status === 200).length;
      figure('rate-replicas', 'rate limit', 20);
      figure('rate-replicas', 'passed', passed);
      expect(passed).toBeGreaterThanOrEqual(20);
      expect(passed).toBeLessThanOrEqual(20 * REPLICAS);
    });

    it('may both execute a request with one idempotency key, and remember one answer', async () => {
      const KEYS = 20;
      let shared = 0;
      for (let turn = 0; turn < KEYS; turn += 1) {
        const idempotencyKey = randomUUID();
        const send = async (server: Trawl) => {
          const response = await fetch(`${server.url}/v1/search`, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${server.key}`,
              'content-type': 'application/json',
              'idempotency-key': idempotencyKey,
            },
            body: JSON.stringify(SEARCH),
          });
          expect(response.status).toBe(200);
          return ((await response.json()) as { interaction_id: string }).interaction_id;
        };
        const answers = await Promise.all(servers.map(send));
        if (answers[0] === answers[1]) shared += 1;
        const later = await Promise.all(servers.map(send));
        expect(later[0]).toBe(later[1]);
        expect(answers).toContain(later[0]);
      }
      figure('idempotency-replicas', 'keys', KEYS);
      figure('idempotency-replicas', 'shared one interaction', shared);
      figure('idempotency-replicas', 'executed twice', KEYS - shared);
    });
  },
  'PostgreSQL',
);
