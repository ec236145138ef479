import { randomUUID } from 'node:crypto';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Person } from '../../src/serving/person.ts';
import {
  facts,
  openTestAccounts,
  PASSWORD,
  refusal,
  type TestAccounts,
  tokenOf,
} from './support.ts';

describeOnDatabases('invitations to the console', (database) => {
  let test: TestAccounts;
  let operator: Person;
  let projectId: string;
  /** Every link that was made, so that a leak of its token is found. */
  const links: string[] = [];
  beforeAll(async () => {
    test = await openTestAccounts(database);
    operator = (await test.operator()).person;
    projectId = await test.newProject();
  });
  afterAll(() => test.opened.cleanup());

  const newEmail = () => `${randomUUID()}@example.com`;
  async function invite(email = newEmail(), by = operator, role: 'viewer' | 'owner' = 'viewer') {
    const made = await test.accounts.invitations.invite(by, { projectId, email, role }, facts());
    links.push(made.link);
    return made;
  }
  const accept = (link: string, name = 'Grace') =>
    test.accounts.accept.acceptAsNew({ token: tokenOf(link), name, password: PASSWORD }, facts());
  const notOpen = refusal(404, /^This invitation does not exist, was used or revoked/);

  it('are links to the public address, valid for seven days', async () => {
    const email = newEmail();
    const { link, id } = await invite(email.toUpperCase());
    expect(link).toMatch(/^https:\/\/trawl\.example\.com\/console\/invitation#[\w-]{43}$/);
    const { invitation, hasAccount } = await test.accounts.accept.read(tokenOf(link));
    expect(hasAccount).toBe(false);
    expect(invitation).toMatchObject({
      id,
      email,
      projectId,
      role: 'viewer',
      createdByName: 'Ada',
    });
    expect(Date.parse(invitation.expiresAt) - test.time.now).toBe(7 * 86_400_000);
    const { entries } = await test.accounts.audit.page({ action: 'invitation', limit: 1 });
    expect(entries).toMatchObject([
      { action: 'invitation.created', projectId, target: { id, name: email } },
    ]);
  });

  it('make an account that is signed in, once', async () => {
    const { link } = await invite();
    const person = await test.signedIn(await accept(link));
    expect(person).toMatchObject({ name: 'Grace', isOperator: false });
    expect(person.roles).toEqual(new Map([[projectId, 'viewer']]));
    const { accept: accepting } = test.accounts;
    await expect(accept(link)).rejects.toMatchObject(notOpen);
    await expect(accepting.read(tokenOf(link))).rejects.toMatchObject(notOpen);
    await expect(accepting.acceptAs(person, tokenOf(link), facts())).rejects.toMatchObject(notOpen);
  });

  it('make one account, also when they are accepted several times at the same time', async () => {
    const email = newEmail();
    const { link } = await invite(email);
    const made = await Promise.allSettled(Array.from({ length: 5 }, () => accept(link)));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of made) {
      if (one.status === 'rejected') expect([400, 404]).toContain(one.reason.status);
    }
    const people = await test.accounts.members.people();
    expect(people.filter((person) => person.email === email)).toHaveLength(1);
  });

  it('add the person who is signed in, if the address is the same', async () => {
    const elsewhere = await test.newProject();
    const { person, email, cookies } = await test.member(operator, elsewhere, 'viewer');
    const other = await test.member(operator, elsewhere, 'viewer');
    const { link } = await invite(email);
    const token = tokenOf(link);
    const { accept: accepting } = test.accounts;
    expect(await accepting.read(token)).toMatchObject({ hasAccount: true });
    await expect(accept(link)).rejects.toMatchObject(refusal(400, /^You have an account already/));
    await expect(accepting.acceptAs(other.person, token, facts())).rejects.toMatchObject(
      refusal(403, new RegExp(`is for ${email}, and you are signed in as`)),
    );
    await accepting.acceptAs(person, token, facts());
    expect((await test.signedIn(cookies)).roles).toEqual(
      new Map([
        [elsewhere, 'viewer'],
        [projectId, 'viewer'],
      ]),
    );
  });

  it('end after seven days, when they are revoked, and when they get a new link', async () => {
    const { invitations } = test.accounts;
    const [expiring, revoked, renewed] = [await invite(), await invite(), await invite()];
    const place = (one: { id: string }) => ({ projectId, invitationId: one.id });
    await invitations.revoke(operator, place(revoked), facts());
    const again = await invitations.renew(operator, place(renewed), facts());
    expect(tokenOf(again.link)).not.toBe(tokenOf(renewed.link));
    for (const link of [revoked.link, renewed.link, '#', `#${'x'.repeat(1_000_000)}`]) {
      await expect(accept(link)).rejects.toMatchObject(notOpen);
    }
    test.time.now += 7 * 86_400_000;
    await expect(accept(expiring.link)).rejects.toMatchObject(notOpen);
    await expect(accept(again.link)).rejects.toMatchObject(notOpen);
    const late = await invitations.renew(operator, place(expiring), facts());
    expect(await accept(late.link)).toHaveLength(1);
    const unknown = refusal(404, /^Invitation not found$/);
    for (const one of [expiring, revoked]) {
      await expect(invitations.renew(operator, place(one), facts())).rejects.toMatchObject(unknown);
      await expect(invitations.revoke(operator, place(one), facts())).rejects.toMatchObject(
        unknown,
      );
    }
    const elsewhere = { projectId: await test.newProject(), invitationId: renewed.id };
    await expect(invitations.revoke(operator, elsewhere, facts())).rejects.toMatchObject(unknown);
  });

  it('are made once for an address, and not for members', async () => {
    const email = newEmail();
    const { link } = await invite(email);
    await expect(invite(email)).rejects.toMatchObject(refusal(400, /was invited already/));
    await accept(link);
    await expect(invite(email)).rejects.toMatchObject(refusal(400, /is a member already/));
    for (const wrong of ['', 'ada', `${'x'.repeat(1_000_000)}@example.com`]) {
      await expect(invite(wrong)).rejects.toMatchObject(refusal(422, /^email must be/));
    }
  });

  it('stay open when a name or password is wrong', async () => {
    const { link } = await invite();
    await expect(accept(link, 'x'.repeat(1_000_000))).rejects.toMatchObject({ status: 422 });
    const short = { token: tokenOf(link), name: 'Grace', password: 'short' };
    await expect(test.accounts.accept.acceptAsNew(short, facts())).rejects.toMatchObject(
      refusal(422, /^password must be/),
    );
    expect(await accept(link)).toHaveLength(1);
  });

  it('to become an owner need an owner, and any need an admin', async () => {
    const admin = await test.member(operator, projectId, 'admin');
    const viewer = await test.member(operator, projectId, 'viewer');
    const { invitations } = test.accounts;
    await expect(invite(newEmail(), admin.person, 'owner')).rejects.toMatchObject(
      refusal(403, /^Only an owner of the project may invite an owner$/),
    );
    await expect(invite(newEmail(), viewer.person)).rejects.toMatchObject(
      refusal(403, /^Only an admin or owner/),
    );
    expect(await invite(newEmail(), admin.person)).toHaveProperty('link');
    const forOwner = await invite(newEmail(), operator, 'owner');
    const place = { projectId, invitationId: forOwner.id };
    await expect(invitations.renew(admin.person, place, facts())).rejects.toMatchObject({
      status: 403,
    });
    await expect(invitations.revoke(admin.person, place, facts())).rejects.toMatchObject({
      status: 403,
    });
    const { entries } = await test.accounts.audit.page({ outcome: 'refused', limit: 4 });
    expect(entries.map(({ action }) => action)).toEqual([
      'invitation.revoked',
      'invitation.resent',
      'invitation.created',
      'invitation.created',
    ]);
  });

  it('of operators are made by operators only', async () => {
    const owner = await test.member(operator, projectId, 'owner');
    const email = newEmail();
    const wanted = { projectId: null, email, role: 'operator' } as const;
    const { invitations } = test.accounts;
    await expect(invitations.invite(owner.person, wanted, facts())).rejects.toMatchObject(
      refusal(403, /^Only an operator of the deployment/),
    );
    const { link } = await invitations.invite(operator, wanted, facts());
    links.push(link);
    expect(await invitations.list(null)).toMatchObject([{ email, projectName: null }]);
    expect(await test.signedIn(await accept(link))).toMatchObject({ isOperator: true });
    expect(await invitations.list(null)).toEqual([]);
    await expect(invitations.invite(operator, wanted, facts())).rejects.toMatchObject(
      refusal(400, /is a member already/),
    );
  });

  it('end when their maker is removed from the project, or gets too low a role for them', async () => {
    const place = await test.newProject();
    const { members, invitations, accept: accepting } = test.accounts;
    const wanted = (email: string, role: 'viewer' | 'admin' | 'owner') =>
      ({ projectId: place, email, role }) as const;
    const of = ({ person }: { person: Person }) => ({ projectId: place, personId: person.id });
    const state = (link: string) =>
      accepting.read(tokenOf(link)).then(
        () => 'open',
        () => 'ended',
      );
    const mallory = await test.member(operator, place, 'owner');
    const [forAdmin, forOwner] = [
      await invitations.invite(mallory.person, wanted(newEmail(), 'admin'), facts()),
      await invitations.invite(mallory.person, wanted(newEmail(), 'owner'), facts()),
    ];
    const elsewhere = await test.member(operator, projectId, 'admin', newEmail());
    const kept = await invite(newEmail(), elsewhere.person);

    await members.changeRole(operator, { ...of(mallory), role: 'admin' }, facts());
    expect([await state(forAdmin.link), await state(forOwner.link)]).toEqual(['open', 'ended']);

    const second = newEmail();
    const own = await invitations.invite(mallory.person, wanted(second, 'admin'), facts());
    await members.remove(operator, of(mallory), facts());
    await expect(accept(own.link, 'Mallory again')).rejects.toMatchObject(notOpen);
    expect(await test.opened.store.accounts.people.findByEmail(second)).toBeUndefined();
    expect([await state(forAdmin.link), await state(kept.link)]).toEqual(['ended', 'open']);
    expect(await invitations.list(place)).toEqual([]);
    const { entries } = await test.accounts.audit.page({
      action: 'invitation.revoked',
      projectId: place,
      limit: 9,
    });
    expect(entries).toMatchObject([
      { actor: { id: operator.id }, detail: { role: 'admin', because: 'member.removed' } },
      { actor: { id: operator.id }, detail: { role: 'admin', because: 'member.removed' } },
      { target: { id: forOwner.id }, detail: { role: 'owner', because: 'member.role_changed' } },
    ]);
    const again = wanted(newEmail(), 'viewer');
    await expect(invitations.invite(mallory.person, again, facts())).rejects.toMatchObject({
      status: 403,
    });
  });

  it('end when the account of their maker is deleted, or is not an operator any more', async () => {
    const { members, invitations, accept: accepting } = test.accounts;
    const maker = await test.member(operator, projectId, 'admin');
    const { person } = maker;
    await members.setOperator(operator, { personId: person.id, isOperator: true }, facts());
    const asOperator = await test.signedIn(maker.cookies);
    const wanted = { projectId: null, email: newEmail(), role: 'operator' } as const;
    const forOperator = await invitations.invite(asOperator, wanted, facts());
    const forViewer = await invite(newEmail(), asOperator);
    await members.setOperator(operator, { personId: person.id, isOperator: false }, facts());
    await expect(accept(forOperator.link)).rejects.toMatchObject(notOpen);
    expect(await accepting.read(tokenOf(forViewer.link))).toHaveProperty('invitation');
    await members.deletePerson(operator, person.id, facts());
    await expect(accept(forViewer.link)).rejects.toMatchObject(notOpen);
  });

  it('belong to the person who made the last link, since no one else knows it', async () => {
    const { members, invitations, accept: accepting } = test.accounts;
    const place = await test.newProject();
    const mallory = await test.member(operator, place, 'admin');
    const wanted = { projectId: place, email: newEmail(), role: 'viewer' } as const;
    const known = { projectId: place, personId: mallory.person.id };
    const [byOperator, byMallory] = [
      await invitations.invite(operator, wanted, facts()),
      await invitations.invite(mallory.person, { ...wanted, email: newEmail() }, facts()),
    ];
    const at = ({ id }: { id: string }) => ({ projectId: place, invitationId: id });
    const knownToMallory = await invitations.renew(mallory.person, at(byOperator), facts());
    const knownToOperator = await invitations.renew(operator, at(byMallory), facts());
    await members.remove(operator, known, facts());
    await expect(accept(knownToMallory.link)).rejects.toMatchObject(notOpen);
    const { invitation } = await accepting.read(tokenOf(knownToOperator.link));
    expect(invitation.createdByName).toBe('Ada');
  });

  it('that have expired are not shown, and make no account', async () => {
    const email = newEmail();
    const { link } = await invite(email);
    test.time.now += 7 * 86_400_000;
    await expect(test.accounts.accept.read(tokenOf(link))).rejects.toMatchObject(notOpen);
    await expect(accept(link)).rejects.toMatchObject(notOpen);
    expect(await test.opened.store.accounts.people.findByEmail(email)).toBeUndefined();
  });

  it('leave no secret in the audit log, and report no fault', async () => {
    const { entries } = await test.accounts.audit.page({ limit: 1_000 });
    const text = JSON.stringify(entries);
    expect(entries.length).toBeGreaterThan(links.length);
    for (const secret of [PASSWORD, ...links.map(tokenOf)]) expect(text).not.toContain(secret);
    expect(test.faults).toEqual([]);
  });
});
