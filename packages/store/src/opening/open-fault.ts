import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { faultCode, faultKind, faultReason } from '@trawl/base';
import { parsedUrl } from '@trawl/contract';
import { type DatabaseLocation, databasePath } from '@trawl/database';

/**
 * A database that cannot be opened. The message names the setting, the place and the fix, and never
 * a password.
 */
export class StoreOpenError extends Error {}

/**
 * Turns an error at the start into a message for the operator. Errors that already say what to do
 * stay as they are.
 */
export function openFault(location: DatabaseLocation, error: unknown): unknown {
  if (error instanceof StoreOpenError) return error;
  const readOnly = location.databaseUrl === undefined && readOnlyFault(location.dataDir);
  if (readOnly) return new StoreOpenError(readOnly, { cause: error });
  const kind = faultKind(error);
  if (kind === 'unknown' || kind === 'schema') return error;
  const message =
    location.databaseUrl === undefined
      ? embeddedFault(location.dataDir, error)
      : postgresFault(location.databaseUrl, error);
  return new StoreOpenError(message, { cause: error });
}

function postgresFault(databaseUrl: string, error: unknown): string {
  const { host, database, user } = partsOf(databaseUrl);
  const code = faultCode(error);
  const server = `DATABASE_URL: the PostgreSQL server at ${host}`;
  const reason = `${faultReason(error)}${code === undefined ? '' : `, ${code}`}`;
  switch (faultKind(error)) {
    case 'unreachable':
    case 'no_answer':
      return `${server} cannot be reached (${code ?? 'no answer in time'}): start it, open the network to it, or correct DATABASE_URL`;
    case 'refused':
      return `${server} refuses the user ${user} (${code}): correct user and password in DATABASE_URL, or the rights of that user`;
    case 'untrusted':
      return `${server} has a certificate that is not trusted (TLS, ${code ?? 'without a CA'}): name its CA with sslrootcert in DATABASE_URL or in NODE_EXTRA_CA_CERTS, correct the host name, or set sslmode=require, which encrypts without a check`;
    case 'no_tls':
      return `${server} does not offer TLS (SSL): turn it on there, or set sslmode=prefer or sslmode=disable`;
    case 'no_url':
      return 'DATABASE_URL is not a URL: write special characters of user and password with a percent sign, such as %23 for #, %40 for @ and %2F for /';
    case 'no_database':
      return `${server} does not have the database ${database} (${code}): create it, or correct DATABASE_URL`;
    default:
      return `${server} cannot be used (${reason}): remove that cause, or name another database in DATABASE_URL`;
  }
}

/** Never the password. */
function partsOf(databaseUrl: string): { host: string; database: string; user: string } {
  const unknown = { host: 'its address', database: 'of that name', user: 'of the URL' };
  const url = parsedUrl(databaseUrl);
  if (url === null) return unknown;
  const { hostname, port, pathname, username, searchParams } = url;
  const name = hostname === '' ? (searchParams.get('host') ?? 'localhost') : hostname;
  return {
    host: `${name}:${port === '' ? '5432' : port}`,
    database: pathname.length > 1 ? `"${pathname.slice(1)}"` : unknown.database,
    user: username === '' ? unknown.user : `"${username}"`,
  };
}

function embeddedFault(dataDir: string, error: unknown): string {
  const path = resolve(databasePath(dataDir));
  const code = faultCode(error) ?? 'an error without a code';
  const database = `DATA_DIR: the embedded database ${path}`;
  switch (faultKind(error)) {
    case 'full':
      return `${database} cannot be written (${code}): make room on its disk, or move DATA_DIR`;
    case 'corrupt':
      return `${database} is damaged (${code}: ${messageOf(error)}): restore it from a backup, or move the file away to start with an empty one`;
    case 'locked':
      return `${database} is locked by another program (${code}): end that program, or wait for it`;
    default:
      return `${database} cannot be opened (${code}): ${rightsOf(nearestPlace(path))}. Give this user the right to write the folder and the files in it, or set DATA_DIR to another folder`;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

/** The nearest file or folder that exists. */
function nearestPlace(path: string): string {
  let place = path;
  while (!existsSync(place) && place !== dirname(place)) place = dirname(place);
  return place;
}

/**
 * undefined = not on a read-only disk. Checked first, because the error of such a disk depends on
 * the operation.
 */
function readOnlyFault(dataDir: string): string | undefined {
  const path = resolve(databasePath(dataDir));
  const place = nearestPlace(path);
  try {
    accessSync(place, constants.W_OK);
    return undefined;
  } catch (error) {
    if (faultCode(error) !== 'EROFS') return undefined;
    return `DATA_DIR: the embedded database ${path} cannot be written: ${place} is on a read-only file system. Mount it for writing, or set DATA_DIR to another folder`;
  }
}

/** Who owns a file or folder, and as which user this process runs. */
function rightsOf(place: string): string {
  const { uid, mode } = statSync(place);
  const rights = (mode & 0o777).toString(8).padStart(4, '0');
  const asker = process.getuid ? ` and this process runs as user ${process.getuid()}` : '';
  return `${place} belongs to user ${uid} with the rights ${rights}${asker}`;
}
