import { note, printJson } from '@trawl/client/terminal/output';
import type { Command } from 'commander';
import type { Runtime, ServerEntry } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';

/** `trawl import` */
export function addImport(program: Command, { runtime }: ServerEntry): void {
  program
    .command('import')
    .description('read an export from standard input into a project; may be repeated')
    .option('--project <name>', 'the project, created when it is new; default: as in the export')
    .option('--json', 'print JSON')
    .action(async (options) => readExport(await runtime(), options));
}

/** Reads the lines of an export from standard input. */
async function readExport(
  runtime: Runtime,
  { project, json = false }: { readonly project?: string; readonly json?: boolean },
): Promise<void> {
  if (process.stdin.isTTY) throw new UsageError('import reads standard input: add < FILE');
  const { namedDatabase, withDatabase } = await import('../keys/key-database.ts');
  const { importProject } = await import('@trawl/upkeep');
  const how = { mayCreate: true, isQuiet: json };
  // creates or updates the tables
  await withDatabase(runtime, how, async () => {});
  const config = await namedDatabase(runtime, { ...how, isQuiet: true });
  const done = await importProject(config, project, process.stdin);
  if (json) {
    const { added, present, ledgerRows } = done;
    printJson({ project: done.project, added, present, ledger_rows: ledgerRows });
    return;
  }
  note(
    `project ${done.project}: ${done.added} interactions are imported, ${done.present} were there; ${done.ledgerRows} ledger rows\n`,
  );
}
