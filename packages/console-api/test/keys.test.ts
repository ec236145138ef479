import { systemClock } from '@trawl/base';
import { digestOf } from '@trawl/server/testing';
import {
  type Browser,
  type ConsoleServer,
  startConsoleServer,
} from '@trawl/test-support/console-server';
import { describeOnDatabases, onlyOn } from '@trawl/test-support/databases';
import { startTestServer } from '@trawl/test-support/harness';
import { storedText } from '@trawl/test-support/stored-text';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const HOUR_MS = 3_600_000;
/** By the decisions, a change of a key reaches every server within a second. */
const NOTICED_WITHIN_MS = 1_000;
const SEARCH = { user_input: { query: 'tidal power' } };

describeOnDatabases('keys in the console', (database) => {
  let server: ConsoleServer;
  let admin: Browser;
  let viewer: Browser;
  let passedMs = 0;
  beforeAll(async () => {
    const clock = { ...systemClock, now: () => systemClock.now() + passedMs };
    server = await startConsoleServer({ database, clock });
    admin = await server.person('admin');
    viewer = await server.person('viewer');
  });
  afterAll(() => server.stop());

  const make = async (body: object = {}) => {
    const made = await admin.call('POST', server.path('/keys'), {
      body: { name: 'a key', permissions: ['search', 'fetch', 'read'], ...body },
    });
    expect([made.status, made.json.detail]).toEqual([200, undefined]);
    return made.json as { id: string; secret: string };
  };
  const list = async () => (await viewer.call('GET', server.path('/keys'))).json;
  const keyOf = async (id: string) =>
    (await list()).keys.find((key: { id: string }) => key.id === id);
  const change = (id: string, body: object) =>
    admin.call('PATCH', server.path(`/keys/${id}`), { body });
  const search = (secret: string, body: object = SEARCH) =>
    server.call('POST', '/v1/search', { key: secret, body });
  /** A change is noticed by polling: it must not take longer than a second on an idle machine. */
  const soon = (look: () => Promise<void>) => vi.waitFor(look, { timeout: 20_000 });
  const becomes = (secret: string, status: number) =>
    soon(async () => expect((await search(secret)).status).toBe(status));
  const audit = async () => (await admin.call('GET', server.path('/audit'))).json.entries;
  const auditOf = async (id: string) =>
    (await audit()).filter(({ target }: { target: { id: string } | null }) => target?.id === id);

  // each waits until the server has noticed its changes
  describe.concurrent('when a key changes', () => {
    it('sets the defaults of a key, which a rotation keeps and the audit log names', async () => {
      const profile = { search: { providers: { include: ['tavily'] }, tier: 'minimalist' } };
      const { id, secret } = await make({ profile });
      expect(await keyOf(id)).toMatchObject({ profile });
      const ranOn = async (key: string) =>
        (await search(key)).json.preprocessor_runs.map(
          (run: { preprocessor_name: string }) => run.preprocessor_name,
        );
      expect(await ranOn(secret)).toEqual(['tavily']);
      const next = { search: { providers: { include: ['exa'] } } };
      expect((await change(id, { profile: next })).status).toBe(204);
      expect((await auditOf(id))[0]).toMatchObject({
        action: 'key.changed',
        detail: { profile: next },
      });
      await soon(async () => expect(await ranOn(secret)).toEqual(['exa']));
      const rotated = await admin.call('POST', server.path(`/keys/${id}/rotate`), {
        body: { grace: '1h' },
      });
      expect(await ranOn(rotated.json.secret)).toEqual(['exa']);
      expect((await change(rotated.json.id, { profile: null })).status).toBe(204);
      expect(await keyOf(rotated.json.id)).toMatchObject({ profile: null });
    });

    it('changes settings, which running servers follow', async () => {
      const { id, secret } = await make({ permissions: ['search'], expires_at: null });
      expect((await search(secret)).status).toBe(200);
      const changed = await change(id, {
        name: '  renamed  ',
        permissions: ['read'],
        monthly_budget_usd: 2.5,
        expires_at: '2999-01-01T00:00:00+01:00',
      });
      expect(changed.status).toBe(204);
      await becomes(secret, 403);
      expect(await keyOf(id)).toMatchObject({
        name: 'renamed',
        permissions: ['read'],
        monthly_budget_usd: 2.5,
        expires_at: '2998-12-31T23:00:00.000Z',
      });
      await change(id, { permissions: ['search'], allowed_providers: ['tavily'] });
      await soon(async () =>
        expect((await search(secret)).json.detail).toContain('it may use: tavily'),
      );
      await change(id, { allowed_providers: null, monthly_budget_usd: 0 });
      await becomes(secret, 402);
      expect((await keyOf(id)).status).toEqual({
        code: 'out_of_budget',
        reason: expect.stringMatching(
          /^It spent \$\d+\.\d+ of \$0\.00 this month, so .* are refused\.$/,
        ),
      });
    });

    it('disables, enables and deletes a key; its name stays in the ledger', async () => {
      const { id, secret } = await make({ name: 'short-lived' });
      expect((await search(secret)).status).toBe(200);
      expect((await change(id, { disabled: true })).status).toBe(204);
      await becomes(secret, 401);
      expect(await keyOf(id)).toMatchObject({ disabled: true, status: { code: 'disabled' } });
      await change(id, { disabled: false });
      await becomes(secret, 200);
      expect((await admin.call('DELETE', server.path(`/keys/${id}`))).status).toBe(204);
      await becomes(secret, 401);
      expect(await keyOf(id)).toBeUndefined();
      expect((await change(id, { disabled: false })).status).toBe(404);
      const actions = (await auditOf(id))
        .slice(0, 4)
        .map(({ action }: { action: string }) => action);
      expect(actions).toEqual(['key.changed', 'key.deleted', 'key.enabled', 'key.disabled']);
      expect(await storedText(server.database)).toContain('short-lived');
    });
  });

  it('makes a key that works at once, and whose text is stored and logged nowhere', async () => {
    const { id, secret } = await make({ name: 'laptop', rate_limit: 100 });
    expect((await search(secret)).status).toBe(200);
    const text = await storedText(server.database);
    expect(text).toContain(digestOf(secret));
    for (const hidden of [secret, secret.slice(3, 30)]) {
      expect(text).not.toContain(hidden);
      expect(server.logged()).not.toContain(hidden);
    }
    const [entry] = await audit();
    expect(entry).toMatchObject({
      action: 'key.created',
      outcome: 'succeeded',
      target: { kind: 'key', id },
    });
    expect(await keyOf(id)).toMatchObject({
      name: 'laptop',
      last_four: secret.slice(-4),
      permissions: ['search', 'fetch', 'read'],
      allowed_providers: null,
      created_by: { name: 'The admin 1' },
      rate_limit: 100,
      monthly_budget_usd: null,
      disabled: false,
    });
  });

  it('shows the use of each key, and one key with its last calls', async () => {
    const { id, secret } = await make({ name: 'used' });
    expect(await keyOf(id)).toMatchObject({
      last_used_at: null,
      status: { code: 'operational', reason: 'It is valid, and was not used yet.' },
    });
    const answer = await search(secret);
    const runs = answer.json.preprocessor_runs.length;
    const key = await keyOf(id);
    expect(key.usage.succeeded).toHaveLength(36);
    expect(key.usage.succeeded.slice(-2).reduce((a: number, b: number) => a + b)).toBe(runs);
    expect(key.last_used_at).not.toBeNull();
    const details = (await viewer.call('GET', server.path(`/keys/${id}`))).json;
    expect(details.calls).toHaveLength(runs);
    expect(details.calls[0]).toMatchObject({
      interaction_id: answer.json.interaction_id,
      session_id: answer.json.session_id,
      outcome: 'succeeded',
    });
    expect(details.key).toEqual(key);
  });

  it('lets a viewer see keys, and only an admin change them', async () => {
    const { id } = await make();
    const member = await server.person('member');
    for (const person of [viewer, member]) {
      expect((await person.call('GET', server.path('/keys'))).status).toBe(200);
      const refused = [
        await person.call('POST', server.path('/keys'), {
          body: { name: 'x', permissions: ['read'] },
        }),
        await person.call('PATCH', server.path(`/keys/${id}`), { body: { name: 'x' } }),
        await person.call('POST', server.path(`/keys/${id}/rotate`), { body: { grace: 'now' } }),
        await person.call('DELETE', server.path(`/keys/${id}`)),
      ];
      expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    }
    expect((await audit())[0]).toMatchObject({ action: 'access.refused', outcome: 'refused' });
    expect(await keyOf(id)).toMatchObject({ name: 'a key' });
  });

  it('knows no keys of another project', async () => {
    const other = await server.makeKey('other project');
    const answers = [
      await admin.call('GET', server.path('/keys', other.projectId)),
      await admin.call('GET', server.path(`/keys/${other.id}`)),
      await change(other.id, { name: 'mine' }),
      await admin.call('POST', server.path(`/keys/${other.id}/rotate`), { body: { grace: 'now' } }),
      await admin.call('DELETE', server.path(`/keys/${other.id}`)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await audit())[0]).toMatchObject({
      action: 'key.deleted',
      outcome: 'refused',
      target: { id: other.id, name: null },
    });
    expect((await search(other.key)).status).toBe(200);
  });

  it('rotates a key: the old one works until the grace period ends', async () => {
    const old = await make({ name: 'ci' });
    const rotated = await admin.call('POST', server.path(`/keys/${old.id}/rotate`), {
      body: { grace: '1h' },
    });
    expect(await keyOf(old.id)).toMatchObject({
      replaced_by: rotated.json.id,
      status: { code: 'expires_soon', reason: expect.stringContaining('It was rotated and ends') },
    });
    expect((await search(rotated.json.secret)).status).toBe(200);
    await becomes(old.secret, 200);
    passedMs += HOUR_MS;
    await becomes(old.secret, 401);
    expect((await search(rotated.json.secret)).status).toBe(200);
    expect((await keyOf(old.id)).status.code).toBe('expired');
  });

  onlyOn(database, 'PostgreSQL')(
    'a change reaches another server on the same database within a second',
    async () => {
      const { database: data } = server;
      const same = { ...database, create: async () => ({ ...data, drop: async () => {} }) };
      const second = await startTestServer({ database: same });
      try {
        const { id, secret } = await make({ name: 'on two servers' });
        const searched = async (): Promise<number> =>
          (await second.call('POST', '/v1/search', { key: secret, body: SEARCH })).status;
        expect(await searched()).toBe(200);
        await change(id, { disabled: true });
        const changedAt = performance.now();
        await expect.poll(searched, { interval: 20 }).toBe(401);
        expect(performance.now() - changedAt).toBeLessThan(NOTICED_WITHIN_MS);
      } finally {
        await second.stop();
      }
    },
  );

  it('neither lists nor accepts the hidden key of the project', async () => {
    const member = await server.person('member');
    const recorded = await member.call('POST', server.path('/v1/search'), { body: SEARCH });
    expect(recorded.status).toBe(200);
    const hidden = await server.server.store.keys.hiddenKey(server.projectId);
    const ids = (await list()).keys.map(({ id }: { id: string }) => id);
    expect(ids).not.toContain(hidden?.id);
    const answers = [
      await admin.call('GET', server.path(`/keys/${hidden?.id}`)),
      await change(hidden?.id ?? '', { name: 'found' }),
      await admin.call('DELETE', server.path(`/keys/${hidden?.id}`)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('refuses bad input, names the field, and makes nothing', async () => {
    const before = (await list()).keys.length;
    const good = { name: 'good', permissions: ['read'] };
    const faults: readonly (readonly [object, string])[] = [
      [{ ...good, name: 'x'.repeat(900_000) }, 'name'],
      [{ ...good, expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
      [{ ...good, allowed_providers: ['no-such'] }, 'allowed_providers'],
    ];
    for (const [body, field] of faults) {
      const refused = await admin.call('POST', server.path('/keys'), { body });
      expect([refused.status, refused.json.detail[0].loc.slice(0, 2)]).toEqual([
        422,
        ['body', field],
      ]);
      expect(refused.text.length).toBeLessThan(5_000);
    }
    expect((await list()).keys).toHaveLength(before);
  });

  it('keeps a script in a name as the text that it is', async () => {
    const name = '<script>alert(1)</script> "quoted" \u202e';
    const { id } = await make({ name });
    expect((await keyOf(id)).name).toBe(name);
  });
});
