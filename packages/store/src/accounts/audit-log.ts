import type { JsonObject } from '@trawl/contract';
import type { AuditLogTable, Tables } from '@trawl/database';
import { type Insertable, type Kysely, type Selectable, type SqlBool, sql } from 'kysely';
import type { AuditEntry, AuditPage, AuditQuery } from './records.ts';

/** What was done by whom, and what was refused. Entries are never changed or deleted. */
export interface AuditLog {
  write(entry: AuditEntry): Promise<void>;
  page(query: AuditQuery): Promise<AuditPage>;
}

export function createAuditLog(db: Kysely<Tables>): AuditLog {
  return {
    write: async (entry) => {
      await db.insertInto('audit_log').values(rowOf(entry)).execute();
    },
    page: async (query) => {
      // one more than asked shows whether there is a next page
      const rows = await matching(db, query)
        .orderBy('id', 'desc')
        .limit(query.limit + 1)
        .execute();
      const entries = rows.slice(0, query.limit).map(entryOf);
      return { entries, next: rows.length > query.limit ? (entries.at(-1)?.id ?? null) : null };
    },
  };
}

function matching(db: Kysely<Tables>, query: AuditQuery) {
  const { projectId, action, actor, target, outcome, from, to, before } = query;
  let rows = db.selectFrom('audit_log').selectAll();
  if (projectId !== undefined) rows = rows.where('project_id', '=', projectId);
  if (action !== undefined) rows = rows.where(isAction(action));
  if (actor !== undefined) rows = rows.where(isNamed(actor, 'actor_id', ACTOR_NAMES));
  if (target !== undefined) rows = rows.where(isNamed(target, 'target_id', TARGET_NAMES));
  if (outcome !== undefined) rows = rows.where('outcome', '=', outcome);
  if (from !== undefined) rows = rows.where('created_at', '>=', from);
  if (to !== undefined) rows = rows.where('created_at', '<', to);
  if (before !== undefined) rows = rows.where('id', '<', before);
  return rows;
}

const ACTOR_NAMES = ['actor_name', 'actor_email'] as const;
const TARGET_NAMES = ['target_name'] as const;

const isAction = (action: string) =>
  sql<SqlBool>`(action = ${action} or action like ${`${literal(action)}.%`} escape '\\')`;

function isNamed(
  text: string,
  id: 'actor_id' | 'target_id',
  names: readonly (keyof AuditLogTable)[],
) {
  // both databases change the case of A to Z only
  const part = `%${literal(text).replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())}%`;
  const like = names.map((name) => sql`lower(${sql.ref(name)}) like ${part} escape '\\'`);
  return sql<SqlBool>`(${sql.ref(id)} = ${text} or ${sql.join(like, sql` or `)})`;
}

/** A text in a pattern of `like`, where `%` and `_` would match anything. */
const literal = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

const rowOf = (entry: AuditEntry): Insertable<AuditLogTable> => ({
  id: entry.id,
  created_at: entry.createdAt,
  project_id: entry.projectId,
  actor_kind: entry.actor.kind,
  actor_id: entry.actor.id,
  actor_name: entry.actor.name,
  actor_email: entry.actor.email,
  action: entry.action,
  target_kind: entry.target?.kind ?? null,
  target_id: entry.target?.id ?? null,
  target_name: entry.target?.name ?? null,
  outcome: entry.outcome,
  reason: entry.reason,
  detail: entry.detail && JSON.stringify(entry.detail),
  ip: entry.ip,
  user_agent: entry.userAgent,
  request_id: entry.requestId,
});

const entryOf = (row: Selectable<AuditLogTable>): AuditEntry => ({
  id: row.id,
  createdAt: row.created_at,
  projectId: row.project_id,
  actor: {
    kind: row.actor_kind,
    id: row.actor_id,
    name: row.actor_name,
    email: row.actor_email,
  },
  action: row.action,
  target:
    row.target_kind === null
      ? null
      : { kind: row.target_kind, id: row.target_id, name: row.target_name },
  outcome: row.outcome,
  reason: row.reason,
  detail: row.detail === null ? null : (JSON.parse(row.detail) as JsonObject),
  ip: row.ip,
  userAgent: row.user_agent,
  requestId: row.request_id,
});
