import { systemClock } from '@trawl/base';
import { commandHere } from '@trawl/client/terminal/manifest';
import { type ApiKey, createDeployment, type Project } from '@trawl/router';
import {
  type Changer,
  type Config,
  commandLineEntry,
  createKeyChanges,
  createProjectChanges,
  readConfig,
  withStore,
} from '@trawl/server';
import { hasTables, type Store } from '@trawl/store';
import { databaseName } from '../program/database-name.ts';
import type { Runtime } from '../program/runtime.ts';
import { inFlags } from './key-flags.ts';

export interface DatabaseUse {
  /** Whether the command may create a missing database. Only commands that create something may. */
  readonly mayCreate: boolean;
  /** Omits the line that names the database, for programs. */
  readonly isQuiet: boolean;
}

/** Who changes keys and projects here: it may all, and the audit log names the system's user. */
export const COMMAND_LINE: Changer = {
  personId: null,
  adminKeys: 'all',
  entry: (event) => commandLineEntry(event, systemClock),
};

/** A database with the changes of its keys and projects, which are the console's too. */
export interface KeyDatabase {
  readonly store: Store;
  readonly keys: ReturnType<typeof createKeyChanges>;
  readonly projects: ReturnType<typeof createProjectChanges>;
  /** By its id, or by a name that no other key has. @throws Error otherwise */
  readonly keyOf: (id: string) => Promise<ApiKey>;
}

/** Runs `use` on the keys of the configured database, as `withDatabase` does. */
export function withKeys(
  runtime: Runtime,
  how: DatabaseUse,
  use: (database: KeyDatabase) => Promise<void>,
): Promise<void> {
  return withDatabase(runtime, how, async (store) => {
    const deployment = createDeployment(readConfig(runtime.environment));
    const options = { store, deployment, clock: systemClock };
    const keyOf = async (id: string): Promise<ApiKey> => {
      const all = await store.keys.listKeys(undefined);
      const whole = all.find((candidate) => candidate.id === id);
      const [key, another] = whole ? [whole] : all.filter(({ name }) => name === id);
      const see = `see: ${commandHere()} keys list`;
      if (!key) throw new Error(`no key has the id or the name ${id}; ${see}`);
      if (another) throw new Error(`more than one key is called ${id}: name its id; ${see}`);
      return key;
    };
    const [keys, projects] = [createKeyChanges(options), createProjectChanges(options)];
    await inFlags(() => use({ store, keys, projects, keyOf }));
  });
}

/** @throws Error when it is missing */
export async function projectNamed(
  projects: KeyDatabase['projects'],
  name: string,
): Promise<Project> {
  const project = await projects.named(name);
  if (project) return project;
  throw new Error(`no project is called ${name}; see: ${commandHere()} projects list`);
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
