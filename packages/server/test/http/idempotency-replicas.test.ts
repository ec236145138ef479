import { randomUUID } from 'node:crypto';
import { openDatabase } from '@trawl/database';
import { describeOnDatabases } from '@trawl/test-support/databases';
import type { Answer } from '@trawl/test-support/harness';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Replicas, startReplicas } from '../support/replicas.ts';

describeOnDatabases(
  'an Idempotency-Key used on two servers',
  (database) => {
    let replicas: Replicas;
    let key: string;
    beforeAll(async () => {
      replicas = await startReplicas({ database });
      key = replicas.servers[0].key;
    });
    afterAll(() => replicas.stop());

    const send = (
      replica: 0 | 1,
      idempotencyKey: string,
      query: string,
      headers: Record<string, string> = {},
    ): Promise<Answer> =>
      replicas.servers[replica].search(
        { user_input: { query }, search: { providers: { include: ['exa'] } } },
        { key, headers: { 'idempotency-key': idempotencyKey, ...headers } },
      );
    const ids = (answers: readonly Answer[]) =>
      new Set(answers.map(({ json }) => json.interaction_id));

    it('runs once for 40 repeats at the same time, and both servers give the same answer', async () => {
      const before = replicas.calls();
      const idempotencyKey = randomUUID();
      const query = 'forty whales [[exa:latency=150]]';
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, turn) =>
          send(turn % 2 === 0 ? 0 : 1, idempotencyKey, query),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(ids(answers).size).toBe(1);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(replicas.calls() - before).toBe(1);
    });

    it('runs once for each of 20 keys that both servers get at the same time', async () => {
      const before = replicas.calls();
      const pairs = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const idempotencyKey = randomUUID();
          return Promise.all([send(0, idempotencyKey, 'pairs'), send(1, idempotencyKey, 'pairs')]);
        }),
      );
      expect(pairs.map((pair) => ids(pair).size)).toEqual(pairs.map(() => 1));
      expect(replicas.calls() - before).toBe(20);
    });

    it('may be used on the other server after a request that was refused', async () => {
      const idempotencyKey = randomUUID();
      const refused = await replicas.servers[0].search(
        { user_input: { query: 'x' }, search: { providers: { include: ['nope'] } } },
        { key, headers: { 'idempotency-key': idempotencyKey } },
      );
      expect(refused.status).toBe(400);
      expect((await send(1, idempotencyKey, 'another body')).status).toBe(200);
    });

    describe.concurrent('while one of them is busy with it', () => {
      let hasty: Replicas;
      let impatient: Replicas;
      // no test begins a server while others count the seconds
      beforeAll(async () => {
        const leases = { waitMs: 150 };
        hasty = await startReplicas({ database, env: { REQUEST_DEADLINE_MS: '2000' }, leases });
        impatient = await startReplicas({ database, leases });
      });
      afterAll(async () => {
        await hasty.stop();
        await impatient.stop();
      });

      it('is refused with 422 for another body, also while the first is in progress on the other server', async ({
        expect,
      }) => {
        const idempotencyKey = randomUUID();
        const first = send(0, idempotencyKey, 'first body [[exa:latency=3000]]');
        const { sandbox } = replicas.servers[0];
        await expect.poll(() => JSON.stringify(sandbox.calls)).toContain('first body');
        const during = await send(1, idempotencyKey, 'second body');
        expect([during.status, during.json.detail[0].loc]).toEqual([
          422,
          ['header', 'idempotency-key'],
        ]);
        expect((await first).status).toBe(200);
        expect((await send(1, idempotencyKey, 'second body')).status).toBe(422);
      });

      it('replays the answer of the other server as a stream', async () => {
        const idempotencyKey = randomUUID();
        const first = send(0, idempotencyKey, 'streamed by the other [[exa:latency=3000]]');
        const stream = await send(1, idempotencyKey, 'streamed by the other [[exa:latency=3000]]', {
          accept: 'text/event-stream',
        });
        expect((await first).status).toBe(200);
        const names = [...stream.text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
        expect(names).toEqual(['run', 'done']);
        expect(stream.text).toContain((await first).json.interaction_id);
      });

      it('of a request that may still be recorded is not executed on the other server', async ({
        onTestFinished,
      }) => {
        const [one, other] = hasty.servers;
        const body = { user_input: { query: 'late' }, search: { providers: { include: ['exa'] } } };
        const options = { key: one.key, headers: { 'idempotency-key': 'late' } };
        const { db } = openDatabase(one.database.location, { connections: 1 });
        onTestFinished(() => db.destroy());
        const holder = await db.startTransaction().execute();
        await sql`lock table ledger in access exclusive mode`.execute(holder);
        const late = await one.search(body, options);
        expect([late.status, late.json.detail]).toEqual([
          503,
          expect.stringContaining('did not record the answer in time'),
        ]);
        const repeat = await other.search(body, options);
        await holder.rollback().execute();
        expect([repeat.status, repeat.json.detail]).toEqual([
          503,
          expect.stringContaining('in progress on another server'),
        ]);
        expect(hasty.calls()).toBe(1);
      });

      it('of a slow request gets 503 with Retry-After when the wait is over, and its answer later', async ({
        expect,
      }) => {
        const [one, other] = impatient.servers;
        const body = { user_input: { query: 'slow whale [[exa:latency=3000]]' } };
        const headers = { 'idempotency-key': 'slow' };
        const options = { key: one.key, headers };
        const first = one.search(body, options);
        await expect.poll(() => one.sandbox.calls.length).toBeGreaterThan(0);
        const early = await other.search(body, options);
        expect([early.status, Number(early.headers.get('retry-after'))]).toEqual([
          503,
          expect.toSatisfy((seconds: number) => seconds >= 1 && seconds <= 15),
        ]);
        const fetched = await other.fetch({ urls: ['https://www.example.com/'] }, options);
        expect([fetched.status, fetched.json.error.param]).toEqual([422, 'Idempotency-Key']);
        const answer = await first;
        const later = await other.search(body, options);
        expect([later.status, later.text]).toEqual([200, answer.text]);
        expect(later.headers.get('idempotency-replayed')).toBe('true');
        expect(other.sandbox.calls).toEqual([]);
      });
    });
  },
  'PostgreSQL',
);
