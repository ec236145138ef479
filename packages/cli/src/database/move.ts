import { faultCode } from '@trawl/base';
import { aligned, note, print, printJson } from '@trawl/client/terminal/output';
import { openFault } from '@trawl/store';
import { isPostgresUrl, MoveError, moveDatabase, type TableReport } from '@trawl/upkeep';
import { namedDatabase } from '../keys/key-database.ts';
import type { Runtime } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';

/**
 * Copies the embedded database to PostgreSQL and prints the comparison of both. @throws Error when
 * something is not the same on both; then the target has no rows
 */
export async function moveToPostgres(
  runtime: Runtime,
  { to, json = false }: { readonly to: string; readonly json?: boolean },
): Promise<void> {
  if (!isPostgresUrl(to)) throw new UsageError('--to takes a postgres:// URL');
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
    if (!(error instanceof MoveError)) throw openingFault(config.dataDir, to, error);
    if (error.reports.length > 0) printReports(error.reports, json);
    throw error;
  }
}

const hasSealedKeys = (reports: readonly TableReport[]): boolean =>
  reports.some(({ table, source }) => table === 'provider_keys' && source.rows > 0);

const SECRETS_NOTE =
  'the keys of providers that were set in the console open only under the secret of this deployment: give the server the same SECRETS_KEY, or the file DATA_DIR/secrets-key as SECRETS_KEY_FILE\n';

/** A fault of the source, or one of the target in words about the option. Never the password. */
function openingFault(dataDir: string, to: string, error: unknown): unknown {
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
