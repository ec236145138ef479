import { ADMIN_ROUTES } from '@trawl/contract';
import {
  type Browser,
  type ConsoleServer,
  startConsoleServer,
} from '@trawl/test-support/console-server';
import { describeOnDatabases } from '@trawl/test-support/databases';
import type { Request } from '@trawl/test-support/harness';
import { mcpMount } from '@trawl/test-support/mcp-hosts';
import { storedText } from '@trawl/test-support/stored-text';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const SEARCH = { user_input: { query: 'tidal power' } };
const UNKNOWN_ID = '019a7b1c-0000-7000-8000-00000000beef';

describeOnDatabases('the operator API', (database) => {
  let server: ConsoleServer;
  let admin: { id: string; key: string; projectId: string };
  let operator: Browser;
  beforeAll(async () => {
    server = await startConsoleServer({ database, mounts: [mcpMount()] });
    admin = await server.makeKey('operators', ['admin']);
    operator = await server.operator();
  });
  afterAll(() => server.stop());

  const call = (method: string, path: string, request: Request = {}) =>
    server.call(method, `/v1/admin${path}`, { key: admin.key, ...request });
  const ok = async (method: string, path: string, body?: object) => {
    const answer = await call(method, path, body === undefined ? {} : { body });
    expect([answer.status, answer.json?.detail]).toEqual([
      method === 'DELETE' ? 204 : 200,
      undefined,
    ]);
    return answer.json;
  };
  let projects = 0;
  const newProject = () => {
    projects += 1;
    return ok('POST', '/projects', { name: `project ${projects}` });
  };
  const newKey = async (body: object = {}) => {
    const { id } = await newProject();
    const settings = { project_id: id, name: 'a key', permissions: ['search', 'fetch'] };
    return ok('POST', '/keys', { ...settings, ...body });
  };
  const search = async (key: string) => server.call('POST', '/v1/search', { key, body: SEARCH });
  const becomes = (key: string, status: number) =>
    expect.poll(async () => (await search(key)).status).toBe(status);
  const audit = async () => (await operator.call('GET', '/console/api/audit')).json.entries;

  it('makes, reads, lists, changes and deletes a project', async () => {
    const limits = { rate_limit: 60, monthly_budget_usd: 2.5, retention_days: 30 };
    const made = await ok('POST', '/projects', { name: ' bots ', ...limits });
    expect(made).toMatchObject({ name: 'bots', ...limits });
    expect(await ok('GET', `/projects/${made.id.toUpperCase()}`)).toEqual(made);
    expect(await ok('GET', '/projects?name=bots')).toEqual({ projects: [made] });

    const wanted = { name: 'robots', rate_limit: null, retention_days: 0 };
    const changed = { ...made, ...wanted };
    expect(await ok('PATCH', `/projects/${made.id}`, wanted)).toEqual(changed);
    // what is sent again changes nothing
    expect(await ok('PATCH', `/projects/${made.id}`, wanted)).toEqual(changed);
    expect(await ok('GET', '/projects?name=bots')).toEqual({ projects: [] });

    await ok('DELETE', `/projects/${made.id}`);
    expect((await call('DELETE', `/projects/${made.id}`)).status).toBe(404);
    expect(await ok('GET', '/projects?name=robots')).toEqual({ projects: [] });
    const again = await ok('POST', '/projects', { name: 'robots' });
    expect(again.id).not.toBe(made.id);
  });

  it('sets the web rules of a project, which hold within a second and are in the audit log', async () => {
    const { project_id: id, secret } = await newKey({ permissions: ['search', 'fetch'] });
    const rows = async () => {
      const body = { urls: ['https://www.example.com/a'] };
      const { json } = await server.call('POST', '/v1/fetch?dry_run=true', { key: secret, body });
      return json.calls[0].rule;
    };
    expect(await rows()).toBeUndefined();
    const rules = { hosts: { deny: ['EXAMPLE.com.', 'example.com'] }, secrets: 'refuse' };
    const { web_rules } = await ok('PATCH', `/projects/${id}`, { web_rules: rules });
    expect(web_rules).toEqual({ hosts: { deny: ['example.com'] }, secrets: 'refuse' });
    await expect.poll(rows).toBe('hosts.deny');
    const [entry] = (await audit()).filter(
      ({ action }: { action: string }) => action === 'project.web_rules_changed',
    );
    expect(entry).toMatchObject({
      target: { id },
      outcome: 'succeeded',
      detail: { deny: ['example.com'], allow: [], secrets: 'refuse' },
    });
    const wrong = { hosts: { deny: ['ok.example', 'https://a.example/x'] } };
    const refused = await call('PATCH', `/projects/${id}`, { body: { web_rules: wrong } });
    expect([refused.status, refused.json.detail[0].loc]).toEqual([
      422,
      ['body', 'web_rules', 'hosts', 'deny', 1],
    ]);
    expect((await ok('PATCH', `/projects/${id}`, { web_rules: null })).web_rules).toBeNull();
    await expect.poll(rows).toBeUndefined();
  });

  it('deletes a project only when nothing is left in it', async () => {
    const { id, project_id: projectId, secret } = await newKey();
    expect((await search(secret)).status).toBe(200);
    const removal = async () => (await call('DELETE', `/projects/${projectId}`)).json?.detail;
    expect(await removal()).toMatch(/has keys/);
    const manager = await ok('POST', '/keys', {
      project_id: projectId,
      name: 'manager',
      permissions: ['manage'],
    });
    const key = manager.secret;
    const { json } = await server.call('GET', '/v1/sessions', { key });
    await ok('DELETE', `/keys/${id}`);
    const viewer = await server.person('viewer', projectId);
    await ok('DELETE', `/keys/${manager.id}`);
    expect(await removal()).toMatch(/has recorded sessions/);
    for (const session of json.sessions) {
      await operator.call('DELETE', server.path(`/v1/sessions/${session.id}`, projectId));
    }
    expect(await removal()).toBeUndefined();
    await becomes(secret, 401);
    const own = await viewer.call('GET', '/console/api/projects');
    expect(own.json.projects).toEqual([]);
  });

  it('makes a key that works within its limits, and answers its secret once', async () => {
    const settings = {
      name: 'narrow',
      permissions: ['search'],
      expires_at: '2099-01-01T00:00:00.000Z',
      rate_limit: 100,
      monthly_budget_usd: 5,
      allowed_providers: ['tavily'],
      no_training: false,
      allowed_domains: ['example.com'],
      profile: { search: { providers: { include: ['tavily'] }, tier: 'minimalist' } },
    };
    const { secret, ...made } = await newKey(settings);
    expect(made).toMatchObject({ ...settings, disabled: false, last_four: secret.slice(-4) });
    const { json } = await search(secret);
    expect(
      json.preprocessor_runs.map((run: { preprocessor_name: string }) => run.preprocessor_name),
    ).toEqual(['tavily']);
    expect((await server.call('GET', '/v1/sessions', { key: secret })).status).toBe(403);
    expect(await ok('GET', `/keys/${made.id}`)).toEqual(made);
    expect(await ok('GET', `/keys?project_id=${made.project_id}`)).toEqual({ keys: [made] });
    expect(await ok('GET', '/keys?name=narrow')).toEqual({ keys: [made] });
    expect(await storedText(server.database)).not.toContain(secret.slice(3, 30));
    expect(server.logged()).not.toContain(secret.slice(3, 30));
  });

  it('changes, disables, enables and deletes a key', async () => {
    const { id, secret } = await newKey();
    const wanted = { name: 'renamed', monthly_budget_usd: 0, permissions: ['search'] };
    const changed = await ok('PATCH', `/keys/${id}`, wanted);
    expect(changed).toMatchObject(wanted);
    expect(await ok('PATCH', `/keys/${id}`, wanted)).toEqual(changed);
    await becomes(secret, 402);
    await ok('PATCH', `/keys/${id}`, { monthly_budget_usd: null });
    await becomes(secret, 200);
    expect((await ok('PATCH', `/keys/${id}`, { disabled: true })).disabled).toBe(true);
    await becomes(secret, 401);
    await ok('PATCH', `/keys/${id}`, { disabled: false });
    await becomes(secret, 200);
    await ok('DELETE', `/keys/${id}`);
    await becomes(secret, 401);
    expect((await call('DELETE', `/keys/${id}`)).status).toBe(404);
  });

  it('lists in pages that stay right when an entry is deleted meanwhile', async () => {
    const { project_id: projectId } = await newKey();
    const settings = { project_id: projectId, name: 'another', permissions: ['read'] };
    for (let count = 0; count < 4; count += 1) await ok('POST', '/keys', settings);
    const path = `/keys?project_id=${projectId}`;
    const all = (await ok('GET', path)).keys.map(({ id }: { id: string }) => id);
    const first = await ok('GET', `${path}&limit=2`);
    await ok('DELETE', `/keys/${first.next_after}`);
    const second = await ok('GET', `${path}&limit=2&after=${first.next_after}`);
    const third = await ok('GET', `${path}&limit=2&after=${second.next_after}`);
    const seen = [first, second, third].flatMap(({ keys }) =>
      keys.map(({ id }: { id: string }) => id),
    );
    expect(seen).toEqual(all);
    expect(third).not.toHaveProperty('next_after');
  });

  it('lists people with their roles, and nothing about how they sign in', async () => {
    const { id } = await newProject();
    await server.person('member', id);
    const { members } = await ok('GET', `/members?project_id=${id}`);
    const [boss, member] = [true, false].map((is) =>
      members.find((one: { is_operator: boolean }) => one.is_operator === is),
    );
    expect(boss).toMatchObject({ email: 'ada@example.com', projects: [] });
    expect(member.projects).toEqual([{ project_id: id, role: 'member' }]);
    expect(member.email).toMatch(/^member-\d+@example\.com$/);
    expect(members).toHaveLength(2);
    expect(JSON.stringify(members)).not.toMatch(/password|digest|signs/i);
    for (const method of ['POST', 'PATCH', 'DELETE']) {
      expect((await call(method, '/members', { body: {} })).status).toBe(405);
    }
  });

  it('refuses what it does not know by name, and unknown ids', async () => {
    const { id: projectId } = await newProject();
    const { id } = await newKey();
    const bad: readonly (readonly [string, string, object | undefined, string])[] = [
      ['POST', '/projects', { name: 'x', budget: 5 }, 'budget'],
      ['POST', '/projects', { name: 'a\nb' }, 'name'],
      ['PATCH', `/projects/${projectId}`, { id: UNKNOWN_ID }, 'id'],
      ['PATCH', `/projects/${projectId}`, { rate_limit: 0 }, 'rate_limit'],
      ['PATCH', `/keys/${id}`, { project_id: projectId }, 'project_id'],
      ['PATCH', `/keys/${id}`, { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
      ['PATCH', `/keys/${id}`, { allowed_providers: ['nope'] }, 'allowed_providers'],
      ['POST', `/keys/${id}/rotate`, { grace: '2h' }, 'grace'],
      ['GET', '/keys?project=x', undefined, 'project'],
      ['GET', '/projects?limit=0', undefined, 'limit'],
    ];
    for (const [method, path, body, field] of bad) {
      const { status, json } = await call(method, path, body ? { body } : {});
      expect([path, status, json.detail[0].loc.at(-1)]).toEqual([path, 422, field]);
    }
    const unknown: readonly (readonly [string, string, object | undefined])[] = [
      ['GET', `/projects/${UNKNOWN_ID}`, undefined],
      ['PATCH', `/projects/${UNKNOWN_ID}`, {}],
      ['GET', `/keys/${UNKNOWN_ID}`, undefined],
      ['DELETE', `/keys/${UNKNOWN_ID}`, undefined],
      ['GET', `/keys?project_id=${UNKNOWN_ID}`, undefined],
      ['GET', `/members?project_id=${UNKNOWN_ID}`, undefined],
      ['POST', '/keys', { project_id: UNKNOWN_ID, name: 'x', permissions: ['read'] }],
    ];
    for (const [method, path, body] of unknown) {
      expect([path, (await call(method, path, body ? { body } : {})).status]).toEqual([path, 404]);
    }
  });

  it('takes no Idempotency-Key, which it could not keep', async () => {
    const before = (await ok('GET', '/projects')).projects.length;
    const headers = { 'idempotency-key': 'one' };
    const { status, json } = await call('POST', '/projects', { body: { name: 'once' }, headers });
    expect([status, json.detail]).toEqual([400, expect.stringContaining('Idempotency-Key')]);
    expect((await ok('GET', '/projects')).projects).toHaveLength(before);
  });

  describe('a key of it', () => {
    it('is not made, changed, rotated or ended by the API', async () => {
      const { id, project_id } = await newKey();
      for (const permissions of [['admin'], ['search', 'admin']]) {
        const body = { project_id, name: 'x', permissions };
        expect((await call('POST', '/keys', { body })).status).toBe(422);
        expect((await call('PATCH', `/keys/${id}`, { body: { permissions } })).status).toBe(422);
      }
      const own = `/keys/${admin.id}`;
      const tries: readonly (readonly [string, string, object | undefined])[] = [
        ['PATCH', own, { name: 'mine' }],
        ['PATCH', own, { permissions: ['search'] }],
        ['PATCH', own, { disabled: true }],
        ['POST', `${own}/rotate`, { grace: '1h' }],
        ['DELETE', own, undefined],
      ];
      for (const [method, path, body] of tries) {
        const { status, json } = await call(method, path, body ? { body } : {});
        expect([status, json.detail]).toEqual([403, expect.stringContaining("server's machine")]);
      }
      expect(await ok('GET', own)).toMatchObject({ permissions: ['admin'], disabled: false });
    });

    it('works nowhere else, and is told where it works', async () => {
      const elsewhere: readonly (readonly [string, string, object | undefined])[] = [
        ['POST', '/v1/search', SEARCH],
        ['POST', '/v1/search?dry_run=true', SEARCH],
        ['POST', '/v1/fetch', { urls: ['https://example.com/'] }],
        ['GET', '/v1/sessions', undefined],
        ['GET', '/v1/usage', undefined],
        ['POST', '/v1/providers/exa/probe', { operation: 'search' }],
        ['POST', '/compat/tavily/search', { query: 'tidal power' }],
        ['GET', '/compat/brave/res/v1/web/search?q=tidal', undefined],
        ['POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
      ];
      for (const [method, path, body] of elsewhere) {
        const headers = { 'x-subscription-token': admin.key };
        const request = { key: admin.key, headers, ...(body ? { body } : {}) };
        const { status, text } = await server.call(method, path, request);
        expect([path, status, text]).toEqual([
          path,
          403,
          expect.stringContaining('/v1/admin alone'),
        ]);
      }
      const remote = { key: admin.key, headers: { 'x-forwarded-for': '192.0.2.1' } };
      expect((await server.call('GET', '/metrics', remote)).status).toBe(403);
    });

    it('is limited as every key', async () => {
      const { id, key } = await server.makeKey('operators', ['admin']);
      await server.server.store.keys.changeKey(id, { rateLimit: 1 });
      const read = async () => (await call('GET', '/projects', { key })).status;
      await expect.poll(read).toBe(429);
    });

    it('is refused in a browser, and no page of another site may read an answer', async () => {
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: server.url },
        { origin: 'null' },
        { cookie: operator.cookie() },
        { 'sec-fetch-site': 'cross-site' },
      ]) {
        const { status, json } = await call('GET', '/projects', { headers });
        const [name] = Object.keys(headers);
        expect([status, json.detail.toLowerCase()]).toEqual([
          403,
          expect.stringContaining(`header ${name}`),
        ]);
      }
      const preflight = await server.call('OPTIONS', '/v1/admin/projects', {
        key: null,
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
      });
      const plain = await call('GET', '/projects');
      for (const { headers } of [preflight, plain]) {
        const names = [...headers.keys()].filter((name) => name.startsWith('access-control'));
        expect(names).toEqual([]);
      }
      expect(preflight.status).toBe(405);
    });

    it('is shown in the console, where only an operator may end it', async () => {
      const other = await server.makeKey('operators', ['admin']);
      const path = server.path(`/keys/${other.id}`, other.projectId);
      const owner = await server.person('owner', other.projectId);
      const shown = (await owner.call('GET', path)).json.key;
      expect(shown.permissions).toEqual(['admin']);
      expect((await owner.call('PATCH', path, { body: { disabled: true } })).status).toBe(403);
      expect((await owner.call('DELETE', path)).status).toBe(403);
      const change = async (body: object) => (await operator.call('PATCH', path, { body })).status;
      expect(await change({ name: 'mine' })).toBe(403);
      expect(await change({ disabled: true, name: 'mine' })).toBe(403);
      const rotation = { body: { grace: 'now' } };
      expect((await operator.call('POST', `${path}/rotate`, rotation)).status).toBe(403);
      expect(await change({ disabled: true })).toBe(204);
      const { key } = other;
      await expect.poll(async () => (await call('GET', '/projects', { key })).status).toBe(401);
      expect(await change({ disabled: false })).toBe(403);
      expect((await operator.call('DELETE', path)).status).toBe(204);
    });

    it('cannot be made in the console', async () => {
      const body = { name: 'x', permissions: ['admin'] };
      const made = await operator.call('POST', server.path('/keys'), { body });
      expect(made.status).toBe(422);
      const change = { body: { permissions: ['admin'] } };
      const path = server.path(`/keys/${server.keyId}`);
      expect((await operator.call('PATCH', path, change)).status).toBe(422);
    });
  });

  it('refuses any other key, and the console’s own, on every route', async () => {
    const { key } = await server.makeKey('everything');
    for (const { method, path } of Object.values(ADMIN_ROUTES)) {
      const place = path.replace(/\{\w+\}/, UNKNOWN_ID);
      const { status, json } = await server.call(method, place, { key });
      expect([path, status, json.detail]).toEqual([path, 403, expect.stringContaining('"admin"')]);
      const passed = await operator.call(method, server.path(place));
      expect([path, passed.status]).toEqual([path, 404]);
    }
  });

  describe('the audit log', () => {
    const by = () => ({ kind: 'key', id: admin.id, name: 'operators', email: null });
    const facts = (route: string) => ({ route, key_ends_with: admin.key.slice(-4) });

    it('has each use with key, route and subject', async () => {
      const { id, name } = await newProject();
      await ok('GET', `/projects/${id}`);
      await ok('GET', `/keys?project_id=${id}`);
      const { key, ...rest } = { key: await newKey(), ip: '127.0.0.1' };
      await ok('DELETE', `/keys/${key.id}`);
      const [removed, made, , listed, read, created] = await audit();
      const target = { kind: 'project', id, name };
      const done = { actor: by(), outcome: 'succeeded', ...rest };
      expect(created).toMatchObject({ ...done, action: 'project.created', target });
      expect(created.detail).toEqual(facts('POST /v1/admin/projects'));
      expect(read).toMatchObject({ ...done, action: 'admin.read', target });
      expect(read.detail).toEqual(facts('GET /v1/admin/projects/{project_id}'));
      expect(listed).toMatchObject({ ...done, action: 'admin.read', target: { kind: 'keys' } });
      expect(made).toMatchObject({ ...done, action: 'key.created', target: { id: key.id } });
      expect(made.detail).toMatchObject(facts('POST /v1/admin/keys'));
      expect(removed).toMatchObject({ ...done, action: 'key.deleted', target: { id: key.id } });
      const own = await operator.call('GET', server.path('/audit', id));
      expect(own.json.entries.map(({ action }: { action: string }) => action)).toContain(
        'admin.read',
      );
    });

    it('has each refusal once, without secrets', async () => {
      const { key, id } = await server.makeKey('nosy');
      await server.call('GET', '/v1/admin/keys', { key });
      await server.call('POST', '/v1/search', { key: admin.key, body: SEARCH });
      await call('GET', '/projects', { headers: { origin: 'https://evil.example' } });
      await call('DELETE', `/keys/${admin.id}`);
      await call('POST', '/projects', { body: { name: 'x', token: 'tk_planted' } });
      await call('GET', `/projects/${UNKNOWN_ID}`);
      await server.call('POST', '/compat/tavily/search', { key: admin.key, body: { query: 'x' } });
      const [dropIn, missing, invalid, own, browser, elsewhere, nosy] = await audit();
      expect(nosy).toMatchObject({ actor: { kind: 'key', id }, action: 'admin.refused' });
      expect(nosy.reason).toContain('lacks the permission "admin"');
      expect(nosy.detail).toEqual({ route: 'GET /v1/admin/keys', key_ends_with: key.slice(-4) });
      expect(elsewhere.detail).toEqual(facts('POST /v1/search'));
      expect(browser.reason).toContain('header Origin');
      expect(own).toMatchObject({
        action: 'key.deleted',
        outcome: 'refused',
        target: { id: admin.id },
      });
      expect(invalid.reason).toMatch(/^token: /);
      expect(missing.reason).toBe('Project not found');
      expect(dropIn.detail).toEqual(facts('POST /compat/tavily/*'));
      for (const entry of [dropIn, missing, invalid, browser, elsewhere]) {
        expect(entry).toMatchObject({ action: 'admin.refused', outcome: 'refused', actor: by() });
      }
      const text = JSON.stringify(await audit());
      for (const secret of [admin.key, key, 'tk_planted']) expect(text).not.toContain(secret);
    });

    it('is not filled by refusals beyond the rate limit of a key', async () => {
      const { key, id } = await server.makeKey('loud');
      await server.server.store.keys.changeKey(id, { rateLimit: 2 });
      const ask = async () => (await server.call('GET', '/v1/admin/keys', { key })).status;
      await expect.poll(ask).toBe(429);
      const entries = await audit();
      const own = entries.filter(({ actor }: { actor: { id: string } }) => actor.id === id);
      await ask();
      const later = await audit();
      expect(later.filter(({ actor }: { actor: { id: string } }) => actor.id === id)).toEqual(own);
    });
  });
});
