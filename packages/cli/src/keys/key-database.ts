import { commandHere } from '@trawl/client/terminal/manifest';
import type { KeyStore } from '@trawl/router';
import { type Config, readConfig, withStore } from '@trawl/server';
import { hasTables, type Store } from '@trawl/store';
import { databaseName } from '../program/database-name.ts';
import type { Runtime } from '../program/runtime.ts';
import { auditedKeys } from './audited-keys.ts';

export interface DatabaseUse {
  /** Whether the command may create a missing database. Only commands that create something may. */
  readonly mayCreate: boolean;
  /** Omits the line that names the database, for programs. */
  readonly isQuiet: boolean;
}

/**
 * Runs `use` on the keys of the configured database, as `withDatabase` does. The audit log has each
 * change.
 */
export function withKeys(
  runtime: Runtime,
  how: DatabaseUse,
  use: (keys: KeyStore) => Promise<void>,
): Promise<void> {
  return withDatabase(runtime, how, (store) => use(auditedKeys(store)));
}

/**
 * Runs `use` on the configured database, next to a server that may be running, and names it on
 * standard error.
 * @throws Error when the database does not exist and the command may not create it: in the wrong
 * folder it would otherwise create an empty one
 */
export async function withDatabase(
  runtime: Runtime,
  how: DatabaseUse,
  use: (store: Store) => Promise<void>,
): Promise<void> {
  await withStore(await namedDatabase(runtime, how), runtime.workerUrl, use);
}

/**
 * The settings of the configured database, which is named on standard error. Opens nothing for
 * writing.
 * @throws Error as `withDatabase`
 */
export async function namedDatabase(
  runtime: Runtime,
  { mayCreate, isQuiet }: DatabaseUse,
): Promise<Config> {
  const config = readConfig(runtime.environment);
  const name = databaseName(config);
  const exists = await hasTables(config);
  if (!exists && !mayCreate) throw new Error(noDatabase(name));
  if (!isQuiet) process.stderr.write(exists ? `database: ${name}\n` : `database: ${name}, new\n`);
  return config;
}

const noDatabase = (name: string): string =>
  `no trawl database found at ${name}: run this in the server's folder, or set DATA_DIR or DATABASE_URL to the server's value; "${commandHere()} keys create" creates a new database`;
