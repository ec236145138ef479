import { randomUUID } from 'node:crypto';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { at, interactionRecord, newProject } from '@trawl/test-support/records';
import { expect, it } from 'vitest';
import { exportProject } from '../src/transfer/export-project.ts';
import type { Line } from '../src/transfer/lines.ts';

/** One more than is read at once. */
const MANY = 201;

describeOnDatabases('an export of more than is read at once', (database) => {
  it('has each session, interaction and row of the ledger once, also of one millisecond', async () => {
    const { store, location, cleanup } = await database.open();
    const projectId = await newProject(store);
    const long = randomUUID();
    const records = Array.from({ length: 2 * MANY - 1 }, (_, index) =>
      interactionRecord({
        projectId,
        createdAt: at(0),
        sessionId: index < MANY ? long : randomUUID(),
      }),
    );
    await Promise.all(records.map((record) => store.recorder.record(record)));
    const lines: Line[] = [];
    for await (const line of exportProject(location, `project ${projectId}`)) lines.push(line);
    await cleanup();
    const interactions = lines.flatMap((line) => (line.type === 'interaction' ? [line] : []));
    const rows = lines.flatMap((line) => (line.type === 'ledger' ? line.rows : []));
    const sorted = (ids: readonly string[]) => ids.toSorted();
    expect(sorted(interactions.map(({ id }) => id))).toEqual(sorted(records.map(({ id }) => id)));
    expect(sorted(rows.map(({ id }) => id))).toEqual(
      sorted(records.flatMap(({ ledger }) => ledger.map(({ id }) => id))),
    );
    expect(interactions.filter(({ session_id }) => session_id === long)).toHaveLength(MANY);
    expect(lines.at(-1)).toEqual({
      type: 'end',
      interactions: records.length,
      ledger_rows: records.length,
    });
  });
});
