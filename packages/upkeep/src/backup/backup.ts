import { chmod, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import {
  checkIntegrity,
  type DatabaseLocation,
  databasePath,
  openDatabase,
  schemaState,
} from '@trawl/database';

/** What a backup contains. */
export interface Backup {
  readonly file: string;
  readonly bytes: number;
  readonly interactions: number;
  /** When its newest interaction was recorded; null = it has none. */
  readonly newestAt: string | null;
}

/**
 * Copies the embedded database while servers use it: the state of one moment, in one file without
 * free space. The copy is read before it gets its name, so an interrupted or damaged one never
 * looks complete.
 * @param location without a `databaseUrl`
 * @param file may be written, see `checkOutput`; what is there is replaced
 * @throws Error when the copy is not readable
 */
export async function backUp(location: DatabaseLocation, file: string): Promise<Backup> {
  const target = resolve(file);
  const folder = join(dirname(target), `.${basename(target)}.partial`);
  const copy = databasePath(folder);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  try {
    await copyInto(location, copy);
    const contents = await readCopy(folder);
    await chmod(copy, 0o600);
    await sync(copy);
    await rename(copy, target);
    await sync(dirname(target));
    return { file: target, bytes: (await stat(target)).size, ...contents };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyInto(location: DatabaseLocation, copy: string): Promise<void> {
  const database = openDatabase(location, { connections: 1 });
  try {
    // refuses a database of an earlier build
    await schemaState(database);
    const connection = await database.embedded?.();
    connection?.prepare('vacuum into ?').run([copy]);
  } finally {
    await database.db.destroy();
  }
}

async function readCopy(dataDir: string): Promise<Pick<Backup, 'interactions' | 'newestAt'>> {
  const database = openDatabase({ databaseUrl: undefined, dataDir }, { connections: 1 });
  try {
    await checkIntegrity(database, null);
    const found = await database.db
      .selectFrom('interactions')
      .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('created_at').as('newest')])
      .executeTakeFirstOrThrow();
    return { interactions: found.count, newestAt: found.newest };
  } finally {
    await database.db.destroy();
  }
}

/** Survives a crash of the machine from here on. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
