import { note, printJson } from '@trawl/client/terminal/output';
import { checkOutput } from '@trawl/client/terminal/output-file';
import type { Command } from 'commander';
import type { Runtime, ServerEntry } from '../program/runtime.ts';

/** `trawl backup` */
export function addBackup(program: Command, { runtime }: ServerEntry): void {
  program
    .command('backup <file>')
    .description('copy the SQLite database into a new file while the server runs')
    .option('--json', 'print JSON')
    .action(async (file: string, options) => backUpDatabase(await runtime(), file, options));
}

/**
 * Copies the embedded database. @throws Error with the command to run when the database is
 * PostgreSQL
 */
async function backUpDatabase(
  runtime: Runtime,
  file: string,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const { namedDatabase } = await import('../keys/key-database.ts');
  const { backUp } = await import('@trawl/upkeep');
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
