import { openDatabase } from '@trawl/database';
import { describeOnDatabases, onlyOn, type TestStore } from '@trawl/test-support/databases';
import { byForm } from '@trawl/test-support/form';
import { historyOf, interactionRecord, newProject } from '@trawl/test-support/records';
import { runText } from '@trawl/test-support/whole-interaction';
import { checkWholeDatabase } from '@trawl/upkeep';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../src/opening/store.ts';
import { runProgram } from './run-program.ts';

const ROUNDS = byForm({ small: 1, full: 8 });
/** Committed in groups, and each alone. */
const AT_ONCE = [40, 1];
/** Those at which a process is killed. */
const KILLED = byForm({ small: [40], full: AT_ONCE });

describeOnDatabases('durability', (database) => {
  let opened: TestStore;
  let projectId: string;

  beforeAll(async () => {
    opened = await database.open();
    projectId = await newProject(opened.store);
  });
  afterAll(() => opened.cleanup());

  function recordUntilStopped(atOnce: number, shellPrefix?: string) {
    const store = { ...opened.location, workerUrl: opened.workerUrl.href };
    return runProgram('record-until-stopped', { store, projectId, atOnce }, shellPrefix);
  }

  const rounds = Array.from({ length: ROUNDS }, (_, round) => round + 1);
  it.each(KILLED.flatMap((atOnce) => rounds.map((round) => [atOnce, round] as const)))(
    'has every acknowledged interaction whole after kill -9, %i at once, round %i',
    async (atOnce) => {
      const running = await recordUntilStopped(atOnce);
      await running.printed(1 + Math.floor(Math.random() * 400));
      running.child.kill('SIGKILL');
      await running.ended;
      expect(running.errors()).toBe('');

      const stored = await storedWhole(await opened.reopen(), projectId);
      const acknowledged = running.lines.map((line) => line.replace('committed ', ''));
      expect(acknowledged.length).toBeGreaterThan(0);
      expect(acknowledged.filter((id) => !stored.has(id))).toStrictEqual([]);
    },
  );

  it('has a ledger row for each stored interaction and no others, and sums of them', async () => {
    const stored = await storedWhole(opened.store, projectId);
    expect((await checkWholeDatabase(opened.location)).findings).toEqual([]);
    const { db } = openDatabase(opened.location, { connections: 1 });
    const ledger = await db.selectFrom('ledger').select('interaction_id').execute();
    await db.destroy();
    expect(ledger.map((row) => row.interaction_id).sort()).toStrictEqual([...stored].sort());
  });

  for (const atOnce of AT_ONCE) {
    onlyOn(database, 'SQLite')(
      `refuses what does not fit on a full disk, keeps the rest whole and readable, and goes on when there is room, ${atOnce} at once`,
      async () => {
        await opened.cleanup();
        opened = await database.open();
        projectId = await newProject(opened.store);
        // A limit on the size of a file, in blocks of 512 bytes, acts as a disk that a test can
        // fill.
        const running = await recordUntilStopped(atOnce, 'ulimit -f 6000;');
        expect(await running.ended).toBe(0);
        expect(running.lines.at(-1)).toMatch(/^readable [1-5]$/);

        const stored = await storedWhole(await opened.reopen(), projectId);
        const printed = running.lines.map((line) => line.split(' '));
        const idsOf = (word: string) =>
          printed.filter(([first]) => first === word).map(([, id]) => id ?? '');
        expect(idsOf('refused').length).toBeGreaterThan(0);
        expect(stored).toStrictEqual(new Set(idsOf('committed')));
        await opened.store.recorder.record(interactionRecord({ projectId }));
      },
    );
  }
});

/**
 * The ids of all interactions of the project. Checks that each is complete, and its session too.
 */
async function storedWhole(store: Store, projectId: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  const sessions = await store.reader.sessions(projectId, { limit: 1_000, before: undefined });
  for (const session of sessions) {
    const page = { limit: undefined, after: undefined, runs: true };
    const history = await historyOf(store, projectId, session.id, page);
    // PostgreSQL may still commit what a killed process had sent, hence between two readings.
    const later = await store.reader.session(projectId, session.id);
    expect(history.length).toBeGreaterThanOrEqual(session.interactionCount);
    expect(history.length).toBeLessThanOrEqual(later?.interactionCount ?? 0);
    for (const { id, preprocessorRuns } of history) {
      expect(preprocessorRuns).toStrictEqual([runText(id, 0), runText(id, 1)]);
      ids.add(id);
    }
  }
  return ids;
}
