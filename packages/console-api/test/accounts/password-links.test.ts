import { newLoginKey } from '@trawl/server';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPasswordLink } from '../../src/accounts/password-links.ts';
import type { Person } from '../../src/serving/person.ts';
import {
  browser,
  facts,
  openTestAccounts,
  PASSWORD,
  refusal,
  type TestAccounts,
  tokenOf,
} from './support.ts';

const NEXT = 'another horse battery';
const HOUR_MS = 3_600_000;

describeOnDatabases('links for a new password', (database) => {
  let test: TestAccounts;
  let operator: Person;
  let projectId: string;
  let otherProjectId: string;
  beforeAll(async () => {
    test = await openTestAccounts(database);
    operator = (await test.operator()).person;
    projectId = await test.newProject();
    otherProjectId = await test.newProject();
  });
  afterAll(() => test.opened.cleanup());

  const links = () => test.accounts.passwordLinks;
  const personOf = (cookies: readonly string[]) => test.accounts.signIn.personOf(browser(cookies));
  const signIn = (email: string, password: string) =>
    test.accounts.signIn.signIn({ email, password }, facts());
  const newest = async (limit = 1) => (await test.accounts.audit.page({ limit })).entries;
  const notOpen = refusal(404, /was used or replaced, or has ended/);

  it('set a password once, and end every session of the person', async () => {
    const { cookies, person, email } = await test.member(operator, projectId, 'member');
    const { link, expiresAt } = await links().make(operator, person.id, facts());
    expect(link).toMatch(/^https:\/\/trawl\.example\.com\/console\/password#[\w-]{40,}$/);
    expect(Date.parse(expiresAt)).toBe(test.time.now + HOUR_MS);
    const token = tokenOf(link);
    expect(await links().read(token, facts())).toMatchObject({ email, name: 'A member' });
    await expect(links().use({ token, password: 'short' }, facts())).rejects.toMatchObject({
      status: 422,
    });

    const uses = [0, 1].map(() => links().use({ token, password: NEXT }, facts()));
    const ended = await Promise.allSettled(uses);
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await personOf(cookies)).toBeNull();
    await expect(signIn(email, PASSWORD)).rejects.toMatchObject({ status: 401 });
    expect(await personOf(await signIn(email, NEXT))).toMatchObject({ id: person.id });
    await expect(links().read(token, facts())).rejects.toMatchObject(notOpen);
    expect(JSON.stringify(await newest(20))).not.toContain(token);
  });

  it('end the logins of the person for /mcp, each with its audit entry', async () => {
    const { person } = await test.member(operator, projectId, 'admin');
    const { key, digest } = newLoginKey(test.clock, {
      ...{ projectId, name: 'A program', permissions: ['search'] },
      ...{ createdBy: person.id, loginClient: 'https://app.example/client.json' },
    });
    const { logins } = test.opened.store;
    const now = new Date(test.time.now).toISOString();
    await logins.grant(
      {
        ...{ key, isEntered: false, keyDigest: digest },
        ...{ codeDigest: key.id, redirectUri: '', challenge: '' },
      },
      now,
    );
    const { link } = await links().make(operator, person.id, facts());
    expect(await logins.list(person.id, now)).toHaveLength(1);
    await links().use({ token: tokenOf(link), password: NEXT }, facts());
    expect(await logins.list(person.id, now)).toEqual([]);
    expect(await newest()).toMatchObject([
      { action: 'login.ended', target: { id: key.id }, detail: { because: 'password_link.used' } },
    ]);
  });

  it('are in the audit log, made and used', async () => {
    const { person } = await test.member(operator, projectId, 'viewer');
    const { link } = await links().make(operator, person.id, facts());
    await links().use({ token: tokenOf(link), password: NEXT }, facts());
    const [used, made] = await newest(2);
    const target = { kind: 'person', id: person.id, name: person.name };
    expect(made).toMatchObject({ action: 'password_link.created', target, outcome: 'succeeded' });
    expect(made?.actor).toMatchObject({ id: operator.id });
    expect(used).toMatchObject({ action: 'password_link.used', target });
    expect(used?.actor).toMatchObject({ id: person.id });
  });

  it('end after an hour, and with the next one', async () => {
    const { person } = await test.member(operator, projectId, 'viewer');
    const first = await links().make(operator, person.id, facts());
    const second = await links().make(operator, person.id, facts());
    await expect(links().read(tokenOf(first.link), facts())).rejects.toMatchObject(notOpen);
    const token = tokenOf(second.link);
    await links().read(token, facts());
    test.time.now += HOUR_MS + 1;
    await expect(links().use({ token, password: NEXT }, facts())).rejects.toMatchObject(notOpen);
  });

  it('are refused after sixty wrong ones in five minutes from one address, but a right one never', async () => {
    const from = facts({ address: '198.51.100.7' });
    for (let count = 0; count < 60; count += 1) {
      await expect(links().read('wrong', from)).rejects.toMatchObject(notOpen);
    }
    await expect(links().read('wrong', from)).rejects.toMatchObject({ status: 429 });
    await expect(links().read('wrong', facts())).rejects.toMatchObject(notOpen);
    const { person } = await test.member(operator, projectId, 'viewer');
    const token = tokenOf((await links().make(operator, person.id, facts())).link);
    expect(await links().read(token, from)).toMatchObject({ id: person.id });
    await links().use({ token, password: NEXT }, from);
  });

  /** A viewer with a link by an admin of the project, and one of the command line. */
  async function withLinks() {
    const project = await test.newProject();
    const maker = await test.member(operator, project, 'admin');
    const target = await test.member(operator, project, 'viewer');
    const made = await links().make(maker.person, target.person.id, facts());
    const reset = await resetLink(target.email);
    return { project, maker, target, token: tokenOf(made.link), reset: tokenOf(reset?.link ?? '') };
  }
  type WithLinks = Awaited<ReturnType<typeof withLinks>>;
  const resetLink = (email: string) =>
    createPasswordLink(
      test.opened.store,
      { email, publicUrl: 'https://trawl.example.com' },
      test.clock,
    );
  /** As another server of the same database would do it. */
  const elsewhere = async () => (await test.opened.another()).accounts;
  const accept = async (person: Person, into: string, role: 'viewer' | 'admin' | 'owner') => {
    const invite = { projectId: into, email: person.email, role };
    const { link } = await test.accounts.invitations.invite(operator, invite, facts());
    await test.accounts.accept.acceptAs(person, tokenOf(link), facts());
  };
  const now = () => new Date(test.time.now).toISOString();

  describe('by a person end', () => {
    it.each<[string, (given: WithLinks) => Promise<unknown>]>([
      [
        'when the person gets a role',
        ({ target }) => accept(target.person, otherProjectId, 'owner'),
      ],
      [
        'when the person gets a higher role, and it is taken back by another server',
        async ({ project, target: { person } }) => {
          const { members } = test.opened.store.accounts;
          await members.setRole(project, person.id, 'owner', now());
          await (await elsewhere()).members.setRole(project, person.id, 'viewer', now());
        },
      ],
      [
        'when the person becomes an operator, and is one no longer',
        async ({ target: { person } }) => {
          await test.opened.store.accounts.people.setOperator(person.id, true, now());
          await (await elsewhere()).people.setOperator(person.id, false, now());
        },
      ],
      [
        'when the person changes the password',
        ({ target }) =>
          test.accounts.own.changePassword(
            target.person,
            { current: PASSWORD, next: NEXT, headers: browser(target.cookies) },
            facts(),
          ),
      ],
      [
        'when the person signs in by single sign-on',
        ({ target }) => test.opened.store.accounts.passwordLinks.end(target.person.id),
      ],
      [
        'when the person has a way to sign in by single sign-on',
        ({ target }) => linkToProvider(target.person.id),
      ],
      [
        'when a verified holder takes the account of the maker over',
        ({ maker }) => test.opened.store.accounts.people.handOver(maker.person.id, now()),
      ],
      [
        'when the maker is removed',
        ({ project, maker }) =>
          test.accounts.members.remove(
            operator,
            { projectId: project, personId: maker.person.id },
            facts(),
          ),
      ],
      [
        'when the maker gets a lower role and the old one again',
        async ({ project, maker: { person } }) => {
          const { members } = test.opened.store.accounts;
          await members.setRole(project, person.id, 'member', now());
          await (await elsewhere()).members.setRole(project, person.id, 'admin', now());
        },
      ],
      [
        'when the account of the maker is deleted',
        ({ maker }) => test.accounts.members.deletePerson(operator, maker.person.id, facts()),
      ],
      [
        'when the project is deleted',
        ({ project }) => test.opened.store.projects.remove(project, now()),
      ],
    ])('%s', async (_, change) => {
      const given = await withLinks();
      await links().read(given.token, facts());
      await change(given);
      const { token, target } = given;
      await expect(links().read(token, facts())).rejects.toMatchObject(notOpen);
      await expect(
        links().use({ token, password: 'mallory knows' }, facts()),
      ).rejects.toMatchObject(notOpen);
      await expect(signIn(target.email, 'mallory knows')).rejects.toMatchObject({ status: 401 });
    });

    it('with a new role also if an operator made them', async () => {
      const { target } = await withLinks();
      const { link } = await links().make(operator, target.person.id, facts());
      await accept(target.person, otherProjectId, 'viewer');
      await expect(links().read(tokenOf(link), facts())).rejects.toMatchObject(notOpen);
    });

    it('also when the role comes while the link is used', async () => {
      const { token, target, project } = await withLinks();
      const { members } = await elsewhere();
      const [used] = await Promise.allSettled([
        links().use({ token, password: NEXT }, facts()),
        members.setRole(project, target.person.id, 'owner', now()),
      ]);
      const isNew = await signIn(target.email, NEXT).then(
        () => true,
        () => false,
      );
      expect(isNew).toBe(used.status === 'fulfilled');
      await expect(links().read(token, facts())).rejects.toMatchObject(notOpen);
    });
  });

  it('never replace a password that the person sets at that moment', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { reset: token, target } = await withLinks();
      const headers = browser(target.cookies);
      const change = { current: PASSWORD, next: 'set by the person', headers };
      const [changed] = await Promise.allSettled([
        test.accounts.own.changePassword(target.person, change, facts()),
        links().use({ token, password: NEXT }, facts()),
      ]);
      const last = changed.status === 'fulfilled' ? change.next : NEXT;
      expect(await signIn(target.email, last)).not.toHaveLength(0);
    }
  });

  describe('of the command line', () => {
    it('stay open whatever happens to roles, makers and sign-ins', async () => {
      const { reset, target, maker, project } = await withLinks();
      const { people, members, passwordLinks } = test.opened.store.accounts;
      await links().make(maker.person, target.person.id, facts());
      await members.setRole(project, target.person.id, 'admin', now());
      await people.setOperator(target.person.id, true, now());
      await people.handOver(target.person.id, now());
      await linkToProvider(target.person.id);
      await passwordLinks.end(target.person.id);
      expect(await links().read(reset, facts())).toMatchObject({ email: target.email });
      await links().use({ token: reset, password: NEXT }, facts());
      expect(await signIn(target.email, NEXT)).not.toHaveLength(0);
    });

    it('end with the next one, and with another password', async () => {
      const { reset, target, token } = await withLinks();
      const next = tokenOf((await resetLink(target.email))?.link ?? '');
      await expect(links().read(reset, facts())).rejects.toMatchObject(notOpen);
      await links().use({ token, password: NEXT }, facts());
      await expect(links().read(next, facts())).rejects.toMatchObject(notOpen);
    });
  });

  /** The person has signed in by an identity provider. */
  async function linkToProvider(personId: string): Promise<void> {
    const { db, type } = test.opened.store.accounts.database;
    const at = type === 'sqlite' ? now() : new Date(test.time.now);
    await db
      .insertInto('console_accounts')
      .values({
        ...{ id: `sso-${personId}`, account_id: 'subject', provider_id: 'oidc' },
        ...{ user_id: personId, created_at: at, updated_at: at },
      })
      .execute();
  }

  describe('are made', () => {
    it('by an admin for members of lower or the same role, in all their projects', async () => {
      const admin = (await test.member(operator, projectId, 'admin')).person;
      const same = (await test.member(operator, projectId, 'admin')).person;
      const below = await test.member(operator, projectId, 'viewer');
      await links().make(admin, same.id, facts());
      await links().make(admin, below.person.id, facts());
      const elsewhere = { projectId: otherProjectId, email: below.email, role: 'viewer' } as const;
      const invited = await test.accounts.invitations.invite(operator, elsewhere, facts());
      await test.accounts.accept.acceptAs(below.person, tokenOf(invited.link), facts());
      await expect(links().make(admin, below.person.id, facts())).rejects.toMatchObject(
        refusal(403, /a project that you do not administer, or a higher role/),
      );
      expect((await newest())[0]).toMatchObject({
        action: 'password_link.created',
        outcome: 'refused',
      });
    });

    it.each([
      ['an owner, by an admin', 'owner', 'admin'],
      ['a viewer, by a member', 'viewer', 'member'],
    ] as const)('never for %s', async (_, of, by) => {
      const person = (await test.member(operator, projectId, of)).person;
      const maker = (await test.member(operator, projectId, by)).person;
      await expect(links().make(maker, person.id, facts())).rejects.toMatchObject({ status: 403 });
    });

    it('not by a person whose role is taken away at that moment', async () => {
      const { project, maker, target } = await withLinks();
      const { person } = maker;
      await test.opened.store.accounts.members.remove(project, person.id, now());
      await expect(links().make(person, target.person.id, facts())).rejects.toMatchObject(
        refusal(403, /A role was changed meanwhile/),
      );
    });

    it('by an operator only, for people who sign in by single sign-on', async () => {
      const { maker, target } = await withLinks();
      await linkToProvider(target.person.id);
      await expect(links().make(maker.person, target.person.id, facts())).rejects.toMatchObject(
        refusal(403, /signs in by single sign-on: only an operator/),
      );
      const { link } = await links().make(operator, target.person.id, facts());
      await links().use({ token: tokenOf(link), password: NEXT }, facts());
    });

    it('never for an operator, nor for oneself', async () => {
      const owner = (await test.member(operator, projectId, 'owner')).person;
      await expect(links().make(owner, operator.id, facts())).rejects.toMatchObject(
        refusal(403, /`trawl console reset`/),
      );
      await expect(links().make(owner, owner.id, facts())).rejects.toMatchObject(
        refusal(403, /your own password/),
      );
      await expect(links().make(owner, 'nobody', facts())).rejects.toMatchObject({ status: 404 });
    });

    it('by the command line for anybody, an operator too', async () => {
      expect(await resetLink('nobody@example.com')).toBeNull();
      const made = await resetLink('ADA@example.com');
      expect((await newest())[0]).toMatchObject({
        action: 'password_link.created',
        actor: { kind: 'command_line' },
      });
      await links().use({ token: tokenOf(made?.link ?? ''), password: NEXT }, facts());
      expect(await signIn('ada@example.com', NEXT)).not.toHaveLength(0);
    });
  });

  it('are refused where passwords are off', async () => {
    const off = await openTestAccounts(database, { isSingleSignOnOnly: true });
    try {
      await expect(
        off.accounts.passwordLinks.make(operator, operator.id, facts()),
      ).rejects.toMatchObject({ status: 403 });
    } finally {
      await off.opened.cleanup();
    }
  });
});
