import { randomUUID } from 'node:crypto';
import { takenFor } from '@trawl/base/testing';
import type { InteractionRecord } from '@trawl/router';
import type { Store } from '@trawl/store';
import { databases, describeMainlyOn, type TestStore } from '@trawl/test-support/databases';
import {
  apiKey,
  at,
  historyOf,
  interactionRecord,
  ledgerRecord,
  newProject,
  runRecord,
} from '@trawl/test-support/records';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkWholeDatabase } from '../src/check/check-database.ts';
import { exportProject } from '../src/transfer/export-project.ts';
import { importProject } from '../src/transfer/import-project.ts';
import { FUSION, run } from './exports.ts';

const HISTORY = { limit: undefined, after: undefined, runs: true };
const KEY = randomUUID();

// to the other kind, and in the first test back: each kind is read and written
describeMainlyOn('SQLite', 'moving a project', (database) => {
  /** The other kind, where there is one. */
  const otherKind = databases.find(({ name }) => name !== database.name) ?? database;
  let from: TestStore;
  let to: TestStore;
  let projectId: string;
  let projectName: string;
  let records: readonly InteractionRecord[];

  beforeEach(async () => {
    [from, to] = await Promise.all([database.open(), otherKind.open()]);
    projectId = await newProject(from.store);
    projectName = `project ${projectId}`;
    await from.store.keys.createKey(apiKey(projectId, { id: KEY }), 'secret-digest');
    records = await recordAll(from.store, projectId);
    await from.store.recorder.recordLedger([
      ledgerRecord(
        { id: randomUUID(), projectId, sessionId: randomUUID() },
        { createdAt: at(9), keyId: KEY },
      ),
    ]);
    // of another project
    await from.store.recorder.record(
      interactionRecord({ projectId: await newProject(from.store) }),
    );
  });
  afterEach(() => Promise.all([from.cleanup(), to.cleanup()]));

  async function linesOf(store: TestStore): Promise<readonly string[]> {
    const lines: string[] = [];
    for await (const line of exportProject(store.location, projectName)) {
      lines.push(`${JSON.stringify(line)}\n`);
    }
    return lines;
  }
  const bring = (lines: readonly string[], name: string | undefined, target = to) =>
    importProject(target.location, name, bytesOf(lines.join('')));

  /** Everything that the API shows of the project. */
  async function shown(store: Store) {
    const owner = { kind: 'project', id: projectId } as const;
    const sessions = await store.reader.sessions(projectId, { limit: 200, before: undefined });
    return {
      sessions,
      histories: await Promise.all(
        sessions.map(({ id }) => historyOf(store, projectId, id, HISTORY)),
      ),
      ledger: await Promise.all(records.map(({ id }) => store.reader.ledger(projectId, id))),
      feedback: await Promise.all(records.map(({ id }) => store.reader.feedback(id))),
      usage: await store.usage.usage(owner, {
        ...{ from: at(-86_400), to: at(2 * 86_400), limit: 100 },
        groups: ['day', 'provider', 'key_id', 'user_id'],
      }),
      repeated: await store.reader.repeated(KEY, 'again', at(-1)),
      title: await store.reader.knownTitle(projectId, 'https://example.com/'),
      keys: (await store.namedKeys(projectId)).map(({ id, name }) => ({ id, name })),
    };
  }

  it('brings back the same from a database of the other kind, and from there again', async () => {
    const lines = await linesOf(from);
    expect(lines.join('')).not.toContain('secret-digest');
    expect(await bring(lines, undefined)).toEqual({
      ...{ project: projectName, added: records.length, present: 0 },
      ledgerRows: records.length + 1,
    });
    const expected = await shown(from.store);
    expect(expected.histories.flat()).toHaveLength(records.length);
    expect(await shown(to.store)).toEqual(expected);
    expect((await checkWholeDatabase(to.location)).findings).toEqual([]);

    const back = await database.open();
    await bring(await linesOf(to), undefined, back);
    expect(await shown(back.store)).toEqual(expected);
    await back.cleanup();
  });

  it('brings back a file of a version that knew no request and no tail of a key', async () => {
    const lines = (await linesOf(from)).map((line) => {
      const { request: _, rows, ...rest } = JSON.parse(line);
      const older = rows?.map(({ key_tail: _tail, ...row }: object & { key_tail: unknown }) => row);
      return `${JSON.stringify(older ? { ...rest, rows: older } : rest)}\n`;
    });
    expect(lines.join('')).not.toMatch(/key_tail|"request"/);
    expect(await bring(lines, undefined)).toMatchObject({ added: records.length });
  });

  it('writes nothing of a file that was cut off', async () => {
    const lines = await linesOf(from);
    const cut = lines.join('').slice(0, lines.slice(0, -4).join('').length - 20);
    await expect(bring([cut], undefined)).rejects.toThrow(/line \d+: .+ is not JSON.*cut off/);
    await expect(bring(lines.slice(0, -1), undefined)).rejects.toThrow(/has no end/);
    expect(await to.store.keys.listProjects()).toEqual([]);
  });

  it('may be repeated after it was interrupted, and then adds the rest only', async () => {
    const lines = await linesOf(from);
    const [end = ''] = lines.slice(-1);
    // as far as an earlier run came
    await bring([...lines.slice(0, 20), end], undefined);
    const added = 20 - 2;
    expect(await bring(lines, undefined)).toMatchObject({
      ...{ added: records.length - added, present: added },
    });
    expect(await shown(to.store)).toEqual(await shown(from.store));
  });

  it('adds feedback that came after an earlier import', async () => {
    await bring(await linesOf(from), undefined);
    const [, second] = records;
    const interactionId = second?.id ?? '';
    const row = {
      ...{ runPosition: 0, rank: 1, runId: second?.runs[0]?.id ?? '', batchIndex: 0 },
      ...{ provider: 'exa', url: 'https://example.com/', verdict: 'wrong' as const },
      ...{ userId: 'ada', note: null, createdAt: at(50) },
    };
    await from.store.recorder.recordFeedback({ projectId, interactionId, rows: [row] });
    expect(await bring(await linesOf(from), undefined)).toMatchObject({
      ...{ added: 0, present: records.length },
    });
    const brought = await to.store.reader.feedback(interactionId);
    expect(brought).toMatchObject([{ verdict: 'wrong' }]);
    expect(brought).toEqual(await from.store.reader.feedback(interactionId));
  });

  it('names the line of what it refuses', async () => {
    const [header = '', ...rest] = await linesOf(from);
    await expect(bring(rest, undefined)).rejects.toThrow(/line 1 is not the header/);
    const newer = header.replace('"format":1', '"format":2');
    await expect(bring([newer, ...rest], undefined)).rejects.toThrow(/newer trawl/);
    const wrong = rest.join('').replace('"status":"succeeded"', '"status":"done"');
    await expect(bring([header, wrong], undefined)).rejects.toThrow(/^line \d+: status: /);
    await expect(bring([header, ...rest], 'a copy', from)).rejects.toThrow(
      /has the name project .+ in this database: import it under that name/,
    );
  });

  it('takes a name that a deleted project had', async () => {
    const lines = await linesOf(from);
    const deleted = { id: randomUUID(), name: projectName, createdAt: at(0) };
    await to.store.keys.ensureProject(deleted);
    expect(await to.store.projects.remove(deleted.id, at(1))).toBe('removed');
    expect(await bring(lines, undefined)).toMatchObject({ added: records.length });
    expect((await to.store.keys.listProjects()).map(({ id }) => id)).toEqual([projectId]);
    await expect(linesOf(to)).resolves.toHaveLength(lines.length);
  });

  it('refuses what was exported of a project that was deleted here', async () => {
    await to.store.keys.ensureProject({ id: projectId, name: 'old', createdAt: at(0) });
    await to.store.projects.remove(projectId, at(1));
    await expect(bring(await linesOf(from), undefined)).rejects.toThrow(
      `the export is of project ${projectId}, which was deleted in this database`,
    );
  });

  it('refuses a project that does not exist', async () => {
    projectName = 'nowhere';
    await expect(linesOf(from)).rejects.toThrow('no project is called nowhere');
  });
});

function recordedBy(
  given: Partial<InteractionRecord> & Pick<InteractionRecord, 'projectId'>,
): InteractionRecord {
  const record = interactionRecord({ runs: [runRecord(run('{}'))], ...given, keyId: KEY });
  return { ...record, ledger: record.ledger.map((row) => ({ ...row, keyId: KEY })) };
}

async function recordAll(store: Store, projectId: string): Promise<readonly InteractionRecord[]> {
  const sessionId = randomUUID();
  const odd = JSON.stringify({
    text: 'Größe 中 \u2028 "quoted" \\ 🦀',
    zero: 0.1,
    list: [1e21, null],
  });
  const records = [
    recordedBy({ projectId, sessionId, createdAt: at(1) }),
    // JSON that reads differently when it is written again
    recordedBy({
      ...{ projectId, sessionId, createdAt: at(1), userId: null },
      runs: [
        runRecord(run('{"a": 1.0,  "a": 2}')),
        runRecord(run(odd, `"results":[{"title":"${'long '.repeat(900)}"}]`), { position: 1 }),
        runRecord(FUSION, { kind: 'postprocessor' }),
      ],
      metadata: takenFor('{"__proto__":{"deep":true},"trajectory_goal":"find"}'),
      trajectoryGoal: 'find',
    }),
    recordedBy({ projectId, createdAt: at(3), userInput: null, runs: [], titles: [] }),
    recordedBy({ projectId, createdAt: at(4), repeat: { key: 'again', bodyDigest: 'd' } }),
    // a page of an older record: it lacks members of today
    recordedBy({
      ...{ projectId, createdAt: at(5), normalizedSchemaVersion: null },
      runs: [
        runRecord(
          run('{}', '"fetched_results":[{"url":"https://example.com/","status":"succeeded"}]'),
        ),
      ],
    }),
    ...Array.from({ length: 30 }, (_, index) =>
      recordedBy({ projectId, createdAt: at(10 + index) }),
    ),
  ];
  for (const record of records) await store.recorder.record(record);
  const [first] = records;
  const row = {
    ...{ runPosition: 0, rank: 1, runId: first?.runs[0]?.id ?? '', batchIndex: 0, provider: 'exa' },
    ...{ url: 'https://example.com/', verdict: 'right' as const, userId: null, note: 'good' },
    createdAt: at(5),
  };
  await store.recorder.recordFeedback({
    ...{ projectId, interactionId: first?.id ?? '' },
    rows: [row],
  });
  return records;
}

/** In small pieces, as a pipe brings them. */
async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
}
