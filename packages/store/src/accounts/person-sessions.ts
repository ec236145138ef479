import type { OpenDatabase } from '@trawl/database';
import { isoOf, type SessionRecord, timeValue } from './records.ts';

export interface PersonSessions {
  /** Those in force, newest first. */
  list(personId: string, now: string): Promise<readonly SessionRecord[]>;
  /** false when the person has no such session. */
  end(personId: string, sessionId: string): Promise<boolean>;
  /** Returns how many ended. */
  endOthers(personId: string, keptSessionId: string): Promise<number>;
  /** Deletes those of all people that are not in force any more. */
  deleteExpired(now: string): Promise<void>;
}

export function createPersonSessions(database: OpenDatabase): PersonSessions {
  const { db } = database;
  return {
    list: async (personId, now) => {
      const rows = await db
        .selectFrom('console_sessions')
        .select(['id', 'created_at', 'updated_at', 'expires_at', 'ip_address', 'user_agent'])
        .where('user_id', '=', personId)
        .where('expires_at', '>', timeValue(database, now))
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute();
      return rows.map((row) => ({
        id: row.id,
        createdAt: isoOf(row.created_at),
        lastUsedAt: isoOf(row.updated_at),
        expiresAt: isoOf(row.expires_at),
        address: row.ip_address || null,
        userAgent: row.user_agent || null,
      }));
    },
    end: async (personId, sessionId) => {
      const { numDeletedRows } = await db
        .deleteFrom('console_sessions')
        .where('user_id', '=', personId)
        .where('id', '=', sessionId)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0;
    },
    endOthers: async (personId, keptSessionId) => {
      const { numDeletedRows } = await db
        .deleteFrom('console_sessions')
        .where('user_id', '=', personId)
        .where('id', '<>', keptSessionId)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
    deleteExpired: async (now) => {
      await db
        .deleteFrom('console_sessions')
        .where('expires_at', '<=', timeValue(database, now))
        .execute();
    },
  };
}
