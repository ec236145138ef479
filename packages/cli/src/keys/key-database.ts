import type { KeyStore } from '@trawl/router';
import { readConfig, withKeyStore } from '@trawl/server';
import { hasTables } from '@trawl/store';
import { databaseName } from '../program/database-name.ts';
import { commandHere } from '../program/manifest.ts';
import type { Runtime } from '../program/runtime.ts';

export interface DatabaseUse {
  /** Whether the command may make the database where there is none. Only commands that create something may. */
  readonly mayCreate: boolean;
  /** Leaves out the line that names the database: for programs. */
  readonly isQuiet: boolean;
}

/**
 * Runs `use` on the keys of the configured database, and names the database on standard error.
 * @throws Error where there is no database and the command only reads or changes one: in the wrong folder it would otherwise make an
 * empty one there
 */
export async function withKeys(
  runtime: Runtime,
  { mayCreate, isQuiet }: DatabaseUse,
  use: (keys: KeyStore) => Promise<void>,
): Promise<void> {
  const config = readConfig(runtime.environment);
  const name = databaseName(config);
  const isThere = await hasTables(config);
  if (!isThere && !mayCreate) throw new Error(noDatabase(name));
  if (!isQuiet) process.stderr.write(isThere ? `database: ${name}\n` : `database: ${name}, new\n`);
  await withKeyStore(config, runtime.workerUrl, use);
}

const noDatabase = (name: string): string =>
  `there is no trawl database at ${name}: run this in the folder of the server, or set DATA_DIR or DATABASE_URL as the server has it; "${commandHere()} keys create" makes a new one`;
