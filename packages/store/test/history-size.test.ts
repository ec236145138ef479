import { randomUUID } from 'node:crypto';
import { describeOnDatabases, onlyOn, type TestStore } from '@trawl/test-support/databases';
import {
  at,
  historyOf,
  interactionRecord,
  newProject,
  runRecord,
} from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** What `interactionRecord` has besides its runs. */
const OWN_CHARACTERS = '{"query":"harbour"}'.length + '{}'.length;

describeOnDatabases('histories of large interactions', (database) => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await database.open();
  });
  afterAll(() => opened.cleanup());

  /** A session of interactions in this order, each with these texts as runs. */
  async function recorded(interactions: readonly (readonly string[])[]) {
    const projectId = await newProject(opened.store);
    const sessionId = randomUUID();
    const records = interactions.map((texts, index) =>
      interactionRecord({
        projectId,
        sessionId,
        createdAt: at(index),
        runs: texts.map((text, position) => runRecord(text, { position })),
      }),
    );
    await Promise.all(records.map((record) => opened.store.recorder.record(record)));
    const ids = records.map(({ id }) => id);
    const read = (charactersMax: number, after?: string) =>
      historyOf(opened.store, projectId, sessionId, {
        limit: 10,
        after,
        runs: true,
        charactersMax,
      });
    /** The places of the interactions of each page. */
    const pages = async (charactersMax: number) => {
      const found: number[][] = [];
      for (let after: string | undefined; ; ) {
        const page = await read(charactersMax, after);
        if (page.length === 0) return found;
        found.push(page.map(({ id }) => ids.indexOf(id)));
        after = page.at(-1)?.id;
      }
    };
    return { projectId, sessionId, ids, read, pages };
  }

  it.each([
    ['small', 'x', 900],
    ['large', 'x', 90_000],
    ['of characters of three bytes', '中', 90_000],
  ])('a page has no more characters than asked for: texts %s', async (_name, unit, length) => {
    const text = unit.repeat(length);
    const { pages } = await recorded(Array.from({ length: 5 }, () => [text, text]));
    const two = 2 * (OWN_CHARACTERS + 2 * length);
    expect(await pages(two)).toEqual([[0, 1], [2, 3], [4]]);
    expect(await pages(two - 1)).toEqual([[0], [1], [2], [3], [4]]);
    expect(await pages(1)).toEqual([[0], [1], [2], [3], [4]]);
    expect(await pages(3 * two)).toEqual([[0, 1, 2, 3, 4]]);
  });

  // the embedded database answers on this thread, so nothing else gives others their turn
  onlyOn(database, 'SQLite')('others get their turn while many texts are read', async () => {
    const texts = Array.from(
      { length: 200 },
      (_, index) => `"${index} ${'harbour '.repeat(40_000)}"`,
    );
    const { projectId, sessionId, ids } = await recorded([texts]);
    const [id = ''] = ids;
    let turns = 0;
    let isRead = false;
    const count = (): void => {
      turns += 1;
      if (!isRead) setImmediate(count);
    };
    setImmediate(count);
    const found = await opened.store.reader.interaction(projectId, sessionId, id);
    isRead = true;
    expect(found?.preprocessorRuns.map((run) => run.length)).toEqual(
      texts.map((text) => text.length),
    );
    expect(turns).toBeGreaterThan(5);
  });
});
