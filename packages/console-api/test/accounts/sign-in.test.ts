import { scryptSync } from 'node:crypto';
import { describeMainlyOn } from '@trawl/test-support/databases';
import { afterAll, beforeAll, expect, it, type MockInstance, vi } from 'vitest';
import { deviceToken } from '../../src/accounts/devices.ts';
import { createSetupCode } from '../../src/accounts/setup-code.ts';
import {
  browser,
  facts,
  openTestAccounts,
  PASSWORD,
  refusal,
  type TestAccounts,
} from './support.ts';

const EMAIL = 'ada@example.com';

describeMainlyOn('SQLite', 'signing in to the console', (database) => {
  let test: TestAccounts;
  let printed: readonly MockInstance[];
  beforeAll(async () => {
    const levels = ['log', 'info', 'warn', 'error', 'debug'] as const;
    printed = levels.map((level) => vi.spyOn(console, level));
    test = await openTestAccounts(database);
    await test.operator(EMAIL);
  });
  afterAll(async () => {
    for (const spy of printed) spy.mockRestore();
    await test.opened.cleanup();
  });

  const signIn = (email = EMAIL, password = PASSWORD, from = facts()) =>
    test.accounts.signIn.signIn({ email, password }, from);
  const sessionOf = (cookies: readonly string[]) => test.accounts.signIn.personOf(browser(cookies));

  it('sets one cookie that scripts cannot read, for the console only', async () => {
    const cookies = await signIn('ADA@example.com');
    expect(cookies).toHaveLength(1);
    const [name, ...attributes] = (cookies[0] ?? '').split('; ');
    expect(name).toMatch(/^__Secure-trawl\.session_token=[^;]{40,}$/);
    expect(attributes.toSorted()).toEqual([
      'HttpOnly',
      'Max-Age=1209600',
      'Path=/console',
      'SameSite=Lax',
      'Secure',
    ]);
    expect(await sessionOf(cookies)).toMatchObject({
      name: 'Ada',
      email: EMAIL,
      isOperator: true,
      roles: new Map(),
    });
  });

  it('reads no session from no cookie, a foreign or a changed one', async () => {
    const [cookie = ''] = await signIn();
    expect(await test.accounts.signIn.personOf(new Headers())).toBeNull();
    expect(await test.accounts.signIn.personOf(new Headers({ cookie: 'other=1' }))).toBeNull();
    const changed = cookie.replace(/=(.)/, (_, first) => `=${first === 'a' ? 'b' : 'a'}`);
    expect(await sessionOf([changed])).toBeNull();
    expect(await sessionOf([cookie.replace(/=[^;]+/, `=${'x'.repeat(1_000_000)}`)])).toBeNull();
  });

  it.each([
    ['an unknown address', 'eve@example.com', PASSWORD],
    ['a wrong password', EMAIL, 'wrong horse battery'],
    ['no address', 'ada', PASSWORD],
    ['a password of 1 MB', EMAIL, 'x'.repeat(1_000_000)],
    ['an address of 1 MB', `${'x'.repeat(1_000_000)}@example.com`, PASSWORD],
    ['an empty password', EMAIL, ''],
  ])('says the same to %s', async (_, email, password) => {
    await expect(signIn(email, password)).rejects.toMatchObject(
      refusal(401, /^Wrong e-mail or password$/),
    );
  });

  it('ends a session with its cookie', async () => {
    const cookies = await signIn();
    const [ended = ''] = await test.accounts.signIn.signOut(browser(cookies), facts());
    expect(ended).toMatch(/^__Secure-trawl\.session_token=;.*Max-Age=0;.*Path=\/console/);
    expect(await sessionOf(cookies)).toBeNull();
    await test.accounts.signIn.signOut(browser(cookies), facts());
  });

  it('does not accept an expired session', async () => {
    const cookies = await signIn();
    const person = await test.signedIn(cookies);
    const { db, type } = test.opened.store.accounts.database;
    const past = new Date(Date.now() - 1_000);
    await db
      .updateTable('console_sessions')
      .set({ expires_at: type === 'sqlite' ? past.toISOString() : past })
      .where('id', '=', person.sessionId)
      .execute();
    expect(await sessionOf(cookies)).toBeNull();
    const left = await test.accounts.own.sessions(person);
    expect(left.map(({ id }) => id)).not.toContain(person.sessionId);
  });

  it('extends a session once a day, with its cookie', async () => {
    const cookies = await signIn();
    const { signIn: signIns } = test.accounts;
    expect(await signIns.extend(browser(cookies))).toEqual([]);
    const person = await test.signedIn(cookies);
    const { db, type } = test.opened.store.accounts.database;
    const soon = new Date(Date.now() + 12 * 86_400_000);
    await db
      .updateTable('console_sessions')
      .set({ expires_at: type === 'sqlite' ? soon.toISOString() : soon })
      .where('id', '=', person.sessionId)
      .execute();
    expect(await signIns.extend(browser(cookies))).toEqual([
      expect.stringMatching(/^__Secure-trawl\.session_token=.*Max-Age=1209600/),
    ]);
    const extended = await test.signedIn(cookies);
    expect(Date.parse(extended.expiresAt)).toBeGreaterThan(soon.getTime() + 86_400_000);
  });

  it('limits attempts on one address, and says when to try again', async () => {
    const email = 'limited@example.com';
    for (let count = 0; count < 10; count += 1) {
      await expect(signIn(email, 'wrong')).rejects.toMatchObject({ status: 401 });
    }
    await expect(signIn(email, 'wrong')).rejects.toMatchObject({
      ...refusal(429, /^Too many attempts\. Try again in 300 seconds$/),
      headers: { 'retry-after': '300' },
    });
    test.time.now += 300_000;
    await expect(signIn(email, 'wrong')).rejects.toMatchObject({ status: 401 });
  });

  it('counts attempts on an address together, however it is written', async () => {
    const spellings = ['Mixed@Example.com', 'mIxed@example.com', 'MIXED@EXAMPLE.COM'];
    for (let count = 0; count < 10; count += 1) {
      await expect(signIn(spellings[count % 3], 'wrong')).rejects.toMatchObject({ status: 401 });
    }
    for (const email of [...spellings, 'mixed@example.com']) {
      await expect(signIn(email, 'wrong')).rejects.toMatchObject({ status: 429 });
    }
  });

  it('knows a device for 180 days after a sign-in', async () => {
    const email = 'known@example.com';
    const { person } = await test.member(
      await test.signedIn(await signIn()),
      await test.newProject(),
      'viewer',
      email,
    );
    const cookies = await test.accounts.remember(await signIn(email));
    const device = deviceToken(browser(cookies));
    const lockOut = async () => {
      for (let count = 0; count < 10; count += 1) {
        await expect(signIn(email, 'wrong')).rejects.toMatchObject({ status: 401 });
      }
    };
    await lockOut();
    test.time.now += 1_000;
    const again = await signIn(email, PASSWORD, facts({ device }));
    expect(await test.signedIn(again)).toMatchObject({ id: person.id });
    test.time.now += 180 * 86_400_000;
    await lockOut();
    await expect(signIn(email, PASSWORD, facts({ device }))).rejects.toMatchObject({ status: 429 });
    test.time.now -= 180 * 86_400_000;
  });

  it('counts only attempts that failed', async () => {
    const from = facts();
    for (let count = 0; count < 12; count += 1) await signIn(EMAIL, PASSWORD, from);
    const wrong = () => signIn(EMAIL, 'wrong', from);
    for (let count = 0; count < 9; count += 1) {
      await expect(wrong()).rejects.toMatchObject({ status: 401 });
    }
    await signIn(EMAIL, PASSWORD, from);
    await expect(wrong()).rejects.toMatchObject({ status: 401 });
    await expect(wrong()).rejects.toMatchObject({ status: 429 });
    test.time.now += 300_000;
  });

  it('counts the addresses of one IPv6 network together', async () => {
    const guess = (address: string, name: number | string) =>
      signIn(`nobody-${name}`, 'wrong', facts({ address }));
    for (let count = 0; count < 60; count += 1) {
      await expect(guess(`2001:db8:5::${count}:1`, count)).rejects.toMatchObject({ status: 401 });
    }
    await expect(guess('2001:db8:5::ffff', 'x')).rejects.toMatchObject({ status: 429 });
    await expect(guess('2001:db8:5:1::1', 'x')).rejects.toMatchObject({ status: 401 });
  });

  it('limits attempts of one caller, also those at the same time', async () => {
    const from = facts();
    const tries = Array.from({ length: 70 }, (_, index) =>
      signIn(`unknown-${index}`, 'wrong', from).catch((error: { status: number }) => error.status),
    );
    const statuses = await Promise.all(tries);
    expect(statuses.filter((status) => status === 401)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect(await signIn()).toHaveLength(1);
  });

  it('writes to the audit log who signed in, out, and who failed, without the password', async () => {
    const from = facts({ address: '192.0.2.7', requestId: 'request-7' });
    const cookies = await signIn(EMAIL, PASSWORD, from);
    await expect(signIn(EMAIL, 'wrong horse battery', from)).rejects.toThrow();
    await expect(signIn('my password', 'wrong', from)).rejects.toThrow();
    await test.accounts.signIn.signOut(browser(cookies), from);
    const { entries } = await test.accounts.audit.page({ action: 'session', limit: 4 });
    const { id } = (await test.opened.store.accounts.people.findByEmail(EMAIL)) ?? {};
    const ada = { kind: 'person', id, name: 'Ada', email: EMAIL };
    const anonymous = { kind: 'anonymous', id: null, name: null, email: null };
    const origin = { ip: '192.0.2.7', requestId: 'request-7', userAgent: 'a browser' };
    expect(entries.toReversed()).toMatchObject([
      { ...origin, action: 'session.signed_in', outcome: 'succeeded', actor: ada },
      {
        ...origin,
        actor: anonymous,
        outcome: 'refused',
        reason: 'Wrong e-mail or password',
        target: { kind: 'person', name: EMAIL },
      },
      { outcome: 'refused', target: { kind: 'person', name: null } },
      { ...origin, action: 'session.signed_out', actor: ada },
    ]);
    expect(JSON.stringify(entries)).not.toContain('wrong horse');
    expect(JSON.stringify(entries)).not.toContain('my password');
  });

  it('reports no refusal as a fault, and prints nothing past the log', () => {
    expect(test.faults).toEqual([]);
    expect(printed.flatMap((spy) => spy.mock.calls)).toEqual([]);
  });
});

describeMainlyOn('SQLite', 'the first account', (database) => {
  it('has its password stored as a costly hash with a salt', async () => {
    const test = await openTestAccounts(database, { passwords: undefined });
    try {
      await test.operator(EMAIL);
      const { db } = test.opened.store.accounts.database;
      const { password } = await db
        .selectFrom('console_accounts')
        .select('password')
        .executeTakeFirstOrThrow();
      const [salt = '', digest] = (password ?? '').split(':');
      expect(salt).toMatch(/^[0-9a-f]{32}$/);
      const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1_048_576 };
      expect(scryptSync(PASSWORD, salt, 64, cost).toString('hex')).toBe(digest);
      const given = { email: EMAIL, password: PASSWORD };
      expect(await test.accounts.signIn.signIn(given, facts())).toHaveLength(1);
    } finally {
      await test.opened.cleanup();
    }
  });

  it('is made once with the code, also by several callers at the same time', async () => {
    const test = await openTestAccounts(database);
    try {
      const { signIn } = test.accounts;
      expect(await signIn.needsSetup()).toBe(true);
      const code = await createSetupCode(test.opened.store, test.clock);
      expect(code).toMatch(/^([0-9A-Z]{5}-){3}[0-9A-Z]{5}$/);
      const typed = ` ${code?.toLowerCase().replaceAll('-', ' ')}`;
      const made = await Promise.allSettled(
        Array.from({ length: 5 }, (_, index) =>
          signIn.setUp(
            { code: typed, name: 'Ada', email: `ada-${index}@example.com`, password: PASSWORD },
            facts(),
          ),
        ),
      );
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(made.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: refusal(403, /^The code is wrong.*trawl console code/),
      });
      expect(await signIn.needsSetup()).toBe(false);
      expect(await test.accounts.members.people()).toMatchObject([{ isOperator: true }]);
      expect(await createSetupCode(test.opened.store, test.clock)).toBeNull();
      const { entries } = await test.accounts.audit.page({ limit: 20 });
      expect(JSON.stringify(entries)).not.toContain(code);
    } finally {
      await test.opened.cleanup();
    }
  });

  it('needs good values, and keeps the code when they are not', async () => {
    const test = await openTestAccounts(database, { publicUrl: 'http://192.0.2.1:8080' });
    try {
      const code = (await createSetupCode(test.opened.store, test.clock)) ?? '';
      const good = { code, name: ' Ada ', email: 'Ada@Example.com', password: PASSWORD };
      const setUp = (given: Partial<typeof good>) =>
        test.accounts.signIn.setUp({ ...good, ...given }, facts());
      const huge = 'x'.repeat(1_000_000);
      for (const name of ['', '  ', huge, 'a\u0000b']) {
        await expect(setUp({ name })).rejects.toMatchObject(refusal(422, /^name must be/));
      }
      for (const email of ['', 'ada', huge, `${huge}@example.com`]) {
        await expect(setUp({ email })).rejects.toMatchObject(refusal(422, /^email must be/));
      }
      for (const password of ['', 'short', huge]) {
        await expect(setUp({ password })).rejects.toMatchObject(
          refusal(422, /^password must be 12 to 128 characters$/),
        );
      }
      await expect(setUp({ code: 'wrong' })).rejects.toMatchObject({ status: 403 });
      const [cookie = ''] = await setUp({});
      expect(cookie).toMatch(/^trawl\.session_token=/);
      expect(cookie).not.toContain('Secure');
      expect(await test.signedIn([cookie])).toMatchObject({
        name: 'Ada',
        email: 'ada@example.com',
        isOperator: true,
      });
    } finally {
      await test.opened.cleanup();
    }
  });
});
