import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@trawl/database/sqlite';
import { readConfig, withStore } from '@trawl/server';
import { PROGRAM } from '@trawl/test-support/program';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const LIMIT_MS = 120_000;

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'trawl-keys-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The command in that folder, without a terminal. */
async function trawl(line: string, env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...line.split(' ')], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = [child.stdout, child.stderr].map(async (stream) =>
    Buffer.concat(await stream.toArray()).toString(),
  );
  const [code] = await once(child, 'close');
  const [stdout = '', stderr = ''] = await Promise.all(texts);
  return { code, stdout, stderr: stderr };
}

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

describe('which database the key commands use', { timeout: LIMIT_MS }, () => {
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
    const env = { DATA_DIR: 'elsewhere' };
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
    const rotated = await trawl(`keys rotate ${JSON.parse(made.stdout).id} --json`);
    expect(rotated.code).toBe(0);
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

  test('a key that is already expired is refused, and nothing is created', async () => {
    mkdirSync(join(folder, 'data'));
    const { code, stderr } = await trawl('keys create --expires 2020-01-01T00:00:00Z');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--expires is in the past')]);
    expect(existsSync(join(folder, 'data', 'trawl.db'))).toBe(false);
  });
});
