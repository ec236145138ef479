import { setTimeout as delay } from 'node:timers/promises';
import { createOutageLog } from '@trawl/base';
import { openDatabase } from '@trawl/database';
import { requestRepeat } from '@trawl/router';
import { openLeases } from '@trawl/store/testing';
import { collectingLog } from '@trawl/test-support/collecting-log';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { interactionRecord } from '@trawl/test-support/records';
import { beforeEach, expect, it, onTestFinished } from 'vitest';

const body = (query: string) => ({
  user_input: { query },
  search: { providers: { include: ['exa'] } },
});
const headers = { 'idempotency-key': 'k' };
const LATE = Symbol('late');
/**
 * What a wait that ends with an event takes, on a busy machine; all waits of these tests would be
 * longer.
 */
const SOON_MS = 10_000;
const soon = <Value>(work: Promise<Value>) =>
  Promise.race([work, delay(SOON_MS, LATE, { ref: false })]);

describeOnDatabases('an Idempotency-Key whose recorded answer cannot be read', (database) => {
  it('is a 503 when the wait is over, with nothing sent, and its place is free again', async () => {
    const server = await startTestServer({
      database,
      env: { MAX_ACTIVE_REQUESTS: '1' },
      leases: { waitMs: 200 },
    });
    onTestFinished(() => server.stop());
    const { projectId } = await server.makeKey('another project');
    const { bodyDigest } = requestRepeat('k', 'search', body('unreadable'), 'detail');
    const repeat = { key: 'k', bodyDigest };
    const createdAt = new Date().toISOString();
    await server.server.store.recorder.record(
      interactionRecord({ projectId, keyId: server.keyId, createdAt, ledger: [], repeat }),
    );
    const answer = await soon(server.search(body('unreadable'), { headers }));
    expect(answer).toMatchObject({
      status: 503,
      json: { detail: expect.stringMatching(/cannot be read.+Nothing was sent.+new key/) },
    });
    expect(server.sandbox.calls).toEqual([]);
    expect((await server.search(body('after it'))).status).toBe(200);
  });
});

describeOnDatabases(
  'a repeat that waits for another server',
  (database) => {
    let server: TestServer;
    /** What the other server does: it has the lease of the request. */
    let answered: () => void;
    beforeEach(async () => {
      const env = { MAX_ACTIVE_REQUESTS: '2', METRICS: 'on' };
      server = await startTestServer({ database, env, leases: { waitMs: 60_000 } });
      onTestFinished(() => server.stop());
      const { db } = openDatabase(server.database.location, { connections: 1 });
      const outages = createOutageLog({ log: collectingLog().log, now: Date.now });
      const elsewhere = openLeases(db, { leaseMs: 600_000, unbooked: () => [], outages });
      onTestFinished(async () => {
        await elsewhere.stop();
        await db.destroy();
      });
      const claim = await elsewhere.repeats.claim(request());
      answered = claim.kind === 'granted' ? claim.release : () => {};
    });

    const request = () => ({
      ...{ projectId: server.projectId, keyId: server.keyId },
      repeat: requestRepeat('k', 'search', body('whale'), 'detail'),
    });
    const send = (signal?: AbortSignal) =>
      server.search(body('whale'), { headers, ...(signal ? { signal } : {}) });

    it('frees its place when its client leaves', async () => {
      const controller = new AbortController();
      const repeats = [0, 1].map(() => send(controller.signal));
      await inProgress(server, 2);
      await Promise.all(repeats.map((repeat) => leave(controller, repeat)));
      await inProgress(server, 0);
      expect((await server.search(body('another'))).status).toBe(200);
      expect(server.logged()).not.toContain('failed unexpectedly');
      expect(server.logged()).not.toContain('could not be served');
    });

    it('hands the wait to an equal one when its client leaves', async () => {
      const controller = new AbortController();
      const leaving = send(controller.signal);
      await inProgress(server, 1);
      const staying = send();
      await inProgress(server, 2);
      await leave(controller, leaving);
      await inProgress(server, 1);
      answered();
      expect((await staying).status).toBe(200);
      expect(server.sandbox.calls).toHaveLength(1);
    });

    it('ends with a 503 when its server stops', async () => {
      const repeat = send();
      await inProgress(server, 1);
      const stopped = server.server.stop();
      expect(await soon(repeat)).toMatchObject({ status: 503 });
      expect(await soon(stopped)).toBeUndefined();
    });
  },
  'PostgreSQL',
);

it('a repeat that waits for its own server frees its place when its client leaves', async () => {
  const server = await startTestServer({ env: { METRICS: 'on' } });
  onTestFinished(() => server.stop());
  const slow = body('slow whale [[exa:latency=3000]]');
  let isAnswered = false;
  const first = server.search(slow, { headers }).finally(() => {
    isAnswered = true;
  });
  await expect.poll(() => server.sandbox.calls.length).toBe(1);
  const controller = new AbortController();
  const repeat = server.search(slow, { headers, signal: controller.signal });
  await inProgress(server, 2);
  await leave(controller, repeat);
  await inProgress(server, 1);
  expect(isAnswered).toBe(false);
  expect((await first).status).toBe(200);
});

async function leave(controller: AbortController, asked: Promise<unknown>): Promise<void> {
  controller.abort();
  await expect(asked).rejects.toThrow();
}

const inProgress = (server: TestServer, count: number) =>
  expect
    .poll(async () => {
      const { text } = await server.call('GET', '/metrics');
      return /^http_server_active_requests (\d+)$/m.exec(text)?.[1];
    })
    .toBe(String(count));
