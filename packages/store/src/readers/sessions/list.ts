import { setImmediate as nextTurn } from 'node:timers/promises';
import { UUID } from '@trawl/contract';
import {
  type ConsoleSessionList,
  type ConsoleSessionsQuery,
  SESSION_ROWS,
  type SessionFilterChoices,
  type SessionFilters,
} from '@trawl/contract/console';
import type { OpenDatabase, Tables } from '@trawl/database';
import { MICROS } from '@trawl/router';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { interactionConditions } from './conditions.ts';
import { batches, durationOf, idsOf, readHeads, type SessionHead } from './heads.ts';
import { keyNames } from './key-names.ts';
import { readRows } from './rows.ts';
import { readSpent } from './spent.ts';

/** Sessions that are read at once, before they are compared with the filters. */
const HEADS = 500;
/** A search for rare sessions stops after this many interactions; the answer says where. */
const EXAMINED_MAX = 100_000;
/** Interactions that one answer about new ones looks at. */
const NEW_MAX = 100;
const COUNTED_MAX = 100_000;

interface Found {
  readonly heads: readonly SessionHead[];
  readonly next: string | null;
  readonly newest: number;
  readonly examined: number;
  readonly examinedUntil: string | null;
}

/** The project's sessions, and the conditions on one interaction of a session. */
interface Wanted {
  readonly projectId: string;
  readonly filters: SessionFilters;
  readonly conditions: RawBuilder<unknown> | undefined;
}

export async function listSessions(
  database: OpenDatabase,
  projectId: string,
  query: ConsoleSessionsQuery,
): Promise<ConsoleSessionList> {
  const { db } = database;
  // read first, so that what is recorded meanwhile counts as new later
  const newest = await newestSequence(db);
  const total = await countSessions(db, projectId);
  const { after, newer_than: newerThan, ...filters } = query;
  const ids = newerThan === undefined ? await sessionsOfId(db, projectId, filters.text) : [];
  if (ids.length > 0) filters.text = undefined;
  const wanted = { projectId, filters, conditions: interactionConditions(database, filters) };
  const found =
    newerThan !== undefined
      ? await findNew(db, wanted, { newerThan, newest })
      : ids.length > 0
        ? await findAmong(db, wanted, ids, newest)
        : await search(db, wanted, { after, newest });
  return {
    sessions: await readRows(db, projectId, found.heads),
    next: found.next,
    newest: found.newest,
    examined: found.examined,
    examined_until: found.examinedUntil,
    total,
  };
}

/** Reads sessions by activity and keeps those that match, until there is a page of them. */
async function search(
  db: Kysely<Tables>,
  wanted: Wanted,
  { after, newest }: { readonly after: string | undefined; readonly newest: number },
): Promise<Found> {
  const heads: SessionHead[] = [];
  let position = after;
  let examined = 0;
  let left = EXAMINED_MAX;
  for (;;) {
    const [before, beforeId] = position?.split('~') ?? [];
    const { from, to } = wanted.filters;
    const page = { limit: HEADS, before, beforeId, from, to };
    const read = await readHeads(db, wanted.projectId, page);
    for (const batch of batches(read)) {
      const last = batch.at(-1);
      heads.push(...(await matching(db, wanted, batch)));
      examined += batch.length;
      left -= batch.reduce((sum, { interaction_count }) => sum + interaction_count, 0);
      position = last && positionOf(last);
      await nextTurn();
      if (heads.length > SESSION_ROWS) {
        const page = heads.slice(0, SESSION_ROWS);
        const end = page.at(-1);
        return {
          heads: page,
          next: end ? positionOf(end) : null,
          newest,
          examined,
          examinedUntil: null,
        };
      }
      if (left <= 0 && last) {
        return {
          heads,
          next: positionOf(last),
          newest,
          examined,
          examinedUntil: last.latest_interaction_at,
        };
      }
    }
    if (read.length < HEADS) return { heads, next: null, newest, examined, examinedUntil: null };
  }
}

/** The sessions of the interactions that were recorded since. */
async function findNew(
  db: Kysely<Tables>,
  wanted: Wanted,
  { newerThan, newest }: { readonly newerThan: number; readonly newest: number },
): Promise<Found> {
  const { rows } = await sql<{ session_id: string; sequence: number }>`
    select session_id, sequence from interactions
    where sequence > ${newerThan} and sequence <= ${newest} and project_id = ${wanted.projectId}
      ${wanted.conditions ? sql`and ${wanted.conditions}` : sql``}
    order by sequence limit ${sql.lit(NEW_MAX)}`.execute(db);
  const reached = rows.length < NEW_MAX ? newest : (rows.at(-1)?.sequence ?? newest);
  const ids = [...new Set(rows.map(({ session_id }) => session_id))];
  const found = await findAmong(db, { ...wanted, conditions: undefined }, ids, reached);
  return { ...found, newest: reached };
}

async function findAmong(
  db: Kysely<Tables>,
  wanted: Wanted,
  ids: readonly string[],
  newest: number,
): Promise<Found> {
  const { from, to } = wanted.filters;
  const read = await readHeads(db, wanted.projectId, { ids, from, to });
  const heads: SessionHead[] = [];
  for (const batch of batches(read)) heads.push(...(await matching(db, wanted, batch)));
  return { heads, next: null, newest, examined: read.length, examinedUntil: null };
}

/** The sessions of a batch that meet the filters, in order. */
async function matching(
  db: Kysely<Tables>,
  { projectId, filters, conditions }: Wanted,
  batch: readonly SessionHead[],
): Promise<readonly SessionHead[]> {
  const shortest = filters.min_duration_ms ?? 0;
  let heads = batch.filter((head) => durationOf(head) >= shortest);
  if (conditions && heads.length > 0) {
    const { rows } = await sql<{ session_id: string }>`
      select distinct session_id from interactions
      where session_id in (${idsOf(heads)}) and project_id = ${projectId} and ${conditions}`.execute(
      db,
    );
    const ids = new Set(rows.map(({ session_id }) => session_id));
    heads = heads.filter(({ id }) => ids.has(id));
  }
  if (filters.min_cost_usd === undefined || heads.length === 0) return heads;
  const least = filters.min_cost_usd * MICROS;
  const spent = await readSpent(db, projectId, heads);
  return heads.filter(({ id }) => (spent.get(id)?.micros ?? -1) >= least);
}

const positionOf = ({ latest_interaction_at, id }: SessionHead): string =>
  `${latest_interaction_at}~${id}`;

/** Grows with each recorded interaction, whatever its project. */
async function newestSequence(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ newest: number | null }>`
    select max(sequence) as newest from interactions`.execute(db);
  return rows[0]?.newest ?? 0;
}

async function countSessions(db: Kysely<Tables>, projectId: string): Promise<number | null> {
  const { rows } = await sql<{ count: number }>`
    select cast(count(*) as bigint) as count from (
      select 1 from sessions where project_id = ${projectId} limit ${sql.lit(COUNTED_MAX + 1)}
    ) as counted`.execute(db);
  const count = rows[0]?.count ?? 0;
  return count > COUNTED_MAX ? null : count;
}

/** The session that has this id, or an interaction of this id. */
async function sessionsOfId(
  db: Kysely<Tables>,
  projectId: string,
  text: string | undefined,
): Promise<readonly string[]> {
  if (text === undefined || !UUID.test(text)) return [];
  const id = text.toLowerCase();
  const { rows } = await sql<{ id: string }>`
    select id from sessions where id = ${id} and project_id = ${projectId}
    union select session_id from interactions where id = ${id} and project_id = ${projectId}`.execute(
    db,
  );
  return rows.map((row) => row.id);
}

const USERS_MAX = 200;

/** The providers, keys and users with calls since this day, by name. */
export async function readChoices(
  db: Kysely<Tables>,
  projectId: string,
  since: string,
): Promise<SessionFilterChoices> {
  const distinct = async (column: 'provider' | 'key_id' | 'user_id', users: 'all' | 'one') => {
    const { rows } = await sql<{ value: string }>`
      select distinct ${sql.ref(column)} as value from usage_days
      where project_id = ${projectId} and users = ${users} and day >= ${since}
      order by value limit ${sql.lit(USERS_MAX + 1)}`.execute(db);
    return rows.map(({ value }) => value);
  };
  const [providers, keyIds, users] = [
    await distinct('provider', 'all'),
    await distinct('key_id', 'all'),
    await distinct('user_id', 'one'),
  ];
  const names = await keyNames(db, projectId, keyIds);
  return {
    providers,
    keys: keyIds.map((id) => ({ id, name: names.get(id) ?? null })),
    user_ids: users.slice(0, USERS_MAX),
    users_are_cut: users.length > USERS_MAX,
  };
}
