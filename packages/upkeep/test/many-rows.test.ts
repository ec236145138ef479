import { randomUUID } from 'node:crypto';
import type { InteractionRecord } from '@trawl/router';
import { describeMainlyOn, type TestStore } from '@trawl/test-support/databases';
import { at, interactionRecord, newProject, runRecord } from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkWholeDatabase } from '../src/check/check-database.ts';
import { exportProject } from '../src/transfer/export-project.ts';
import { importProject } from '../src/transfer/import-project.ts';
import type { Line } from '../src/transfer/lines.ts';
import { FUSION, run } from './exports.ts';

/** One more than is read at once. */
const MANY = 201;
const ALL = 2 * MANY - 1;

describeMainlyOn('SQLite', 'a project with more than is read at once', (database) => {
  const [long, keyId] = [randomUUID(), randomUUID()];
  const runs = () => [
    ...[0, 1, 2].map((position) => runRecord(run('{}'), { position })),
    ...[0, 1].map((position) => runRecord(FUSION, { kind: 'postprocessor', position })),
  ];
  // all of one millisecond; half of them in one session
  const recordsOf = (projectId: string) =>
    Array.from({ length: ALL }, (_, index): InteractionRecord => {
      const sessionId = index < MANY ? long : randomUUID();
      const record = interactionRecord({ projectId, createdAt: at(0), sessionId, runs: runs() });
      return { ...record, keyId, ledger: record.ledger.map((row) => ({ ...row, keyId })) };
    });
  let from: TestStore;
  let records: ReturnType<typeof recordsOf>;
  const lines: Line[] = [];
  beforeAll(async () => {
    from = await database.open();
    const projectId = await newProject(from.store);
    records = recordsOf(projectId);
    await Promise.all(records.map((record) => from.store.recorder.record(record)));
    for await (const line of exportProject(from.location, `project ${projectId}`)) lines.push(line);
  });
  afterAll(() => from.cleanup());

  const sorted = (ids: readonly string[]) => ids.toSorted();
  async function* bytesOf(given: readonly Line[]): AsyncGenerator<Uint8Array> {
    for (const line of given) yield Buffer.from(`${JSON.stringify(line)}\n`);
  }

  it('is exported with each session, interaction and row of the ledger once', () => {
    const interactions = lines.flatMap((line) => (line.type === 'interaction' ? [line] : []));
    const rows = lines.flatMap((line) => (line.type === 'ledger' ? line.rows : []));
    expect(sorted(interactions.map(({ id }) => id))).toEqual(sorted(records.map(({ id }) => id)));
    expect(sorted(rows.map(({ id }) => id))).toEqual(
      sorted(records.flatMap(({ ledger }) => ledger.map(({ id }) => id))),
    );
    expect(interactions.filter(({ session_id }) => session_id === long)).toHaveLength(MANY);
    expect(lines.at(-1)).toEqual({ type: 'end', interactions: ALL, ledger_rows: ALL });
  });

  it('is imported whole, and a second time not at all', async () => {
    const to = await database.open();
    const bring = () => importProject(to.location, 'copy', bytesOf(lines));
    const counts = { project: 'copy', ledgerRows: ALL };
    expect(await bring()).toEqual({ ...counts, added: ALL, present: 0 });
    expect(await bring()).toEqual({ ...counts, added: 0, present: ALL });
    expect(await checkWholeDatabase(to.location)).toMatchObject({
      ...{ findings: [], interactions: ALL, runs: 5 * ALL, usageDays: 1 },
    });
    await to.cleanup();
  });

  it('is refused for what another project has in its first line, or its last', async () => {
    const to = await database.open();
    const foreign = interactionRecord({ projectId: await newProject(to.store) });
    await to.store.recorder.record(foreign);
    const places = lines.flatMap((line, index) => (line.type === 'interaction' ? [index] : []));
    for (const place of [places[0], places.at(-1)]) {
      const changed = lines.map((line, index) =>
        index === place ? { ...line, session_id: foreign.sessionId } : line,
      );
      await expect(importProject(to.location, 'copy', bytesOf(changed as Line[]))).rejects.toThrow(
        new RegExp(`^line ${Number(place) + 1}: session_id: .+ belongs to another project`),
      );
    }
    await to.cleanup();
  });
});
