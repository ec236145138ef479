import { setImmediate as nextTurn } from 'node:timers/promises';
import { HOUR_MS } from '@trawl/base';
import type { KeyCall } from '@trawl/contract/console';
import type { Tables } from '@trawl/database';
import { type NamedKey, type NamedKeyReader, usdOf } from '@trawl/router';
import { type Kysely, sql } from 'kysely';

/** The ledger rows of one key in one hour. */
export interface KeyHour {
  readonly keyId: string;
  /** `2026-03-02T10`, in UTC. */
  readonly hour: string;
  readonly succeeded: number;
  readonly failed: number;
}

export interface KeyFacts {
  /** null = never, as far as it was recorded. */
  readonly lastUsedAt: string | null;
  /** null = the account does not exist any more, or a command made the key. */
  readonly createdByName: string | null;
}

/** How keys are used, from the ledger. */
export interface KeyUsageReader {
  /** From the beginning of an hour, in hours that have rows. */
  hours(projectId: string, from: string, to: string): Promise<readonly KeyHour[]>;
  /** By the id of the key. */
  facts(projectId: string): Promise<ReadonlyMap<string, KeyFacts>>;
  /** How many searches, fetches and probes of each key are recorded since this time. */
  recentRequests(projectId: string, since: string): Promise<ReadonlyMap<string, number>>;
  /** The last calls of a key, newest first. */
  calls(projectId: string, keyId: string, limit: number): Promise<readonly KeyCall[]>;
}

/**
 * Hours that are read at once: the embedded database is read on the calling thread, and other
 * requests get their turn.
 */
const HOURS_AT_ONCE = 4;

export function createKeyUsageReader(db: Kysely<Tables>): KeyUsageReader {
  return {
    hours: async (projectId, from, to) => {
      const rows: KeyHour[] = [];
      const end = Date.parse(to);
      for (let start = Date.parse(from); start < end; start += HOURS_AT_ONCE * HOUR_MS) {
        const next = new Date(Math.min(start + HOURS_AT_ONCE * HOUR_MS, end)).toISOString();
        rows.push(...(await hoursOf(db, projectId, new Date(start).toISOString(), next)));
        await nextTurn();
      }
      return rows;
    },
    facts: (projectId) => factsOf(db, projectId),
    recentRequests: async (projectId, since) => {
      const { rows } = await sql<{ id: string; count: number }>`
        select key_id as id, cast(count(distinct interaction_id) as integer) as count
        from ledger where project_id = ${projectId} and created_at >= ${since}
        group by key_id`.execute(db);
      return new Map(rows.map(({ id, count }) => [id, count]));
    },
    calls: async (projectId, keyId, limit) => {
      const rows = await db
        .selectFrom('ledger')
        .select(['id', 'created_at', 'session_id', 'interaction_id', 'provider', 'outcome'])
        .select(['error_code', 'latency_ms', 'cost_micros'])
        .where('key_id', '=', keyId)
        .where('project_id', '=', projectId)
        .orderBy('created_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ cost_micros, ...row }) => ({ ...row, cost_usd: usdOf(cost_micros) }));
    },
  };
}

async function hoursOf(
  db: Kysely<Tables>,
  projectId: string,
  from: string,
  to: string,
): Promise<readonly KeyHour[]> {
  // the time of a row starts with its hour in UTC
  const { rows } = await sql<KeyHour>`
    select key_id as "keyId", substr(created_at, 1, 13) as hour,
      cast(sum(case outcome when 'succeeded' then 1 else 0 end) as integer) as succeeded,
      cast(sum(case outcome when 'succeeded' then 0 else 1 end) as integer) as failed
    from ledger where project_id = ${projectId} and created_at >= ${from} and created_at < ${to}
    group by 1, 2`.execute(db);
  return rows;
}

async function factsOf(
  db: Kysely<Tables>,
  projectId: string,
): Promise<ReadonlyMap<string, KeyFacts>> {
  const rows = await db
    .selectFrom('api_keys')
    .leftJoin('console_users', 'console_users.id', 'api_keys.created_by')
    .select(['api_keys.id', 'console_users.name as createdByName'])
    .select((eb) =>
      eb
        .selectFrom('ledger')
        .select(({ fn }) => fn.max('ledger.created_at').as('at'))
        .whereRef('ledger.key_id', '=', 'api_keys.id')
        .as('lastUsedAt'),
    )
    .where('api_keys.project_id', '=', projectId)
    .where('api_keys.hidden', '=', 0)
    .where('api_keys.deleted_at', 'is', null)
    .execute();
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}

/**
 * Reads the keys that usage may name, in the order of their making: deleted ones and the console's
 * own included.
 */
export function createNamedKeyReader(db: Kysely<Tables>): NamedKeyReader {
  return async (projectId) => {
    const rows = await db
      .selectFrom('api_keys')
      .select(['id', 'name', 'expires_at', 'revoked_at', 'disabled_at'])
      .select(['deleted_at', 'hidden', 'monthly_budget_micros'])
      .where('project_id', '=', projectId)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map(
      (row): NamedKey => ({
        id: row.id,
        name: row.name,
        isHidden: row.hidden === 1,
        expiresAt: row.expires_at,
        revokedAt: row.revoked_at,
        disabledAt: row.disabled_at,
        deletedAt: row.deleted_at,
        monthlyBudgetMicros: row.monthly_budget_micros,
      }),
    );
  };
}
