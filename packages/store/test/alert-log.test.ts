import { randomUUID } from 'node:crypto';
import { HOUR_MS, isoTime } from '@trawl/base';
import { type OpenDatabase, openDatabase } from '@trawl/database';
import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import { at } from '@trawl/test-support/records';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AlertLog } from '../src/alerts/alert-log.ts';

const NOW = Date.parse(at(0));

describeOnDatabases('the log of alerts', (kind) => {
  let opened: TestStore;
  let database: OpenDatabase;
  let log: AlertLog;
  beforeAll(async () => {
    opened = await kind.open();
    database = openDatabase(opened.location, { connections: 1 });
    log = opened.store.alerts;
  });
  afterAll(async () => {
    await database.db.destroy();
    await opened.cleanup();
  });
  beforeEach(() => database.db.deleteFrom('alerts').execute());

  let made = 0;
  const alert = (subject: string, type = 'circuit') => {
    made += 1;
    return {
      id: `alert-${String(made).padStart(6, '0')}`,
      type,
      subject,
      message: `${subject} is open`,
    };
  };

  it('has an alert with every value, and how sending it ended', async () => {
    const one = alert('exa');
    expect(await log.claim(one, NOW)).toBe(true);
    const begun = { ...one, createdAt: at(0), state: 'sending', tries: 0, problem: null };
    expect(await log.latest(10)).toStrictEqual([begun]);
    const other = alert('brave');
    await log.claim(other, NOW + 1_000);
    await log.end(one.id, { tries: 3, problem: 'no route' });
    await log.end(other.id, { tries: 2, problem: null });
    expect(await log.latest(10)).toStrictEqual([
      { ...other, createdAt: at(1), state: 'delivered', tries: 2, problem: null },
      { ...begun, state: 'failed', tries: 3, problem: 'no route' },
    ]);
    expect(await log.latest(1)).toHaveLength(1);
  });

  it('has one alert of a subject in an hour, by several servers too', async () => {
    const claims = await Promise.all(
      [1, 2, 3, 4].map(() => log.claim({ ...alert('exa'), id: randomUUID() }, NOW)),
    );
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await log.claim(alert('brave'), NOW)).toBe(true);
    expect(await log.claim(alert('exa'), NOW + HOUR_MS - 1)).toBe(false);
    expect(await log.claim(alert('exa'), NOW + HOUR_MS)).toBe(true);
  });

  it('does not count alerts of a clock that is an hour ahead', async () => {
    await log.claim(alert('exa'), NOW + HOUR_MS);
    expect(await log.claim(alert('exa'), NOW)).toBe(true);
    await log.claim(alert('brave'), NOW + HOUR_MS - 1);
    expect(await log.claim(alert('brave'), NOW)).toBe(false);
  });

  it('keeps the newest thousand of watches, and as many others', async () => {
    const rows = (count: number, type: string) =>
      Array.from({ length: count }, (_, index) => ({
        ...alert(`${type} ${index}`, type),
        created_at: isoTime(NOW + index),
        state: 'delivered' as const,
        tries: 1,
        problem: null,
      }));
    const insert = (count: number, type: string) =>
      database.db.insertInto('alerts').values(rows(count, type)).execute();
    await insert(1_000, 'watch');
    await insert(1_000, 'budget');
    await log.claim(alert('newest', 'watch'), NOW + 2_000);
    const kept = async () => {
      const all = await log.latest(5_000);
      const of = (isWatch: boolean) => all.filter(({ type }) => (type === 'watch') === isWatch);
      return [of(true), of(false)].map((some) => [some.length, some.at(-1)?.subject]);
    };
    expect(await kept()).toEqual([
      [1_000, 'watch 1'],
      [1_000, 'budget 0'],
    ]);
    await log.claim(alert('newest of others', 'circuit'), NOW + 2_000);
    expect(await kept()).toEqual([
      [1_000, 'watch 1'],
      [1_000, 'budget 1'],
    ]);
  });
});
