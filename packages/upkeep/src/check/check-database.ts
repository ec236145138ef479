import {
  checkIntegrity,
  type DatabaseLocation,
  type OpenDatabase,
  openDatabase,
  type RunsTable,
  type SchemaState,
  schemaState,
} from '@trawl/database';
import { runText } from '@trawl/store';
import { sql } from 'kysely';
import { rowsInPages } from '../rows/pages.ts';
import { isUsageDayRight } from './usage-day.ts';

/** A fault of the database, and what to do about it. */
export interface Finding {
  readonly check: 'file' | 'schema' | 'rows' | 'usage' | 'runs';
  readonly message: string;
}

export interface DatabaseReport {
  readonly schema: SchemaState;
  readonly findings: readonly Finding[];
  /** What was read; 0 when the check ended before. */
  readonly interactions: number;
  readonly runs: number;
  readonly usageDays: number;
}

/**
 * Compares everything in a database that has to agree. It only reads, in statements of their own,
 * so that it may run next to a server. Rejects when the database cannot be opened.
 */
export async function checkWholeDatabase(location: DatabaseLocation): Promise<DatabaseReport> {
  const database = openDatabase(location, { connections: 1 });
  try {
    return await checkOpened(database);
  } finally {
    await database.db.destroy();
  }
}

async function checkOpened(database: OpenDatabase): Promise<DatabaseReport> {
  const schema = await schemaState(database);
  const findings: Finding[] = [...(await checkFile(database)), ...schemaFindings(schema)];
  const nothing = { interactions: 0, runs: 0, usageDays: 0 };
  if (findings.length > 0) return { schema, findings, ...nothing };
  findings.push(...(await checkRows(database)));
  const days = await usageDays(database);
  const wrong = [];
  for (const day of days) if (!(await isUsageDayRight(database, day))) wrong.push(day);
  if (wrong.length > 0) findings.push(wrongUsage(wrong));
  const { runs, unreadable } = await checkRuns(database);
  if (unreadable.length > 0) findings.push(unreadableRuns(unreadable));
  const interactions = await count(database, sql`interactions`);
  return { schema, findings, interactions, runs, usageDays: days.length };
}

async function checkFile(database: OpenDatabase): Promise<readonly Finding[]> {
  try {
    await checkIntegrity(database, null);
    return [];
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const message = `the file is damaged (${cause}): stop the server and restore a backup`;
    return [{ check: 'file', message }];
  }
}

const SCHEMA_FAULTS: Readonly<Partial<Record<SchemaState, string>>> = {
  none: 'the database has no tables: the first start creates them',
  older: 'the tables are of an older version: start this version once, which updates them',
  newer: 'the tables are of a newer version: update trawl, or name another database',
};

function schemaFindings(schema: SchemaState): readonly Finding[] {
  const message = SCHEMA_FAULTS[schema];
  return message === undefined ? [] : [{ check: 'schema', message }];
}

/** Rows that lack the row that they belong to, or do not agree with it. */
const ROW_FAULTS: readonly (readonly [what: string, from: string])[] = [
  ['interactions have no session', orphans('interactions', 'session_id', 'sessions')],
  ['runs have no interaction', orphans('runs', 'interaction_id', 'interactions')],
  ['rows of feedback have no interaction', orphans('feedback', 'interaction_id', 'interactions')],
  ['idempotency keys have no interaction', orphans('repeats', 'interaction_id', 'interactions')],
  ['answers have no interaction', orphans('search_answers', 'interaction_id', 'interactions')],
  ['sessions have no project', orphans('sessions', 'project_id', 'projects')],
  [
    'sessions count other interactions than they have',
    `sessions where interaction_count <>
      (select count(*) from interactions where interactions.session_id = sessions.id)`,
  ],
  [
    'interactions are of another project than their session',
    `interactions where exists (select 1 from sessions
      where sessions.id = interactions.session_id and sessions.project_id <> interactions.project_id)`,
  ],
];

function orphans(table: string, column: string, parent: string): string {
  return `${table} where not exists (select 1 from ${parent} where ${parent}.id = ${table}.${column})`;
}

async function checkRows(database: OpenDatabase): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [what, from] of ROW_FAULTS) {
    const found = await count(database, sql.raw(from));
    const message = `${found} ${what}: restore a backup, or export the projects and import them into a new database`;
    if (found > 0) findings.push({ check: 'rows', message });
  }
  return findings;
}

async function count({ db }: OpenDatabase, from: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${from}`.execute(db);
  return rows[0]?.n ?? 0;
}

async function usageDays({ db }: OpenDatabase): Promise<readonly string[]> {
  const { rows } = await sql<{ day: string }>`
    select day from usage_days
    union select substr(created_at, 1, 10) from ledger
      where calls > 0 or cached_from is not null
    order by 1`.execute(db);
  return rows.map(({ day }) => day);
}

const SHOWN = 5;

/** The first of them, and how many more there are. */
function listed(names: readonly string[]): string {
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  return `${names.slice(0, SHOWN).join(', ')}${more}`;
}

const wrongUsage = (days: readonly string[]): Finding => ({
  check: 'usage',
  message: `usage differs from the ledger on ${listed(days)}: sum it up again, see "Wrong usage" in operations`,
});

const unreadableRuns = (ids: readonly string[]): Finding => ({
  check: 'runs',
  message: `${ids.length} runs cannot be read: interactions ${listed([...new Set(ids)])}: restore a backup, or delete their sessions`,
});

/** Texts may be large, and all that are read at once are in memory. */
const RUNS_AT_ONCE = 8;
const KEY = ['interaction_id', 'kind', 'position'] as const;

interface CheckedRuns {
  readonly runs: number;
  /** The interaction of each run whose text is not JSON. */
  readonly unreadable: readonly string[];
}

/** Reads the text of every run. */
async function checkRuns({ db }: OpenDatabase): Promise<CheckedRuns> {
  const unreadable: string[] = [];
  let runs = 0;
  const texts = db.selectFrom('runs').select([...KEY, 'body']);
  for await (const run of rowsInPages(texts, KEY, RUNS_AT_ONCE)) {
    if (!isReadable(run.body)) unreadable.push(run.interaction_id);
    runs += 1;
  }
  return { runs, unreadable };
}

function isReadable(body: RunsTable['body']): boolean {
  try {
    JSON.parse(runText(body));
    return true;
  } catch {
    return false;
  }
}
