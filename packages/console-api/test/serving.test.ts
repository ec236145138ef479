import {
  type Browser,
  type ConsoleServer,
  PASSWORD,
  startConsoleServer,
} from '@trawl/test-support/console-server';
import { describeMainlyOn } from '@trawl/test-support/databases';
import { afterAll, beforeAll, expect, test } from 'vitest';

describeMainlyOn('SQLite', 'the console', (database) => {
  let server: ConsoleServer;
  let operator: Browser;
  beforeAll(async () => {
    server = await startConsoleServer({ database });
    operator = await server.operator();
  });
  afterAll(() => server.stop());

  test('says how to sign in, and who is signed in', async () => {
    const stranger = server.browser();
    const state = await stranger.call('GET', '/console/api/state');
    expect(state.json).toEqual({
      needs_setup: false,
      password_sign_in: true,
      single_sign_on: null,
      demo: null,
    });
    const refused = await stranger.call('GET', '/console/api/session');
    expect([refused.status, refused.json]).toEqual([
      401,
      { detail: 'Sign in to the console first' },
    ]);
    const session = await operator.call('GET', '/console/api/session');
    expect(session.json).toMatchObject({
      person: { name: 'Ada Operator', email: 'ada@example.com', is_operator: true },
      projects: [{ id: server.projectId, name: 'main', role: 'owner' }],
      server: { base_url: server.url },
    });
  });

  test('an API key does not open the console, and a session does not open the API', async () => {
    const key = { authorization: `Bearer ${server.key}` };
    const withKey = await server.browser().call('GET', server.path('/members'), { headers: key });
    expect(withKey.status).toBe(401);
    const passed = await server
      .browser()
      .call('GET', server.path('/v1/sessions'), { headers: key });
    expect(passed.status).toBe(401);
    const withSession = await operator.call('GET', '/v1/sessions');
    expect([withSession.status, withSession.json.detail]).toEqual([401, 'Missing API key']);
  });

  test('the address of a sign-in is that of the connection, whatever headers say', async () => {
    const browser = server.browser();
    const headers = {
      'x-forwarded-for': '192.0.2.1',
      'x-real-ip': '192.0.2.2',
      'x-console-address': '192.0.2.3',
      'user-agent': 'a browser'.padEnd(1_000, '.'),
    };
    const body = { email: 'ada@example.com', password: PASSWORD };
    const signedIn = await browser.call('POST', '/console/api/sign-in', { body, headers });
    expect([signedIn.status, signedIn.text]).toEqual([204, '']);
    const { json } = await browser.call('GET', '/console/api/account/sign-ins');
    const current = json.sign_ins.find((one: { is_current: boolean }) => one.is_current);
    expect(current).toMatchObject({ ip: expect.stringMatching(/^(::ffff:)?127\.0\.0\.1$|^::1$/) });
    expect(current.user_agent).toHaveLength(300);
  });

  test('a change that no page of this console sent is refused', async () => {
    const body = { name: 'sneaky' };
    for (const origin of ['https://evil.example', 'null', `${server.url}0`]) {
      const refused = await operator.call('POST', '/console/api/projects', {
        body,
        headers: { origin },
      });
      expect([origin, refused.status]).toEqual([origin, 403]);
    }
    const without = await server.call('POST', '/console/api/projects', {
      key: null,
      body,
      headers: { cookie: operator.cookie() },
    });
    expect([without.status, without.json.detail]).toEqual([403, expect.stringContaining('Origin')]);
    const { json } = await operator.call('GET', '/console/api/projects');
    expect(json.projects.map(({ name }: { name: string }) => name)).toEqual(['main']);
  });

  test('each role may do what it says, and a foreign project does not exist', async () => {
    const other = await server.makeKey('other');
    const viewer = await server.person('viewer');
    const member = await server.person('member');
    const admin = await server.person('admin');
    const search = { body: { user_input: { query: 'tides' } } };
    const statuses = async (browser: Browser) => [
      (await browser.call('GET', server.path('/v1/sessions'))).status,
      (await browser.call('POST', server.path('/v1/search'), search)).status,
      (
        await browser.call(
          'DELETE',
          server.path('/v1/sessions/00000000-0000-4000-8000-000000000000'),
        )
      ).status,
      (await browser.call('PATCH', server.path(''), { body: { rate_limit: 500 } })).status,
      (await browser.call('PATCH', server.path(''), { body: { name: 'renamed' } })).status,
      (await browser.call('GET', server.path('/v1/sessions', other.projectId))).status,
      (await browser.call('GET', server.path('', other.projectId))).status,
      (await browser.call('POST', '/console/api/projects', { body: { name: 'mine' } })).status,
    ];
    expect(await statuses(viewer)).toEqual([200, 403, 403, 403, 403, 404, 404, 403]);
    expect(await statuses(member)).toEqual([200, 200, 403, 403, 403, 404, 404, 403]);
    expect(await statuses(admin)).toEqual([200, 200, 404, 204, 403, 404, 404, 403]);
    const refusals = await operator.call('GET', server.path('/audit?outcome=refused'));
    expect(refusals.json.entries[0]).toMatchObject({
      actor: { kind: 'person', email: 'admin-3@example.com' },
      action: 'project.renamed',
      reason: 'Only an owner of the project may rename it',
    });
    expect(refusals.json.entries.map(({ action }: { action: string }) => action)).toContain(
      'access.refused',
    );
  });

  test('a search from the console is recorded under the hidden key of its project', async () => {
    const searched = await operator.call('POST', server.path('/v1/search'), {
      body: { user_input: { query: 'heat pumps' } },
    });
    const { session_id: session, interaction_id: interaction } = searched.json;
    const read = await server.call(
      'GET',
      `/v1/interactions?session_id=${session}&interaction_id=${interaction}`,
    );
    expect(read.json.user_input).toEqual({ query: 'heat pumps' });
    const keys = await server.server.store.keys.listKeys(server.projectId);
    expect(keys.map(({ name }) => name)).toEqual(['main']);
    const events = await operator.call('POST', server.path('/v1/search'), {
      body: { user_input: { query: 'heat pumps' } },
      headers: { accept: 'text/event-stream' },
    });
    expect(events.text).toMatch(/^event: run$/m);
    expect(events.text).toMatch(/^event: done$/m);
    const price = await operator.call('POST', server.path('/v1/search?dry_run=true'), {
      body: { user_input: { query: 'heat pumps' } },
    });
    expect(price.json).toMatchObject({ calls: expect.any(Array) });
  });

  test('deleting what was recorded is in the audit log, which can be exported', async () => {
    const { json } = await operator.call('POST', server.path('/v1/search'), {
      body: { user_input: { query: 'to be deleted' } },
    });
    const deleted = await operator.call('DELETE', server.path(`/v1/sessions/${json.session_id}`));
    expect(deleted.status).toBe(204);
    const entries = await operator.call('GET', server.path('/audit?action=history'));
    expect(entries.json.entries[0]).toMatchObject({
      action: 'history.deleted',
      actor: { name: 'Ada Operator' },
      target: { name: `/v1/sessions/${json.session_id}` },
    });
    const file = await operator.call('GET', server.path('/audit/export?action=history'));
    expect(file.headers.get('content-type')).toBe('application/x-ndjson');
    expect(
      file.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual(entries.json.entries.map(({ id }: { id: string }) => id));
  });

  test('projects are made, limited and renamed, each name once', async () => {
    const made = await operator.call('POST', '/console/api/projects', { body: { name: 'second' } });
    const again = await operator.call('POST', '/console/api/projects', {
      body: { name: 'second' },
    });
    expect([again.status, again.json.detail]).toEqual([400, expect.stringContaining('"second"')]);
    const steering = { name: 'second\n\u001b[31m' };
    const refused = await operator.call('POST', '/console/api/projects', { body: steering });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('control')]);
    const at = (rest = '') => server.path(rest, made.json.id);
    const taken = await operator.call('PATCH', at(), { body: { name: 'main' } });
    expect(taken.status).toBe(400);
    const changed = await operator.call('PATCH', at(), {
      body: { name: 'third', rate_limit: 30, monthly_budget_usd: 2.5 },
    });
    expect(changed.status).toBe(204);
    expect((await operator.call('GET', at())).json).toMatchObject({
      name: 'third',
      rate_limit: 30,
      monthly_budget_usd: 2.5,
      spent_usd: 0,
      key_count: 0,
    });
    await operator.call('PATCH', at(), { body: { monthly_budget_usd: null } });
    expect((await operator.call('GET', at())).json).toMatchObject({
      rate_limit: 30,
      monthly_budget_usd: null,
    });
    const long = await operator.call('PATCH', at(), { body: { name: 'x'.repeat(900_000) } });
    expect([long.status, long.text.length < 2_000]).toEqual([422, true]);
  });
});
