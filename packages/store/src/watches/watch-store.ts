import { isoTime, jsonText, MINUTE_MS, readJson } from '@trawl/base';
import type { WatchNews } from '@trawl/contract';
import type { OpenDatabase, Tables } from '@trawl/database';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type StoredWatch, watchOf } from './watch-rows.ts';
import { createWatchRuns, type WatchRuns } from './watch-runs.ts';

/** What a watch is when it is made. */
export type NewStoredWatch = Pick<
  StoredWatch,
  'id' | 'projectId' | 'keyId' | 'sessionId' | 'name' | 'request' | 'intervalMinutes' | 'createdAt'
>;

/** What is named is set. */
export interface StoredWatchChange {
  readonly name?: string | undefined;
  readonly intervalMinutes?: number | undefined;
  readonly state?: 'active' | 'paused' | undefined;
}

/** After which items the news begin: a place among them, or a time (ISO 8601). */
export type NewsPlace = { readonly sequence: number } | { readonly time: string };

/** The watches of all projects. */
export interface WatchStore extends WatchRuns {
  /** Due at once. false where its project has as many as it may, and nothing was made. */
  create(watch: NewStoredWatch, most: number): Promise<boolean>;
  /** The oldest first. */
  list(projectId: string): Promise<readonly StoredWatch[]>;
  find(projectId: string, id: string): Promise<StoredWatch | undefined>;
  /** The watch as it is then; undefined where the project has no such watch. */
  change(
    projectId: string,
    id: string,
    change: StoredWatchChange,
  ): Promise<StoredWatch | undefined>;
  /** With its news. false where the project has no such watch. */
  remove(projectId: string, id: string): Promise<boolean>;
  /** In the order in which they were found. */
  news(id: string, after: NewsPlace, limit: number): Promise<readonly WatchNews[]>;
}

export function createWatchStore(database: Pick<OpenDatabase, 'db' | 'isEmbedded'>): WatchStore {
  const { db } = database;
  return {
    ...createWatchRuns(database),
    create: (watch, most) =>
      db.transaction().execute((transaction) => create(transaction, watch, most)),
    list: async (projectId) => {
      const query = ofProject(db, projectId).orderBy('created_at').orderBy('id');
      return (await query.execute()).map(watchOf);
    },
    find: (projectId, id) => find(db, projectId, id),
    change: (projectId, id, wanted) =>
      db.transaction().execute((transaction) => change(transaction, { projectId, id }, wanted)),
    remove: async (projectId, id) => {
      const { numDeletedRows } = await db
        .deleteFrom('watches')
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0;
    },
    news: (id, after, limit) => news(db, id, after, limit),
  };
}

const ofProject = (db: Kysely<Tables>, projectId: string) =>
  db.selectFrom('watches').selectAll().where('project_id', '=', projectId);

async function find(
  db: Kysely<Tables>,
  projectId: string,
  id: string,
): Promise<StoredWatch | undefined> {
  const row = await ofProject(db, projectId).where('id', '=', id).executeTakeFirst();
  return row && watchOf(row);
}

async function create(
  transaction: Transaction<Tables>,
  watch: NewStoredWatch,
  most: number,
): Promise<boolean> {
  // locks the project: of two that are made at the same time, the second counts the first
  await transaction
    .updateTable('projects')
    .set({ id: watch.projectId })
    .where('id', '=', watch.projectId)
    .execute();
  const { count } = await transaction
    .selectFrom('watches')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('project_id', '=', watch.projectId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= most) return false;
  await transaction
    .insertInto('watches')
    .values({
      id: watch.id,
      project_id: watch.projectId,
      key_id: watch.keyId,
      session_id: watch.sessionId,
      name: watch.name,
      request: jsonText(watch.request),
      interval_minutes: watch.intervalMinutes,
      state: 'active',
      created_at: watch.createdAt,
      next_run_at: watch.createdAt,
      failures: 0,
      news_count: 0,
    })
    .execute();
  return true;
}

async function change(
  transaction: Transaction<Tables>,
  { projectId, id }: { readonly projectId: string; readonly id: string },
  { name, intervalMinutes, state }: StoredWatchChange,
): Promise<StoredWatch | undefined> {
  const changed = transaction
    .updateTable('watches')
    .where('project_id', '=', projectId)
    .where('id', '=', id);
  // locks the row, which a run that ends changes too
  const { numUpdatedRows } = await changed.set({ id }).executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return undefined;
  const row = await ofProject(transaction, projectId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  // the time of a run in progress is a part of its Idempotency-Key, and must stay
  const isNext = intervalMinutes !== undefined && row.claim_id === null && row.last_run_at !== null;
  await changed
    .set({
      name: name ?? row.name,
      interval_minutes: intervalMinutes ?? row.interval_minutes,
      state: state ?? row.state,
      stop_reason: state === undefined ? row.stop_reason : null,
      next_run_at: isNext
        ? isoTime(Date.parse(row.last_run_at ?? '') + intervalMinutes * MINUTE_MS)
        : row.next_run_at,
    })
    .execute();
  return find(transaction, projectId, id);
}

async function news(
  db: Kysely<Tables>,
  id: string,
  after: NewsPlace,
  limit: number,
): Promise<readonly WatchNews[]> {
  const query = db
    .selectFrom('watch_news')
    .selectAll()
    .where('watch_id', '=', id)
    .orderBy('sequence')
    .limit(limit);
  const later =
    'time' in after
      ? query.where('first_seen_at', '>', after.time)
      : query.where('sequence', '>', sql<number>`${after.sequence}`);
  return (await later.execute()).map((row) => ({
    sequence: row.sequence,
    ...readJson(row.body),
    interaction_id: row.interaction_id,
    first_seen_at: row.first_seen_at,
  }));
}
