import { randomUUID } from 'node:crypto';
import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import { at, newProject } from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { NewInvitation } from '../../src/accounts/records.ts';
import type { Store } from '../../src/opening/store.ts';
import { join, newPerson } from './people.ts';

describeOnDatabases('invitations', (database) => {
  let opened: TestStore;
  let store: Store;
  let projectId: string;
  beforeAll(async () => {
    opened = await database.open();
    store = opened.store;
    projectId = await newProject(store);
  });
  afterAll(() => opened.cleanup());

  async function invite(given: Partial<NewInvitation> = {}): Promise<NewInvitation> {
    const id = randomUUID();
    const invitation: NewInvitation = {
      ...{ id, projectId, email: `${id}@example.com`, role: 'member', createdBy: null },
      ...{ createdAt: at(0), expiresAt: at(100) },
      ...given,
    };
    await store.accounts.invitations.create(invitation, `digest of ${invitation.id}`);
    return invitation;
  }

  it('are read by their token with the names of project and inviter', async () => {
    const inviter = await newPerson(store, { name: 'Ada' });
    await join(store, inviter, { projectId, role: 'admin' });
    const { invitations } = store.accounts;
    const made = await invite({ createdBy: inviter });
    expect(await invitations.findByToken(`digest of ${made.id}`)).toEqual({
      ...made,
      projectName: `project ${projectId}`,
      createdByName: 'Ada',
      acceptedAt: null,
      revokedAt: null,
    });
    expect(await invitations.findByToken(made.id)).toBeUndefined();
    expect(await invitations.openFor(made.email, at(50))).toHaveLength(1);
    expect(await invitations.openFor(made.email, at(100))).toEqual([]);
  });

  it('are accepted once, also by two people at the same time', async () => {
    const another = await opened.another();
    const { id } = await invite();
    const people = [await newPerson(store), await newPerson(store)] as const;
    const accepted = await Promise.all([
      store.accounts.invitations.accept(id, people[0], at(10)),
      another.accounts.invitations.accept(id, people[1], at(10)),
    ]);
    expect([...accepted].sort()).toEqual([false, true]);
    const roles = await Promise.all(people.map((one) => store.accounts.members.rolesOf(one)));
    expect(roles.map(({ size }) => size).sort()).toEqual([0, 1]);
  });

  it('are not accepted when they are expired or revoked', async () => {
    const { invitations, members } = store.accounts;
    const person = await newPerson(store);
    const [expired, revoked] = [await invite({ expiresAt: at(5) }), await invite()];
    expect(await invitations.revoke(revoked.id, at(1))).toBe(true);
    expect(await invitations.revoke(revoked.id, at(2))).toBe(false);
    for (const { id } of [expired, revoked]) {
      expect(await invitations.accept(id, person, at(5))).toBe(false);
    }
    expect(await members.rolesOf(person)).toEqual(new Map());
  });

  it('get a new token, with which the old one ends', async () => {
    const { invitations } = store.accounts;
    const { id } = await invite({ expiresAt: at(5) });
    expect(
      await invitations.renew(id, {
        tokenDigest: 'new digest',
        expiresAt: at(200),
        createdBy: null,
      }),
    ).toBe(true);
    expect(await invitations.findByToken(`digest of ${id}`)).toBeUndefined();
    expect(await invitations.findByToken('new digest')).toMatchObject({ expiresAt: at(200) });
    expect(await invitations.accept(id, await newPerson(store), at(6))).toBe(true);
    expect(
      await invitations.renew(id, {
        tokenDigest: 'third digest',
        expiresAt: at(300),
        createdBy: null,
      }),
    ).toBe(false);
    expect(await invitations.revoke(id, at(7))).toBe(false);
  });

  it('get no new token from a person who may not invite, although their maker still may', async () => {
    const { invitations } = store.accounts;
    const [maker, viewer] = [await newPerson(store), await newPerson(store)];
    await join(store, maker, { projectId, role: 'admin' });
    await join(store, viewer, { projectId, role: 'viewer' });
    const { id } = await invite({ createdBy: maker });
    const renew = (createdBy: string) =>
      invitations.renew(id, { tokenDigest: `by ${createdBy}`, expiresAt: at(200), createdBy });
    expect(await renew(viewer)).toBe(false);
    expect(await invitations.findByToken(`by ${viewer}`)).toBeUndefined();
    expect(await invitations.findByToken(`digest of ${id}`)).toMatchObject({
      ...{ createdBy: maker, expiresAt: at(100) },
    });
    expect(await renew(maker)).toBe(true);
  });

  it('are listed by project until they are accepted or revoked; those of operators apart', async () => {
    const { invitations, people } = store.accounts;
    const mine = await newProject(store);
    const older = await invite({ projectId: mine, createdAt: at(1), expiresAt: at(2) });
    const newer = await invite({ projectId: mine, createdAt: at(3) });
    const done = await invite({ projectId: mine });
    const operator = await invite({ projectId: null, role: 'operator' });
    const person = await newPerson(store);
    await invitations.accept(done.id, person, at(4));
    const ids = async (of: string | null) => (await invitations.list(of)).map(({ id }) => id);
    expect(await ids(mine)).toEqual([newer.id, older.id]);
    expect(await ids(null)).toEqual([operator.id]);
    await invitations.accept(operator.id, person, at(4));
    expect(await ids(null)).toEqual([]);
    expect(await people.find(person)).toMatchObject({ isOperator: true });
  });
});
