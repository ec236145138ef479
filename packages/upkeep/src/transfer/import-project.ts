import { randomBytes, randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type DatabaseLocation,
  makeDataDir,
  type OpenDatabase,
  openDatabase,
  schemaState,
} from '@trawl/database';
import { createGroupWriter, LEDGER_COLUMNS, ledgerItem } from '@trawl/store';
import { checkLines } from './check-lines.ts';
import { createInteractionWriter } from './interaction-writer.ts';
import type { HeaderLine, KeyLine, LedgerLine } from './lines.ts';
import { type NumberedLine, readLines } from './read-lines.ts';

export interface Imported {
  readonly project: string;
  /** Interactions that are new in this database. */
  readonly added: number;
  /** Interactions that it had already. */
  readonly present: number;
  readonly ledgerRows: number;
}

/**
 * Writes the lines of an export into a project, which is made if it is new. All lines are checked
 * before the first is written. Each interaction is written whole or not at all, and what is there
 * already is not written again: an import that was interrupted is repeated from the start.
 * @param projectName undefined = the name in the export
 * @throws Error that names the line, when it is not valid, or belongs to another project of this
 * database
 */
export async function importProject(
  location: DatabaseLocation,
  projectName: string | undefined,
  input: AsyncIterable<Uint8Array>,
): Promise<Imported> {
  const database = openDatabase(location, { connections: 1 });
  try {
    if ((await schemaState(database)) !== 'current') {
      throw new Error('the tables are of another version: start this version of the server once');
    }
    const copy = await keptCopy(location, input);
    try {
      const header = await checkLines(database, projectName, readLines(copy.first()));
      const project = projectName ?? header.project.name;
      const projectId = await ensureProject(database, header, project);
      return { project, ...(await writeLines(database, projectId, readLines(copy.again()))) };
    } finally {
      await copy.close();
    }
  } finally {
    await database.db.destroy();
  }
}

/** Writes lines that were checked. */
async function writeLines(
  database: OpenDatabase,
  projectId: string,
  lines: AsyncIterable<NumberedLine>,
): Promise<Omit<Imported, 'project'>> {
  const writer = createInteractionWriter(database, projectId);
  let ledgerRows = 0;
  for await (const { number, value } of lines) {
    if (value.type === 'interaction') await writer.add(value, number);
    else await writer.flush();
    if (value.type === 'key') await ensureKey(database, projectId, value);
    if (value.type === 'ledger') ledgerRows += await addLedger(database, projectId, value);
  }
  return { ...writer.counts, ledgerRows };
}

/** The project of this name; a new one gets the id of the export. */
async function ensureProject(
  { db }: OpenDatabase,
  { project }: HeaderLine,
  name: string,
): Promise<string> {
  await db
    .insertInto('projects')
    .values({ ...project, name })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { id } = await db
    .selectFrom('projects')
    .select('id')
    .where('name', '=', name)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * So that usage can name the key. It opens nothing: its digest is random, and it counts as deleted.
 */
async function ensureKey(
  { db }: OpenDatabase,
  projectId: string,
  { id, name, last_four, created_at }: KeyLine,
): Promise<void> {
  await db
    .insertInto('api_keys')
    .values({
      ...{ id, project_id: projectId, name, last_four, created_at },
      ...{ digest: randomBytes(32).toString('hex'), permissions: '[]', deleted_at: created_at },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function addLedger(
  database: OpenDatabase,
  projectId: string,
  { rows }: LedgerLine,
): Promise<number> {
  const values = rows.map((row) =>
    LEDGER_COLUMNS.map((column) => (column === 'project_id' ? projectId : row[column])),
  );
  await createGroupWriter(database)([ledgerItem(values)]);
  return rows.length;
}

/** A stream that can be read again. */
interface KeptCopy {
  /** The stream, which is kept while it is read. */
  first(): AsyncIterable<Uint8Array>;
  again(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Keeps a stream in a file that has no name, so nothing stays behind when the process is killed. It
 * is on the disk of the embedded database, which will hold the same; for PostgreSQL in the folder
 * of temporary files.
 */
async function keptCopy(
  { databaseUrl, dataDir }: DatabaseLocation,
  input: AsyncIterable<Uint8Array>,
): Promise<KeptCopy> {
  if (databaseUrl === undefined) makeDataDir(dataDir);
  const folder = databaseUrl === undefined ? dataDir : tmpdir();
  const path = join(folder, `import-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return {
    first: () => keeping(input, file, folder),
    again: () => file.createReadStream({ start: 0, autoClose: false }),
    close: () => file.close(),
  };
}

async function* keeping(
  input: AsyncIterable<Uint8Array>,
  file: FileHandle,
  folder: string,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of input) {
    try {
      await file.appendFile(chunk);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      throw new Error(
        `the export cannot be kept in ${folder} while it is checked (${problem}). Nothing is imported: make room for its size there`,
        { cause: error },
      );
    }
    yield chunk;
  }
}
