import { randomUUID } from 'node:crypto';
import type { InteractionRecord } from '@trawl/router';
import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import {
  at,
  historyOf,
  interactionRecord,
  ledgerRecord,
  newProject,
  runRecord,
} from '@trawl/test-support/records';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../src/opening/store.ts';
import { createRetention, type RetentionOptions } from '../src/retention/retention.ts';

const DAY = 86_400;
const HISTORY = { limit: undefined, after: undefined, runs: true };
const ALL_TIME = { from: at(-365 * DAY), to: at(365 * DAY), groups: [], limit: 10 };
const silent = pino({ level: 'silent' });

describeOnDatabases('retention', (database) => {
  let opened: TestStore;
  let store: Store;

  beforeAll(async () => {
    opened = await database.open();
    store = opened.store;
  });
  afterAll(() => opened.cleanup());

  /** In days. Each sweep is two hours after the one before, because servers sweep once an hour. */
  let today = 1_000;
  async function sweep(given: Partial<RetentionOptions> = {}): Promise<number> {
    const nowMs = Date.parse(at(today * DAY));
    const sweeps = { ...store.sweeps, earlier: async (ms: number) => ms };
    const retention = createRetention({
      ...{ sweeps, days: undefined, now: () => nowMs, log: silent },
      ...given,
    });
    try {
      return await retention.sweep();
    } finally {
      await retention.stop();
      today += 2 / 24;
    }
  }

  /** @param age in days */
  async function record(
    projectId: string,
    age: number,
    given: Partial<InteractionRecord> = {},
  ): Promise<InteractionRecord> {
    const createdAt = at((today - age) * DAY);
    const id = randomUUID();
    const sessionId = given.sessionId ?? randomUUID();
    const ledger = [ledgerRecord({ id, projectId, sessionId }, { createdAt: at(0) })];
    const interaction = interactionRecord({
      projectId,
      id,
      sessionId,
      createdAt,
      ledger,
      ...given,
    });
    await store.recorder.record(interaction);
    return interaction;
  }

  const idsOf = async (projectId: string, sessionId: string) =>
    (await historyOf(store, projectId, sessionId, HISTORY)).map(({ id }) => id);

  async function projectKeeping(days: number | null): Promise<string> {
    const id = await newProject(store);
    expect(await store.projects.setRetention(`project ${id}`, days)).toBe(true);
    return id;
  }

  it('deletes what is older than the limit, and keeps younger interactions of the same session', async () => {
    const projectId = await projectKeeping(30);
    const old = await record(projectId, 31);
    const { sessionId } = await record(projectId, 40);
    const alsoOld = await record(projectId, 35, { sessionId });
    const kept = await record(projectId, 29, {
      sessionId,
      parentTrajectoryId: alsoOld.trajectoryId,
    });
    const young = await record(projectId, 1);

    expect(await sweep()).toBe(3);
    expect(await store.reader.session(projectId, old.sessionId)).toBeUndefined();
    expect(await store.reader.interaction(projectId, sessionId, alsoOld.id)).toBeUndefined();
    expect(await store.reader.session(projectId, sessionId)).toMatchObject({
      interactionCount: 1,
      createdAt: kept.createdAt,
      latestInteractionAt: kept.createdAt,
    });
    const [left] = await historyOf(store, projectId, sessionId, HISTORY);
    expect(left).toMatchObject({ id: kept.id, parentTrajectoryId: alsoOld.trajectoryId });
    expect(left?.preprocessorRuns).toHaveLength(1);
    expect(await idsOf(projectId, young.sessionId)).toEqual([young.id]);
  });

  it('keeps the ledger, usage and what budgets read', async () => {
    const projectId = await projectKeeping(1);
    const gone = await record(projectId, 3);
    const owner = { kind: 'project', id: projectId } as const;
    const usage = await store.usage.usage(owner, ALL_TIME);
    const spent = await store.usage.spentMicros(owner, ALL_TIME.from, ALL_TIME.to);
    expect(spent).toBe(5_000);

    expect(await sweep()).toBe(1);
    expect(await store.usage.usage(owner, ALL_TIME)).toEqual(usage);
    expect(await store.usage.spentMicros(owner, ALL_TIME.from, ALL_TIME.to)).toBe(spent);
    expect(await store.reader.ledger(projectId, gone.id)).toEqual(gone.ledger);
  });

  it('deletes feedback and the answer of an idempotency key with their interaction', async () => {
    const projectId = await projectKeeping(1);
    const repeat = { key: randomUUID(), bodyDigest: 'digest' };
    const gone = await record(projectId, 3, { repeat });
    const feedback = {
      ...{ runPosition: 0, rank: 1, runId: gone.runs[0]?.id ?? '', batchIndex: 0 },
      ...{ provider: 'exa', url: null, verdict: 'used' as const, userId: null, note: null },
      createdAt: at(0),
    } as const;
    await store.recorder.recordFeedback({ projectId, interactionId: gone.id, rows: [feedback] });

    expect(await sweep()).toBe(1);
    expect(await store.reader.feedback(gone.id)).toEqual([]);
    expect(await store.reader.repeated(gone.keyId, repeat.key, at(-DAY))).toBeUndefined();
  });

  it('follows the project first and the setting of the deployment otherwise', async () => {
    const [own, kept, other] = [
      await projectKeeping(10),
      await projectKeeping(0),
      await projectKeeping(null),
    ];
    const ages = [5, 20, 50];
    const sessions = new Map<string, string>();
    for (const projectId of [own, kept, other]) {
      for (const age of ages) {
        const known = sessions.get(projectId);
        const { sessionId } = await record(projectId, age, known ? { sessionId: known } : {});
        sessions.set(projectId, sessionId);
      }
    }
    const counts = () =>
      Promise.all([...sessions].map(async ([id, session]) => (await idsOf(id, session)).length));

    await sweep();
    expect(await counts()).toEqual([1, 3, 3]);
    await sweep({ days: 30 });
    expect(await counts()).toEqual([1, 3, 2]);
  });

  it('deletes within a day what was recorded after the project was deleted', async () => {
    const projectId = await projectKeeping(0);
    expect(await store.projects.remove(projectId, at(today * DAY))).toBe('removed');
    const { sessionId } = await record(projectId, 0);
    await sweep();
    expect(await idsOf(projectId, sessionId)).toHaveLength(1);
    today += 1;
    await sweep();
    expect(await store.reader.session(projectId, sessionId)).toBeUndefined();
  });

  it('leaves a second server alone that would sweep within the hour', async () => {
    const projectId = await projectKeeping(1);
    await record(projectId, 3);
    const aMinuteLater = Date.parse(at(today * DAY)) + 60_000;
    expect(await sweep()).toBe(1);
    await record(projectId, 3);
    expect(await sweep({ now: () => aMinuteLater })).toBe(0);
    expect(await sweep()).toBe(1);
  });

  it('deletes nothing when the clock was set ahead, until an hour later', async () => {
    const projectId = await projectKeeping(30);
    const young = await record(projectId, 1);
    let nowMs = Date.parse(at(today * DAY));
    let elapsedMs = 0;
    const lines: unknown[] = [];
    const log = { info: () => {}, error: (fields: unknown) => lines.push(fields) };
    const retention = createRetention({
      ...{ sweeps: store.sweeps, days: undefined, now: () => nowMs, elapsed: () => elapsedMs, log },
    });
    nowMs += 400 * DAY * 1000;
    elapsedMs += 60_000;
    expect(await retention.sweep()).toBe(0);
    expect(lines).toEqual([{ jump_ms: 400 * DAY * 1000 - 60_000 }]);
    expect(await idsOf(projectId, young.sessionId)).toEqual([young.id]);
    await retention.stop();
  });

  it('deletes an interaction that is larger than one transaction may be', async () => {
    const projectId = await projectKeeping(1);
    const runs = [0, 1, 2].map((position) =>
      runRecord(JSON.stringify({ text: 'x'.repeat(1_500_000) }), { position }),
    );
    const large = await record(projectId, 3, { runs });
    expect(await sweep()).toBe(1);
    expect(await store.reader.session(projectId, large.sessionId)).toBeUndefined();
    const again = await record(projectId, 3, { runs });
    expect(await store.recorder.deleteSession(projectId, again.sessionId)).toBe(true);
    expect(await store.reader.session(projectId, again.sessionId)).toBeUndefined();
  });

  it('records of others are committed while a large session is deleted', async () => {
    const projectId = await newProject(store);
    const sessionId = randomUUID();
    const text = JSON.stringify({ text: 'x'.repeat(20_000) });
    await Promise.all(
      Array.from({ length: 300 }, () =>
        record(projectId, 1, { sessionId, runs: [runRecord(text)] }),
      ),
    );
    const order: string[] = [];
    const late = interactionRecord({ projectId, sessionId });
    await Promise.all([
      store.recorder.deleteSession(projectId, sessionId).then((found) => {
        expect(found).toBe(true);
        order.push('deleted');
      }),
      record(projectId, 1).then(() => order.push('recorded')),
      store.recorder.record(late),
    ]);
    expect(order).toEqual(['recorded', 'deleted']);
    expect(await idsOf(projectId, sessionId)).toEqual([late.id]);
    expect(await store.reader.session(projectId, sessionId)).toMatchObject({ interactionCount: 1 });
  });
});
