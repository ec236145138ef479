import { once } from 'node:events';
import { note } from '@trawl/client/terminal/output';
import type { Command } from 'commander';
import type { Runtime, ServerEntry } from '../program/runtime.ts';

/** `trawl export` */
export function addExport(program: Command, { runtime }: ServerEntry): void {
  program
    .command('export')
    .description('print everything recorded in a project as lines of JSON, without keys')
    .requiredOption('--project <name>', 'the project')
    .action(async (options) => printExport(await runtime(), options));
}

/** Prints a project as lines of JSON, no faster than they are read. */
async function printExport(
  runtime: Runtime,
  { project }: { readonly project: string },
): Promise<void> {
  const { namedDatabase } = await import('../keys/key-database.ts');
  const { exportProject } = await import('@trawl/upkeep');
  const config = await namedDatabase(runtime, { mayCreate: false, isQuiet: false });
  for await (const line of exportProject(config, project)) {
    if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain');
    if (line.type !== 'end') continue;
    note(`${line.interactions} interactions and ${line.ledger_rows} ledger rows are exported\n`);
  }
}
