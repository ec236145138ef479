import { systemClock } from '@trawl/base';
import { type Changer, commandLineEntry, createClientChanges } from '@trawl/server';
import type { Browser, ConsoleServer } from '@trawl/test-support/console-server';
import { PASSWORD, startConsoleServer } from '@trawl/test-support/console-server';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPasswordLink } from '../src/accounts/password-links.ts';

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
const NO_ENTRY = {
  SQLite: [
    sql`create trigger no_entry before insert on audit_log begin select raise(abort, 'no entry'); end`,
  ],
  PostgreSQL: [
    sql`create function no_entry() returns trigger language plpgsql as $$ begin raise 'no entry'; end $$`,
    sql`create trigger no_entry before insert on audit_log for each row execute function no_entry()`,
  ],
};
/** What the audit log is about. */
const TABLES = [
  'api_keys',
  'projects',
  'project_members',
  'invitations',
  'password_links',
  'login_clients',
  'login_tokens',
  'provider_keys',
  'console_users',
  'console_accounts',
  'settings',
] as const;

describeOnDatabases('where the audit entry cannot be written', (database) => {
  let server: ConsoleServer;
  let changes: Readonly<Record<string, () => Promise<{ readonly status: number }>>>;
  beforeAll(async () => {
    const env = { SECRETS_KEY, TAVILY_API_KEY: undefined, PUBLIC_URL: 'https://trawl.example.com' };
    server = await startConsoleServer({ database, env });
    changes = await prepared(server);
    for (const statement of NO_ENTRY[database.name]) await statement.execute(db());
  });
  afterAll(() => server.stop());

  const db = () => server.server.store.accounts.database.db;

  const stored = async (): Promise<string> => {
    const all = TABLES.map((table) => db().selectFrom(table).selectAll().execute());
    const rows = (await Promise.all(all)).flat().map((row) => JSON.stringify(row));
    return rows.sort().join('\n');
  };

  it('every change by console, operator API and command is refused, and nothing is changed', async () => {
    const before = await stored();
    for (const [name, change] of Object.entries(changes)) {
      expect([name, (await change()).status]).toEqual([name, 503]);
      expect(await stored(), name).toBe(before);
    }
    await sql`drop trigger no_entry ${database.name === 'SQLite' ? sql`` : sql`on audit_log`}`.execute(
      db(),
    );
    for (const [name, change] of Object.entries(changes)) {
      expect([name, (await change()).status < 300]).toEqual([name, true]);
    }
  });
});

const CLIENT = { name: 'Own', redirectUris: ['https://own.example/callback'] };
const COMMAND: Changer = {
  personId: null,
  adminKeys: 'all',
  entry: (event) => commandLineEntry(event, systemClock),
};

/** Each change once, in an order in which all can be done. */
async function prepared(server: ConsoleServer) {
  const { store } = server.server;
  const operator = await server.operator();
  await server.person('member');
  const own = (rest: string) => server.path(rest);
  const json = async (browser: Browser, path: string, body: object) =>
    (await browser.call('POST', path, { body })).json;
  const newKey = (name: string) =>
    json(operator, own('/keys'), { name, permissions: ['search'] }).then(({ id }) => id as string);
  const [changed, rotated, deleted, apiKey] = [
    await newKey('a'),
    await newKey('b'),
    await newKey('c'),
    await newKey('d'),
  ];
  const providerKey = { provider: 'tavily', key: 'kept-key-of-a-provider' };
  const kept = await json(operator, '/console/api/provider-keys', providerKey);
  const invited = await json(operator, own('/invitations'), { email: 'x@a.com', role: 'viewer' });
  const guest = await json(operator, own('/invitations'), { email: 'y@a.com', role: 'viewer' });
  const { members } = (await operator.call('GET', own('/members'))).json;
  const member: string = members.find(({ role }: { role: string }) => role === 'member').id;
  const link = await json(operator, own(`/members/${member}/password-link`), {});
  const admin = await server.makeKey('operators', ['admin']);
  const call =
    (method: string, path: string, body?: object, browser: Browser = operator) =>
    () =>
      browser.call(method, path, body === undefined ? {} : { body });
  const v1 = (method: string, path: string, body?: object) => () =>
    server.call(method, `/v1/admin${path}`, { key: admin.key, ...(body && { body }) });
  const direct = (work: () => Promise<unknown>) => () =>
    work().then(
      () => ({ status: 200 }),
      () => ({ status: 503 }),
    );
  const publicUrl = 'https://trawl.example.com';
  return {
    'key created': call('POST', own('/keys'), { name: 'new', permissions: ['read'] }),
    'key changed': call('PATCH', own(`/keys/${changed}`), { name: 'renamed', disabled: true }),
    'key rotated': call('POST', own(`/keys/${rotated}/rotate`), { grace: '1h' }),
    'key deleted': call('DELETE', own(`/keys/${deleted}`)),
    'project created': call('POST', '/console/api/projects', { name: 'made' }),
    'project changed': call('PATCH', own(''), { name: 'renamed', rate_limit: 7 }),
    'logins of the project changed': call('PATCH', own(''), { mcp_login: 'members' }),
    'login client added': direct(() =>
      createClientChanges({ store, clock: systemClock }).add(CLIENT, COMMAND),
    ),
    invited: call('POST', own('/invitations'), { email: 'z@a.com', role: 'viewer' }),
    'invitation renewed': call('POST', own(`/invitations/${invited.id}/renew`), {}),
    'invitation revoked': call('DELETE', own(`/invitations/${invited.id}`)),
    'invitation accepted': call(
      'POST',
      '/console/api/invitation/accept',
      { token: String(guest.link).split('#')[1], name: 'Guest', password: PASSWORD },
      server.browser(),
    ),
    'password link used': call(
      'POST',
      '/console/api/password-link/use',
      { token: String(link.link).split('#')[1], password: `${PASSWORD}!` },
      server.browser(),
    ),
    'password link made': call('POST', own(`/members/${member}/password-link`), {}),
    'role changed': call('PATCH', own(`/members/${member}`), { role: 'viewer' }),
    'member removed': call('DELETE', own(`/members/${member}`)),
    'person renamed': call('PATCH', '/console/api/account', { name: 'Ada the second' }),
    'provider key added': call('POST', '/console/api/provider-keys', {
      provider: 'tavily',
      key: 'another-key-of-a-provider',
    }),
    'provider key removed': call('DELETE', `/console/api/provider-keys/${kept.id}`),
    'operator API: project created': v1('POST', '/projects', { name: 'v1', retention_days: 3 }),
    'operator API: project changed': v1('PATCH', `/projects/${server.projectId}`, {
      retention_days: 9,
      monthly_budget_usd: 2,
    }),
    'operator API: key created': v1('POST', '/keys', {
      project_id: server.projectId,
      name: 'v1',
      permissions: ['read'],
    }),
    'operator API: key changed': v1('PATCH', `/keys/${apiKey}`, { rate_limit: 3 }),
    'operator API: key rotated': v1('POST', `/keys/${apiKey}/rotate`, { grace: 'now' }),
    'operator API: key deleted': v1('DELETE', `/keys/${apiKey}`),
    'command: password link': direct(() =>
      createPasswordLink(store, { email: 'ada@example.com', publicUrl }, systemClock),
    ),
  };
}
