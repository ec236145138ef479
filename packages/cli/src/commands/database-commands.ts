import type { Command } from 'commander';
import type { Runtime } from '../program/runtime.ts';

interface Entry {
  readonly runtime: () => Promise<Runtime>;
}

/** Commands on the whole database or a whole project, next to a server that may be running. */
export function addDatabaseCommands(program: Command, { runtime }: Entry): void {
  const db = program.command('db').description('the database of the server settings');
  db.command('check')
    .description('compare all rows of the database; exits with 1 when something does not agree')
    .option('--json', 'print JSON')
    .action(async (options) => {
      const { checkDatabase } = await import('../database/db-check.ts');
      if (!(await checkDatabase(await runtime(), options))) process.exitCode = 1;
    });
  db.command('move')
    .description('copy everything of an SQLite database at rest into an empty PostgreSQL')
    .requiredOption('--to <url>', 'postgres:// address of the new database')
    .option('--json', 'print JSON')
    .action(async (options) =>
      (await import('../database/move.ts')).moveToPostgres(await runtime(), options),
    );
  program
    .command('backup <file>')
    .description('copy the SQLite database into a new file while the server runs')
    .option('--json', 'print JSON')
    .action(async (file: string, options) =>
      (await import('../database/backup.ts')).backUpDatabase(await runtime(), file, options),
    );
  program
    .command('export')
    .description('print everything recorded in a project as lines of JSON, without keys')
    .requiredOption('--project <name>', 'the project')
    .action(async (options) =>
      (await import('../database/transfer.ts')).printExport(await runtime(), options),
    );
  program
    .command('import')
    .description('read an export from standard input into a project; may be repeated')
    .option('--project <name>', 'the project, created when it is new; default: as in the export')
    .option('--json', 'print JSON')
    .action(async (options) =>
      (await import('../database/transfer.ts')).readExport(await runtime(), options),
    );
}
