import { systemClock } from '@trawl/base';
import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createConsoleKey } from '../src/keys/console-key.ts';

describeOnDatabases('the hidden key of a project', (database) => {
  let opened: TestStore;

  beforeAll(async () => {
    opened = await database.open();
  });
  afterAll(() => opened.cleanup());

  it('is the same key for two servers that need it at the same time, and is never listed', async () => {
    const other = await opened.another();
    const { id } = await opened.store.keys.ensureProject({
      id: systemClock.newId(),
      name: 'one',
      createdAt: '2026-01-01T00:00:00.000Z',
    });
    const servers = [opened.store, other].map(({ keys }) => createConsoleKey(keys, systemClock));
    const made = await Promise.all([1, 2, 3].flatMap(() => servers.map((keyOf) => keyOf(id))));
    expect(new Set(made.map((key) => key.id)).size).toBe(1);
    expect(made[0]).toMatchObject({ name: 'console', projectId: id, isHidden: true });
    expect(await opened.store.keys.listKeys(id)).toEqual([]);
  });

  it('has the limits of its project, as they are now', async () => {
    const { keys } = opened.store;
    const project = { id: systemClock.newId(), name: 'two', createdAt: '2026-01-01T00:00:00.000Z' };
    await keys.ensureProject(project);
    const keyOf = createConsoleKey(keys, systemClock);
    expect((await keyOf(project.id)).projectLimits).toBeUndefined();
    await keys.limitProject('two', { monthlyBudgetMicros: 5_000_000 });
    expect((await keyOf(project.id)).projectLimits).toEqual({
      rateLimit: null,
      monthlyBudgetMicros: 5_000_000,
    });
  });
});
