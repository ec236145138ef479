import { type ConsoleServer, signInAtSettings } from '@trawl/test-support/console-server';
import { describeOnDatabases } from '@trawl/test-support/databases';
import {
  APP,
  askFor,
  callTool,
  codeFor,
  decide,
  formOf,
  type LoginServer,
  logIn,
  movesTo,
  sendForm,
  startLoginServer,
} from '@trawl/test-support/logins';
import { startToyProvider } from '@trawl/test-support/toy-provider';
import { afterAll, beforeAll, expect, it } from 'vitest';

describeOnDatabases('the page of consents', (database) => {
  let server: LoginServer;
  beforeAll(async () => {
    server = await startLoginServer({ database });
  });
  afterAll(() => server.stop());

  const open = async (browser: { call: ConsoleServer['call'] } | undefined, change = {}) =>
    (browser ?? (await server.operator())).call(
      'GET',
      `/console/authorize?${askFor(change).query}`,
    );
  const audited = async (action: string) => {
    const path = server.path(`/audit?action=${action}`);
    return (await (await server.operator()).call('GET', path)).json.entries;
  };

  it('names the program, who says so, where it goes back to, rights and limits', async () => {
    const { status, text, headers } = await open(await server.person('admin'));
    expect(status).toBe(200);
    for (const shown of [
      ...['An app', '<strong>app.example</strong>', 'search the web', 'fetch pages'],
      ...['60 requests a minute', 'main (5 US dollars a month)', 'admin-'],
    ]) {
      expect(text).toContain(shown);
    }
    expect(text).not.toContain('<script');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('same-origin');
  });

  it('shows what a document says as text alone', async () => {
    const own = await startLoginServer({
      database,
      readDocument: async (url) => ({
        text: JSON.stringify({
          client_id: url.href,
          client_name: '<img src=x onerror=alert(1)>"\'',
          redirect_uris: ['https://app.example/callback'],
        }),
        freshSeconds: 0,
      }),
    });
    const page = await (await own.operator()).call('GET', `/console/authorize?${askFor().query}`);
    expect(page.text).not.toContain('<img');
    expect(page.text).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;');
    await own.stop();
  });

  it('grants after a click, and goes on by a page, with code, state and iss', async () => {
    const person = await server.person('admin');
    const { text } = await open(person, { scope: 'search read' });
    const answer = await decide(person, text);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    const back = movesTo(answer.text);
    expect(`${back.origin}${back.pathname}`).toBe(APP.redirect_uris[0]);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.stringMatching(/^tlc_/),
      iss: server.issuer,
      state: 'a state',
    });
    expect((await audited('login.granted'))[0]).toMatchObject({
      actor: { kind: 'person', name: expect.stringContaining('The admin') },
      target: { kind: 'key', name: 'An app' },
      detail: {
        client_id: APP.client_id,
        named_by: 'app.example',
        goes_back_to: 'app.example',
        permissions: ['search', 'read'],
        rate_limit: 60,
        monthly_budget_usd: 5,
      },
    });
  });

  it('tells the program where the person does not allow it', async () => {
    const person = await server.person('admin');
    const { text } = await open(person);
    const back = movesTo((await decide(person, text, { decision: 'deny' })).text);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      error: 'access_denied',
      iss: server.issuer,
      state: 'a state',
    });
    expect((await audited('login.refused'))[0]).toMatchObject({ outcome: 'refused' });
  });

  it.each(['viewer', 'member'] as const)('offers no project to a %s', async (role) => {
    const { status, text } = await open(await server.person(role));
    expect(status).toBe(403);
    expect(text).toContain('No project lets you do this');
    expect(formOf(text).request).toBe('');
  });

  it('offers a project to members where its setting says so', async () => {
    const operator = await server.operator();
    const change = (body: object) => operator.call('PATCH', server.path(''), { body });
    await change({ mcp_login: 'members', mcp_login_budget_usd: 2.5 });
    const member = await server.person('member');
    expect((await open(member)).text).toContain('main (2.5 US dollars a month)');
    expect((await open(await server.person('viewer'))).status).toBe(403);
    await change({ mcp_login: 'off' });
    expect((await open(member)).status).toBe(403);
    await change({ mcp_login: 'admins', mcp_login_budget_usd: 5 });
  });

  it('grants nothing in a project that was not offered', async () => {
    const elsewhere = await server.makeKey('elsewhere');
    const person = await server.person('admin');
    const { text } = await open(person);
    const answer = await decide(person, text, { project: elsewhere.projectId });
    expect(answer.status).toBe(403);
    expect(answer.text).not.toContain('code=');
  });

  it('grants nothing to a person who has lost the right since the page was shown', async () => {
    const person = await server.person('admin');
    const { text } = await open(person);
    const operator = await server.operator();
    const session = await person.call('GET', '/console/api/session');
    const path = server.path(`/members/${session.json.person.id}`);
    expect((await operator.call('PATCH', path, { body: { role: 'viewer' } })).status).toBe(204);
    const answer = await decide(person, text);
    expect(answer.status).toBe(403);
    expect(answer.text).not.toContain('code=');
  });

  it('makes one login where the button is clicked twice', async () => {
    const person = await server.person('admin');
    const { text } = await open(person);
    const answers = await Promise.all([decide(person, text), decide(person, text)]);
    const codes = answers.map((answer) => movesTo(answer.text).searchParams.get('code'));
    expect(codes[0]).toMatch(/^tlc_/);
    expect(codes[1]).toBe(codes[0]);
    const { json } = await person.call('GET', '/console/api/account/logins');
    expect(json.logins).toHaveLength(1);
  });

  it('makes a login for each project that the person goes back and chooses', async () => {
    const elsewhere = await server.makeKey('a second project');
    const operator = await server.operator();
    const { text } = await open(operator);
    const codes = [];
    for (const project of [server.projectId, elsewhere.projectId]) {
      const back = movesTo((await decide(operator, text, { project })).text);
      codes.push(back.searchParams.get('code'));
    }
    expect(codes[0]).not.toBe(codes[1]);
    const { json } = await operator.call('GET', '/console/api/account/logins');
    const projects = json.logins.map((login: { project_id: string }) => login.project_id);
    expect(projects.sort()).toEqual([server.projectId, elsewhere.projectId].sort());
  });

  it('makes no login again where its answer is loaded again after the end', async () => {
    const person = await server.person('admin');
    const { text } = await open(person);
    await decide(person, text);
    const [{ id }] = (await person.call('GET', '/console/api/account/logins')).json.logins;
    await person.call('DELETE', `/console/api/account/logins/${id}`);
    const again = await decide(person, text);
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('answered this')]);
    expect((await person.call('GET', '/console/api/account/logins')).json.logins).toEqual([]);
  });

  it('makes no login for a client that was removed since the page was shown', async () => {
    const { logins } = server.server.store;
    const id = 'soon-removed';
    const client = { id, name: 'Own', redirectUris: ['cursor://a/b'] };
    await logins.addClient({ ...client, createdAt: '2026-01-01' });
    const person = await server.person('admin');
    const { text } = await open(person, { client_id: id, redirect_uri: 'cursor://a/b' });
    expect(text).toContain('a program on this machine (<strong>cursor:</strong>)');
    await logins.removeClient(id, new Date().toISOString());
    const answer = await decide(person, text);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('removed')]);
    expect((await person.call('GET', '/console/api/account/logins')).json.logins).toEqual([]);
  });

  it.each(['HTTPS://evil.example/cb', 'https:evil.example/cb', 'https:/evil.example/cb'])(
    'calls no site a program on this machine: %s',
    async (uri) => {
      const { logins } = server.server.store;
      const client = { id: `odd-${uri.length}`, name: 'Odd', redirectUris: [uri] };
      await logins.addClient({ ...client, createdAt: '2026-01-01' });
      const { status, text } = await open(await server.person('admin'), {
        ...{ client_id: client.id, redirect_uri: uri },
      });
      expect(status).toBe(400);
      expect(text).not.toContain('a program on this machine');
    },
  );

  it('refuses a request with the character U+0000', async () => {
    const person = await server.person('admin');
    for (const change of [{ client_id: '\0' }, { state: 'a\0' }]) {
      const { status, text } = await open(person, change);
      expect([status, text]).toEqual([400, expect.stringContaining('U+0000')]);
    }
  });

  it.each([
    ['another site', 'https://evil.example'],
    ['a page without an address', 'null'],
  ])('refuses a form that %s sends', async (_what, origin) => {
    const person = await server.person('admin');
    const { request, projects } = formOf((await open(person)).text);
    const answer = await person.call('POST', '/console/authorize', {
      rawBody: String(
        new URLSearchParams({ request, project: projects[0] ?? '', decision: 'allow' }),
      ),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
    });
    expect(answer.status).toBe(403);
    expect(answer.text).not.toContain('code=');
  });

  it('refuses the form of a page that another person saw, or that was changed', async () => {
    const [one, two] = [await server.person('admin'), await server.person('admin')];
    const { text } = await open(one);
    const answers = [
      await decide(two, text),
      await decide(one, text.replace(/(name="request" value=")./, '$1_')),
      await decide(one, ''),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('This page is too old');
    }
  });

  it('sends nobody to an address of a program before a click', async () => {
    const person = await server.person('admin');
    const wrong = await open(person, { scope: 'manage' });
    expect(wrong.status).toBe(400);
    expect(wrong.headers.get('location')).toBeNull();
    expect(wrong.text).not.toContain('http-equiv="refresh"');
    expect(wrong.text).toContain('error=invalid_scope');
    for (const redirect of [
      'https://evil.example/callback',
      'https://app.example/callback/x',
      'https://app.example/callback#x',
      'http://127.0.0.1/other',
    ]) {
      const { status, text } = await open(person, { redirect_uri: redirect });
      expect([redirect, status]).toEqual([redirect, 400]);
      expect(text).toContain(`go back to: ${redirect}. `);
      expect(text).toContain('trawl mcp clients add');
      expect(text).not.toContain('href="http');
    }
  });

  it('reads no document for a stranger, who signs in first', async () => {
    const asked: string[] = [];
    const own = await startLoginServer({
      database,
      readDocument: async (url) => {
        asked.push(url.href);
        return { problem: 'none' };
      },
    });
    const stranger = own.browser();
    const path = `/console/authorize?${askFor().query}`;
    const away = await stranger.call('GET', path, { redirect: 'manual' });
    expect(away.status).toBe(303);
    expect(away.headers.get('location')).toBe('/console/sign-in?redirect=%2Fconsole%2Fauthorize');
    expect(away.headers.get('set-cookie')).toMatch(
      /Path=\/console\/authorize; Max-Age=900; HttpOnly; SameSite=Lax/,
    );
    expect(asked).toEqual([]);
    await own.stop();
  });

  it('goes on where it was when the person has signed in', async () => {
    const person = await server.person('admin');
    const signedIn = person.cookie();
    const stranger = server.browser();
    await stranger.call('GET', `/console/authorize?${askFor().query}`, { redirect: 'manual' });
    const cookie = `${signedIn}; ${stranger.cookie()}`;
    const page = await server.browser().call('GET', '/console/authorize', { headers: { cookie } });
    expect(page.text).toContain('Let An app log in?');
  });

  it('goes on after a single sign-on too', async () => {
    const provider = await startToyProvider();
    provider.behave({ claims: { sub: 'boss', email: 'boss@corp.test', name: 'Boss' } });
    const { PUBLIC_URL: _, ...env } = signInAtSettings(provider);
    const own = await startLoginServer({
      database,
      env: { ...env, CONSOLE_OIDC_DOMAINS: 'corp.test' },
    });
    const boss = own.browser();
    const redirect = 'manual';
    const first = await boss.call('GET', `/console/authorize?${askFor().query}`, { redirect });
    expect(first.headers.get('location')).toContain('/console/sign-in');
    const start = '/console/api/single-sign-on?redirect=/console/authorize';
    const away = await boss.call('GET', start, { redirect });
    const back = new URL(await provider.authorize(away.headers.get('location') ?? ''));
    const returned = await boss.call('GET', `${back.pathname}${back.search}`, { redirect });
    expect(returned.headers.get('location')).toBe('/console/authorize');
    const page = await boss.call('GET', '/console/authorize');
    // signed in, and no member of a project yet
    expect(page.text).toContain('No project lets you do this');
    await own.stop();
    await provider.stop();
  });

  it('says what is missing to a browser without cookies', async () => {
    const { status, text } = await server.browser().call('GET', '/console/authorize');
    expect(status).toBe(400);
    expect(text).toContain('your browser did not keep the cookies of this address');
  });

  it('lists a login under the account and under keys, and ends it with one click', async () => {
    const person = await server.person('admin');
    const { access } = await logIn(server, person);
    expect((await callTool(server, access)).status).toBe(200);
    const { json } = await person.call('GET', '/console/api/account/logins');
    expect(json.logins).toEqual([
      expect.objectContaining({
        name: 'An app',
        client: APP.client_id,
        project_name: 'main',
        permissions: ['search', 'fetch', 'read'],
      }),
    ]);
    const [{ id }] = json.logins;
    const keys = await person.call('GET', server.path('/keys'));
    const listed = keys.json.keys.find((key: { id: string }) => key.id === id);
    expect(listed).toMatchObject({
      login_client: APP.client_id,
      rate_limit: 60,
      monthly_budget_usd: 5,
      created_by: { name: expect.stringContaining('The admin') },
    });
    const other = await server.person('owner');
    expect((await other.call('DELETE', `/console/api/account/logins/${id}`)).status).toBe(404);
    expect((await person.call('DELETE', `/console/api/account/logins/${id}`)).status).toBe(204);
    await expect.poll(async () => (await callTool(server, access)).status).toBe(401);
    const again = await person.call('GET', '/console/api/account/logins');
    expect(again.json.logins).toEqual([]);
    expect((await audited('login.ended'))[0]).toMatchObject({
      target: { id },
      detail: { client_id: APP.client_id, because: 'person' },
    });
  });

  it('makes a login that cannot be rotated, and may not get more rights', async () => {
    const person = await server.person('admin');
    await logIn(server, person);
    const [{ id }] = (await person.call('GET', '/console/api/account/logins')).json.logins;
    const rotate = await person.call('POST', server.path(`/keys/${id}/rotate`), {
      body: { grace: 'now' },
    });
    expect(rotate.status).toBe(400);
    const change = (body: object) => person.call('PATCH', server.path(`/keys/${id}`), { body });
    expect((await change({ permissions: ['manage'] })).status).toBe(422);
    expect((await change({ expires_at: '2999-01-01T00:00:00Z' })).status).toBe(422);
    expect((await change({ monthly_budget_usd: 1, permissions: ['search'] })).status).toBe(204);
  });

  it('writes no code, token or request of a login into the log', async () => {
    const person = await server.person('admin');
    const { code, verifier } = await codeFor(person, { state: 'a-secret-state' });
    const redirect_uri = APP.redirect_uris[0] ?? '';
    const { json } = await sendForm(server, {
      ...{ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri },
      client_id: APP.client_id,
    });
    await callTool(server, json.access_token);
    await callTool(server, `${json.access_token}x`);
    for (const secret of [
      ...[code, verifier, json.access_token, json.refresh_token, 'a-secret-state'],
    ]) {
      expect(server.logged()).not.toContain(secret);
    }
  });
});
