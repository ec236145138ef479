import type { Command } from 'commander';
import type { ServerEntry } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';
import { addRoutingExplain } from './routing-explain.ts';
import { addRoutingQueries } from './routing-queries.ts';
import { addRoutingReport } from './routing-report.ts';

/** `trawl routing` and the commands below it */
export function addRouting(program: Command, entry: ServerEntry): void {
  const routing = program
    .command('routing')
    .description('auto-routing with the settings of the server');
  addRoutingExplain(routing, entry);
  addRoutingReport(routing, entry);
  addRoutingQueries(routing, entry);
  routing
    .command('learn', { hidden: true })
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => {
      throw new UsageError(
        'routing learn is now evaluate learn: it reads the report of an evaluation, not the record',
      );
    });
}
