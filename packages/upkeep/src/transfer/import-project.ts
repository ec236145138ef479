import { randomBytes } from 'node:crypto';
import {
  type DatabaseLocation,
  type OpenDatabase,
  openDatabase,
  schemaState,
} from '@trawl/database';
import { createGroupWriter, LEDGER_COLUMNS, ledgerItem } from '@trawl/store';
import { createInteractionWriter } from './interaction-writer.ts';
import { FORMAT, type HeaderLine, type KeyLine, type LedgerLine } from './lines.ts';
import { readLines } from './read-lines.ts';

export interface Imported {
  readonly project: string;
  /** Interactions that are new in this database. */
  readonly added: number;
  /** Interactions that it had already. */
  readonly present: number;
  readonly ledgerRows: number;
}

/**
 * Writes the lines of an export into a project, which is made if it is new. Each interaction is written whole or not at
 * all, and what is there already is not written again: an import that was interrupted is repeated from the start.
 * @param projectName undefined = the name in the export
 * @throws Error that names the line, when it is not valid, or belongs to another project of this database
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
    return await importLines(database, projectName, input);
  } finally {
    await database.db.destroy();
  }
}

async function importLines(
  database: OpenDatabase,
  projectName: string | undefined,
  input: AsyncIterable<Uint8Array>,
): Promise<Imported> {
  const lines = readLines(input);
  const first = (await lines.next()).value;
  if (first?.value.type !== 'trawl_export') {
    throw new Error('line 1 is not the header of an export of trawl');
  }
  if (first.value.format > FORMAT) {
    throw new Error('the export was written by a newer trawl: update trawl');
  }
  const name = projectName ?? first.value.project.name;
  const projectId = await ensureProject(database, first.value, name);
  const writer = createInteractionWriter(database, projectId);
  let ledgerRows = 0;
  let isComplete = false;
  for await (const { number, value } of lines) {
    if (value.type === 'interaction') await writer.add(value, number);
    else await writer.flush();
    if (value.type === 'key') await ensureKey(database, projectId, value);
    if (value.type === 'ledger') ledgerRows += await addLedger(database, projectId, value);
    if (value.type === 'end') isComplete = true;
  }
  await writer.flush();
  if (!isComplete) {
    throw new Error(
      `the export has no end: it was cut off. ${writer.counts.added} interactions were imported; import the whole file to add the rest`,
    );
  }
  return { project: name, ...writer.counts, ledgerRows };
}

/** The project of this name; a new one gets the id of the export, unless another project has it. */
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
  const found = await db
    .selectFrom('projects')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirst();
  if (found) return found.id;
  throw new Error(
    `another project of this database has the id of the export, ${project.id}: it is there already, under another name`,
  );
}

/** So that usage can name the key. It opens nothing: its digest is random, and it counts as deleted. */
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
