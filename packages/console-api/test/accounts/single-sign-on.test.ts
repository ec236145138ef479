import { describeMainlyOn } from '@trawl/test-support/databases';
import {
  type Behaviour,
  CLIENT,
  startToyProvider,
  type ToyProvider,
} from '@trawl/test-support/toy-provider';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
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

const GRACE = 'grace@example.com';

describeMainlyOn('SQLite', 'single sign-on', (database) => {
  let provider: ToyProvider;
  let test: TestAccounts;
  let operator: Person;

  beforeAll(async () => {
    provider = await startToyProvider();
    test = await openTestAccounts(database, {
      provider: {
        issuer: provider.issuer,
        clientId: CLIENT.id,
        clientSecret: CLIENT.secret,
        label: 'Toy',
        domains: ['partner.example'],
      },
    });
    operator = (await test.operator()).person;
  });
  afterAll(async () => {
    await test.opened.cleanup();
    await provider.stop();
  });
  beforeEach(async () => {
    provider.behave({});
    const person = await test.opened.store.accounts.people.findByEmail(GRACE);
    if (person)
      await test.opened.store.accounts.people.remove(person.id, '2026-01-01T00:00:00.000Z');
    await test.opened.store.accounts.database.db.deleteFrom('invitations').execute();
  });

  const singleSignOn = () => {
    const { singleSignOn: found } = test.accounts;
    if (!found) throw new Error('single sign-on is not set up');
    return found;
  };

  /** A whole round in one browser. */
  async function signIn(path?: string, behaviour: Behaviour = {}) {
    provider.behave(behaviour);
    const started = await singleSignOn().start(path, facts());
    const back = await provider.authorize(started.location);
    const request = new Request(back, { headers: browser(started.cookies) });
    return singleSignOn().finish(request, facts());
  }

  const invite = async (projectId: string, role: 'viewer' | 'admin', email = GRACE) =>
    test.accounts.invitations.invite(operator, { projectId, email, role }, facts());

  it('makes an account for an invited person, with the roles of all invitations', async () => {
    const [first, second] = [await test.newProject(), await test.newProject()];
    await invite(first, 'viewer');
    await invite(second, 'admin');
    const { location, cookies } = await signIn('/console/p/1/keys?filter=a#b');
    expect(location).toBe('/console/p/1/keys?filter=a#b');
    const person = await test.signedIn(cookies);
    expect(person).toMatchObject({ name: 'Grace', email: GRACE, isOperator: false });
    expect(person.roles).toEqual(
      new Map([
        [first, 'viewer'],
        [second, 'admin'],
      ]),
    );
    expect(await test.accounts.invitations.list(first)).toEqual([]);
    const again = await signIn();
    expect(again.location).toBe('/console');
    expect(await test.signedIn(again.cookies)).toMatchObject({ id: person.id });
    const [record] = await test.accounts.members
      .list(first)
      .then((all) => all.filter(({ id }) => id === person.id));
    expect(record?.signsInBy).toEqual(['single_sign_on']);
  });

  it('ends the password link that an operator made, and not the one of the command line', async () => {
    await invite(await test.newProject(), 'viewer');
    const { id } = await test.signedIn((await signIn()).cookies);
    const { passwordLinks } = test.accounts;
    const made = await passwordLinks.make(operator, id, facts());
    const { store } = test.opened;
    const publicUrl = 'https://trawl.example.com';
    const reset = await createPasswordLink(store, { email: GRACE, publicUrl }, test.clock);
    const read = (link = '') => passwordLinks.read(tokenOf(link), facts());
    expect(await read(made.link)).toMatchObject({ id });
    await signIn();
    await expect(read(made.link)).rejects.toMatchObject({ status: 404 });
    expect(await read(reset?.link)).toMatchObject({ id });
  });

  it('refuses a person without an invitation, and one whose address is not verified', async () => {
    const refused = '/console/sign-in?error=';
    expect(await signIn()).toMatchObject({ location: `${refused}invitation_required` });
    await invite(await test.newProject(), 'viewer');
    for (const email_verified of [
      false,
      undefined,
      null,
      'no',
      'false',
      'False',
      'yes',
      1,
      ['true'],
    ]) {
      const { location, cookies } = await signIn(undefined, { claims: { email_verified } });
      expect(location).toBe(`${refused}email_not_verified`);
      expect(await test.accounts.signIn.personOf(browser(cookies))).toBeNull();
    }
    expect(await test.opened.store.accounts.people.findByEmail(GRACE)).toBeUndefined();
    const { entries } = await test.accounts.audit.page({ outcome: 'refused', limit: 1 });
    expect(entries).toMatchObject([
      {
        action: 'session.signed_in',
        reason: 'email_not_verified',
        target: { kind: 'person', name: GRACE },
      },
    ]);
  });

  it.each(['true', 'True', 'TRUE'])(
    'takes an address as verified that the provider calls so by the text %j',
    async (email_verified) => {
      await invite(await test.newProject(), 'viewer');
      const { cookies } = await signIn(undefined, { claims: { email_verified } });
      expect(await test.signedIn(cookies)).toMatchObject({ email: GRACE });
    },
  );

  it('lets people of a listed domain in, who see no project', async () => {
    const { cookies } = await signIn(undefined, {
      claims: { sub: 'person-2', email: 'Alan@Partner.example', name: 'x'.repeat(1_000_000) },
    });
    const person = await test.signedIn(cookies);
    expect(person).toMatchObject({ email: 'alan@partner.example', name: 'x'.repeat(100) });
    expect(person.roles).toEqual(new Map());
    for (const email of ['eve@sub.partner.example', 'eve@evil-partner.example']) {
      const { location } = await signIn(undefined, { claims: { sub: email, email } });
      expect(location).toBe('/console/sign-in?error=invitation_required');
    }
  });

  it('replaces the password of the account with the same address', async () => {
    const projectId = await test.newProject();
    const member = await test.member(operator, projectId, 'viewer', GRACE);
    const unverified = await signIn(undefined, { claims: { email_verified: false } });
    expect(unverified.location).toBe('/console/sign-in?error=email_not_verified');
    const { cookies } = await signIn();
    expect(await test.signedIn(cookies)).toMatchObject({ id: member.person.id });
    const person = await test.opened.store.accounts.people.find(member.person.id);
    expect(person?.signsInBy).toEqual(['single_sign_on']);
    expect(await test.signedIn(cookies)).toMatchObject({ roles: new Map([[projectId, 'viewer']]) });
  });

  it('keeps no token of the provider', async () => {
    await invite(await test.newProject(), 'viewer');
    await signIn();
    await signIn();
    const { db } = test.opened.store.accounts.database;
    const rows = await db
      .withTables<{ console_accounts: Record<string, unknown> }>()
      .selectFrom('console_accounts')
      .selectAll()
      .execute();
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) {
      expect(row).toMatchObject({ access_token: null, refresh_token: null, id_token: null });
    }
  });

  it('reads the address from the page about the person, unless that is about another one', async () => {
    await invite(await test.newProject(), 'viewer');
    const claims = { email: undefined, email_verified: undefined };
    const userInfo = { sub: 'person-1', email: GRACE, email_verified: true, name: 'Grace' };
    const other = await signIn(undefined, { claims, userInfo: { ...userInfo, sub: 'person-9' } });
    expect(other.location).toBe('/console/sign-in?error=failed');
    const { location } = await signIn(undefined, { claims, userInfo });
    expect(location).toBe('/console');
  });

  it.each<[string, Behaviour]>([
    ['signed by another key', { isForged: true }],
    ['without a signature', { isUnsigned: true }],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['for another client', { claims: { aud: 'other' } }],
    ['of another sign-in', { claims: { nonce: 'other' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['that has expired', { claims: { exp: 1_000_000_000 } }],
    ['without a person', { claims: { sub: undefined } }],
    ['without an address', { claims: { email: undefined } }],
    ['with a list as address', { claims: { email: [GRACE] } }],
  ])('refuses an ID token %s', async (_, behaviour) => {
    await invite(await test.newProject(), 'admin');
    const { location, cookies } = await signIn(undefined, behaviour);
    expect(location).toBe('/console/sign-in?error=failed');
    expect(await test.accounts.signIn.personOf(browser(cookies))).toBeNull();
    expect(await test.opened.store.accounts.people.findByEmail(GRACE)).toBeUndefined();
  });

  it('refuses an answer without an ID token', async () => {
    await invite(await test.newProject(), 'admin');
    const userInfo = { sub: 'person-1', email: GRACE, email_verified: true };
    const { location } = await signIn(undefined, { hasNoIdToken: true, userInfo });
    expect(location).toBe('/console/sign-in?error=failed');
  });

  it('refuses a return that this browser did not begin, that comes twice, or with an error', async () => {
    await invite(await test.newProject(), 'viewer');
    const { start, finish } = singleSignOn();
    const failed = { location: '/console/sign-in?error=failed' };
    const victim = await start(undefined, facts());
    const attacker = await start(undefined, facts());
    const back = await provider.authorize(attacker.location);
    const inVictims = new Request(back, { headers: browser(victim.cookies) });
    expect(await finish(inVictims, facts())).toMatchObject(failed);
    expect(await finish(new Request(back), facts())).toMatchObject(failed);

    const started = await start(undefined, facts());
    const returned = await provider.authorize(started.location);
    const request = () => new Request(returned, { headers: browser(started.cookies) });
    expect(await finish(request(), facts())).toMatchObject({ location: '/console' });
    expect(await finish(request(), facts())).toMatchObject(failed);

    const denied = await start(undefined, facts());
    const url = new URL(denied.location);
    const address = `${url.searchParams.get('redirect_uri')}?error=access_denied&error_description=%3Cb%3E&state=${url.searchParams.get('state')}`;
    const cancelled = new Request(address, { headers: browser(denied.cookies) });
    expect(await finish(cancelled, facts())).toMatchObject({
      location: '/console/sign-in?error=cancelled',
    });
    expect(await finish(new Request(`${returned.split('?')[0]}`), facts())).toMatchObject(failed);
  });

  it.each([
    ['https://evil.example/console', '/console'],
    ['//evil.example/console', '/console'],
    ['/\\evil.example', '/console'],
    ['/other', '/console'],
    ['/console-evil', '/console'],
    ['/console/../other', '/console'],
    ['/console/api/sign-out', '/console'],
    ['javascript:alert(1)', '/console'],
    ['/console/p/1', '/console/p/1'],
  ])('asked to go on to %s, it goes to %s', async (asked, expected) => {
    await invite(await test.newProject(), 'viewer');
    expect((await signIn(asked)).location).toBe(expected);
  });

  it('keeps passwords working', async () => {
    const cookies = await test.accounts.signIn.signIn(
      { email: 'ada@example.com', password: PASSWORD },
      facts(),
    );
    expect(cookies).toHaveLength(1);
  });
});

describeMainlyOn('SQLite', 'a provider in trouble', (database) => {
  let provider: ToyProvider;
  beforeAll(async () => {
    provider = await startToyProvider();
  });
  afterAll(() => provider.stop());

  it('is asked again with the next sign-in, and does not disturb those with a password', async () => {
    const { issuer } = provider;
    const client = { clientId: CLIENT.id, clientSecret: CLIENT.secret };
    const test = await openTestAccounts(database, {
      provider: { issuer, ...client, label: 'Toy', domains: [] },
    });
    try {
      await test.operator();
      const start = () => test.accounts.singleSignOn?.start(undefined, facts());
      const unreachable = refusal(503, /^Toy cannot be reached\. Try again later\.$/);
      const discoveries: readonly Behaviour[] = [
        { discovery: { issuer: `${issuer}/` } },
        { discovery: { issuer: 'https://evil.example' } },
        { discovery: { jwks_uri: undefined } },
        { discovery: { token_endpoint: 'file:///etc/passwd' } },
        { discovery: { authorization_endpoint: 'javascript:alert(1)' } },
      ];
      for (const behaviour of discoveries) {
        provider.behave(behaviour);
        await expect(start()).rejects.toMatchObject(unreachable);
      }
      expect(test.faults.join()).toContain('names another issuer than the setting');
      expect(test.faults.join()).toContain('has no usable token_endpoint');
      expect(test.faults.join()).not.toContain(CLIENT.secret);
      const given = { email: 'ada@example.com', password: PASSWORD };
      expect(await test.accounts.signIn.signIn(given, facts())).toHaveLength(1);
      provider.behave({});
      expect((await start())?.location).toContain(`${issuer}/authorize?`);
    } finally {
      await test.opened.cleanup();
    }
  });

  it('that is the only way in switches passwords off, but for the first account', async () => {
    const { issuer } = provider;
    const client = { clientId: CLIENT.id, clientSecret: CLIENT.secret };
    const test = await openTestAccounts(database, {
      provider: { issuer, ...client, label: 'Toy', domains: [] },
      isSingleSignOnOnly: true,
    });
    try {
      const { person } = await test.operator();
      const off = refusal(403, /^Passwords are switched off/);
      const given = { email: 'ada@example.com', password: PASSWORD };
      await expect(test.accounts.signIn.signIn(given, facts())).rejects.toMatchObject(off);
      const projectId = await test.newProject();
      await expect(test.member(person, projectId, 'viewer')).rejects.toMatchObject(off);
    } finally {
      await test.opened.cleanup();
    }
  });
});
