import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import { at } from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSealedKeys, type SealedKey } from '../src/keys/provider-key-store.ts';

describeOnDatabases('the keys of providers in the store', (database) => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await database.open();
  });
  afterAll(() => opened.cleanup());

  const key = (id: string, provider: string): SealedKey => ({
    ...{ id, provider, sealed: `sealed ${id}`, tail: id === 'b' ? null : `tail ${id}` },
    ...{ createdAt: at(5), createdBy: `person ${id}` },
  });

  it('are listed from the oldest, which has the smallest id, with each value', async () => {
    const { providerKeys } = opened.store;
    // later ids are later keys, whatever the time of their server says
    const keys = [key('a', 'tavily'), key('b', 'exa'), key('c', 'brave'), key('d', 'exa')];
    for (const one of [keys[2], keys[0], keys[3], keys[1]]) if (one) await providerKeys.add(one);
    expect(await providerKeys.list()).toStrictEqual(keys);
    expect(await readSealedKeys(opened.location)).toStrictEqual(keys);
    expect(await providerKeys.remove('b')).toBe(true);
    expect(await providerKeys.remove('b')).toBe(false);
    expect((await providerKeys.list()).map(({ id }) => id)).toEqual(['a', 'c', 'd']);
  });

  it('are none where there is no database', async () => {
    const { location, drop } = await database.create();
    expect(await readSealedKeys(location)).toEqual([]);
    await drop();
  });
});
