import type { OpenDatabase, Tables } from '@trawl/database';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Result } from './recorder-protocol.ts';

/** Limits of one transaction that deletes: everyone else waits for it. */
const SLICE_INTERACTIONS = 16;
const SLICE_BYTES = 1_000_000;

type Database = Pick<OpenDatabase, 'db' | 'isEmbedded'>;

/**
 * Deletes the oldest interactions of a session, with runs, titles and feedback, and the session
 * with its last one. Ledger rows stay. `next` in the result is the limit to pass for the next
 * slice; without it the session is deleted.
 * @param upTo the newest interaction to delete, by its sequence; null = the newest there is now.
 * What is recorded later stays.
 */
export function deleteSessionSlice(
  { db, isEmbedded }: Database,
  session: { readonly projectId: string; readonly sessionId: string; readonly upTo: number | null },
): Promise<Result> {
  const { projectId, sessionId } = session;
  return db.transaction().execute(async (transaction): Promise<Result> => {
    const locked = await transaction
      .selectFrom('sessions')
      .select('id')
      .where('id', '=', sessionId)
      .where('project_id', '=', projectId)
      .$if(!isEmbedded, (query) => query.forUpdate())
      .executeTakeFirst();
    if (!locked) return { status: 'committed', found: session.upTo !== null };
    const upTo = session.upTo ?? (await newestSequence(transaction, sessionId));
    const { isDone } = await deleteOldest(
      transaction,
      [sessionId],
      sql`sequence <= ${upTo}`,
      false,
    );
    return { status: 'committed', found: true, ...(isDone ? {} : { next: upTo }) };
  });
}

/**
 * Deletes some of a project's interactions that are older than a time, oldest sessions first.
 * `next` in the result says that there may be more, `deleted` how many went. Of servers on
 * PostgreSQL that do this at the same time, each takes other sessions.
 */
export function sweepSlice(
  { db, isEmbedded }: Database,
  { projectId, before }: { readonly projectId: string; readonly before: string },
): Promise<Result> {
  return db.transaction().execute(async (transaction): Promise<Result> => {
    const sessions = await transaction
      .selectFrom('sessions')
      .select('id')
      .where('project_id', '=', projectId)
      .where('created_at', '<', before)
      .orderBy('created_at')
      .limit(SLICE_INTERACTIONS)
      .$if(!isEmbedded, (query) => query.forUpdate().skipLocked())
      .execute();
    if (sessions.length === 0) return { status: 'committed', found: false };
    const ids = sessions.map(({ id }) => id);
    const { deleted } = await deleteOldest(transaction, ids, sql`created_at < ${before}`, true);
    return { status: 'committed', found: true, deleted, next: 0 };
  });
}

async function newestSequence(db: Kysely<Tables>, sessionId: string): Promise<number> {
  const newest = await db
    .selectFrom('interactions')
    .select((eb) => eb.fn.max('sequence').as('sequence'))
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
  return newest?.sequence ?? 0;
}

interface Deleted {
  /** Interactions that are deleted. */
  readonly deleted: number;
  /** Whether no other interaction matches. */
  readonly isDone: boolean;
}

/**
 * The rows of these sessions then describe the interactions that are left; sessions without any are
 * deleted.
 */
async function deleteOldest(
  transaction: Transaction<Tables>,
  sessionIds: readonly string[],
  matching: ReturnType<typeof sql<boolean>>,
  isForAge: boolean,
): Promise<Deleted> {
  const oldest = await transaction
    .selectFrom('interactions')
    .select(['id', 'session_id', bytesOfRuns])
    .where('session_id', 'in', sessionIds)
    .where(matching)
    .orderBy('created_at')
    .orderBy('sequence')
    .limit(SLICE_INTERACTIONS)
    .execute();
  const [first] = oldest;
  if (first && first.bytes > SLICE_BYTES) {
    await deleteSomeRuns(transaction, first.id);
    return { deleted: 0, isDone: false };
  }
  let bytes = 0;
  const slice = oldest.filter((row) => {
    bytes += row.bytes;
    return bytes <= SLICE_BYTES;
  });
  const ids = slice.map(({ id }) => id);
  if (ids.length > 0) {
    await transaction.deleteFrom('interactions').where('id', 'in', ids).execute();
  }
  const counts = new Map(sessionIds.map((id) => [id, 0]));
  for (const { session_id: id } of slice) counts.set(id, (counts.get(id) ?? 0) + 1);
  await updateSessions(transaction, counts, isForAge);
  return {
    deleted: ids.length,
    isDone: oldest.length < SLICE_INTERACTIONS && slice.length === oldest.length,
  };
}

/** Without reading the texts. */
const bytesOfRuns = sql<number>`(
  select cast(coalesce(sum(octet_length(body)), 0) as bigint)
  from runs where interaction_id = interactions.id)`.as('bytes');

/**
 * The last runs of an interaction that is too large for one transaction. It goes with what is left
 * of it.
 */
async function deleteSomeRuns(transaction: Transaction<Tables>, id: string): Promise<void> {
  const runs = await transaction
    .selectFrom('runs')
    .select(['kind', 'position', sql<number>`octet_length(body)`.as('bytes')])
    .where('interaction_id', '=', id)
    .orderBy('kind', 'desc')
    .orderBy('position', 'desc')
    .execute();
  let bytes = 0;
  for (const run of runs) {
    await transaction
      .deleteFrom('runs')
      .where('interaction_id', '=', id)
      .where('kind', '=', run.kind)
      .where('position', '=', run.position)
      .execute();
    bytes += run.bytes;
    if (bytes >= SLICE_BYTES) return;
  }
}

/**
 * @param deleted how many interactions each session lost
 * @param isForAge whether the session remembers how many
 */
async function updateSessions(
  transaction: Transaction<Tables>,
  deleted: ReadonlyMap<string, number>,
  isForAge: boolean,
): Promise<void> {
  const ids = [...deleted.keys()];
  await transaction
    .deleteFrom('sessions')
    .where('id', 'in', ids)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('interactions')
            .select('id')
            .whereRef('interactions.session_id', '=', 'sessions.id'),
        ),
      ),
    )
    .execute();
  const left = await transaction
    .selectFrom('sessions')
    .select('id')
    .where('id', 'in', ids)
    .execute();
  for (const { id } of left) {
    const first = sql<string>`(
      select min(created_at) from interactions where interactions.session_id = sessions.id)`;
    await transaction
      .updateTable('sessions')
      .set({
        created_at: first,
        interaction_count: sql<number>`interaction_count - ${deleted.get(id) ?? 0}`,
        ...(isForAge && { deleted_count: sql<number>`deleted_count + ${deleted.get(id) ?? 0}` }),
      })
      .where('id', '=', id)
      .execute();
  }
}
