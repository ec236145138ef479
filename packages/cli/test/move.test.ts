import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate, openDatabase } from '@trawl/database';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { freePort } from '@trawl/test-support/loopback';
import { newFolder } from '@trawl/test-support/program';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { runCommand } from './support/command.ts';

const LIMIT_MS = 120_000;
const PASSWORD = 'hush-9Qx2';

async function trawlIn() {
  const { path: folder, remove } = await newFolder();
  onTestFinished(remove);
  return (...args: readonly string[]) => runCommand({ args, folder });
}

describeOnDatabases(
  'db move',
  (postgres) => {
    it('prints what was compared; then keys of before exist', { timeout: LIMIT_MS }, async () => {
      const target = await postgres.create();
      onTestFinished(() => target.drop());
      const to = target.location.databaseUrl ?? '';
      const trawl = await trawlIn();
      await trawl('keys', 'create', '--project', 'team', '--name', 'till');
      const moved = await trawl('db', 'move', '--to', to);
      expect([moved.code, moved.stderr]).toEqual([
        0,
        expect.stringContaining('api_keys: 1 rows are copied\n'),
      ]);
      expect(moved.stderr).toContain('Set DATABASE_URL to the address of --to');
      expect(moved.stdout).toMatch(/^ok +api_keys +1 +[0-9a-f]{64}$/m);
      expect(moved.stdout).not.toContain('PROBLEM');
      const { path: elsewhere, remove } = await newFolder();
      onTestFinished(remove);
      const settings = { DATABASE_URL: to };
      const args = ['keys', 'list'];
      const listed = await runCommand({ args, folder: elsewhere, settings });
      expect(listed.stdout).toMatch(/^\S+\tteam\ttill\t/);
      const again = await trawl('db', 'move', '--to', to, '--json');
      expect([again.code, again.stdout]).toEqual([1, '']);
      expect(again.stderr).toContain('the target is not empty: its table projects has rows');
    });

    it('refuses what is no address or cannot be reached', { timeout: LIMIT_MS }, async () => {
      const trawl = await trawlIn();
      await trawl('projects', 'create', 'team');
      const wrong = await trawl('db', 'move', '--to', 'mysql://host/trawl');
      expect([wrong.code, wrong.stderr]).toEqual([
        2,
        expect.stringContaining('--to takes a postgres:// URL'),
      ]);
      const port = await freePort();
      const gone = await trawl(
        'db',
        'move',
        '--to',
        `postgres://u:${PASSWORD}@127.0.0.1:${port}/t`,
      );
      expect([gone.code, gone.stderr]).toEqual([
        1,
        expect.stringContaining(
          `--to: the PostgreSQL server at 127.0.0.1:${port} cannot be reached`,
        ),
      ]);
      expect(gone.stderr).not.toContain(PASSWORD);
    });

    it('says that the outcome is not known when the connection is cut at the commit', {
      timeout: LIMIT_MS,
    }, async () => {
      const target = await postgres.create();
      onTestFinished(() => target.drop());
      const opened = openDatabase(target.location, { connections: 1 });
      await migrate(opened);
      await sql`create function cut() returns trigger language plpgsql as
        $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`.execute(
        opened.db,
      );
      await sql`create constraint trigger cut after insert on projects
        deferrable initially deferred for each row execute function cut()`.execute(opened.db);
      await opened.db.destroy();
      const trawl = await trawlIn();
      await trawl('projects', 'create', 'team');
      const cut = await trawl('db', 'move', '--to', target.location.databaseUrl ?? '');
      expect([cut.code, cut.stderr]).toEqual([
        1,
        expect.stringMatching(/everything was copied and compared, but PostgreSQL did not confirm/),
      ]);
    });

    it('names the source when that is damaged', { timeout: LIMIT_MS }, async () => {
      const { path: folder, remove } = await newFolder();
      onTestFinished(remove);
      const settings = { DATA_DIR: folder };
      await runCommand({ args: ['projects', 'create', 'team'], folder, settings });
      await writeFile(join(folder, 'trawl.db'), 'not a database'.repeat(1_000));
      const args = ['db', 'move', '--to', `postgres://u@127.0.0.1:${await freePort()}/t`];
      const { code, stderr } = await runCommand({ args, folder, settings });
      expect([code, stderr]).toEqual([1, expect.stringContaining('is damaged (SQLITE_')]);
    });
  },
  'PostgreSQL',
);
