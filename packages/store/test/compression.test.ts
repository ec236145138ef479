import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { takenFor } from '../../base/src/text/json-text.ts';
import { openDatabase } from '../../database/src/opening/open-database.ts';
import { describeOnDatabases, type TestStore } from '../../server/test/support/databases.ts';
import { interactionRecord, newProject, runRecord } from './fixtures.ts';

describeOnDatabases(
  'compression of stored texts',
  (database) => {
    let opened: TestStore;
    let projectId: string;
    beforeAll(async () => {
      opened = await database.open();
      projectId = await newProject(opened.store);
    });
    afterAll(() => opened.cleanup());

    async function bodiesOf(id: string) {
      const { db } = openDatabase(opened.location, { connections: 1 });
      const rows = await db
        .selectFrom('runs')
        // a long text is not read, which takes as long as to pack it
        .select(['encoding', sql<number>`octet_length(body)`.as('bytes')])
        .where('interaction_id', '=', id)
        .orderBy('position')
        .execute();
      await db.destroy();
      return rows;
    }

    it('packs long texts once nothing is written any more, and gives them back unchanged', async () => {
      const [long, short] = [`{"text":"${'Größe 中 '.repeat(900)}"}`, '{"text":"short"}'];
      const ids = Array.from({ length: 30 }, () => randomUUID());
      await Promise.all(
        ids.map((id) =>
          opened.store.recorder.record(
            interactionRecord({
              projectId,
              id,
              sessionId: id,
              runs: [runRecord(long), runRecord(short, { position: 1 })],
            }),
          ),
        ),
      );
      for (const id of ids) {
        await expect
          .poll(async () => (await bodiesOf(id)).map(({ encoding }) => encoding))
          .toEqual(['deflate', 'utf8']);
        const [packed] = await bodiesOf(id);
        expect(packed?.bytes).toBeLessThan(Buffer.byteLength(long) / 10);
        const read = await opened.store.reader.interaction(projectId, id, id);
        expect(read?.preprocessorRuns).toEqual([takenFor(long), takenFor(short)]);
      }
    });

    it('lets other writes through while it packs a very long text', async () => {
      const recorded = (text: string) => {
        const id = randomUUID();
        const runs = [runRecord(text)];
        const written = opened.store.recorder.record(
          interactionRecord({ projectId, id, sessionId: id, runs }),
        );
        return written.then(() => id);
      };
      const long = JSON.stringify(randomBytes(40_000_000).toString('base64'));
      const id = await recorded(long);
      const isPacked = async () => (await bodiesOf(id))[0]?.encoding === 'deflate';
      let writesBefore = 0;
      // it begins when nothing was written for a tenth of a second
      while (!(await isPacked())) {
        await setTimeout(150);
        await recorded('{}');
        if (!(await isPacked())) writesBefore += 1;
      }
      expect(writesBefore).toBeGreaterThan(1);
      const read = await opened.store.reader.interaction(projectId, id, id);
      expect(read?.preprocessorRuns).toEqual([takenFor(long)]);
    });
  },
  'SQLite',
);
