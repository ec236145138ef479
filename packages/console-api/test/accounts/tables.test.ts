import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { expect, it } from 'vitest';
import { libraryOptions } from '../../src/accounts/library-options.ts';

describeOnDatabases('the tables of the sign-in library', (database) => {
  it('are all there after our migrations, with every column and index', async () => {
    const opened = await database.open();
    const db = inspected(opened);
    try {
      const { type } = opened.store.accounts.database;
      const options = libraryOptions({
        database: { db: db ?? opened.store.accounts.database.db, type },
        secret: 'a secret that is long enough for a test',
        publicUrl: undefined,
        clock: { newId: () => 'id' },
        reportFault: (cause) => {
          throw cause;
        },
      });
      const { toBeCreated, toBeAdded, compileMigrations } = await getMigrations(options);
      expect(toBeCreated).toEqual([]);
      expect(toBeAdded).toEqual([]);
      expect(await compileMigrations()).toBe(';');
      // the library's own check, which is off at run time, agrees
      const { advanced } = options;
      const strict = { ...advanced, database: { ...advanced.database, validateSchema: true } };
      const { checkSchema } = await betterAuth({ ...options, advanced: strict }).$context;
      await checkSchema?.();
    } finally {
      await db?.destroy();
      await opened.cleanup();
    }
  });
});

/** On PostgreSQL our own connections do not list columns. */
function inspected({ location, store }: TestStore): typeof store.accounts.database.db | undefined {
  if (location.databaseUrl === undefined) return undefined;
  const pool = new pg.Pool({ connectionString: location.databaseUrl });
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}
