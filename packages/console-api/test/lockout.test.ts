import {
  type Browser,
  type ConsoleServer,
  openBrowser,
  PASSWORD,
  startConsoleServer,
} from '@trawl/test-support/console-server';
import { describeMainlyOn } from '@trawl/test-support/databases';
import { afterAll, beforeAll, expect, test } from 'vitest';

const OPERATOR = 'ada@example.com';
const DEVICE = /^(?:__Secure-)?trawl\.device=([^;]*)/;

describeMainlyOn('SQLite', 'strangers who guess passwords', (database) => {
  let server: ConsoleServer;
  let operator: Browser;
  let viewer: Browser;
  beforeAll(async () => {
    // a proxy on this machine names the clients
    server = await startConsoleServer({ database, env: { TRUSTED_PROXIES: '127.0.0.1, ::1' } });
    operator = await server.operator();
    viewer = await server.person('viewer');
  });
  afterAll(() => server.stop());

  const signIn = (by: Browser, from: string, email = OPERATOR, password = PASSWORD) =>
    by.call('POST', '/console/api/sign-in', {
      body: { email, password },
      headers: { 'x-forwarded-for': from },
    });
  /** Guesses of strangers without an account, each for another address. */
  const guess = async (from: string, count: number) => {
    const tries = Array.from({ length: count }, (_, index) =>
      signIn(server.browser(), from, `guess-${index}@example.com`, 'wrong horse battery'),
    );
    const answers = await Promise.all(tries);
    return answers.map(({ status }) => status);
  };
  const withCookie = (cookie: string): Browser => openBrowser(server, cookie);

  test('do not lock out people of the same address who were signed in on their device', async () => {
    const from = '198.51.100.1';
    expect(new Set(await guess(from, 60))).toEqual(new Set([401]));
    expect((await signIn(server.browser(), from)).status).toBe(429);
    expect((await signIn(server.browser(), '198.51.100.2')).status).toBe(204);

    await operator.call('POST', '/console/api/sign-out');
    expect((await operator.call('GET', '/console/api/session')).status).toBe(401);
    expect((await signIn(operator, from, OPERATOR, 'wrong horse battery')).status).toBe(401);
    expect((await signIn(operator, from, 'ADA@example.com')).status).toBe(204);
    expect((await operator.call('GET', '/console/api/session')).status).toBe(200);
  });

  test('get no further with a device of another person, a changed one or a made-up one', async () => {
    const from = '198.51.100.1';
    expect((await signIn(viewer, from)).status).toBe(429);
    const [name, token = ''] =
      operator
        .cookie()
        .match(/(trawl\.device)=([^;]+)/)
        ?.slice(1) ?? [];
    expect(name).toBe('trawl.device');
    const [id = '', ...rest] = token.split('.');
    const { json } = await viewer.call('GET', '/console/api/session');
    for (const forged of [
      [json.person.id, ...rest].join('.'),
      [id, 'x', ...rest.slice(1)].join('.'),
      // not the last character, of which two bits mean nothing
      token.replace(/[^.](?=[^.]*$)/, (one) => (one === 'A' ? 'B' : 'A')),
      token.split('.').slice(0, 3).join('.'),
      '...',
      'x'.repeat(4_000),
    ]) {
      const answer = await signIn(withCookie(`trawl.device=${forged}`), from);
      expect([forged.slice(0, 80), answer.status]).toEqual([forged.slice(0, 80), 429]);
    }
  });

  test('do not lock out a person by the address of the account', async () => {
    for (let count = 0; count < 10; count += 1) {
      const from = `203.0.113.${count}`;
      expect((await signIn(server.browser(), from, OPERATOR, 'wrong')).status).toBe(401);
    }
    expect((await signIn(server.browser(), '203.0.113.99')).status).toBe(429);
    expect((await signIn(operator, '203.0.113.99')).status).toBe(204);
  });

  test('who have a device of the person may try ten passwords on it', async () => {
    const stolen = withCookie(operator.cookie());
    for (let count = 0; count < 10; count += 1) {
      const { status } = await signIn(stolen, `203.0.113.${100 + count}`, OPERATOR, 'wrong');
      expect(status).toBe(401);
    }
    expect((await signIn(stolen, '203.0.113.200', OPERATOR, 'wrong')).status).toBe(429);
  });

  test('have no use of a device after the password was changed', async () => {
    const person = await server.person('viewer');
    const { json } = await person.call('GET', '/console/api/session');
    const { email } = json.person;
    const old = withCookie(person.cookie());
    const from = '198.51.100.1';
    expect((await signIn(old, from, email, 'wrong')).status).toBe(401);
    const next = 'another horse battery';
    const changed = await person.call('POST', '/console/api/account/password', {
      body: { current_password: PASSWORD, new_password: next },
    });
    expect(changed.status).toBe(204);
    expect((await signIn(old, from, email, next)).status).toBe(429);
    expect((await signIn(person, from, email, next)).status).toBe(204);
  });

  test('do not keep the first account from being made', async () => {
    const fresh = await startConsoleServer({ database });
    try {
      const strangers = Array.from({ length: 60 }, () =>
        fresh.browser().call('POST', '/console/api/setup', {
          body: { code: 'wrong', name: 'Eve', email: 'eve@evil.test', password: PASSWORD },
        }),
      );
      for (const { status } of await Promise.all(strangers)) expect(status).toBe(403);
      const { status } = await fresh.browser().call('POST', '/console/api/setup', {
        body: { code: 'wrong', name: 'Eve', email: 'eve@evil.test', password: PASSWORD },
      });
      expect(status).toBe(429);
      const first = await fresh.operator();
      expect((await first.call('GET', '/console/api/session')).status).toBe(200);
      const { json } = await first.call(
        'GET',
        '/console/api/audit?action=setup.completed&limit=200',
      );
      expect(json.entries).toHaveLength(61);
    } finally {
      await fresh.stop();
    }
  });

  test('are known by the address that the proxy in front names, whatever they say themselves', async () => {
    const person = await server.person('viewer');
    const { email } = (await person.call('GET', '/console/api/session')).json.person;
    const { status } = await signIn(person, '127.0.0.1, 192.0.2.9, [2001:DB8::9]:4711', email);
    expect(status).toBe(204);
    const { json } = await person.call('GET', '/console/api/account/sign-ins');
    const current = json.sign_ins.find((one: { is_current: boolean }) => one.is_current);
    expect(current.ip).toMatch(/^2001:0?db8:/);
    const audit = await operator.call('GET', '/console/api/audit?action=session.signed_in&limit=1');
    expect(audit.json.entries).toMatchObject([{ ip: '2001:db8::9', actor: { email } }]);
    expect(server.logged()).not.toContain('2001:db8::9');
  });

  test('the cookie of a device is for the console only, and scripts cannot read it', async () => {
    const person = await server.person('viewer');
    const { json } = await person.call('GET', '/console/api/session');
    const answer = await signIn(person, '192.0.2.50', json.person.email);
    const [cookie = ''] = answer.headers.getSetCookie().filter((one) => DEVICE.test(one));
    const [, ...attributes] = cookie.split('; ');
    expect(attributes.toSorted()).toEqual([
      'HttpOnly',
      'Max-Age=15552000',
      'Path=/console',
      'SameSite=Lax',
    ]);
  });
});
