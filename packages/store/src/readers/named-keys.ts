import type { Tables } from '@trawl/database';
import type { NamedKey, NamedKeyReader } from '@trawl/router';
import type { Kysely } from 'kysely';

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
