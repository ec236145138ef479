import { randomUUID } from 'node:crypto';
import { openDatabase } from '@trawl/database';
import { SessionTakenError } from '@trawl/router';
import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import { historyOf, interactionRecord, ledgerIds, newProject } from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../src/opening/store.ts';

describeOnDatabases('sessions', (database) => {
  let opened: TestStore;
  let store: Store;
  let projectId: string;

  beforeAll(async () => {
    opened = await database.open();
    store = opened.store;
    projectId = await newProject(store);
  });
  afterAll(() => opened.cleanup());

  it('stores nothing of an interaction whose session belongs to another project', async () => {
    const other = await newProject(store);
    const first = interactionRecord({ projectId });
    await store.recorder.record(first);
    const late = interactionRecord({ projectId: other, sessionId: first.sessionId });
    const recording = store.recorder.record(late);
    await expect(recording).rejects.toBeInstanceOf(SessionTakenError);

    expect(await store.reader.sessionOwner(first.sessionId)).toBe(projectId);
    expect(await store.reader.session(projectId, first.sessionId)).toMatchObject({
      interactionCount: 1,
    });
    expect(await store.reader.interaction(other, late.sessionId, late.id)).toBeUndefined();
    expect(await ledgerIds(opened.location, first.sessionId)).toStrictEqual(
      first.ledger.map((row) => row.id),
    );

    await store.recorder.recordLedger(late.ledger);
    const both = [...first.ledger, ...late.ledger].map((row) => row.id).sort();
    expect(await ledgerIds(opened.location, first.sessionId)).toStrictEqual(both);
  });

  it('lets one project win a new session that two claim at once, and keeps all of that one', async () => {
    const other = await newProject(store);
    const another = await opened.another();
    const sessionIds = Array.from({ length: 25 }, () => randomUUID());
    const records = sessionIds.flatMap((sessionId) =>
      [projectId, other, projectId, other].map((owner) =>
        interactionRecord({ projectId: owner, sessionId }),
      ),
    );
    const settled = await Promise.allSettled(
      records.map((record, index) => (index % 3 === 0 ? another : store).recorder.record(record)),
    );
    for (const sessionId of sessionIds) {
      const owner = await store.reader.sessionOwner(sessionId);
      for (const [index, record] of records.entries()) {
        if (record.sessionId !== sessionId) continue;
        const outcome = settled[index];
        if (record.projectId === owner) expect(outcome?.status).toBe('fulfilled');
        else expect(outcome).toMatchObject({ reason: expect.any(SessionTakenError) });
      }
      expect(await store.reader.session(owner ?? '', sessionId)).toMatchObject({
        interactionCount: 2,
      });
    }
  });

  it('gives a session to its owner even when another project asked first in the same group', async () => {
    const other = await newProject(store);
    const first = interactionRecord({ projectId });
    await store.recorder.record(first);
    const { sessionId } = first;
    const [foreign, own] = await Promise.allSettled([
      store.recorder.record(interactionRecord({ projectId: other, sessionId })),
      store.recorder.record(interactionRecord({ projectId, sessionId })),
    ]);
    expect([foreign?.status, own?.status]).toStrictEqual(['rejected', 'fulfilled']);
  });

  it('keeps the ledger rows of a deleted session, and nothing else of it', async () => {
    const record = interactionRecord({ projectId });
    await store.recorder.record(record);
    expect(await store.recorder.deleteSession(projectId, record.sessionId)).toBe(true);

    expect(await store.reader.sessionOwner(record.sessionId)).toBeUndefined();
    expect(await store.reader.interaction(projectId, record.sessionId, record.id)).toBeUndefined();
    expect(await ledgerIds(opened.location, record.sessionId)).toStrictEqual(
      record.ledger.map((row) => row.id),
    );
    const { db } = openDatabase(opened.location, { connections: 1 });
    const runs = await db
      .selectFrom('runs')
      .select('id')
      .where('interaction_id', '=', record.id)
      .execute();
    await db.destroy();
    expect(runs).toStrictEqual([]);
  });

  it('deletes neither a session of another project nor one that does not exist', async () => {
    const other = await newProject(store);
    const record = interactionRecord({ projectId });
    await store.recorder.record(record);
    expect(await store.recorder.deleteSession(other, record.sessionId)).toBe(false);
    expect(await store.recorder.deleteSession(projectId, randomUUID())).toBe(false);
    expect(await store.reader.sessionOwner(record.sessionId)).toBe(projectId);
  });

  it('executes writes in the order of the calls', async () => {
    const sessionId = randomUUID();
    const before = interactionRecord({ projectId, sessionId });
    const after = interactionRecord({ projectId, sessionId });
    const [, deleted] = await Promise.all([
      store.recorder.record(before),
      store.recorder.deleteSession(projectId, sessionId),
      store.recorder.record(after),
    ]);
    expect(deleted).toBe(true);
    const history = await historyOf(store, projectId, sessionId, {
      limit: undefined,
      after: undefined,
      runs: false,
    });
    expect(history.map(({ id }) => id)).toStrictEqual([after.id]);
  });
});
