import { readFile } from 'node:fs/promises';
import { systemClock } from '@trawl/base';
import type { KeyPermission } from '@trawl/contract';
import {
  type Browser,
  type ConsoleServer,
  PASSWORD,
  startConsoleServer,
} from '@trawl/test-support/console-server';
import { describeMainlyOn } from '@trawl/test-support/databases';
import { type Answer, startTestServer } from '@trawl/test-support/harness';
import { sendJson, serveHttp } from '@trawl/test-support/loopback';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { issueKey } from '../../src/admin/key-admin.ts';
import {
  addWatch,
  HOURLY,
  holdingExa,
  movableClock,
  nextRun,
  OFTEN,
  readWatch,
  SEARCH,
  SEARCH_USD,
  SLOW_MACHINE_MS,
  startExa,
} from '../watches/support.ts';

const ROOT = new URL('../../../../', import.meta.url);

/** Tests that take a right of this table away already, on both databases. */
const ELSEWHERE = {
  'setup code': [
    'packages/store/test/accounts/setup-code.test.ts',
    'ends when it is replaced, and when there is an account',
  ],
  'sealed provider key': [
    'packages/console-api/test/provider-keys.test.ts',
    'are used at once, shown by their tail alone, and gone when removed',
  ],
} as const;

/** Rows of the table in docs/security.md that have their test in this file. */
const tested = new Set<string>();

describe('the table of rights that are used later', () => {
  it('has a row for each test, and a test for each row', async () => {
    const page = await readFile(new URL('docs/security.md', ROOT), 'utf8');
    const [, section = ''] = page.split('\n## Rights that are used later\n');
    const [table = ''] = section.split('\n## ');
    const rows = [...table.matchAll(/^\| ([a-z][^|]*?) \|/gm)].map(([, name]) => name);
    expect(rows.sort()).toEqual([...tested, ...Object.keys(ELSEWHERE)].sort());
  });

  it.each(Object.entries(ELSEWHERE))('has the test of the %s', async (_, [file, title]) => {
    const text = await readFile(new URL(file, ROOT), 'utf8');
    expect(text).toContain('describeOnDatabases(');
    expect(text).toContain(`it('${title}'`);
  });
});

describeMainlyOn('PostgreSQL', 'a right that is taken away before it is used:', (database) => {
  const row = (name: string, test: () => Promise<void>) => {
    tested.add(name);
    it(name, test, SLOW_MACHINE_MS);
  };

  let server: ConsoleServer;
  let operator: Browser;
  beforeAll(async () => {
    const env = { PUBLIC_URL: 'https://trawl.example.com' };
    server = await startConsoleServer({ database, env });
    operator = await server.operator();
  });
  afterAll(() => server.stop());
  beforeEach(() => server.sandbox.clearCalls());

  /** A server whose provider waits for the test. */
  async function startHolding() {
    const exa = await holdingExa();
    const own = await startConsoleServer({ database, env: { EXA_BASE_URL: exa.url } });
    onTestFinished(() => own.stop());
    return { exa, server: own, keys: own.server.store.keys };
  }

  /** Changes what a key may, and waits until the server has noticed. */
  async function noticed(change: Promise<unknown>, ask: () => Promise<Answer>, status: number) {
    await change;
    await expect.poll(async () => (await ask()).status).toBe(status);
  }

  const now = () => new Date().toISOString();
  const idOf = async (person: Browser): Promise<string> =>
    (await person.call('GET', '/console/api/session')).json.person.id;
  const tokenOf = ({ json }: Answer): string => String(json.link).split('#')[1] ?? '';

  row('invitation', async () => {
    const maker = await server.person('admin');
    const made = await maker.call('POST', server.path('/invitations'), {
      body: { email: 'friend@example.com', role: 'admin' },
    });
    const body = { token: tokenOf(made), name: 'A friend', password: PASSWORD };
    const open = () =>
      server.browser().call('POST', '/console/api/invitation', { body: { token: body.token } });
    expect((await open()).status).toBe(200);
    await operator.call('DELETE', server.path(`/members/${await idOf(maker)}`));
    expect((await open()).status).toBe(404);
    const accept = server.browser().call('POST', '/console/api/invitation/accept', { body });
    expect((await accept).status).toBe(404);
  });

  row('password link', async () => {
    const [maker, person] = [await server.person('admin'), await server.person('viewer')];
    const made = await maker.call(
      'POST',
      server.path(`/members/${await idOf(person)}/password-link`),
    );
    const token = tokenOf(made);
    const open = () =>
      server.browser().call('POST', '/console/api/password-link', { body: { token } });
    expect((await open()).status).toBe(200);
    await operator.call('DELETE', server.path(`/members/${await idOf(maker)}`));
    expect((await open()).status).toBe(404);
    const body = { token, password: 'known to mallory' };
    const used = await server.browser().call('POST', '/console/api/password-link/use', { body });
    expect(used.status).toBe(404);
    expect((await person.call('GET', '/console/api/session')).status).toBe(200);
  });

  row('session of a person', async () => {
    const person = await server.person('admin');
    const id = await idOf(person);
    const makeKey = () =>
      person.call('POST', server.path('/keys'), { body: { name: 'k', permissions: ['read'] } });
    expect((await makeKey()).status).toBe(200);
    const member = server.path(`/members/${id}`);
    await operator.call('PATCH', member, { body: { role: 'member' } });
    expect((await makeKey()).status).toBe(403);
    await operator.call('DELETE', member);
    expect((await makeKey()).status).toBe(404);
    await server.server.store.accounts.people.remove(id, now());
    expect((await makeKey()).status).toBe(401);
  });

  row('cookie of a device', async () => {
    const person = await server.person('viewer');
    const { person: known } = (await person.call('GET', '/console/api/session')).json;
    const signIn = (at: Browser, password: string) =>
      at.call('POST', '/console/api/sign-in', { body: { email: known.email, password } });
    for (let count = 0; count < 10; count += 1) await signIn(server.browser(), 'a wrong password');
    expect((await signIn(server.browser(), PASSWORD)).status).toBe(429);
    expect((await signIn(person, PASSWORD)).status).toBe(204);
    const made = await operator.call('POST', server.path(`/members/${known.id}/password-link`));
    const body = { token: tokenOf(made), password: 'another password' };
    await server.browser().call('POST', '/console/api/password-link/use', { body });
    expect((await signIn(person, body.password)).status).toBe(429);
  });

  row('key that replays a session', async () => {
    const { keys } = server.server.store;
    const { session_id: replaySession } = (await server.search(SEARCH)).json;
    server.sandbox.clearCalls();
    const makeKey = () =>
      issueKey(keys, systemClock, {
        ...{ projectId: server.projectId, name: 'offline', expiresAt: null, replaySession },
        permissions: ['search', 'read'] satisfies KeyPermission[],
      });
    const [first, second] = [await makeKey(), await makeKey()];
    const ask = (key: string) => () => server.search(SEARCH, { key });
    expect((await ask(first.key)()).status).toBe(200);
    await noticed(keys.revokeKey(first.record.id, now()), ask(first.key), 401);
    expect((await ask(second.key)()).status).toBe(200);
    await server.call('DELETE', `/v1/sessions/${replaySession}`);
    expect((await ask(second.key)()).status).toBe(409);
    expect(server.sandbox.calls).toEqual([]);
  });

  row('watch', async () => {
    const exa = await startExa();
    const time = movableClock();
    const server = await startTestServer({
      ...{ database, clock: time.clock, watchTimes: OFTEN },
      env: { EXA_BASE_URL: exa.url },
    });
    onTestFinished(() => server.stop());
    const { keys } = server.server.store;
    const owner = await server.makeKey('main');
    const { id } = await addWatch(server, HOURLY, owner.key);
    const first = await nextRun(server, id);
    await keys.changeKey(owner.id, { permissions: ['manage'] });
    time.passMinutes(60);
    const refused = await nextRun(server, id, first.last_run_at);
    expect(refused).toMatchObject({ last_status: 'refused', last_error: { status: 403 } });
    await keys.deleteKey(owner.id, now());
    expect(await readWatch(server, id)).toMatchObject({ state: 'stopped', stop_reason: 'deleted' });
    expect(exa.received).toHaveLength(1);
  });

  row('alert', async () => {
    const hook = await serveHttp((response) => sendJson(response, {}));
    const exa = await startExa();
    const time = movableClock();
    const server = await startTestServer({
      ...{ database, clock: time.clock, watchTimes: OFTEN },
      env: {
        EXA_BASE_URL: exa.url,
        ALERT_WEBHOOK_URL: hook.url,
        ALERT_WEBHOOK_SECRET: 'a-secret-of-the-webhook',
      },
    });
    onTestFinished(() => server.stop());
    const { id } = await addWatch(server);
    const first = await nextRun(server, id);
    exa.rows = ['a', 'b', 'found-later'];
    time.passMinutes(60);
    await nextRun(server, id, first.last_run_at);
    await expect.poll(() => hook.received.length).toBe(1);
    const [{ body } = { body: '' }] = hook.received;
    expect(body).not.toMatch(/tidal power|found-later/);
    const { url } = JSON.parse(body).data;
    expect((await server.call('GET', url, { key: null })).status).toBe(401);
    expect((await server.call('GET', url)).json.news).toHaveLength(1);
    await server.call('DELETE', `/v1/watches/${id}`);
    expect((await server.call('GET', url)).status).toBe(404);
  });

  row('repeat of a request', async () => {
    const { keys } = server.server.store;
    const { id, key } = await server.makeKey('main', ['search', 'manage']);
    const ask = () => server.search(SEARCH, { key, headers: { 'idempotency-key': 'once' } });
    const first = await ask();
    const repeated = await ask();
    expect([repeated.status, repeated.json]).toEqual([200, first.json]);
    await noticed(keys.changeKey(id, { permissions: ['manage'] }), ask, 403);
    await noticed(keys.changeKey(id, { permissions: ['search'] }), ask, 200);
    expect(server.sandbox.calls).toHaveLength(1);
    await server.call('DELETE', `/v1/sessions/${first.json.session_id}`);
    const again = await ask();
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, null]);
    expect(again.json.interaction_id).not.toBe(first.json.interaction_id);
    await noticed(keys.revokeKey(id, now()), ask, 401);
  });

  row('reserved budget', async () => {
    const { exa, server, keys } = await startHolding();
    const [first, second] = [await server.makeKey('team'), await server.makeKey('team')];
    const searches = (count: number) =>
      keys.limitProject('team', { monthlyBudgetMicros: count * SEARCH_USD * 1e6 });
    const ask = ({ key }: { readonly key: string }) => server.search(SEARCH, { key });
    await searches(2);
    const running = ask(first);
    await exa.asked;
    // what is reserved counts at once towards the lower budget
    await searches(1);
    await expect.poll(async () => (await ask(second)).status).toBe(402);
    await keys.revokeKey(first.id, now());
    exa.answer();
    expect((await running).status).toBe(200);
    await searches(2);
    await expect.poll(async () => (await ask(second)).status).toBe(200);
    expect((await ask(second)).status).toBe(402);
    const { rows } = (await server.call('GET', '/v1/usage?group_by=provider', second)).json;
    expect(rows).toMatchObject([{ calls: 2, cost_usd: 2 * SEARCH_USD }]);
  });

  row('work in progress', async () => {
    const { exa, server, keys } = await startHolding();
    const operator = await server.operator();
    const [maker, person] = [await server.makeKey('main'), await server.person('member')];
    const byKey = server.search(SEARCH, { key: maker.key });
    const ofPerson = () => person.call('POST', server.path('/v1/search'), { body: SEARCH });
    const byPerson = ofPerson();
    await expect.poll(() => exa.received.length).toBe(2);
    const reads = () => server.call('GET', '/v1/sessions', { key: maker.key });
    await noticed(keys.deleteKey(maker.id, now()), reads, 401);
    await operator.call('DELETE', server.path(`/members/${await idOf(person)}`));
    expect((await ofPerson()).status).toBe(404);
    exa.answer();
    for (const { status, json } of [await byKey, await byPerson]) {
      expect(status).toBe(200);
      const path = `/v1/interactions?session_id=${json.session_id}&interaction_id=${json.interaction_id}`;
      expect((await server.call('GET', path)).status).toBe(200);
    }
    expect(exa.received).toHaveLength(2);
    const { rows } = (await server.call('GET', '/v1/usage?group_by=provider')).json;
    expect(rows).toMatchObject([{ calls: 2, cost_usd: 2 * SEARCH_USD }]);
  });
});
