import { describeOnDatabases } from '@trawl/test-support/databases';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Person } from '../../src/serving/person.ts';
import {
  browser,
  facts,
  openTestAccounts,
  PASSWORD,
  refusal,
  type TestAccounts,
} from './support.ts';

describeOnDatabases('people of the console', (database) => {
  let test: TestAccounts;
  let operator: Person;
  let projectId: string;
  beforeAll(async () => {
    test = await openTestAccounts(database);
    operator = (await test.operator()).person;
    projectId = await test.newProject();
  });
  afterAll(() => test.opened.cleanup());

  const personOf = (cookies: readonly string[]) => test.accounts.signIn.personOf(browser(cookies));
  const newest = async () => (await test.accounts.audit.page({ limit: 1 })).entries[0];

  it('change their password, which ends their other sessions', async () => {
    const { cookies, person, email } = await test.member(operator, projectId, 'viewer');
    const elsewhere = await test.accounts.signIn.signIn({ email, password: PASSWORD }, facts());
    const next = 'another horse battery';
    const change = (current: string, wanted = next) =>
      test.accounts.own.changePassword(
        person,
        { current, next: wanted, headers: browser(cookies) },
        facts(),
      );
    await expect(change('wrong horse battery')).rejects.toMatchObject(
      refusal(403, /^The current password is wrong$/),
    );
    await expect(change(PASSWORD, 'short')).rejects.toMatchObject({ status: 422 });
    await expect(change(PASSWORD, 'x'.repeat(1_000_000))).rejects.toMatchObject({ status: 422 });
    expect(await personOf(elsewhere)).toMatchObject({ id: person.id });

    const renewed = await change(PASSWORD);
    expect(await personOf(renewed)).toMatchObject({ id: person.id });
    expect(await personOf(elsewhere)).toBeNull();
    expect(await personOf(cookies)).toBeNull();
    const signIn = (password: string) => test.accounts.signIn.signIn({ email, password }, facts());
    await expect(signIn(PASSWORD)).rejects.toMatchObject({ status: 401 });
    expect(await signIn(next)).toHaveLength(1);
  });

  it('may try their current password ten times in five minutes', async () => {
    const { cookies, person } = await test.member(operator, projectId, 'viewer');
    const change = () =>
      test.accounts.own.changePassword(
        person,
        { current: 'wrong horse', next: 'another horse battery', headers: browser(cookies) },
        facts(),
      );
    for (let count = 0; count < 10; count += 1) {
      await expect(change()).rejects.toMatchObject({ status: 403 });
    }
    await expect(change()).rejects.toMatchObject({ status: 429 });
  });

  it('see where they are signed in, without tokens, and end sessions', async () => {
    const { cookies, person, email } = await test.member(operator, projectId, 'viewer');
    const from = facts({ address: '192.0.2.9', userAgent: 'another browser' });
    const elsewhere = await test.accounts.signIn.signIn({ email, password: PASSWORD }, from);
    const { own } = test.accounts;
    const sessions = await own.sessions(person);
    expect(sessions).toHaveLength(2);
    const there = sessions.find(({ id }) => id !== person.sessionId);
    expect(there).toMatchObject({ address: '192.0.2.9', userAgent: 'another browser' });
    const signed = decodeURIComponent(/=([^;]+)/.exec(elsewhere[0] ?? '')?.[1] ?? '');
    const token = signed.split('.')[0] ?? '';
    expect(token.length).toBeGreaterThan(20);
    expect(JSON.stringify(sessions)).not.toContain(token);

    const id = there?.id ?? '';
    await expect(own.endSession(operator, id, facts())).rejects.toMatchObject({ status: 404 });
    expect(await personOf(elsewhere)).not.toBeNull();
    await own.endSession(person, id, facts());
    expect(await personOf(elsewhere)).toBeNull();

    const third = await test.accounts.signIn.signIn({ email, password: PASSWORD }, facts());
    await own.endOtherSessions(person, facts());
    expect(await personOf(third)).toBeNull();
    expect(await personOf(cookies)).toMatchObject({ id: person.id });
    expect(await newest()).toMatchObject({ action: 'session.revoked', detail: { sessions: 1 } });
  });

  it('rename themselves, with a name of 1 to 100 characters', async () => {
    const { cookies, person } = await test.member(operator, projectId, 'viewer');
    const { own } = test.accounts;
    for (const name of ['', ' ', 'x'.repeat(101), 'x'.repeat(1_000_000), 'a\u0007b']) {
      await expect(own.rename(person, name, facts())).rejects.toMatchObject({ status: 422 });
    }
    await own.rename(person, ' Grace Hopper ', facts());
    expect(await personOf(cookies)).toMatchObject({ name: 'Grace Hopper' });
    expect(await newest()).toMatchObject({
      action: 'person.renamed',
      detail: { from: 'A viewer', to: 'Grace Hopper' },
    });
  });

  it('have another role from the next request on', async () => {
    const { cookies, person } = await test.member(operator, projectId, 'viewer');
    const place = { projectId, personId: person.id };
    await test.accounts.members.changeRole(operator, { ...place, role: 'admin' }, facts());
    expect((await personOf(cookies))?.roles).toEqual(new Map([[projectId, 'admin']]));
    expect(await newest()).toMatchObject({
      action: 'member.role_changed',
      projectId,
      actor: { kind: 'person', id: operator.id },
      target: { kind: 'person', id: person.id, name: 'A viewer' },
      detail: { from: 'viewer', to: 'admin' },
    });
    await test.accounts.members.remove(operator, place, facts());
    expect((await personOf(cookies))?.roles).toEqual(new Map());
    await expect(test.accounts.members.remove(operator, place, facts())).rejects.toMatchObject(
      refusal(404, /^Member not found$/),
    );
  });

  it('cannot make, change or remove an owner without being one', async () => {
    const mine = await test.newProject();
    const owner = await test.member(operator, mine, 'owner');
    const admin = await test.member(operator, mine, 'admin');
    const viewer = await test.member(operator, mine, 'viewer');
    const { members } = test.accounts;
    const on = (one: { person: Person }) => ({ projectId: mine, personId: one.person.id });
    const by = admin.person;
    for (const attempt of [
      () => members.changeRole(by, { ...on(viewer), role: 'owner' }, facts()),
      () => members.changeRole(by, { ...on(admin), role: 'owner' }, facts()),
      () => members.changeRole(by, { ...on(owner), role: 'viewer' }, facts()),
      () => members.remove(by, on(owner), facts()),
    ]) {
      await expect(attempt()).rejects.toMatchObject(refusal(403, /^Only an owner of the project/));
      expect(await newest()).toMatchObject({ outcome: 'refused', actor: { id: by.id } });
    }
    await members.changeRole(owner.person, { ...on(viewer), role: 'owner' }, facts());
    await members.remove(owner.person, on(owner), facts());
    const left = await members.list(mine);
    expect(new Map(left.map(({ email, role }) => [email, role]))).toEqual(
      new Map([
        ['ada@example.com', 'owner'],
        [admin.email, 'admin'],
        [viewer.email, 'owner'],
      ]),
    );
  });

  it('keep an operator, whom only operators make, end and delete', async () => {
    const { person, cookies, email } = await test.member(operator, projectId, 'owner');
    const { members } = test.accounts;
    const to = (personId: string, isOperator: boolean) => ({ personId, isOperator });
    const operatorsOnly = refusal(403, /^This needs an operator/);
    await expect(members.setOperator(person, to(person.id, true), facts())).rejects.toMatchObject(
      operatorsOnly,
    );
    await expect(members.deletePerson(person, operator.id, facts())).rejects.toMatchObject(
      operatorsOnly,
    );
    const last = refusal(403, /^A deployment keeps at least one operator/);
    await expect(
      members.setOperator(operator, to(operator.id, false), facts()),
    ).rejects.toMatchObject(last);
    await expect(members.deletePerson(operator, operator.id, facts())).rejects.toMatchObject(last);

    await members.setOperator(operator, to(person.id, true), facts());
    expect(await personOf(cookies)).toMatchObject({ isOperator: true });
    await members.setOperator(operator, to(person.id, false), facts());
    await members.deletePerson(operator, person.id, facts());
    expect(await newest()).toMatchObject({
      action: 'person.deleted',
      target: { id: person.id, name: 'A owner' },
      detail: { email },
    });
    expect(await personOf(cookies)).toBeNull();
    await expect(
      test.accounts.signIn.signIn({ email, password: PASSWORD }, facts()),
    ).rejects.toMatchObject({ status: 401 });
    expect((await members.list(projectId)).map(({ id }) => id)).not.toContain(person.id);
  });

  it('who were removed from everything still sign in, and see no project', async () => {
    const { person, email } = await test.member(operator, projectId, 'viewer');
    await test.accounts.members.remove(operator, { projectId, personId: person.id }, facts());
    const cookies = await test.accounts.signIn.signIn({ email, password: PASSWORD }, facts());
    expect(await personOf(cookies)).toMatchObject({ id: person.id, roles: new Map() });
  });
});
