import { systemClock } from '@trawl/base';
import { newLoginKey } from '@trawl/server';
import {
  type Browser,
  type ConsoleServer,
  PASSWORD,
  signInAt,
  signInAtSettings,
  startConsoleServer,
} from '@trawl/test-support/console-server';
import { describeMainlyOn } from '@trawl/test-support/databases';
import { startToyProvider, type ToyProvider } from '@trawl/test-support/toy-provider';
import { afterAll, beforeAll, expect, test } from 'vitest';

const BOSS = 'boss@corp.test';

describeMainlyOn('SQLite', 'an account that a stranger made for an address', (database) => {
  let provider: ToyProvider;
  let server: ConsoleServer;
  let operator: Browser;
  beforeAll(async () => {
    provider = await startToyProvider();
    provider.behave({ claims: { sub: 'boss', email: BOSS, name: 'Boss' } });
    // at their real cost: what happens while a password is checked counts here
    server = await startConsoleServer({ database, env: signInAtSettings(provider) }, {});
    operator = await server.operator();
  });
  afterAll(async () => {
    await server.stop();
    await provider.stop();
  });

  /** Returns the token of the link. */
  async function invite(by: Browser, projectId: string, email: string, role: string) {
    const made = await by.call('POST', server.path('/invitations', projectId), {
      body: { email, role },
    });
    expect(made.status).toBe(200);
    return String(made.json.link).split('#')[1];
  }

  test('belongs to the person whose identity is verified, from the first single sign-on', async () => {
    const projectA = server.projectId;
    const made = await operator.call('POST', '/console/api/projects', { body: { name: 'B' } });
    const projectB = String(made.json.id);
    const mallory = await server.person('admin');
    const malloryId = (await mallory.call('GET', '/console/api/session')).json.person.id;

    // Mallory invites the boss, and opens the link herself
    const squatter = server.browser();
    const token = await invite(mallory, projectA, BOSS, 'admin');
    const account = { token, name: 'Boss', password: PASSWORD };
    const accepted = await squatter.call('POST', '/console/api/invitation/accept', {
      body: account,
    });
    expect(accepted.status).toBe(204);
    const { json: squatted } = await squatter.call('GET', '/console/api/session');
    const linkPath = server.path(`/members/${squatted.person.id}/password-link`);
    const passwordLink = await mallory.call('POST', linkPath);
    expect(passwordLink.status).toBe(200);
    const friend = await invite(squatter, projectA, 'friend@evil.test', 'admin');
    const key = await squatter.call('POST', server.path('/keys'), {
      body: { name: 'a spare key', permissions: ['read'] },
    });
    expect(key.status).toBe(200);
    const login = await loginOf(server, squatted.person.id);

    // an operator invites the boss, who signs in and accepts
    const tokenOfB = await invite(operator, projectB, BOSS, 'owner');
    const boss = server.browser();
    expect((await signInAt(provider, boss)).headers.get('location')).toBe('/console');
    const joined = await boss.call('POST', '/console/api/invitation/accept', {
      body: { token: tokenOfB },
    });
    expect(joined.status).toBe(204);
    const { json: session } = await boss.call('GET', '/console/api/session');
    expect(session).toMatchObject({
      person: { email: BOSS },
      projects: [
        { id: projectB, role: 'owner' },
        { id: projectA, role: 'admin' },
      ],
    });

    // what Mallory had is of no use any more
    expect((await squatter.call('GET', '/console/api/session')).status).toBe(401);
    const membersOfB = server.path('/members', projectB);
    expect((await squatter.call('GET', membersOfB)).status).toBe(401);
    expect((await mallory.call('GET', membersOfB)).status).toBe(404);
    const again = await server.browser().call('POST', '/console/api/sign-in', {
      body: { email: BOSS, password: PASSWORD },
    });
    expect(again.status).toBe(401);
    const link = await server.browser().call('POST', '/console/api/invitation', {
      body: { token: friend },
    });
    expect(link.status).toBe(404);
    const open = { token: passwordLink.json.link.split('#')[1] };
    const opened = await mallory.call('POST', '/console/api/password-link', { body: open });
    expect(opened.status).toBe(404);
    const { json: members } = await boss.call('GET', membersOfB);
    expect(members.members).toMatchObject([
      { email: 'ada@example.com' },
      { email: BOSS, role: 'owner', signs_in_with: 'single_sign_on' },
    ]);

    expect((await server.server.store.keys.keyOfId(login))?.revokedAt).not.toBeNull();

    // the audit log says who did what, and what the linking ended
    const { json: audit } = await operator.call('GET', '/console/api/audit?limit=200');
    const find = (action: string, target: string) =>
      audit.entries.find(
        (entry: { action: string; target: { id: string; name: string } | null }) =>
          entry.action === action && [entry.target?.id, entry.target?.name].includes(target),
      );
    const { json: ofMallory } = await operator.call(
      'GET',
      `/console/api/audit?actor=${malloryId}&action=invitation.created`,
    );
    expect(ofMallory.entries).toMatchObject([
      { target: { name: BOSS }, detail: { role: 'admin' } },
    ]);
    expect(find('login.ended', login)).toMatchObject({ detail: { because: 'person.linked' } });
    expect(find('person.linked', session.person.id)).toMatchObject({
      outcome: 'succeeded',
      actor: { id: session.person.id, email: BOSS },
      detail: {
        way: 'single_sign_on',
        password_removed: true,
        sessions_ended: 1,
        keys_made: [key.json.id],
      },
    });
    expect(find('invitation.revoked', 'friend@evil.test')).toMatchObject({
      detail: { role: 'admin', because: 'person.linked' },
    });
    expect(server.logged()).not.toContain('"level":50');
  });

  test('is not taken over again by the next sign-in of that person', async () => {
    const [first, second] = [server.browser(), server.browser()];
    await signInAt(provider, first);
    await signInAt(provider, second);
    for (const browser of [first, second]) {
      expect((await browser.call('GET', '/console/api/session')).status).toBe(200);
    }
    const { json: audit } = await operator.call('GET', '/console/api/audit?action=person.linked');
    expect(audit.entries).toHaveLength(1);
  });

  test('that signs in with its password at that moment gets no session', async () => {
    const email = 'busy@corp.test';
    const squatter = server.browser();
    const token = await invite(operator, server.projectId, email, 'viewer');
    const account = { token, name: 'Busy', password: PASSWORD };
    await squatter.call('POST', '/console/api/invitation/accept', { body: account });
    provider.behave({ claims: { sub: 'busy', email, name: 'Busy' } });
    const browsers = Array.from({ length: 12 }, () => server.browser());
    const signingIn = browsers.map((browser) =>
      browser.call('POST', '/console/api/sign-in', { body: { email, password: PASSWORD } }),
    );
    const person = server.browser();
    await signInAt(provider, person);
    await Promise.all(signingIn);
    for (const browser of [squatter, ...browsers]) {
      expect((await browser.call('GET', '/console/api/session')).status).toBe(401);
    }
    expect((await person.call('GET', '/console/api/session')).status).toBe(200);
  });
});

/** A login that a person has let a program have; the id of its key. */
async function loginOf({ server, projectId }: ConsoleServer, personId: string): Promise<string> {
  const { key, digest } = newLoginKey(systemClock, {
    ...{ projectId, name: 'A program', permissions: ['search'] },
    ...{ createdBy: personId, loginClient: 'https://app.example/client.json' },
  });
  const now = new Date().toISOString();
  const login = {
    ...{ key, isEntered: false, keyDigest: digest },
    ...{ codeDigest: 'a code', redirectUri: '', challenge: '' },
  };
  expect(await server.store.logins.grant(login, now)).toMatchObject({ outcome: 'granted' });
  return key.id;
}
