import type { SessionsTable, Tables } from '@trawl/database';
import { sql, type Transaction } from 'kysely';
import type { SessionClaim } from './rows.ts';

/**
 * Creates or updates the sessions of these interactions on PostgreSQL, each session at most once
 * per statement. Returns the claims of interactions whose session belongs to their project; the
 * sessions of the others belong to another project.
 */
export async function claimSessions(
  transaction: Transaction<Tables>,
  claims: readonly SessionClaim[],
): Promise<ReadonlySet<SessionClaim>> {
  const granted = new Set<SessionClaim>();
  let open = mergeClaims(claims);
  while (open.length > 0) {
    const wave = firstOfEachSession(open);
    const owned = await upsert(
      transaction,
      wave.map((claim) => claim.session),
    );
    for (const claim of wave) {
      if (!owned.has(claim.session.id)) continue;
      for (const one of claim.claims) granted.add(one);
    }
    // A claim that lost to another claim of this group is finished. One that only came after a
    // failed claim is tried again.
    open = open.filter((claim) => !wave.includes(claim) && !owned.has(claim.session.id));
  }
  return granted;
}

/** The claims of one session and project, combined. */
interface Claim {
  readonly session: SessionsTable;
  readonly claims: readonly SessionClaim[];
}

export function mergeClaims(claims: readonly SessionClaim[]): readonly Claim[] {
  const merged = new Map<string, Claim>();
  for (const claim of claims) {
    const key = JSON.stringify([claim.id, claim.projectId]);
    const before = merged.get(key);
    merged.set(key, {
      session: before ? advanceSession(before.session, claim) : sessionOf(claim),
      claims: [...(before?.claims ?? []), claim],
    });
  }
  return [...merged.values()];
}

function sessionOf(claim: SessionClaim): SessionsTable {
  return {
    id: claim.id,
    project_id: claim.projectId,
    created_at: claim.createdAt,
    updated_at: claim.completedAt,
    latest_interaction_at: claim.createdAt,
    interaction_count: 1,
  };
}

function advanceSession(session: SessionsTable, claim: SessionClaim): SessionsTable {
  const { createdAt, completedAt } = claim;
  const oldest = createdAt < session.created_at;
  const newest = createdAt >= session.latest_interaction_at;
  return {
    ...session,
    created_at: oldest ? createdAt : session.created_at,
    latest_interaction_at: newest ? createdAt : session.latest_interaction_at,
    updated_at: newest ? completedAt : session.updated_at,
    interaction_count: session.interaction_count + 1,
  };
}

/** In the order of ids, so that two recorders never deadlock. */
export function firstOfEachSession(claims: readonly Claim[]): readonly Claim[] {
  const first = new Map<string, Claim>();
  for (const claim of claims) {
    if (!first.has(claim.session.id)) first.set(claim.session.id, claim);
  }
  return [...first.values()].sort((a, b) => (a.session.id < b.session.id ? -1 : 1));
}

export const SESSION_COLUMNS = [
  'id',
  'project_id',
  'created_at',
  'updated_at',
  'latest_interaction_at',
  'interaction_count',
] as const satisfies readonly (keyof SessionsTable)[];

/** In the order of the columns. */
export const sessionValues = (session: SessionsTable): readonly (string | number)[] =>
  SESSION_COLUMNS.map((column) => session[column]);

/** The same arithmetic as `advanceSession`. */
export const ON_SESSION_CONFLICT = `on conflict (id) do update set
  created_at = least(sessions.created_at, excluded.created_at),
  updated_at = case when excluded.latest_interaction_at >= sessions.latest_interaction_at
    then excluded.updated_at else sessions.updated_at end,
  latest_interaction_at = greatest(sessions.latest_interaction_at, excluded.latest_interaction_at),
  interaction_count = sessions.interaction_count + excluded.interaction_count
  where sessions.project_id = excluded.project_id`;

/** Returns the ids of the sessions that belong to the claiming project. */
async function upsert(
  transaction: Transaction<Tables>,
  sessions: readonly SessionsTable[],
): Promise<ReadonlySet<string>> {
  const columns = sql.join(SESSION_COLUMNS.map((column) => sql.ref(column)));
  const values = sessions.map((session) => sql`(${sql.join(sessionValues(session))})`);
  const { rows } = await sql<{ id: string }>`
    insert into sessions (${columns}) values ${sql.join(values)} ${sql.raw(ON_SESSION_CONFLICT)}
    returning id`.execute(transaction);
  return new Set(rows.map((row) => row.id));
}
