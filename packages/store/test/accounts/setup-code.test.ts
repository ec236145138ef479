import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import { at } from '@trawl/test-support/records';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newPerson } from './people.ts';

describeOnDatabases('the one-time code of the first account', (database) => {
  let opened: TestStore;
  beforeEach(async () => {
    opened = await database.open();
  });
  afterEach(() => opened.cleanup());

  it('is used by one of many who try at the same time', async () => {
    const another = await opened.another();
    expect(await opened.store.accounts.setupCode.replace('digest', at(0))).toBe(true);
    const used = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? opened.store : another).accounts.setupCode.use('digest', at(1)),
      ),
    );
    expect(used.filter(Boolean)).toHaveLength(1);
    expect(await opened.store.accounts.setupCode.use('digest', at(2))).toBe(false);
  });

  it('ends when it is replaced, and when there is an account', async () => {
    const { people, setupCode } = opened.store.accounts;
    expect(await setupCode.use('digest', at(0))).toBe(false);
    await setupCode.replace('old', at(0));
    await setupCode.replace('new', at(1));
    expect(await setupCode.use('old', at(2))).toBe(false);
    expect(await people.isEmpty()).toBe(true);
    await newPerson(opened.store);
    expect(await people.isEmpty()).toBe(false);
    expect(await setupCode.use('new', at(3))).toBe(false);
    expect(await setupCode.replace('newer', at(3))).toBe(false);
  });
});
