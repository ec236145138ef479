import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AdminKey, AdminProject } from '@trawl/contract';
import { openSqlite } from '@trawl/database/sqlite';
import { readConfig, withStore } from '@trawl/server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from './support/command.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'trawl-keys-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The command with its database in that folder. */
const trawl = (line: string, env: Record<string, string> = {}) =>
  runCommand({
    args: line.split(' '),
    settings: { DATA_DIR: join(folder, 'data'), ...env },
    folder,
  });

/** Adds a person to the database of that folder. */
async function makeAccount(): Promise<void> {
  const config = readConfig({ DATA_DIR: join(folder, 'data') });
  await withStore(config, new URL('file:///no-worker'), async ({ accounts }) => {
    const at = '2026-01-01T00:00:00.000Z';
    const person = { id: 'ada', name: 'Ada', email: 'ada@example.com', email_verified: 0 };
    const times = { created_at: at, updated_at: at };
    const { db } = accounts.database;
    await db
      .insertInto('console_users')
      .values({ ...person, ...times, image: null })
      .execute();
  });
}

describe('which database the key commands use', () => {
  test.each([
    'keys list',
    'keys list --json',
    'keys revoke some-id',
    'console code',
    'console code --json',
    'console reset ada@example.com',
    'keys limit some-id --rate-limit 5',
    'projects list',
    'projects limit shop --rate-limit 5',
    'projects retention shop 30',
    'db check',
    'alerts list',
    'db move --to postgres://127.0.0.1/trawl',
    'backup copy.db',
    'export --project shop',
  ])('%s does not create a missing database, and says where it looked', async (line) => {
    const { code, stdout, stderr } = await trawl(line);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`no trawl database found at ${join(folder, 'data', 'trawl.db')}`);
    expect(stderr).toContain('DATA_DIR or DATABASE_URL');
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  test('backup never replaces a file', async () => {
    await trawl('projects create shop');
    const file = join(folder, 'copy.db');
    writeFileSync(file, 'mine');
    const { code, stderr } = await trawl(`backup ${file}`);
    expect(code).toBe(1);
    expect(stderr).toContain(`backup: ${file} exists and is something else; name another file`);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test('a database of an earlier build is refused, with what to do', async () => {
    mkdirSync(join(folder, 'data'));
    const connection = openSqlite(join(folder, 'data', 'trawl.db'));
    connection.prepare('create table schema_migrations (name text)').run([]);
    connection.prepare("insert into schema_migrations values ('0001_initial')").run([]);
    connection.close();
    const { code, stdout, stderr } = await trawl('projects list');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('run "git checkout 20541163c003"');
  });

  test('keys create creates it and says so; then all commands name it', async () => {
    const file = join(folder, 'elsewhere', 'trawl.db');
    const env = { DATA_DIR: join(folder, 'elsewhere') };
    const made = await trawl('keys create --project shop --name till', env);
    expect([made.code, made.stderr]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^database: ${file}, new\n`)),
    ]);
    const listed = await trawl('keys list', env);
    expect([listed.code, listed.stderr]).toEqual([0, `database: ${file}\n`]);
    const projects = await trawl('projects list', env);
    expect([projects.code, projects.stderr]).toEqual([0, `database: ${file}\n`]);
    // plain rows, for cut and awk
    expect(listed.stdout).toMatch(
      /^[0-9a-f-]{36}\tshop\ttill\t\w{4}\tsearch,fetch,read\t\S+Z\tnone\tall\tactive\n$/,
    );
    expect(projects.stdout).toMatch(/^[0-9a-f-]{36}\tshop\t\S+Z\tnone\tdefault\n$/);
  });

  test('console code makes a new code each time, until there is an account', async () => {
    await trawl('keys create');
    const first = await trawl('console code');
    expect([first.code, first.stdout]).toEqual([
      0,
      expect.stringMatching(/^([0-9A-Z]{5}-?){4}\n$/),
    ]);
    expect(first.stderr).toContain('Enter it at /console');
    const second = await trawl('console code --json');
    expect([second.code, second.stderr]).toEqual([0, '']);
    const { code } = JSON.parse(second.stdout);
    expect(code).not.toBe(first.stdout.trim());

    const off = await trawl('console code', { CONSOLE: 'off' });
    expect([off.code, off.stdout]).toEqual([1, '']);
    expect(off.stderr).toContain('CONSOLE=on');

    await makeAccount();
    const late = await trawl('console code');
    expect([late.code, late.stdout]).toEqual([1, '']);
    expect(late.stderr).toMatch(
      /an account exists already.* ask an operator for an invitation, or .*console reset EMAIL"\n$/,
    );
  });

  test('console reset prints a link with which a person sets a new password', async () => {
    await trawl('keys create');
    await makeAccount();
    const made = await trawl('console reset ADA@example.com', {
      PUBLIC_URL: 'https://trawl.example.com',
    });
    expect([made.code, made.stdout]).toEqual([
      0,
      expect.stringMatching(/^https:\/\/trawl\.example\.com\/console\/password#[\w-]{43}\n$/),
    ]);
    expect(made.stderr).toContain('It works once, for one hour');
    const local = await trawl('console reset ada@example.com --json');
    expect([local.code, local.stderr]).toEqual([0, '']);
    expect(JSON.parse(local.stdout).link).toMatch(/^http:\/\/127\.0\.0\.1:8080\//);
    const nobody = await trawl('console reset nobody@example.com');
    expect([nobody.code, nobody.stdout]).toEqual([1, '']);
    expect(nobody.stderr).toContain('nobody@example.com has no account');
  });

  test('keys create makes a key of the operator API, whose permission stands alone', async () => {
    const made = await trawl('keys create --name terraform --permissions admin --json');
    expect([made.code, JSON.parse(made.stdout).permissions]).toEqual([0, ['admin']]);
    const listed = await trawl('keys list');
    expect(listed.stdout).toMatch(/\tdefault\tterraform\t\w{4}\tadmin\t/);
    const refusals: readonly (readonly [string, string])[] = [
      ['--permissions admin,search', 'admin stands alone'],
      ['--permissions all', 'or admin alone'],
      ['--permissions admin --providers exa', '--providers: a key with the permission admin'],
      ['--permissions admin --monthly-budget 5', '--monthly-budget: a key with'],
    ];
    for (const [options, text] of refusals) {
      const { code, stdout, stderr } = await trawl(`keys create ${options}`);
      expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(text)]);
    }
    const { id } = JSON.parse(made.stdout);
    const rotated = await trawl(`keys rotate ${id} --json`);
    expect(rotated.code).toBe(0);
    const disabled = await trawl(`keys disable ${id} --json`);
    expect(JSON.parse(disabled.stdout)).toMatchObject({ id, disabled: true });
  });

  test('what keys and projects show is what the operator API answers', async () => {
    const made = JSON.parse((await trawl('keys create --project shop --json')).stdout);
    const { secret, key, project, ...shown } = made;
    expect(Object.keys(shown).sort()).toEqual(Object.keys(AdminKey.shape).sort());
    expect([key, project]).toEqual([secret, 'shop']);
    const limited = await trawl(`keys limit ${made.id} --monthly-budget 2.5 --json`);
    expect(JSON.parse(limited.stdout)).toEqual({ ...shown, monthly_budget_usd: 2.5 });
    const kept = JSON.parse((await trawl('projects retention shop keep --json')).stdout);
    expect(Object.keys(kept).sort()).toEqual(Object.keys(AdminProject.shape).sort());
    expect(kept).toMatchObject({ name: 'shop', retention_days: 0 });
    const rules = { hosts: { deny: ['a.example'] } };
    const ruled = await trawl(`projects rules shop --set ${JSON.stringify(rules)} --json`);
    expect(JSON.parse(ruled.stdout)).toEqual({ ...kept, web_rules: rules });
    const read = await trawl('projects rules shop');
    expect(read.stdout).toBe('web rules of project shop: deny a.example\n');
    const cleared = await trawl('projects rules shop --clear --json');
    expect(JSON.parse(cleared.stdout)).toEqual(kept);
  });

  test('projects login says who may let programs log in', async () => {
    await trawl('projects create shop');
    const set = await trawl('projects login shop --who members --monthly-budget 2.5');
    expect(set.stderr).toContain('logins for /mcp in project shop: members, $2.5/month each\n');
    const off = JSON.parse((await trawl('projects login shop --who off --json')).stdout);
    expect(off).toMatchObject({ mcp_login: 'off', mcp_login_budget_usd: 2.5 });
  });

  test('mcp clients are entered, listed and removed', async () => {
    const add = 'mcp clients add --name Own --redirect-uri cursor://a/b https://a.example/c';
    const made = JSON.parse((await trawl(`${add} --json`)).stdout);
    expect(made).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      name: 'Own',
      redirect_uris: ['cursor://a/b', 'https://a.example/c'],
      created_at: expect.any(String),
    });
    expect(JSON.parse((await trawl('mcp clients list --json')).stdout)).toEqual([made]);
    expect((await trawl('mcp clients list')).stdout).toContain('cursor://a/b https://a.example/c');
    const removed = await trawl(`mcp clients remove ${made.id}`);
    expect(removed.stderr).toContain(`client ${made.id} is removed, and 0 of its logins ended\n`);
    expect((await trawl('mcp clients list --json')).stdout).toBe('[]\n');
  });

  test('keys list shows what a key may do, and never the key', async () => {
    const made = await trawl('keys create --project shop --providers tavily,exa --json');
    const { secret, key: _, ...shown } = JSON.parse(made.stdout);
    expect(shown).toMatchObject({ allowed_providers: ['tavily', 'exa'], revoked_at: null });
    const listed = await trawl('keys list --project shop --json');
    expect(JSON.parse(listed.stdout)).toEqual([shown]);
    expect(listed.stdout).not.toContain(secret.slice(3, 20));
  });

  test('keys profile sets, shows and clears what a key asks for', async () => {
    const { id } = JSON.parse((await trawl('keys create --json')).stdout);
    const profile = { search: { providers: { include: ['tavily'] } } };
    const file = join(folder, 'profile.json');
    writeFileSync(file, JSON.stringify(profile));
    await trawl(`keys profile ${id} --set ${file}`);
    const shown = await trawl(`keys profile ${id}`);
    expect(JSON.parse(shown.stdout)).toEqual(profile);
    const cleared = await trawl(`keys profile ${id} --clear --json`);
    expect(JSON.parse(cleared.stdout)).toMatchObject({ id, profile: null });
  });

  test('each change is in the audit log, as one of the command line, without a secret', async () => {
    const { id, secret } = JSON.parse((await trawl('keys create --project shop --json')).stdout);
    await trawl(`keys policy ${id} --training deny`);
    const next = JSON.parse((await trawl(`keys rotate ${id} --grace now --json`)).stdout);
    await trawl(`keys revoke ${next.id}`);
    await trawl(`keys revoke ${next.id}`);
    await trawl('projects limit shop --rate-limit 60');
    const config = readConfig({ DATA_DIR: join(folder, 'data') });
    const { entries } = await withStore(config, new URL('file:///no-worker'), ({ accounts }) =>
      accounts.audit.page({ limit: 50 }),
    );
    expect(entries.map(({ action, detail }) => [action, detail]).reverse()).toMatchObject([
      ['project.created', null],
      ['key.created', { name: 'key', monthly_budget_usd: null }],
      ['key.changed', { no_training: true }],
      ['key.rotated', { grace: 'now', replaced_by: next.id }],
      ['key.revoked', null],
      ['project.limits_changed', { rate_limit: 60 }],
    ]);
    expect(new Set(entries.map(({ actor }) => actor.kind))).toEqual(new Set(['command_line']));
    expect(JSON.stringify(entries)).not.toContain(secret);
  });

  test('with --json standard error stays empty', async () => {
    const { code, stdout, stderr } = await trawl('projects create shop --json');
    expect([code, stderr, JSON.parse(stdout).name]).toEqual([0, '', 'shop']);
  });

  test('a name with control characters is refused, and nothing is created', async () => {
    const { code, stderr } = await trawl('projects create shop\u001b[31m');
    expect([code, stderr]).toEqual([2, expect.stringContaining('control character')]);
    expect(existsSync(join(folder, 'data', 'trawl.db'))).toBe(false);
  });

  test.each([
    [
      'keys create --expires 2020-01-01T00:00:00Z',
      'such as 2027-01-31 or 2027-01-31T18:00:00Z: it is in the',
    ],
    ['keys create --expires soon', '--expires takes a day or a time, such as 2027-01-31 or'],
    ['keys create --permissions search,all', '--permissions takes a comma list of search, fetch'],
    ['keys create --providers tavily,no-such', 'unknown provider "no-such"'],
    ['keys create --rate-limit 0', '--rate-limit takes requests a minute, 1 to 1000000, or none'],
    ['keys create --monthly-budget -1', '--monthly-budget takes US dollars'],
    ['keys create --training maybe', '--training takes allow or deny'],
    ['keys create --domains https://example.com/a', '--domains takes a comma list of host names'],
    ['keys create --profile {"search":{"tier":"huge"}}', 'search.tier'],
    ['keys create --profile {"serch":{}}', 'serch'],
    ['keys create --profile {', 'the JSON cannot be read'],
    ['keys create --profile no-such-file.json', 'the file no-such-file.json cannot be read'],
    ['keys profile some-id --set {"fetch":{"providers":[]}}', '--profile and --set take JSON'],
    ['projects limit shop --monthly-budget 1e3', '--monthly-budget takes US dollars'],
    ['projects retention shop 0', 'DAYS takes 1 to'],
    ['projects retention shop never', 'DAYS takes 1 to'],
    ['projects retention shop none', 'DAYS takes 1 to'],
    ['projects rules shop --set {"hosts":{"deny":["https://a.example"]}}', 'write a.example'],
    ['projects rules shop --set no-such-file.yaml', 'no-such-file.yaml cannot be read'],
    ['projects rules shop --set {} --clear', '--set and --clear exclude each other'],
    ['keys rotate some-id --grace 2h', '--grace takes one of'],
    ['projects login shop --who everyone', '--who takes off, admins, members'],
    ['projects login shop --monthly-budget none', '--monthly-budget takes US dollars'],
    ['mcp clients add --name x --redirect-uri http://a.example/c', 'is no redirect URI'],
  ])('%s is a mistake that names its flag, and nothing is created', async (line, text) => {
    const { code, stdout, stderr } = await trawl(line);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(text)]);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  test.each([
    ['keys limit some-id --rate-limit 5', 'no key has the id or the name some-id; see: '],
    ['keys revoke some-id', 'no key has the id or the name some-id; see: '],
    ['projects limit nowhere --monthly-budget 5', 'no project is called nowhere; see: '],
    ['projects rules nowhere', 'no project is called nowhere; see: '],
    ['projects retention nowhere 30', 'no project is called nowhere; see: '],
    ['projects login nowhere --who off', 'no project is called nowhere; see: '],
    ['mcp clients remove nowhere', 'no client has the id nowhere'],
    ['keys list --project nowhere', 'no project is called nowhere; see: '],
  ])('%s says that there is none', async (line, text) => {
    await trawl('projects create shop');
    const { code, stdout, stderr } = await trawl(line);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(text)]);
  });

  test('a profile that does not fit to its key, and a second rotation, are refused', async () => {
    const { id } = JSON.parse((await trawl('keys create --providers tavily --json')).stdout);
    const set = await trawl(
      `keys profile ${id} --set {"search":{"providers":{"include":["exa"]}}}`,
    );
    expect([set.code, set.stderr]).toEqual([2, expect.stringContaining('may not use exa')]);
    await trawl(`keys rotate ${id}`);
    const again = await trawl(`keys rotate ${id}`);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('rotated before')]);
  });
});
