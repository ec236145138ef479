import type { SessionsTable, Tables } from '@trawl/database';
import { type Kysely, type Selectable, sql } from 'kysely';

export type SessionHead = Selectable<SessionsTable>;

/** Which sessions of a project; all without members. */
export interface HeadsWanted {
  readonly limit?: number;
  readonly ids?: readonly string[] | undefined;
  /** Activity older than this; with `beforeId` also at this time and with a greater id. */
  readonly before?: string | undefined;
  readonly beforeId?: string | undefined;
  /** Activity at this time or later. */
  readonly from?: string | undefined;
  /** Begun before this time. */
  readonly to?: string | undefined;
}

/** Newest activity first, then id. */
export async function readHeads(
  db: Kysely<Tables>,
  projectId: string,
  { limit, ids, before, beforeId, from, to }: HeadsWanted,
): Promise<readonly SessionHead[]> {
  if (ids?.length === 0) return [];
  let query = db
    .selectFrom('sessions')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('latest_interaction_at', 'desc')
    .orderBy('id');
  if (limit !== undefined) query = query.limit(limit);
  if (ids) query = query.where('id', 'in', ids);
  if (from !== undefined) query = query.where('latest_interaction_at', '>=', from);
  if (to !== undefined) query = query.where('created_at', '<', to);
  if (before !== undefined) {
    // the index finds the first condition; the second leaves out ties that were shown
    query = query
      .where('latest_interaction_at', '<=', before)
      .where((eb) =>
        eb.or([
          eb('latest_interaction_at', '<', before),
          ...(beforeId === undefined ? [] : [eb('id', '>', beforeId)]),
        ]),
      );
  }
  return query.execute();
}

/** From the first request to the last answer, in milliseconds. */
export const durationOf = ({ created_at, updated_at }: SessionHead): number =>
  Math.max(0, Date.parse(updated_at) - Date.parse(created_at));

export const idsOf = (heads: readonly SessionHead[]) => sql.join(heads.map(({ id }) => id));

/**
 * Interactions that one query reads: the embedded database is read on the calling thread, and other
 * requests get their turn in between.
 */
const INTERACTIONS_AT_ONCE = 2_000;

/** Splits sessions so that each part has few interactions. A single session is never split. */
export function* batches(sessions: readonly SessionHead[]): Generator<readonly SessionHead[]> {
  let batch: SessionHead[] = [];
  let interactions = 0;
  for (const session of sessions) {
    if (batch.length > 0 && interactions + session.interaction_count > INTERACTIONS_AT_ONCE) {
      yield batch;
      batch = [];
      interactions = 0;
    }
    batch.push(session);
    interactions += session.interaction_count;
  }
  if (batch.length > 0) yield batch;
}
