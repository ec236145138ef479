import {
  type DatabaseLocation,
  type OpenDatabase,
  openDatabase,
  schemaState,
} from '@trawl/database';
import { LEDGER_COLUMNS, runText } from '@trawl/store';
import { pages, rowsInPages } from '../rows/pages.ts';
import { FORMAT, type InteractionLine, jsonMember, type Line } from './lines.ts';

const ROWS_AT_ONCE = 200;
const EXPORTED_LEDGER = LEDGER_COLUMNS.filter((column) => column !== 'project_id');

type Db = OpenDatabase['db'];

/**
 * The lines of a project: header, keys without their digests, interactions session by session, the
 * ledger, and an end that counts them. One interaction is in memory at a time. Everything that was
 * acknowledged before the call is there.
 * @throws Error if the project does not exist, or the tables are of another version
 */
export async function* exportProject(
  location: DatabaseLocation,
  projectName: string,
): AsyncGenerator<Line> {
  const database = openDatabase(location, { connections: 1 });
  try {
    if ((await schemaState(database)) !== 'current') {
      throw new Error('the tables are of another version: run "trawl db check"');
    }
    yield* projectLines(database.db, projectName);
  } finally {
    await database.db.destroy();
  }
}

async function* projectLines(db: Db, projectName: string): AsyncGenerator<Line> {
  const project = await db
    .selectFrom('projects')
    .selectAll()
    .where('name', '=', projectName)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!project) throw new Error(`no project is called ${projectName}; see: trawl projects list`);
  const { id, deleted_at: _, ...described } = project;
  yield { type: 'trawl_export', format: FORMAT, project: { id, ...described } };
  const keys = await db
    .selectFrom('api_keys')
    .select(['id', 'name', 'last_four', 'created_at'])
    .where('project_id', '=', id)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  for (const key of keys) yield { type: 'key', ...key };
  const counts = { interactions: 0, ledger_rows: 0 };
  const sessions = db
    .selectFrom('sessions')
    .select(['created_at', 'id'])
    .where('project_id', '=', id);
  for await (const session of rowsInPages(sessions, ['created_at', 'id'], ROWS_AT_ONCE)) {
    const interactions = db
      .selectFrom('interactions')
      .select(['created_at', 'sequence', 'id'])
      .where('session_id', '=', session.id);
    const order = ['created_at', 'sequence'] as const;
    for await (const interaction of rowsInPages(interactions, order, ROWS_AT_ONCE)) {
      const found = await interactionLine(db, interaction.id);
      if (!found) continue;
      counts.interactions += 1;
      yield found;
    }
  }
  const ledger = db.selectFrom('ledger').select(EXPORTED_LEDGER).where('project_id', '=', id);
  for await (const rows of pages(ledger, ['created_at', 'id'], () => ROWS_AT_ONCE)) {
    counts.ledger_rows += rows.length;
    yield { type: 'ledger', rows: [...rows] };
  }
  yield { type: 'end', ...counts };
}

/** undefined = it was deleted in the meantime. */
async function interactionLine(db: Db, id: string): Promise<InteractionLine | undefined> {
  const row = await db
    .selectFrom('interactions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const { sequence: _, project_id, user_input, metadata, routing, request, titles, ...plain } = row;
  return {
    type: 'interaction',
    ...plain,
    ...jsonMember('user_input', user_input),
    ...jsonMember('metadata', metadata),
    ...jsonMember('routing', routing),
    ...jsonMember('request', request),
    ...jsonMember('titles', titles),
    runs: await runsOf(db, id),
    feedback: await feedbackOf(db, id),
    repeat: await repeatOf(db, id),
  };
}

async function runsOf(db: Db, interactionId: string): Promise<InteractionLine['runs']> {
  const rows = await db
    .selectFrom('runs')
    .select(['kind', 'position', 'id', 'name', 'body'])
    .where('interaction_id', '=', interactionId)
    .orderBy('kind')
    .orderBy('position')
    .execute();
  return rows.map(({ body, ...run }) => ({ ...run, ...jsonMember('body', runText(body)) }));
}

async function feedbackOf(db: Db, interactionId: string): Promise<InteractionLine['feedback']> {
  const rows = await db
    .selectFrom('feedback')
    .selectAll()
    .where('interaction_id', '=', interactionId)
    .orderBy('run_position')
    .orderBy('rank')
    .execute();
  return rows.map(({ interaction_id: _, ...row }) => row);
}

async function repeatOf(db: Db, interactionId: string): Promise<InteractionLine['repeat']> {
  const row = await db
    .selectFrom('repeats')
    .select(['key_id', 'idempotency_key', 'body_digest', 'created_at'])
    .where('interaction_id', '=', interactionId)
    .executeTakeFirst();
  return row ?? null;
}
