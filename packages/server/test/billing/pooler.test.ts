import { randomUUID } from 'node:crypto';
import { describeOnDatabases, type TestDatabase } from '@trawl/test-support/databases';
import type { Answer } from '@trawl/test-support/harness';
import { poolDatabase, poolerAbsent } from '@trawl/test-support/pooler';
import { expect, it } from 'vitest';
import { type Replicas, startReplicas } from '../support/replicas.ts';

/** Costs $0.007. */
const SEARCH = { user_input: { query: 'tides' }, search: { providers: { include: ['exa'] } } };
const COST_MICROS = 7_000;
/** Far below the 38 connections that two servers open to the pooler. */
const CONNECTIONS = 4;

const withStatus = (answers: readonly Answer[], wanted: number) =>
  answers.filter(({ status }) => status === wanted);

describeOnDatabases(
  'two servers behind a pooler in transaction mode',
  (database) => {
    const pooled: TestDatabase = {
      ...database,
      create: async () => poolDatabase(await database.create(), CONNECTIONS),
    };
    const started = async (work: (replicas: Replicas) => Promise<void>) => {
      const replicas = await startReplicas({ database: pooled });
      await work(replicas).finally(() => replicas.stop());
    };
    const absent = [poolerAbsent !== undefined, poolerAbsent] as const;

    it('record and book each search of many at once, and keep a budget to the last search', async ({
      skip,
    }) => {
      skip(...absent);
      await started(async ({ servers, calls }) => {
        const [first, second] = servers;
        const { id, key } = await first.makeKey(`project ${randomUUID()}`);
        await first.server.store.keys.changeKey(id, { monthlyBudgetMicros: 60 * COST_MICROS });
        const answers = await Promise.all(
          Array.from({ length: 120 }, (_, turn) =>
            (turn % 2 === 0 ? first : second).search(SEARCH, { key }),
          ),
        );
        const paid = withStatus(answers, 200);
        expect([paid.length, withStatus(answers, 402).length]).toEqual([60, 60]);
        expect(calls()).toBe(60);
        for (const { json } of paid) {
          const read = `/v1/interactions?session_id=${json.session_id}&interaction_id=${json.interaction_id}`;
          expect(await second.call('GET', read, { key })).toMatchObject({ status: 200, json });
        }
        const usage = await second.call('GET', '/v1/usage?group_by=provider', { key });
        expect(usage.json.rows).toMatchObject([{ calls: 60, cost_usd: 0.42 }]);
      });
    });

    it('pay equal requests with one Idempotency-Key once, and answer all alike', async ({
      skip,
    }) => {
      skip(...absent);
      await started(async ({ servers, calls }) => {
        const { key } = await servers[0].makeKey(`project ${randomUUID()}`);
        const repeats = Array.from({ length: 60 }, (_, turn) =>
          servers[turn % 2 === 0 ? 0 : 1].search(SEARCH, {
            key,
            headers: { 'idempotency-key': `request-${turn % 6}` },
          }),
        );
        const answers = await Promise.all(repeats);
        expect(withStatus(answers, 200)).toHaveLength(60);
        expect(new Set(answers.map(({ json }) => json.interaction_id)).size).toBe(6);
        expect(calls()).toBe(6);
      });
    });
  },
  'PostgreSQL',
);
