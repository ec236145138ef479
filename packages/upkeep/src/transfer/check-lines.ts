import type { OpenDatabase } from '@trawl/database';
import { FORMAT, type HeaderLine, type Line } from './lines.ts';
import { type NumberedLine, refusedLine } from './read-lines.ts';

/** Ids that are looked up at once. */
const IDS_AT_ONCE = 400;

type OwnedTable = 'interactions' | 'sessions' | 'api_keys';

/**
 * Reads all lines of an export before anything is written.
 * @param projectName undefined = the name in the export
 * @returns its header
 * @throws Error that names the line which is not valid, or names something of another project of
 * this database
 */
export async function checkLines(
  database: OpenDatabase,
  projectName: string | undefined,
  lines: AsyncGenerator<NumberedLine>,
): Promise<HeaderLine> {
  const first: NumberedLine | undefined = (await lines.next()).value;
  if (first?.value.type !== 'trawl_export') {
    throw new Error('the export is not complete: line 1 is not the header of an export of trawl');
  }
  const header = first.value;
  if (header.format > FORMAT) {
    throw new Error('the export was written by a newer trawl: update trawl');
  }
  const project = await projectOf(database, header, projectName ?? header.project.name);
  const owners = createOwnerCheck(database, project);
  let isComplete = false;
  for await (const { number, value } of lines) {
    if (isComplete) throw refusedLine(number, { place: 'type', problem: 'follows the end' });
    if (value.type === 'trawl_export') {
      throw refusedLine(number, { place: 'type', problem: 'a second header' });
    }
    isComplete = value.type === 'end';
    await owners.add(value, number);
  }
  await owners.flush();
  if (!isComplete) {
    throw new Error(
      'the export has no end: it was cut off. Nothing is imported; import the whole file',
    );
  }
  return header;
}

/** The id of the project of this name, which has that of the export where it does not exist yet. */
async function projectOf(
  { db }: OpenDatabase,
  { project }: HeaderLine,
  name: string,
): Promise<string> {
  const found = await db
    .selectFrom('projects')
    .select(['id', 'name', 'deleted_at'])
    .where((eb) => eb.or([eb('name', '=', name), eb('id', '=', project.id)]))
    .execute();
  const own = found.find((one) => one.name === name && one.deleted_at === null);
  if (own) return own.id;
  const same = found.find(({ id }) => id === project.id);
  if (!same) return project.id;
  const where =
    same.deleted_at === null
      ? `has the name ${same.name} in this database: import it under that name, or nowhere`
      : 'was deleted in this database: import it into a project that exists';
  throw new Error(`the export is of project ${project.id}, which ${where}`);
}

/** Finds what a line names and another project of this database has. */
function createOwnerCheck({ db }: OpenDatabase, projectId: string) {
  const known = new Set<string>();
  let waiting: { table: OwnedTable; id: string; number: number; place: string }[] = [];
  const flush = async (): Promise<void> => {
    const named = waiting;
    waiting = [];
    for (const table of ['interactions', 'sessions', 'api_keys'] as const) {
      const ids = named.filter((one) => one.table === table).map(({ id }) => id);
      if (ids.length === 0) continue;
      const foreign = await db
        .selectFrom(table)
        .select('id')
        .where('id', 'in', ids)
        .where('project_id', '<>', projectId)
        .execute();
      const refused = named.find(
        (one) => one.table === table && foreign.some(({ id }) => id === one.id),
      );
      if (!refused) continue;
      const problem = `${refused.id} belongs to another project of this database`;
      throw refusedLine(refused.number, { place: refused.place, problem });
    }
  };
  return {
    flush,
    add: async (line: Line, number: number): Promise<void> => {
      for (const [table, place, id] of idsOf(line)) {
        if (known.has(id)) continue;
        // the others are as many as the lines, and mostly named once
        if (table === 'api_keys') known.add(id);
        waiting.push({ table, id, number, place });
        if (waiting.length >= IDS_AT_ONCE) await flush();
      }
    },
  };
}

/** What a line names that belongs to a project. */
function* idsOf(line: Line): Generator<readonly [table: OwnedTable, place: string, id: string]> {
  if (line.type === 'key') yield ['api_keys', 'id', line.id];
  if (line.type === 'interaction') {
    yield ['interactions', 'id', line.id];
    yield ['sessions', 'session_id', line.session_id];
    yield ['api_keys', 'key_id', line.key_id];
    if (line.repeat) yield ['api_keys', 'repeat.key_id', line.repeat.key_id];
  }
  if (line.type === 'ledger') {
    for (const [at, row] of line.rows.entries()) {
      yield ['api_keys', `rows.${at}.key_id`, row.key_id];
      yield ['interactions', `rows.${at}.interaction_id`, row.interaction_id];
      yield ['sessions', `rows.${at}.session_id`, row.session_id];
    }
  }
}
