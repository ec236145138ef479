import { systemClock } from '@trawl/base';
import { describeMainlyOn } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import {
  APP,
  callTool,
  codeFor,
  type LoginServer,
  logIn,
  OTHER_APP,
  refreshOf,
  sendForm,
  startLoginServer,
} from '@trawl/test-support/logins';
import { mcpMount } from '@trawl/test-support/mcp-hosts';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

/** Two servers of one database where it can have two; the same one twice elsewhere. */
describeMainlyOn('PostgreSQL', 'attacks on logins', (database) => {
  let server: LoginServer;
  let replica: Pick<TestServer, 'call' | 'search' | 'stop' | 'logged'>;
  beforeAll(async () => {
    server = await startLoginServer({ database });
    if (database.name === 'SQLite') {
      replica = server;
      return;
    }
    const { location } = server.database;
    replica = await startTestServer({
      database: { ...database, create: async () => ({ location, drop: async () => {} }) },
      mounts: [mcpMount()],
      // its clock is two minutes ahead
      clock: { ...systemClock, now: () => Date.now() + 120_000 },
      env: { PUBLIC_URL: server.issuer, MCP_LOGIN: 'on' },
    });
  });
  afterAll(async () => {
    if (replica !== server) await replica.stop();
    await server.stop();
  });

  const codeForm = (code: string, verifier: string, change: Record<string, string> = {}) => ({
    ...{ grant_type: 'authorization_code', code, code_verifier: verifier },
    ...{ client_id: APP.client_id, redirect_uri: APP.redirect_uris[0] ?? '', ...change },
  });
  const audited = async (action: string) => {
    const path = server.path(`/audit?action=${action}&limit=5`);
    return (await (await server.operator()).call('GET', path)).json.entries;
  };

  it.each([
    ['of another client', { client_id: OTHER_APP.client_id }],
    ['with another verifier', { code_verifier: 'x'.repeat(43) }],
    ['with a verifier that is too short', { code_verifier: 'x' }],
    ['for a longer redirect', { redirect_uri: 'https://app.example/callback/x' }],
    ['for a shorter redirect', { redirect_uri: 'https://app.example/callbac' }],
    ['for another port', { redirect_uri: 'https://app.example:444/callback' }],
    ['for a fragment', { redirect_uri: 'https://app.example/callback#x' }],
  ])('a stolen code %s is worth nothing', async (_what, change) => {
    const { code, verifier } = await codeFor(await server.person('admin'));
    const stolen = await sendForm(replica, codeForm(code, verifier, change));
    expect(stolen.status).toBe(400);
    expect(stolen.json.error).toBe('invalid_grant');
    expect((await sendForm(server, codeForm(code, verifier))).status).toBe(200);
  });

  it('a code of one server is worth tokens at the other', async () => {
    const { code, verifier } = await codeFor(await server.person('admin'));
    const { json } = await sendForm(replica, codeForm(code, verifier));
    expect((await callTool(server, json.access_token)).status).toBe(200);
    expect((await callTool(replica, json.access_token)).status).toBe(200);
  });

  it('a code that is used twice ends the login, at either server', async () => {
    const { code, verifier } = await codeFor(await server.person('admin'));
    const first = await sendForm(server, codeForm(code, verifier));
    expect((await callTool(server, first.json.access_token)).status).toBe(200);
    const second = await sendForm(replica, codeForm(code, verifier));
    expect([second.status, second.json.error]).toEqual([400, 'invalid_grant']);
    await expect
      .poll(async () => (await callTool(server, first.json.access_token)).status)
      .toBe(401);
    expect((await sendForm(server, refreshOf(first.json.refresh_token))).status).toBe(400);
    expect((await audited('login.ended'))[0]).toMatchObject({
      actor: { kind: 'key' },
      detail: { because: 'used_twice', client_id: APP.client_id },
    });
  });

  it('a request for another resource gets neither code nor token', async () => {
    const { code, verifier } = await codeFor(await server.person('admin'));
    const wrong = await sendForm(
      server,
      codeForm(code, verifier, { resource: `${server.issuer}/v1` }),
    );
    expect([wrong.status, wrong.json.error]).toEqual([400, 'invalid_target']);
    const right = codeForm(code, verifier, { resource: `${server.issuer}/mcp` });
    expect((await sendForm(server, right)).status).toBe(200);
  });

  it('a refresh token that two servers get at once is used by one, and the login goes on', async () => {
    const { refresh } = await logIn(server, await server.person('admin'));
    const answers = await Promise.all([
      sendForm(server, refreshOf(refresh)),
      sendForm(replica, refreshOf(refresh)),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const winner = answers.find(({ status }) => status === 200);
    expect((await callTool(replica, winner?.json.access_token)).status).toBe(200);
    expect((await sendForm(replica, refreshOf(winner?.json.refresh_token))).status).toBe(200);
  });

  it('a token is worth nothing outside of /mcp, and says so', async () => {
    const { access, refresh } = await logIn(server, await server.person('admin'));
    for (const token of [access, refresh]) {
      const answer = await replica.search({ user_input: { query: 'x' } }, { key: token });
      expect(answer.status).toBe(401);
    }
    const { json } = await server.call('GET', '/v1/usage', { key: access });
    expect(json.hint).toContain('works at /mcp alone');
    expect((await server.call('GET', '/metrics', { key: access, headers: VIA })).status).toBe(401);
    const tavily = await server.call('POST', '/compat/tavily/search', {
      key: access,
      body: { query: 'x' },
    });
    expect(tavily.status).toBe(401);
    const session = await server.call('GET', '/console/api/session', { key: access });
    expect(session.status).toBe(401);
    expect((await callTool(server, refresh)).status).toBe(401);
  });

  it('a key of trawl is worth nothing at the routes of tokens', async () => {
    const { key } = server;
    for (const form of [refreshOf(key), codeForm(key, 'x'.repeat(43))]) {
      const { status, json } = await sendForm(server, form);
      expect([status, json.error]).toEqual([400, 'invalid_grant']);
    }
    const revoke = { token: key, client_id: APP.client_id };
    expect((await sendForm(server, revoke, '/oauth/revoke')).status).toBe(200);
    expect((await callTool(server, key)).status).toBe(200);
  });

  it('a client ends its own logins alone', async () => {
    const { access, refresh } = await logIn(server, await server.person('admin'));
    const revoke = (client: string) =>
      sendForm(replica, { token: refresh, client_id: client }, '/oauth/revoke');
    expect((await revoke(OTHER_APP.client_id)).status).toBe(200);
    expect((await callTool(server, access)).status).toBe(200);
    expect((await revoke(APP.client_id)).status).toBe(200);
    await expect.poll(async () => (await callTool(server, access)).status).toBe(401);
    expect((await audited('login.ended'))[0]).toMatchObject({ detail: { because: 'client' } });
  });

  it.each([
    ['gets a lower role', { role: 'member' }, 'member.role_changed'],
    ['leaves the project', undefined, 'member.removed'],
  ])('a login ends at both servers when its person %s', async (_what, body, because) => {
    const person = await server.person('admin');
    const { access, refresh } = await logIn(server, person);
    expect((await callTool(replica, access)).status).toBe(200);
    const { id } = (await person.call('GET', '/console/api/session')).json.person;
    const operator = await server.operator();
    const path = server.path(`/members/${id}`);
    await operator.call(body ? 'PATCH' : 'DELETE', path, body ? { body } : {});
    expect((await audited('login.ended'))[0]).toMatchObject({ detail: { because } });
    await expect.poll(async () => (await callTool(replica, access)).status).toBe(401);
    expect((await sendForm(replica, refreshOf(refresh))).status).toBe(400);
    // the right does not bring it back
    if (body) await operator.call('PATCH', path, { body: { role: 'admin' } });
    expect((await callTool(server, access)).status).toBe(401);
  });

  it('a login ends when its project allows none any more, and stays over', async () => {
    const { access } = await logIn(server, await server.person('admin'));
    const operator = await server.operator();
    const set = (mcp_login: string) =>
      operator.call('PATCH', server.path(''), { body: { mcp_login } });
    await set('off');
    await expect.poll(async () => (await callTool(replica, access)).status).toBe(401);
    await set('admins');
    expect((await callTool(replica, access)).status).toBe(401);
  });

  it('a login ends by an admin who disables, or deletes, its key', async () => {
    const person = await server.person('admin');
    const { access } = await logIn(server, person);
    const [{ id }] = (await person.call('GET', '/console/api/account/logins')).json.logins;
    const operator = await server.operator();
    await operator.call('PATCH', server.path(`/keys/${id}`), { body: { disabled: true } });
    await expect.poll(async () => (await callTool(replica, access)).status).toBe(401);
    await operator.call('PATCH', server.path(`/keys/${id}`), { body: { disabled: false } });
    await expect.poll(async () => (await callTool(replica, access)).status).toBe(200);
    await operator.call('DELETE', server.path(`/keys/${id}`));
    await expect.poll(async () => (await callTool(replica, access)).status).toBe(401);
  });

  it.each([
    ['invalid_client', { client_id: '' }],
    ['unsupported_grant_type', { grant_type: 'client_credentials' }],
    ['invalid_request', { code: '' }],
    ['invalid_client', { client_secret: 'x' }],
    ['invalid_request', { client_id: '\0' }],
    ['invalid_request', { client_id: 'x'.repeat(501) }],
    ['invalid_request', { redirect_uri: 'a\0b' }],
    ['invalid_request', refreshOf('x', '\0')],
  ])('the route of tokens answers %s to %j', async (error, change) => {
    const answer = await sendForm(server, { ...codeForm('x', 'x'.repeat(43)), ...change });
    expect(answer.json.error).toBe(error);
    expect(answer.status).toBe(error === 'invalid_client' ? 401 : 400);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('the route of tokens refuses JSON, a parameter twice, and a client that proves itself', async () => {
    const post = (rawBody: string, headers: Record<string, string> = {}) =>
      server.call('POST', '/oauth/token', {
        key: null,
        rawBody,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      });
    expect((await post('{}', { 'content-type': 'application/json' })).json.error).toBe(
      'invalid_request',
    );
    expect((await post('code=a&code=b')).json.error).toBe('invalid_request');
    const many = Array.from({ length: 101 }, (_, at) => `n${at}=1`).join('&');
    expect((await post(many)).json.error_description).toContain('too many parameters');
    const proving = await post('code=a', { authorization: 'Basic eDp5' });
    expect([proving.status, proving.json.error]).toEqual([401, 'invalid_client']);
    expect(proving.headers.get('www-authenticate')).toBe('Basic realm="trawl"');
    const plain = await post('code=a');
    expect([plain.status, plain.headers.get('www-authenticate')]).toEqual([401, null]);
  });

  it('sixty requests for tokens a minute come from an address, and no more', async () => {
    const own = await startLoginServer({ database });
    onTestFinished(() => own.stop());
    for (let sent = 0; sent < 60; sent += 1) {
      expect((await sendForm(own, refreshOf('x'))).status).toBe(400);
    }
    const { status, headers } = await sendForm(own, refreshOf('x'));
    expect([status, headers.get('access-control-allow-origin')]).toEqual([429, '*']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('a refresh gives the scope of the login, whatever it asks for, and says so', async () => {
    const change = { scope: 'search' };
    let { refresh } = await logIn(server, await server.person('admin'), change);
    for (const scope of ['search read', 'offline_access search', 'manage']) {
      const { status, json } = await sendForm(server, { ...refreshOf(refresh), scope });
      expect([scope, status, json.scope]).toEqual([scope, 200, 'search']);
      refresh = json.refresh_token;
    }
  });
});

/** As from another machine, behind a proxy. */
const VIA = { via: '1.1 proxy' };
