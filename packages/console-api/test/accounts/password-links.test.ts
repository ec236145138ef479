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
  const notOpen = refusal(404, /was used or replaced, or has expired/);

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

  it('are tried sixty times in five minutes from one address', async () => {
    const address = '198.51.100.7';
    for (let count = 0; count < 60; count += 1) {
      await expect(links().read('wrong', facts({ address }))).rejects.toMatchObject(notOpen);
    }
    await expect(links().read('wrong', facts({ address }))).rejects.toMatchObject({ status: 429 });
    await expect(links().read('wrong', facts())).rejects.toMatchObject(notOpen);
  });

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
      const { accounts } = test.opened.store;
      const publicUrl = 'https://trawl.example.com';
      const make = (email: string) =>
        createPasswordLink(accounts, { email, publicUrl }, test.clock);
      expect(await make('nobody@example.com')).toBeNull();
      const made = await make('ADA@example.com');
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
