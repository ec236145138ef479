import { openDatabase } from '@trawl/database';
import type { InteractionRecord } from '@trawl/router';
import { bundleForNode } from '@trawl/test-support/bundle-for-node';
import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import { interactionRecord, newProject } from '@trawl/test-support/records';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRecorder } from '../src/recorder/recorder.ts';
import type { RecorderThread } from '../src/recorder/recorder-thread.ts';
import { createRecorderThread } from '../src/recorder/recorder-thread.ts';

function workerProgram(name: string): Promise<URL> {
  return bundleForNode(new URL(`./programs/${name}.ts`, import.meta.url));
}

describeOnDatabases('a recorder in trouble', (database) => {
  let opened: TestStore;
  let projectId: string;

  beforeEach(async () => {
    opened = await database.open({ workerUrl: await workerProgram('crash-on-request') });
    projectId = await newProject(opened.store);
  });
  afterEach(() => opened.cleanup());

  function record(given: Partial<InteractionRecord> = {}): Promise<void> {
    return opened.store.recorder.record(interactionRecord({ projectId, ...given }));
  }

  async function storedSessions(): Promise<number> {
    const page = { limit: 1_000, before: undefined };
    return (await opened.store.reader.sessions(projectId, page)).length;
  }

  it.each(['ledger', 'runs', 'interactions'] as const)(
    'writes nothing of an interaction when its rows in %s can not be written',
    async (table) => {
      await record();
      const { db } = openDatabase(opened.location, { connections: 1 });
      await db.schema.alterTable(table).renameTo('elsewhere').execute();
      const several = await Promise.allSettled([record(), record(), record()]);
      expect(several.map(({ status }) => status)).toStrictEqual(Array(3).fill('rejected'));
      expect(await storedSessions()).toBe(1);

      await db.schema.alterTable('elsewhere').renameTo(table).execute();
      await db.destroy();
      await record();
      expect(await storedSessions()).toBe(2);
      expect(opened.workerErrors).toStrictEqual([]);
    },
  );

  it('does not answer a ping when it cannot write', async () => {
    await opened.store.ping();
    const { db } = openDatabase(opened.location, { connections: 1 });
    await db.schema.dropTable('settings').execute();
    await db.destroy();
    await expect(opened.store.ping()).rejects.toThrow(/settings/);
  });

  it.each(['throw', 'exit'])(
    'rejects what its thread had not committed when the thread dies (%s), and works again on the next use',
    async (goal) => {
      await record();
      const dying = [record(), record({ trajectoryGoal: goal }), record()];
      const settled = await Promise.allSettled(dying);
      const committed = settled.filter(({ status }) => status === 'fulfilled').length;
      expect(settled[1]).toMatchObject({ status: 'rejected' });
      expect(opened.workerErrors).toHaveLength(1);
      expect(await storedSessions()).toBe(1 + committed);

      await record();
      await opened.store.ping();
      expect(await storedSessions()).toBe(2 + committed);
      expect(opened.workerErrors).toHaveLength(1);
    },
  );

  it('commits what was sent before it is closed, and refuses later writes', async () => {
    const recording = Array.from({ length: 150 }, () => record());
    const closing = opened.store.close();
    await expect(record()).rejects.toThrow(/closed/);
    await Promise.all(recording);
    await closing;
    await opened.reopen();
    expect(await storedSessions()).toBe(150);
  });
});

const NOWHERE = { databaseUrl: undefined, dataDir: '/nonexistent' };

it('restarts a crashing thread once immediately, then only after some time', async () => {
  const errors: Error[] = [];
  const recorder = createRecorder({
    workerUrl: await workerProgram('die-at-start'),
    location: NOWHERE,
    onWorkerError: (error) => errors.push(error),
  });
  const record = () => recorder.record(interactionRecord({ projectId: 'any' }));
  await expect(record()).rejects.toThrow(/thread ended/);
  await expect(record()).rejects.toThrow(/thread ended/);
  expect(errors).toHaveLength(2);
  expect(errors[0]?.cause).toMatchObject({ message: 'dead from the start' });
  await expect(record()).rejects.toThrow(/not been restarted yet/);
  expect(errors).toHaveLength(2);
  await recorder.close();
});

it('ends a thread that settles nothing', async () => {
  const errors: Error[] = [];
  const recorder = createRecorder({
    workerUrl: await workerProgram('stay-silent'),
    location: NOWHERE,
    onWorkerError: (error) => errors.push(error),
    stallMs: 100,
  });
  const recording = recorder.record(interactionRecord({ projectId: 'any' }));
  await expect(recording).rejects.toThrow(/thread ended/);
  expect(errors).toHaveLength(1);
  await recorder.close();
});

it('refuses more writes at once when 2,000 of them or 256 MB wait', async () => {
  const workerUrl = await workerProgram('stay-silent');
  const options = { workerUrl, location: NOWHERE, onWorkerError: () => {}, stallMs: 300 };
  const probe = (thread: RecorderThread, characters: number) =>
    thread.send({ kind: 'probe' }, characters);

  const byNumber = createRecorderThread(options);
  const waiting = Array.from({ length: 2_000 }, () => probe(byNumber, 1));
  await expect(probe(byNumber, 1)).rejects.toThrow(/overloaded: 2000/);
  const bySize = createRecorderThread(options);
  waiting.push(probe(bySize, 300_000_000));
  const feedback = { kind: 'feedback', feedback: {} as never } as const;
  await expect(bySize.send(feedback, 1)).rejects.toThrow(/overloaded: 1 /);
  // what was paid is booked, and the store is tried
  for (const thread of [byNumber, bySize]) {
    const booked = thread.send({ kind: 'ledger', rows: [], budgetLeaseIds: [] }, 500);
    const tried = thread.send({ kind: 'trial', bytes: 1, integrity: 'none' }, 500);
    waiting.push(booked, tried);
  }

  const settled = await Promise.allSettled(waiting);
  const reasons = settled.map((each) => String(each.status === 'rejected' && each.reason));
  expect(reasons.filter((reason) => !reason.includes('thread ended'))).toEqual([]);
});
