import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import { at, newProject } from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/opening/store.ts';
import { join, newPerson } from './people.ts';

describeOnDatabases('members', (database) => {
  let opened: TestStore;
  let store: Store;
  beforeAll(async () => {
    opened = await database.open();
    store = opened.store;
  });
  afterAll(() => opened.cleanup());

  it('keeps the last owner while there is no operator', async () => {
    const projectId = await newProject(store);
    const [owner, other] = [await newPerson(store), await newPerson(store)];
    await join(store, owner, { projectId, role: 'owner' });
    await join(store, other, { projectId, role: 'admin' });
    const { members } = store.accounts;
    expect(await members.setRole(projectId, owner, 'admin', at(9))).toMatchObject({
      outcome: 'last_owner',
    });
    expect(await members.remove(projectId, owner, at(9))).toMatchObject({ outcome: 'last_owner' });
    expect(await members.remove(projectId, 'no such person', at(9))).toMatchObject({
      outcome: 'unknown',
    });
    expect(await members.setRole(projectId, owner, 'owner', at(9))).toMatchObject({
      outcome: 'changed',
    });
    expect(await members.setRole(projectId, other, 'owner', at(9))).toMatchObject({
      outcome: 'changed',
    });
    expect(await members.remove(projectId, owner, at(9))).toMatchObject({ outcome: 'changed' });
    expect(await members.rolesOf(owner)).toEqual(new Map());
    expect(await members.rolesOf(other)).toEqual(new Map([[projectId, 'owner']]));
  });

  it('leaves one of two owners who remove each other at the same time', async () => {
    const another = await opened.another();
    const projectId = await newProject(store);
    const [first, second] = [await newPerson(store), await newPerson(store)];
    await join(store, first, { projectId, role: 'owner' });
    await join(store, second, { projectId, role: 'owner' });
    const outcomes = await Promise.all([
      store.accounts.members.remove(projectId, first, at(9)),
      another.accounts.members.setRole(projectId, second, 'viewer', at(9)),
    ]);
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['changed', 'last_owner']);
  });

  it('keeps the higher role of a member who is invited again', async () => {
    const projectId = await newProject(store);
    const person = await newPerson(store);
    await join(store, person, { projectId, role: 'admin' });
    await join(store, person, { projectId, role: 'viewer' });
    expect(await store.accounts.members.rolesOf(person)).toEqual(new Map([[projectId, 'admin']]));
    await join(store, person, { projectId, role: 'owner' });
    expect(await store.accounts.members.rolesOf(person)).toEqual(new Map([[projectId, 'owner']]));
  });

  it('keeps the last operator, who counts as an owner and is listed as one', async () => {
    const projectId = await newProject(store);
    const operator = await newPerson(store, { name: 'A', isOperator: true });
    const owner = await newPerson(store, { name: 'B' });
    await join(store, owner, { projectId, role: 'owner' });
    const { members, people } = store.accounts;
    const listed = async () =>
      (await members.list(projectId)).map(({ name, role, memberSince }) => [
        name,
        role,
        memberSince,
      ]);
    expect(await listed()).toEqual([
      ['A', 'owner', null],
      ['B', 'owner', at(1)],
    ]);
    expect(await members.setRole(projectId, owner, 'viewer', at(9))).toMatchObject({
      outcome: 'changed',
    });
    expect(await people.setOperator(operator, false, at(9))).toMatchObject({
      outcome: 'last_operator',
    });
    expect(await people.remove(operator, at(9))).toMatchObject({ outcome: 'last_operator' });
    expect(await people.setOperator(owner, true, at(9))).toMatchObject({ outcome: 'changed' });
    expect(await people.remove(operator, at(9))).toMatchObject({ outcome: 'changed' });
    expect(await people.remove(owner, at(9))).toMatchObject({ outcome: 'last_operator' });
    expect(await people.remove('no such person', at(9))).toMatchObject({ outcome: 'unknown' });
    expect(await listed()).toEqual([['B', 'owner', at(1)]]);
    expect(await people.setOperator('no such person', true, at(9))).toMatchObject({
      outcome: 'unknown',
    });
  });
});
