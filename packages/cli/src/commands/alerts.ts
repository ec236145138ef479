import { systemClock } from '@trawl/base';
import { note, print, printJson } from '@trawl/client/terminal/output';
import { styleOf } from '@trawl/client/terminal/style';
import type { Config } from '@trawl/server';
import type { LoggedAlert } from '@trawl/store';
import type { Command } from 'commander';
import type { Output } from '../program/flags.ts';
import type { Runtime, ServerEntry } from '../program/runtime.ts';
import { rowsText } from '../program/table.ts';
import { UsageError } from '../program/usage-error.ts';

/** `trawl alerts` */
export function addAlerts(program: Command, { runtime }: ServerEntry): void {
  const alerts = program.command('alerts').description("the server's alerts by webhook");
  alerts
    .command('test')
    .description('post a test alert; exits with 1 when the webhook does not accept it')
    .option('--json', 'print JSON')
    .action(async (options) => {
      if (!(await testAlerts(await runtime(), options))) process.exitCode = 1;
    });
  alerts
    .command('list')
    .description('show which alerts were sent, and the result of them')
    .option('--limit <n>', 'how many of the newest', '20')
    .option('--json', 'print JSON')
    .action(async (options) => listAlerts(await runtime(), options));
}

/**
 * Posts a test alert to the webhook of the settings; false = it was not accepted. The log has it
 * where there is a database.
 */
async function testAlerts(runtime: Runtime, { json = false }: Output): Promise<boolean> {
  const { readConfig } = await import('@trawl/server');
  const config = readConfig(runtime.environment);
  const { tries, problem } = await send(config, runtime);
  if (json) printJson({ ok: problem === null, tries, problem });
  else if (problem === null) note('the webhook accepted the test alert\n');
  else note(`the webhook did not accept the test alert, ${tries} tries: ${problem}\n`);
  return problem === null;
}

async function send(config: Config, { workerUrl }: Runtime) {
  const { sendTestAlert, withStore } = await import('@trawl/server');
  const { hasTables } = await import('@trawl/store');
  if (!(await hasTables(config))) return sendTestAlert(config, systemClock, undefined);
  return withStore(config, workerUrl, ({ alerts }) => sendTestAlert(config, systemClock, alerts));
}

/** As many are kept: 1,000 of watches, and 1,000 others. */
const LIMIT_MAX = 2_000;

/** Prints the alerts that servers of the database sent, the newest first. */
async function listAlerts(
  runtime: Runtime,
  { limit, json = false }: Output & { readonly limit: string },
): Promise<void> {
  const count = Number(limit);
  if (!Number.isInteger(count) || count < 1 || count > LIMIT_MAX) {
    throw new UsageError(`--limit takes a whole number from 1 to ${LIMIT_MAX}`);
  }
  const { sentAlert } = await import('@trawl/server');
  const { withDatabase } = await import('../keys/key-database.ts');
  await withDatabase(runtime, { mayCreate: false, isQuiet: json }, async ({ alerts }) => {
    const found = await alerts.latest(count);
    if (json) printJson(found.map(sentAlert));
    else {
      const style = styleOf(process.stdout, runtime.environment);
      print(await rowsText(style, COLUMNS, found.map(cells)));
    }
  });
}

const COLUMNS = [
  ['sent', 26],
  ['alert', 0.6],
  ['outcome', 0.4],
] as const;

const cells = ({ createdAt, message, state, tries, problem }: LoggedAlert) => [
  createdAt,
  message,
  problem === null ? state : `${state}, ${tries} tries: ${problem}`,
];
