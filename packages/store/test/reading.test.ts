import { randomUUID } from 'node:crypto';
import type { InteractionRecord } from '@trawl/router';
import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import {
  at,
  historyOf,
  interactionRecord,
  newProject,
  runRecord,
} from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../src/opening/store.ts';

const WHOLE = { limit: undefined, after: undefined, runs: false };

describeOnDatabases('reading back', (database) => {
  let opened: TestStore;
  let store: Store;

  beforeAll(async () => {
    opened = await database.open();
    store = opened.store;
  });
  afterAll(() => opened.cleanup());

  /** Interactions of one session, recorded in the order of these times. */
  async function recordAt(
    projectId: string,
    seconds: readonly number[],
    sessionId: string = randomUUID(),
  ): Promise<readonly InteractionRecord[]> {
    const records = seconds.map((second, index) =>
      interactionRecord({
        projectId,
        sessionId,
        createdAt: at(second),
        runs: [runRecord(`{"recorded":${index}}`)],
      }),
    );
    await Promise.all(records.map((record) => store.recorder.record(record)));
    return records;
  }

  it('orders a history by time, and by recording when times are equal', async () => {
    const projectId = await newProject(store);
    const records = await recordAt(projectId, [3, 1, 2, 1, 3, 1]);
    const { sessionId } = records[0] ?? { sessionId: '' };
    const history = await historyOf(store, projectId, sessionId, WHOLE);
    const order = [1, 3, 5, 2, 0, 4].map((index) => records[index]?.id);
    expect(history.map(({ id }) => id)).toStrictEqual(order);
  });

  it('pages through a history without leaving out or repeating an interaction', async () => {
    const projectId = await newProject(store);
    const seconds = Array.from({ length: 130 }, (_, index) => index % 7);
    const [first] = await recordAt(projectId, seconds);
    const sessionId = first?.sessionId ?? '';
    const whole = await historyOf(store, projectId, sessionId, WHOLE);
    expect(whole).toHaveLength(130);

    const paged: string[] = [];
    for (;;) {
      const after = paged.at(-1);
      const page = await historyOf(store, projectId, sessionId, {
        limit: 9,
        after,
        runs: false,
      });
      if (page.length === 0) break;
      expect(page.length).toBeLessThanOrEqual(9);
      paged.push(...page.map(({ id }) => id));
    }
    expect(paged).toStrictEqual(whole.map(({ id }) => id));
  });

  it('reads the runs of a history only when they are asked for, each with its interaction', async () => {
    const projectId = await newProject(store);
    const records = await recordAt(
      projectId,
      Array.from({ length: 60 }, (_, index) => index),
    );
    const sessionId = records[0]?.sessionId ?? '';
    const without = await historyOf(store, projectId, sessionId, WHOLE);
    expect(without.every((one) => one.preprocessorRuns.length === 0)).toBe(true);
    const whole = await historyOf(store, projectId, sessionId, { ...WHOLE, runs: true });
    expect(whole.map((one) => one.preprocessorRuns)).toStrictEqual(
      records.map((record) => record.runs.map((run) => run.text)),
    );
    const page = { limit: 30, after: records[9]?.id, runs: true };
    expect(await historyOf(store, projectId, sessionId, page)).toStrictEqual(whole.slice(10, 40));
  });

  it('answers an empty page after an interaction that is not in the session', async () => {
    const projectId = await newProject(store);
    const [one] = await recordAt(projectId, [1, 2]);
    const [foreign] = await recordAt(projectId, [1]);
    for (const after of [foreign?.id, randomUUID(), '']) {
      const page = { limit: 10, after, runs: false };
      expect(await historyOf(store, projectId, one?.sessionId ?? '', page)).toStrictEqual([]);
    }
  });

  it('lists sessions by newest activity, then id, and pages on by time', async () => {
    const projectId = await newProject(store);
    const ids = ['b', 'A', 'a-1', 'a1', 'c'].map((name) => `${name}-${randomUUID()}`);
    const [b, capital, dashed, plain, c] = ids;
    await recordAt(projectId, [10], b);
    await recordAt(projectId, [10], plain);
    await recordAt(projectId, [10], capital);
    await recordAt(projectId, [10], dashed);
    await recordAt(projectId, [5, 20], c);

    const list = async (limit: number, before?: string) =>
      (await store.reader.sessions(projectId, { limit, before })).map(({ id }) => id);
    expect(await list(50)).toStrictEqual([c, capital, dashed, plain, b]);
    expect(await list(2)).toStrictEqual([c, capital]);
    expect(await list(50, at(20))).toStrictEqual([capital, dashed, plain, b]);
    expect(await list(50, at(10))).toStrictEqual([]);
  });

  it('shows nothing of a session to another project', async () => {
    const projectId = await newProject(store);
    const stranger = await newProject(store);
    const [record] = await recordAt(projectId, [1]);
    const { id, sessionId } = record ?? { id: '', sessionId: '' };

    expect(await store.reader.sessionOwner(sessionId)).toBe(projectId);
    expect(await store.reader.session(stranger, sessionId)).toBeUndefined();
    expect(await store.reader.interaction(stranger, sessionId, id)).toBeUndefined();
    expect(await historyOf(store, stranger, sessionId, WHOLE)).toStrictEqual([]);
    expect(await store.reader.sessions(stranger, { limit: 10, before: undefined })).toStrictEqual(
      [],
    );
  });

  it('finds an interaction in its own session only', async () => {
    const projectId = await newProject(store);
    const [record] = await recordAt(projectId, [1]);
    const [other] = await recordAt(projectId, [1]);
    const found = store.reader.interaction(projectId, other?.sessionId ?? '', record?.id ?? '');
    expect(await found).toBeUndefined();
    expect(await store.reader.sessionOwner(randomUUID())).toBeUndefined();
  });

  it('reads while writes are running', async () => {
    const projectId = await newProject(store);
    const sessionId = randomUUID();
    const writing = recordAt(
      projectId,
      Array.from({ length: 200 }, (_, index) => index),
      sessionId,
    );
    let written = false;
    void writing.then(() => {
      written = true;
    });
    while (!written) {
      const session = await store.reader.session(projectId, sessionId);
      const history = await historyOf(store, projectId, sessionId, WHOLE);
      expect(history.length).toBeGreaterThanOrEqual(session?.interactionCount ?? 0);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writing;
    expect(await store.reader.session(projectId, sessionId)).toMatchObject({
      interactionCount: 200,
    });
  });
});
