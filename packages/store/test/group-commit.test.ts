import { type OpenDatabase, openDatabase } from '@trawl/database';
import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import { interactionRecord, newProject, runRecord } from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGroupCommit, type GroupCommit } from '../src/recorder/group-commit.ts';
import type { FromRecorder, RecorderTask } from '../src/recorder/recorder-protocol.ts';
import { recordRows } from '../src/recorder/rows.ts';

describeOnDatabases('group commit', (database) => {
  let opened: TestStore;
  let projectId: string;
  let recorderSide: OpenDatabase;
  let settled: FromRecorder[];
  let commits: GroupCommit;
  let lastTicket = 0;

  beforeAll(async () => {
    opened = await database.open();
    projectId = await newProject(opened.store);
    recorderSide = openDatabase(opened.location, { connections: 1 });
  });
  afterAll(async () => {
    await recorderSide.db.destroy();
    await opened.cleanup();
  });

  function start(): void {
    settled = [];
    commits = createGroupCommit(recorderSide, (outcomes) => settled.push(outcomes));
  }

  function add(operation: RecorderTask, characters = 100): number {
    const ticket = ++lastTicket;
    commits.add({ ticket, characters, operation });
    return ticket;
  }

  function addInteraction(characters?: number): number {
    return add(
      { kind: 'record', record: recordRows(interactionRecord({ projectId })) },
      characters,
    );
  }

  it('settles everything that arrives in one turn together, in order', async () => {
    start();
    const tickets = Array.from({ length: 30 }, () => addInteraction());
    await commits.drain();
    // a ticket alone was committed
    expect(settled).toStrictEqual([tickets]);
  });

  it('limits a group by number and by size, but never leaves out a large item', async () => {
    start();
    for (let count = 0; count < 130; count += 1) addInteraction();
    addInteraction(50_000_000);
    addInteraction(5_000_000);
    addInteraction(5_000_000);
    await commits.drain();
    expect(settled.map((group) => group.length)).toStrictEqual([64, 64, 2, 1, 1, 1]);
  });

  it('settles each item of a group with a bad item separately', async () => {
    start();
    const good = addInteraction();
    const interaction = interactionRecord({ projectId, runs: [runRecord('a'), runRecord('b')] });
    const bad = add({ kind: 'record', record: recordRows(interaction) });
    const alsoGood = addInteraction();
    await commits.drain();
    expect(settled).toStrictEqual([
      [
        { ticket: good, status: 'committed', found: true },
        {
          ticket: bad,
          status: 'failed',
          code: expect.any(String),
          message: expect.stringMatching(/unique/i),
        },
        { ticket: alsoGood, status: 'committed', found: true },
      ],
    ]);
  });

  it('does not wait when nothing was added', async () => {
    start();
    await commits.drain();
    expect(settled).toStrictEqual([]);
  });
});
