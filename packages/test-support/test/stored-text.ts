import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { FreshDatabase } from './databases.ts';

/**
 * Everything that a database stores, as one text: all tables of PostgreSQL, or the files of SQLite.
 */
export async function storedText({ location }: FreshDatabase): Promise<string> {
  const { databaseUrl, dataDir } = location;
  if (databaseUrl === undefined) {
    const files = await readdir(dataDir);
    const texts = await Promise.all(files.map((name) => readFile(join(dataDir, name), 'latin1')));
    return texts.join('\n');
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const tables = await client.query(
      'select table_name as name from information_schema.tables where table_schema = current_schema()',
    );
    const texts: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query(`select t::text as text from "${name}" t`);
      texts.push(...rows.map(({ text }) => text));
    }
    return texts.join('\n');
  } finally {
    await client.end();
  }
}
