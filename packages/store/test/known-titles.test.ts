import { randomUUID } from 'node:crypto';
import { openDatabase } from '@trawl/database';
import type { InteractionRecord } from '@trawl/router';
import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import { interactionRecord, newProject } from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../src/opening/store.ts';

describeOnDatabases('known titles', (database) => {
  let opened: TestStore;
  let store: Store;
  let projectId: string;

  beforeAll(async () => {
    opened = await database.open();
    store = opened.store;
    projectId = await newProject(store);
  });
  afterAll(() => opened.cleanup());

  const newUrl = () => `https://example.com/${randomUUID()}`;

  async function saw(
    url: string,
    title: string,
    given: Partial<InteractionRecord> = {},
  ): Promise<void> {
    const titles = [{ url, title }];
    await store.recorder.record(interactionRecord({ projectId, titles, ...given }));
  }

  const titleOf = (url: string, of = projectId) => store.reader.knownTitle(of, url);
  const known = async (urls: readonly string[], of?: string) => {
    const found = await Promise.all(
      urls.map(async (url) => [url, await titleOf(url, of)] as const),
    );
    return new Map(found.filter(([, title]) => title !== undefined));
  };

  it('knows as the title of a URL the newest recorded one, across interactions and sessions', async () => {
    const url = newUrl();
    const [first, second] = [randomUUID(), randomUUID()];
    const seen = [];
    for (const [sessionId, title] of [
      [first, 'Cranes'],
      [second, 'Cranes of the harbour'],
      [first, 'Harbour cranes'],
      [first, 'A history of cranes'],
    ] as const) {
      await saw(url, title, { sessionId });
      seen.push(await titleOf(url));
    }
    expect(seen).toEqual([
      'Cranes',
      'Cranes of the harbour',
      'Harbour cranes',
      'A history of cranes',
    ]);
  });

  it('knows a title behind more interactions than are searched at once', async () => {
    const project = await newProject(store);
    const url = newUrl();
    await saw(url, 'Cranes', { projectId: project });
    await Promise.all(
      Array.from({ length: 1_100 }, () => saw(newUrl(), 'Ships', { projectId: project })),
    );
    expect(await titleOf(url, project)).toBe('Cranes');
    expect(await titleOf(newUrl(), project)).toBeUndefined();
  });

  it('does not take a URL for the beginning or the end of another', async () => {
    const url = newUrl();
    await saw(`${url}/quays`, 'Quays');
    expect([await titleOf(url), await titleOf(`${url}/`), await titleOf('quays')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('takes the last title that one interaction has of a URL', async () => {
    const url = newUrl();
    const titles = ['First', 'Second', 'Last'].map((title) => ({ url, title }));
    await store.recorder.record(interactionRecord({ projectId, titles }));
    expect(await titleOf(url)).toBe('Last');
  });

  it('does not return titles of another project', async () => {
    const [shared, foreign] = [newUrl(), newUrl()];
    const other = await newProject(store);
    await saw(shared, 'Ours');
    await saw(shared, 'Theirs', { projectId: other });
    await saw(foreign, 'Theirs', { projectId: other });
    expect(await known([shared, foreign])).toEqual(new Map([[shared, 'Ours']]));
    expect(await known([shared, foreign], other)).toEqual(
      new Map([
        [shared, 'Theirs'],
        [foreign, 'Theirs'],
      ]),
    );
  });

  it('does not store titles of an interaction whose session belongs to another project', async () => {
    const url = newUrl();
    const other = await newProject(store);
    const sessionId = randomUUID();
    await saw(newUrl(), 'Ours', { sessionId });
    await expect(saw(url, 'Theirs', { projectId: other, sessionId })).rejects.toThrow(/another/);
    expect(await titleOf(url, other)).toBeUndefined();
  });

  it('forgets the titles of a deleted session and goes back to those of the others', async () => {
    const [shared, only] = [newUrl(), newUrl()];
    const deleted = randomUUID();
    await saw(shared, 'Kept');
    await saw(shared, 'Deleted, newer', { sessionId: deleted });
    await saw(only, 'Deleted, alone', { sessionId: deleted });
    expect(await titleOf(shared)).toBe('Deleted, newer');

    await store.recorder.deleteSession(projectId, deleted);
    expect(await known([shared, only])).toEqual(new Map([[shared, 'Kept']]));
    const { db } = openDatabase(opened.location, { connections: 1 });
    const left = await db
      .selectFrom('interactions')
      .select('titles')
      .where('titles', 'like', '%Deleted, %')
      .execute();
    await db.destroy();
    expect(left).toEqual([]);
  });

  it('takes 2,000 titles of one interaction', async () => {
    const titles = Array.from({ length: 2_000 }, (_, index) => ({
      url: newUrl(),
      title: `Crane ${index}`,
    }));
    await store.recorder.record(interactionRecord({ projectId, titles }));
    const some = titles.filter((_, index) => index % 400 === 0);
    const found = await known(some.map(({ url }) => url));
    expect([...found]).toEqual(some.map(({ url, title }) => [url, title]));
  });

  it('takes the same URL from many interactions at once, of one session and of several', async () => {
    const url = newUrl();
    const sessionIds = [randomUUID(), randomUUID(), randomUUID()];
    const titles = Array.from({ length: 60 }, (_, index) => `Crane ${index}`);
    await Promise.all(
      titles.map((title, index) => saw(url, title, { sessionId: sessionIds[index % 3] ?? '' })),
    );
    expect(await titleOf(url)).toBe('Crane 59');
  });

  it('takes the same URL from two processes at once', async () => {
    const url = newUrl();
    const another = await opened.another();
    const titles = Array.from({ length: 40 }, (_, index) => `Crane ${index}`);
    await Promise.all(
      titles.map((title, index) => {
        const { recorder } = index % 2 === 0 ? store : another;
        return recorder.record(interactionRecord({ projectId, titles: [{ url, title }] }));
      }),
    );
    expect(titles).toContain(await titleOf(url));
    expect(await another.reader.knownTitle(projectId, url)).toBe(await titleOf(url));
  });

  it.each([
    ['quotes and backslashes', `"Cranes" 'n' \\ships\\ \\u0041 %s $1 ?`],
    ['characters of every length', 'Größe 中 🛳️ مرفأ \u2028'],
    ['what looks like another type', '12.50'],
    ['what looks like JSON', '{"title": null}'],
    ['500 characters', 'a'.repeat(500)],
  ])('gives back a title unchanged: %s', async (_, title) => {
    const url = newUrl();
    await saw(url, title);
    expect(await titleOf(url)).toBe(title);
  });

  it.each([
    ['U+0000', 'cut\u0000off', 'cut\uFFFDoff'],
    ['half a character', 'cut \ud83d off', 'cut \uFFFD off'],
    ['more than 500 characters', 'a'.repeat(900), 'a'.repeat(500)],
    ['a character across the limit', `${'a'.repeat(499)}🛳️`, `${'a'.repeat(499)}\uFFFD`],
  ])('stores a title that databases refuse unchanged: %s', async (_, title, stored) => {
    const url = newUrl();
    await saw(url, title);
    expect(await titleOf(url)).toBe(stored);
  });

  it('knows titles after a restart', async () => {
    const url = newUrl();
    await saw(url, 'Cranes');
    store = await opened.reopen();
    expect(await titleOf(url)).toBe('Cranes');
  });
});
