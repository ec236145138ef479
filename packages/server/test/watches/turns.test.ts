import { randomUUID } from 'node:crypto';
import { systemClock } from '@trawl/base';
import { describeOnDatabases, type TestDatabase } from '@trawl/test-support/databases';
import { startTestServer } from '@trawl/test-support/harness';
import { sendJson, serveHttp } from '@trawl/test-support/loopback';
import { apiKey, at, newProject } from '@trawl/test-support/records';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { createWatchRunner } from '../../src/watches/runner.ts';
import { startReplicas } from '../support/replicas.ts';
import { addWatch, nextRun, OFTEN, SEARCH } from './support.ts';

const SLOW_WATCHES = 100;

const searchOf = (query: string) => ({
  interval_minutes: 15,
  search: { user_input: { query }, search: { providers: { include: ['exa'] } } },
});

/** A search provider that keeps slow queries until it is released. */
async function startSlowExa() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = { asked: 0, atOnce: 0, most: 0 };
  const { url } = await serveHttp(async (response, { body }) => {
    if (body.includes('slow')) {
      slow.asked += 1;
      slow.atOnce += 1;
      slow.most = Math.max(slow.most, slow.atOnce);
      await released;
      slow.atOnce -= 1;
    }
    sendJson(response, { requestId: 'r', results: [], costDollars: { total: 0.007 } });
  });
  return { url, slow, release };
}

/** One server on SQLite, two on PostgreSQL. */
async function startServers(database: TestDatabase, exaUrl: string) {
  const options = { database, watchTimes: OFTEN, env: { EXA_BASE_URL: exaUrl } };
  if (database.name === 'SQLite') {
    const server = await startTestServer(options);
    onTestFinished(() => server.stop());
    return server;
  }
  const replicas = await startReplicas(options);
  onTestFinished(() => replicas.stop());
  return replicas.servers[0];
}

describeOnDatabases('watches of several projects', (database) => {
  it(`one runs next to ${SLOW_WATCHES} of another project whose provider is slow, one at a time`, async () => {
    const exa = await startSlowExa();
    const server = await startServers(database, exa.url);
    onTestFinished(exa.release);
    const { key: other } = await server.makeKey('other', ['search', 'read', 'manage']);
    const slow: string[] = [];
    for (let count = 0; count < SLOW_WATCHES; count += 1) {
      slow.push((await addWatch(server, searchOf(`slow ${count}`), other)).id);
    }
    await expect.poll(() => exa.slow.asked, { timeout: 20_000 }).toBe(1);
    const own = await addWatch(server, searchOf('quick'));
    expect(await nextRun(server, own.id)).toMatchObject({ last_status: 'succeeded' });
    if (database.name === 'SQLite') {
      // the run in progress is still one of its project
      await server.call('DELETE', `/v1/watches/${slow[0]}`, { key: other });
      const next = await addWatch(server, searchOf('quick again'));
      await nextRun(server, next.id);
    }
    exa.release();
    await expect.poll(() => exa.slow.asked, { timeout: 60_000 }).toBeGreaterThan(10);
    expect(exa.slow.most).toBe(1);
  }, 120_000);

  it('take turns: no project runs its second while another waits for its first', async () => {
    const { store, cleanup } = await database.open();
    onTestFinished(cleanup);
    const projects: string[] = [];
    for (let project = 0; project < 6; project += 1) {
      const projectId = await newProject(store);
      projects.push(projectId);
      const key = apiKey(projectId);
      await store.keys.createKey(key, `digest of ${key.id}`);
      for (let number = 0; number < 2; number += 1) {
        const watch = { id: randomUUID(), projectId, keyId: key.id, sessionId: randomUUID() };
        const facts = { name: null, request: { search: SEARCH }, intervalMinutes: 15 };
        // those of the last project are the youngest
        const createdAt = at(project * 10 + number);
        await store.watches.create({ ...watch, ...facts, createdAt }, 100);
      }
    }
    const ran: string[] = [];
    for (let now = Date.parse(at(1_000)); ran.length < 12; now = now + 1_000) {
      const [id] = await store.watches.due(now, 4);
      const claim = { claimId: randomUUID(), now, until: now + 500 };
      const claimed = await store.watches.claim(id ?? '', claim);
      if (!claimed) throw new Error('no watch is due');
      ran.push(claimed.watch.projectId);
      const found = { answered: [], items: [] };
      const end = { status: 'succeeded', error: null, interactionId: null, found } as const;
      await store.watches.end(claimed, { ...end, startedAt: now, endedAt: now });
    }
    expect(ran).toEqual([...projects, ...projects]);
  });

  it.each([
    ['revoked', { revokedAt: at(1) }],
    ['disabled', { disabledAt: at(1) }],
    ['expired', { expiresAt: at(1) }],
  ])('are not asked for with a key that was %s after the look', async (_case, end) => {
    const { store, cleanup } = await database.open();
    onTestFinished(cleanup);
    const key = apiKey(await newProject(store));
    await store.keys.createKey(key, `digest of ${key.id}`);
    const { projectId } = key;
    const watch = { id: randomUUID(), projectId, keyId: key.id, sessionId: randomUUID() };
    const facts = { name: null, request: { search: SEARCH }, intervalMinutes: 15 };
    await store.watches.create({ ...watch, ...facts, createdAt: at(0) }, 100);
    let isRead = () => {};
    const read = new Promise<void>((resolve) => {
      isRead = resolve;
    });
    const keyOfId = async () => {
      isRead();
      return { ...key, ...end };
    };
    const runner = createWatchRunner({
      ...{ watches: store.watches, keys: { keyOfId }, clock: systemClock },
      ...{ log: pino({ enabled: false }), requestDeadlineMs: 1_000, times: { lookMs: 1 } },
    });
    const asked: string[] = [];
    runner.start(async ({ url }) => {
      asked.push(url);
      return new Response('{}');
    });
    await read;
    runner.pause();
    await runner.ended();
    expect(asked).toEqual([]);
    expect(await store.watches.due(Date.now(), 10)).toEqual([watch.id]);
    expect(await store.watches.find(projectId, watch.id)).toMatchObject({ lastRunAt: null });
  });
});
