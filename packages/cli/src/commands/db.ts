import { faultCode } from '@trawl/base';
import { aligned, counted, note, print, printJson } from '@trawl/client/terminal/output';
import type { DatabaseReport, TableReport } from '@trawl/upkeep';
import type { Command } from 'commander';
import type { Runtime, ServerEntry } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';

/** `trawl db` */
export function addDb(program: Command, { runtime }: ServerEntry): void {
  const db = program.command('db').description('the database of the server settings');
  db.command('check')
    .description('compare all rows of the database; exits with 1 when something does not agree')
    .option('--json', 'print JSON')
    .action(async (options) => {
      if (!(await checkDatabase(await runtime(), options))) process.exitCode = 1;
    });
  db.command('move')
    .description('copy everything of an SQLite database at rest into an empty PostgreSQL')
    .requiredOption('--to <url>', 'postgres:// address of the new database')
    .option('--json', 'print JSON')
    .action(async (options) => moveToPostgres(await runtime(), options));
}

/** Prints a line per fault; false = there is one. */
async function checkDatabase(
  runtime: Runtime,
  { json = false }: { readonly json?: boolean },
): Promise<boolean> {
  const { namedDatabase } = await import('../keys/key-database.ts');
  const { openFault } = await import('@trawl/store');
  const { checkWholeDatabase } = await import('@trawl/upkeep');
  const config = await namedDatabase(runtime, { mayCreate: false, isQuiet: json });
  const report = await checkWholeDatabase(config).catch((error: unknown) => {
    throw openFault(config, error);
  });
  if (json) printJson(reportJson(report));
  else print(reportText(report));
  return report.findings.length === 0;
}

const reportJson = ({ schema, findings, interactions, runs, usageDays }: DatabaseReport) => ({
  ok: findings.length === 0,
  schema,
  findings,
  checked: { interactions, runs, usage_days: usageDays },
});

function reportText({ findings, interactions, runs, usageDays }: DatabaseReport): string {
  if (findings.length > 0) {
    return findings.map(({ check, message }) => `PROBLEM  ${check}: ${message}\n`).join('');
  }
  return `ok  ${counted(interactions, 'interaction')}, ${counted(runs, 'run')}, ${counted(usageDays, 'day')} of usage\n`;
}

/**
 * Copies the embedded database to PostgreSQL and prints the comparison of both. @throws Error when
 * something is not the same on both; then the target has no rows
 */
async function moveToPostgres(
  runtime: Runtime,
  { to, json = false }: { readonly to: string; readonly json?: boolean },
): Promise<void> {
  const { isPostgresUrl, MoveError, moveDatabase } = await import('@trawl/upkeep');
  if (!isPostgresUrl(to)) throw new UsageError('--to takes a postgres:// URL');
  const { namedDatabase } = await import('../keys/key-database.ts');
  const config = await namedDatabase(runtime, { mayCreate: false, isQuiet: json });
  if (config.databaseUrl !== undefined) {
    throw new Error(
      'DATABASE_URL is set, so the database is PostgreSQL already: unset it to move the SQLite database in DATA_DIR',
    );
  }
  const onCopied = (table: string, rows: number) => {
    if (!json) note(`${table}: ${rows} rows are copied\n`);
  };
  try {
    const reports = await moveDatabase({ dataDir: config.dataDir, to, onCopied });
    printReports(reports, json);
    if (json) return;
    note(
      'everything is in PostgreSQL, and nothing was changed in the SQLite database. Set DATABASE_URL to the address of --to, start the server with it, and keep the rest of DATA_DIR\n',
    );
    if (hasSealedKeys(reports)) note(SECRETS_NOTE);
  } catch (error) {
    if (!(error instanceof MoveError)) throw await openingFault(config.dataDir, to, error);
    if (error.reports.length > 0) printReports(error.reports, json);
    throw error;
  }
}

const hasSealedKeys = (reports: readonly TableReport[]): boolean =>
  reports.some(({ table, source }) => table === 'provider_keys' && source.rows > 0);

const SECRETS_NOTE =
  'the keys of providers that were set in the console open only under the secret of this deployment: give the server the same SECRETS_KEY, or the file DATA_DIR/secrets-key as SECRETS_KEY_FILE\n';

/** A fault of the source, or one of the target in words about the option. Never the password. */
async function openingFault(dataDir: string, to: string, error: unknown): Promise<unknown> {
  const { openFault } = await import('@trawl/store');
  const isOfSource = faultCode(error)?.startsWith('SQLITE_') === true;
  const fault = openFault({ databaseUrl: isOfSource ? undefined : to, dataDir }, error);
  if (isOfSource || !(fault instanceof Error) || fault === error) return fault;
  return new Error(fault.message.replaceAll('DATABASE_URL', '--to'), { cause: error });
}

function printReports(reports: readonly TableReport[], json: boolean): void {
  if (json) {
    const ok = reports.every(({ isEqual }) => isEqual);
    printJson({
      ok,
      tables: reports.map(({ table, isEqual, source, target }) => ({
        table,
        ok: isEqual,
        source,
        target,
      })),
    });
    return;
  }
  const rows = reports.map(({ table, isEqual, source, target }) => [
    isEqual ? 'ok' : 'PROBLEM',
    table,
    isEqual ? String(source.rows) : `${source.rows} and ${target.rows}`,
    isEqual ? source.digest : `${source.digest} and ${target.digest}`,
  ]);
  const lines = aligned([['', 'table', 'rows', 'sha256'], ...rows]);
  print(`${lines.join('\n')}\n`);
}
