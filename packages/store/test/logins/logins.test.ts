import { describeOnDatabases } from '@trawl/test-support/databases';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { digestOf, openLogins } from './support.ts';

const MINUTE_MS = 60_000;

describeOnDatabases('logins for /mcp', (database) => {
  let opened: Awaited<ReturnType<typeof openLogins>>;
  beforeAll(async () => {
    opened = await openLogins(database);
  });
  afterAll(() => opened.cleanup());
  beforeEach(async () => {
    await opened.setRole('admin');
    const settings = { mcpLogin: 'admins' } as const;
    await opened.store.keys.setMcpLogin(opened.project.id, settings);
  });

  /** A login with its first tokens. */
  const loggedIn = async () => {
    const { code, login } = await opened.grant();
    const outcome = await useCode(code);
    if (outcome.outcome !== 'issued') throw new Error(`the set-up failed: ${outcome.outcome}`);
    return { code, id: login.key.id, access: `access of ${code}`, refresh: `refresh of ${code}` };
  };
  const useCode = (code: string, change: object = {}) =>
    opened.store.logins.useCode(opened.codeUse(code, change), opened.now());
  const useRefresh = (token: string, change: object = {}) =>
    opened.store.logins.useRefresh(opened.refreshUse(token, change), opened.now());
  const find = (access: string) => opened.store.logins.find(digestOf(access), opened.now());
  const stateOf = async (id: string) => (await opened.store.keys.keyOfId(id))?.revokedAt;
  /** As if these milliseconds had passed since the token was made, or was used. */
  const age = (token: string, milliseconds: number, what: 'expires_at' | 'used_at') =>
    opened.db
      .updateTable('login_tokens')
      .set({ [what]: new Date(Date.now() - milliseconds).toISOString() })
      .where('digest', '=', digestOf(token))
      .execute();

  it('exchange a code once for tokens that find the key of the login', async () => {
    const { access, id } = await loggedIn();
    expect(await find(access)).toMatchObject({
      key: { id, permissions: ['search'], loginClient: 'a client', createdBy: opened.person.id },
    });
    expect(await find('another')).toBeUndefined();
  });

  it('store no code and no token', async () => {
    const { code, access, refresh } = await loggedIn();
    const rows = await opened.db.selectFrom('login_tokens').selectAll().execute();
    const text = JSON.stringify(rows);
    for (const secret of [code, access, refresh]) expect(text).not.toContain(`"${secret}"`);
  });

  it.each([
    ['of another client', { client: 'another' }, 'unknown'],
    ['with another verifier', { challenge: 'another' }, 'mismatch'],
    ['for another redirect', { redirectUri: 'https://a.example/c2' }, 'mismatch'],
  ])('give nothing for a code %s, which stays for its client', async (_what, change, fault) => {
    const { code } = await opened.grant();
    expect(await useCode(code, change)).toEqual({ outcome: 'refused', fault });
    expect(await useCode(code)).toMatchObject({ outcome: 'issued' });
  });

  it('give nothing for a code after a minute', async () => {
    const { code, login } = await opened.grant();
    await age(code, 1, 'expires_at');
    expect(await useCode(code)).toEqual({ outcome: 'refused', fault: 'expired' });
    expect(await stateOf(login.key.id)).toBeNull();
  });

  it('end where a code is used twice', async () => {
    const { code, access, refresh, id } = await loggedIn();
    expect(await useCode(code)).toMatchObject({
      outcome: 'ended',
      why: 'used_twice',
      login: { id, client: 'a client', personId: opened.person.id },
    });
    expect(await stateOf(id)).not.toBeNull();
    expect(await find(access)).toBeUndefined();
    expect(await useRefresh(refresh)).toEqual({ outcome: 'refused', fault: 'unknown' });
  });

  it('do not end where a used code comes without its verifier', async () => {
    const { code, id } = await loggedIn();
    expect(await useCode(code, { challenge: 'guessed' })).toMatchObject({ outcome: 'refused' });
    expect(await stateOf(id)).toBeNull();
  });

  it('rotate their refresh token', async () => {
    const { refresh, access, id } = await loggedIn();
    expect(await useRefresh(refresh)).toEqual({ outcome: 'issued', scopes: ['search'] });
    expect(await find(`access of ${refresh}`)).toMatchObject({ key: { id } });
    expect(await find(access)).toMatchObject({ key: { id } });
    expect(await useRefresh(`refresh of ${refresh}`)).toMatchObject({ outcome: 'issued' });
  });

  it('refuse a refresh token that was used a moment ago, and go on', async () => {
    const { refresh, id } = await loggedIn();
    await useRefresh(refresh);
    expect(await useRefresh(refresh)).toEqual({ outcome: 'refused', fault: 'used' });
    expect(await stateOf(id)).toBeNull();
    await age(refresh, 29_000, 'used_at');
    expect(await useRefresh(refresh)).toMatchObject({ fault: 'used' });
  });

  it('end where a refresh token is used again later', async () => {
    const { refresh, id } = await loggedIn();
    await useRefresh(refresh);
    await age(refresh, 31_000, 'used_at');
    expect(await useRefresh(refresh)).toMatchObject({ outcome: 'ended', why: 'used_twice' });
    expect(await stateOf(id)).not.toBeNull();
    expect(await find(`access of ${refresh}`)).toBeUndefined();
  });

  it('give nothing for the refresh token of another client, and do not end', async () => {
    const { refresh, id } = await loggedIn();
    expect(await useRefresh(refresh, { client: 'another' })).toMatchObject({ fault: 'unknown' });
    expect(await stateOf(id)).toBeNull();
    expect(await useRefresh(refresh)).toMatchObject({ outcome: 'issued' });
  });

  it('give nothing for an access token, a code or a refresh token in the place of another', async () => {
    const { refresh, access, code } = await loggedIn();
    expect(await useRefresh(access)).toMatchObject({ fault: 'unknown' });
    expect(await useRefresh(code)).toMatchObject({ fault: 'unknown' });
    expect(await useCode(refresh)).toMatchObject({ fault: 'unknown' });
    expect([await find(refresh), await find(code)]).toEqual([undefined, undefined]);
  });

  it('use a refresh token once where two servers get it at the same time', async () => {
    const { refresh, id } = await loggedIn();
    const other = await opened.opened.another();
    const uses = [opened.store, other].map((store, index) => {
      const made = { newAccess: `access ${index} ${id}`, newRefresh: `refresh ${index} ${id}` };
      return store.logins.useRefresh(opened.refreshUse(refresh, made), opened.now());
    });
    const outcomes = (await Promise.all(uses)).map(({ outcome }) => outcome);
    expect(outcomes.sort()).toEqual(['issued', 'refused']);
    expect(await stateOf(id)).toBeNull();
  });

  it('use a code once where two servers get it at the same time', async () => {
    const { code } = await opened.grant();
    const other = await opened.opened.another();
    const uses = [opened.store, other].map((store, index) => {
      const made = { newAccess: `access ${index} ${code}`, newRefresh: `refresh ${index} ${code}` };
      return store.logins.useCode(opened.codeUse(code, made), opened.now());
    });
    const outcomes = (await Promise.all(uses)).map(({ outcome }) => outcome);
    expect(outcomes.sort()).toEqual(['ended', 'issued']);
  });

  it('are made once where a consent is sent twice', async () => {
    const { login } = await opened.grant();
    const again = await opened.grant({ codeDigest: login.codeDigest });
    expect(again.granted).toEqual({ outcome: 'open' });
    expect(await opened.store.keys.keyOfId(again.login.key.id)).toBeUndefined();
    await opened.store.logins.useCode(
      { ...opened.codeUse('any'), codeDigest: login.codeDigest },
      opened.now(),
    );
    expect((await opened.grant({ codeDigest: login.codeDigest })).granted).toEqual({
      outcome: 'used',
    });
  });

  it('are ten at most for a person, client and project, and the oldest ends', async () => {
    const client = 'one with many';
    const made = [];
    for (let count = 0; count < 12; count += 1) made.push(await opened.grant({ client }));
    const ended = made.flatMap(({ granted }) =>
      granted.outcome === 'granted' ? granted.ended.map(({ id }) => id) : [],
    );
    expect(ended).toEqual(made.slice(0, 2).map(({ login }) => login.key.id));
    const listed = await opened.store.logins.list(opened.person.id, opened.now());
    expect(listed.filter(({ key }) => key.loginClient === client)).toHaveLength(10);
  });

  it.each([
    ['the role is too low', () => opened.setRole('member')],
    [
      'the project allows none',
      () => opened.store.keys.setMcpLogin(opened.project.id, { mcpLogin: 'off' }),
    ],
  ])('are over at use and refresh when %s', async (_what, change) => {
    const { access, refresh, id } = await loggedIn();
    await change();
    expect(await find(access)).toMatchObject({ lost: 'not_allowed' });
    expect(await useRefresh(refresh)).toMatchObject({ outcome: 'ended', why: 'not_allowed' });
    expect(await stateOf(id)).not.toBeNull();
  });

  it('go on for a member where the project lets members, and never for a viewer', async () => {
    await opened.store.keys.setMcpLogin(opened.project.id, { mcpLogin: 'members' });
    await opened.setRole('member');
    const { access } = await loggedIn();
    expect(await find(access)).not.toHaveProperty('lost');
    await opened.setRole('viewer');
    expect(await find(access)).toMatchObject({ lost: 'not_allowed' });
  });

  it('end in the transaction that changes the role, if that does not allow them', async () => {
    const { id } = await loggedIn();
    const of = { personId: opened.person.id };
    expect(await opened.store.logins.endOf(of, 'not_allowed', opened.now())).toEqual([]);
    await opened.setRole('member');
    const ended = await opened.store.logins.endOf(of, 'not_allowed', opened.now());
    expect(ended.map((login) => login.id)).toContain(id);
    expect(await stateOf(id)).not.toBeNull();
  });

  it('end by their tokens, for their own client', async () => {
    const { refresh, access, id } = await loggedIn();
    const { logins } = opened.store;
    const end = (token: string, client: string) =>
      logins.endByToken({ digest: digestOf(token), client }, opened.now());
    expect(await end(refresh, 'another')).toBeUndefined();
    expect(await end('none', 'a client')).toBeUndefined();
    expect(await end(access, 'a client')).toMatchObject({ id });
    expect(await end(refresh, 'a client')).toBeUndefined();
  });

  it('are refused while their key is disabled, and go on after it', async () => {
    const { access, refresh, id } = await loggedIn();
    await opened.store.keys.disableKey(id, opened.now());
    expect(await find(access)).toMatchObject({ key: { disabledAt: expect.any(String) } });
    expect(await useRefresh(refresh)).toMatchObject({ fault: 'unknown' });
    await opened.store.keys.disableKey(id, null);
    expect(await find(access)).toMatchObject({ key: { disabledAt: null } });
    expect(await useRefresh(refresh)).toMatchObject({ outcome: 'issued' });
  });

  it('keep a code that came while their key was disabled', async () => {
    const { code, login } = await opened.grant();
    await opened.store.keys.disableKey(login.key.id, opened.now());
    expect(await useCode(code)).toMatchObject({ fault: 'unknown' });
    await opened.store.keys.disableKey(login.key.id, null);
    expect(await useCode(code)).toMatchObject({ outcome: 'issued' });
  });

  it('give nothing for a refresh token when their key has ended by time', async () => {
    const { refresh, id } = await loggedIn();
    const past = new Date(Date.now() - 1_000).toISOString();
    await opened.db
      .updateTable('api_keys')
      .set({ expires_at: past })
      .where('id', '=', id)
      .execute();
    expect(await useRefresh(refresh)).toMatchObject({ fault: 'expired' });
    // it is over: there is nothing to end, for the audit log either
    expect(await opened.store.logins.end(id, opened.now())).toBeUndefined();
    const of = { personId: opened.person.id };
    const ended = await opened.store.logins.endOf(of, 'all', opened.now());
    expect(ended.map((login) => login.id)).not.toContain(id);
  });

  it.each(['exchanged', 'open'])(
    'are not made again by their consent after an end, %s',
    async (was) => {
      const { code, login } = await opened.grant();
      if (was === 'exchanged') await useCode(code);
      await opened.store.logins.end(login.key.id, opened.now());
      const again = await opened.grant({ codeDigest: login.codeDigest });
      expect(again.granted).toEqual({ outcome: 'used' });
      expect(await useCode(code)).toEqual({ outcome: 'refused', fault: 'unknown' });
    },
  );

  it('give access for an hour, and a month without use', async () => {
    const { access, refresh, id } = await loggedIn();
    const rows = await opened.db
      .selectFrom('login_tokens')
      .select(['kind', 'expires_at'])
      .where('key_id', '=', id)
      .where('digest', 'in', [digestOf(access), digestOf(refresh)])
      .execute();
    const minutes = rows.map(({ kind, expires_at }) => [
      kind,
      Math.round((Date.parse(expires_at) - Date.now()) / MINUTE_MS),
    ]);
    expect(Object.fromEntries(minutes)).toEqual({ access: 60, refresh: 30 * 24 * 60 });
    const key = await opened.store.keys.keyOfId(id);
    expect(Date.parse(key?.expiresAt ?? '') - Date.now()).toBeGreaterThan(29 * 24 * 3_600_000);
    await age(access, 1, 'expires_at');
    expect(await find(access)).toBeUndefined();
  });

  it('forget tokens that are long over, and the login of a code that nobody used', async () => {
    const [{ access, code, id }, unused] = [await loggedIn(), await opened.grant()];
    for (const token of [access, code, unused.code]) {
      await age(token, 25 * 3_600_000, 'expires_at');
    }
    await opened.store.sweeps.tokens(Date.now());
    const left = await opened.db.selectFrom('login_tokens').select(['kind', 'key_id']).execute();
    expect(left.filter(({ key_id }) => key_id === id)).toEqual([{ kind: 'refresh', key_id: id }]);
    const listed = await opened.store.keys.listKeys(opened.project.id);
    const ids = listed.map((key) => key.id);
    expect(ids).toContain(id);
    expect(ids).not.toContain(unused.login.key.id);
  });

  it('end with the client that an operator entered', async () => {
    const client = {
      name: 'Own',
      redirectUris: ['https://own.example/c'],
      createdAt: opened.now(),
    };
    await opened.store.logins.addClient({ id: 'own', ...client });
    expect(await opened.store.logins.clients()).toEqual([{ id: 'own', ...client }]);
    const { login } = await opened.grant({ client: 'own', isEntered: true });
    expect(await opened.store.logins.removeClient('own', opened.now())).toMatchObject([
      { id: login.key.id },
    ]);
    expect(await opened.store.logins.client('own')).toBeUndefined();
    expect(await opened.store.logins.removeClient('own', opened.now())).toBeUndefined();
    const late = await opened.grant({ client: 'own', isEntered: true });
    expect(late.granted).toEqual({ outcome: 'client_removed' });
  });

  it('none is left where a client is removed during a consent', async () => {
    const other = await opened.opened.another();
    for (const id of ['raced 1', 'raced 2', 'raced 3']) {
      const client = { id, name: id, redirectUris: ['https://a.example/c'] };
      await opened.store.logins.addClient({ ...client, createdAt: opened.now() });
      await Promise.all([
        opened.grant({ client: id, isEntered: true }),
        other.logins.removeClient(id, opened.now()),
      ]);
      const listed = await opened.store.logins.list(opened.person.id, opened.now());
      expect(listed.filter(({ key }) => key.loginClient === id)).toEqual([]);
    }
  });

  it('all end where login is switched off, and their keys stay in the lists', async () => {
    const { access, refresh, id } = await loggedIn();
    expect(await opened.store.logins.endAll(opened.now())).toBeGreaterThan(0);
    expect(await opened.store.logins.endAll(opened.now())).toBe(0);
    expect(await find(access)).toBeUndefined();
    expect(await useRefresh(refresh)).toMatchObject({ fault: 'unknown' });
    const listed = await opened.store.keys.listKeys(opened.project.id);
    const key = listed.find((one) => one.id === id);
    expect(Date.parse(key?.expiresAt ?? '')).toBeLessThanOrEqual(Date.now());
  });

  it('are over when their person is removed', async () => {
    const { access, refresh } = await loggedIn();
    await opened.db.deleteFrom('console_users').where('id', '=', opened.person.id).execute();
    expect(await find(access)).toMatchObject({ lost: 'person_gone' });
    expect(await useRefresh(refresh)).toMatchObject({ outcome: 'ended', why: 'person_gone' });
    expect((await opened.grant()).granted).toEqual({ outcome: 'unknown' });
  });
});
