import { note, printJson } from '@trawl/client/terminal/output';
import { checkOutput } from '@trawl/client/terminal/output-file';
import { backUp } from '@trawl/upkeep';
import { namedDatabase } from '../keys/key-database.ts';
import type { Runtime } from '../program/runtime.ts';

/**
 * Copies the embedded database. @throws Error with the command to run when the database is
 * PostgreSQL
 */
export async function backUpDatabase(
  runtime: Runtime,
  file: string,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const config = await namedDatabase(runtime, { mayCreate: false, isQuiet: json });
  if (config.databaseUrl !== undefined) {
    throw new Error(
      'the database is PostgreSQL, which has its own tool: run pg_dump --format=custom --file=FILE "$DATABASE_URL", and pg_restore to bring it back (docs/deployment.md, "Backup and restore")',
    );
  }
  await checkOutput({ flag: 'backup', path: file, others: [], mayReplace: () => false });
  const { file: path, bytes, interactions, newestAt } = await backUp(config, file);
  if (json) {
    printJson({ file: path, bytes, interactions, newest_at: newestAt });
    return;
  }
  const newest = newestAt === null ? '' : `, the newest of ${newestAt}`;
  note(
    `${path}: ${bytes} bytes, ${interactions} interactions${newest}; it was read back without a fault\n`,
  );
}
