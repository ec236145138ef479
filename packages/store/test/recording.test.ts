import { randomUUID } from 'node:crypto';
import type { JsonParts } from '@trawl/base';
import { takenFor } from '@trawl/base/testing';
import type { PreprocessorRun } from '@trawl/contract';
import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import {
  at,
  interactionRecord,
  ledgerIds,
  ledgerRecord,
  newProject,
  runRecord,
} from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../src/opening/store.ts';

describeOnDatabases('recording', (database) => {
  let opened: TestStore;
  let store: Store;
  let projectId: string;

  beforeAll(async () => {
    opened = await database.open();
    store = opened.store;
    projectId = await newProject(store);
  });
  afterAll(() => opened.cleanup());

  it('reads back every value of an interaction as it was recorded', async () => {
    const record = interactionRecord({
      projectId,
      status: 'partially_succeeded',
      normalizedSchemaVersion: null,
      parentTrajectoryId: randomUUID(),
      trajectoryGoal: 'find the “harbour” 🛳️ — ‏مرفأ',
      userInput: null,
      metadata: takenFor('{"a": 1,"é":"\\u0000"}'),
      routing: takenFor('[{"topic":"news"}]'),
      runs: [
        runRecord('{"second":true}', { position: 1 }),
        runRecord('{"first":true}', { position: 0 }),
        runRecord('{"fused":true}', { kind: 'postprocessor', position: 0, name: 'rank_fusion' }),
        runRecord('{"merged":true}', { kind: 'merged', position: 0, name: 'merged' }),
      ],
    });
    await store.recorder.record(record);

    const { projectId: _, keyId: __, userId: ___, runs, ledger, titles, ...stored } = record;
    expect(await store.reader.interaction(projectId, record.sessionId, record.id)).toStrictEqual({
      ...stored,
      preprocessorRuns: ['{"first":true}', '{"second":true}'],
      postprocessorRuns: ['{"fused":true}'],
      mergedLists: ['{"merged":true}'],
    });
    expect(runs).toHaveLength(4);
    expect(ledger).toHaveLength(1);
    expect(titles).toHaveLength(1);
  });

  it.each([
    ['an empty text', ''],
    ['a text that repeats itself', `{"text":"${'harbour '.repeat(2_000)}"}`],
    ['a random text', randomText(4_000)],
    ['characters of every length', 'a é 中 🛳️ \u2028 \ufeff "\\ud83d"'.repeat(100)],
    ['a megabyte', JSON.stringify({ text: 'Größe 🛳️ '.repeat(70_000) + randomText(200_000) })],
  ])('gives back the text of a run unchanged: %s', async (_, text) => {
    const record = interactionRecord({ projectId, runs: [runRecord(text)] });
    await store.recorder.record(record);
    const stored = await store.reader.interaction(projectId, record.sessionId, record.id);
    expect(stored?.preprocessorRuns[0] === text).toBe(true);
  });

  it('gives back a text that was recorded in parts', async () => {
    const parts: readonly string[] = ['["🛳️",', JSON.stringify('Größe '.repeat(400)), ']'];
    const text = parts as JsonParts<PreprocessorRun>;
    const record = interactionRecord({
      projectId,
      runs: [{ ...runRecord(''), kind: 'preprocessor', text }],
    });
    await store.recorder.record(record);
    const stored = await store.reader.interaction(projectId, record.sessionId, record.id);
    expect(stored?.preprocessorRuns).toEqual([parts.join('')]);
  });

  it('keeps an interaction over a restart', async () => {
    const record = interactionRecord({ projectId });
    await store.recorder.record(record);
    store = await opened.reopen();
    expect(await store.reader.interaction(projectId, record.sessionId, record.id)).toBeDefined();
  });

  it('records more runs at once than one statement can take', async () => {
    const runs = Array.from({ length: 330 }, (_, position) =>
      runRecord(`{"n":${position}}`, { position }),
    );
    const record = interactionRecord({ projectId, runs });
    await store.recorder.record(record);
    const stored = await store.reader.interaction(projectId, record.sessionId, record.id);
    expect(stored?.preprocessorRuns).toStrictEqual(runs.map((run) => run.text));
  });

  it('builds the session from its first and its newest interaction, in any order of recording', async () => {
    const sessionId = randomUUID();
    const times = [30, 10, 50, 20];
    for (const [index, seconds] of times.entries()) {
      const record = interactionRecord({ projectId, sessionId, createdAt: at(seconds) });
      await store.recorder.record({ ...record, completedAt: at(1000 - index) });
    }
    const together = [45, 60, 55, 5].map((seconds) =>
      interactionRecord({
        projectId,
        sessionId,
        createdAt: at(seconds),
        completedAt: at(seconds + 1),
      }),
    );
    expect(await store.reader.session(projectId, sessionId)).toStrictEqual({
      id: sessionId,
      createdAt: at(10),
      latestInteractionAt: at(50),
      updatedAt: at(998),
      interactionCount: 4,
      deletedCount: 0,
    });
    await Promise.all(together.map((record) => store.recorder.record(record)));
    expect(await store.reader.session(projectId, sessionId)).toStrictEqual({
      id: sessionId,
      createdAt: at(5),
      latestInteractionAt: at(60),
      updatedAt: at(61),
      interactionCount: 8,
      deletedCount: 0,
    });
  });

  it('fails a bad interaction alone, not those recorded at the same time', async () => {
    const good = Array.from({ length: 20 }, () => interactionRecord({ projectId }));
    const twice = interactionRecord({ projectId });
    await store.recorder.record(twice);
    const bad = [
      interactionRecord({ projectId: 'no such project' }),
      interactionRecord({ projectId, id: twice.id }),
      interactionRecord({ projectId, runs: [runRecord('a'), runRecord('same position')] }),
    ];
    const mixed = [...good.slice(0, 10), ...bad, ...good.slice(10)];
    const settled = await Promise.allSettled(mixed.map((one) => store.recorder.record(one)));

    expect(settled.map(({ status }) => status)).toStrictEqual(
      mixed.map((one) => (bad.includes(one) ? 'rejected' : 'fulfilled')),
    );
    for (const one of good) {
      expect(await store.reader.interaction(projectId, one.sessionId, one.id)).toBeDefined();
    }
    for (const one of bad) {
      expect(await store.reader.sessionOwner(one.sessionId)).toBeUndefined();
      expect(await ledgerIds(opened.location, one.sessionId)).toStrictEqual([]);
    }
  });

  it('books a ledger row once, however often it is recorded', async () => {
    const interaction = interactionRecord({ projectId });
    const unknownPrice = ledgerRecord(interaction, { costMicros: null, costSource: null });
    const large = ledgerRecord(interaction, { costMicros: 9_000_000_000_000 });
    await store.recorder.recordLedger([unknownPrice, large]);
    await store.recorder.recordLedger([large, unknownPrice]);
    await store.recorder.record({ ...interaction, ledger: [unknownPrice, large] });
    await store.recorder.recordLedger([]);
    expect(await ledgerIds(opened.location, interaction.sessionId)).toStrictEqual(
      [unknownPrice.id, large.id].sort(),
    );
  });

  it('reads half of a surrogate pair back as U+FFFD', async () => {
    const record = interactionRecord({ projectId, trajectoryGoal: 'a harbour \ud83d' });
    await store.recorder.record(record);
    expect(await store.reader.interaction(projectId, record.sessionId, record.id)).toMatchObject({
      trajectoryGoal: 'a harbour \ufffd',
    });
  });

  it('survives text that a database may refuse', async () => {
    const odd = interactionRecord({ projectId, trajectoryGoal: 'cut\u0000off \ud800' });
    const good = interactionRecord({ projectId });
    const [, recorded] = await Promise.allSettled([
      store.recorder.record(odd),
      store.recorder.record(good),
    ]);
    expect(recorded?.status).toBe('fulfilled');
    await store.recorder.record(interactionRecord({ projectId }));
    expect(opened.workerErrors).toStrictEqual([]);
  });

  it('answers a ping when it can write', async () => {
    await expect(Promise.all([store.ping(), store.ping()])).resolves.toHaveLength(2);
    await opened.store.close();
    await expect(store.ping()).rejects.toThrow();
    store = await opened.reopen();
  });
});

function randomText(bytes: number): string {
  const random = new Uint8Array(bytes);
  for (let from = 0; from < bytes; from += 65_536) {
    crypto.getRandomValues(random.subarray(from, Math.min(from + 65_536, bytes)));
  }
  return Buffer.from(random).toString('base64');
}
