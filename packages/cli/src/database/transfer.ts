import { once } from 'node:events';
import { note, printJson } from '@trawl/client/terminal/output';
import { exportProject, importProject } from '@trawl/upkeep';
import { namedDatabase, withDatabase } from '../keys/key-database.ts';
import type { Runtime } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';

/** Prints a project as lines of JSON, no faster than they are read. */
export async function printExport(
  runtime: Runtime,
  { project }: { readonly project: string },
): Promise<void> {
  const config = await namedDatabase(runtime, { mayCreate: false, isQuiet: false });
  for await (const line of exportProject(config, project)) {
    if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain');
    if (line.type !== 'end') continue;
    note(`${line.interactions} interactions and ${line.ledger_rows} ledger rows are exported\n`);
  }
}

/** Reads such lines from standard input. */
export async function readExport(
  runtime: Runtime,
  { project, json = false }: { readonly project?: string; readonly json?: boolean },
): Promise<void> {
  if (process.stdin.isTTY) throw new UsageError('import reads standard input: add < FILE');
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
