import { HOUR_MS, isoTime } from '@trawl/base';
import type { AlertsTable, OpenDatabase, Tables } from '@trawl/database';
import { type Kysely, sql } from 'kysely';

/** One alert that was sent or is being sent. */
export interface LoggedAlert {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly message: string;
  readonly state: AlertsTable['state'];
  readonly tries: number;
  /** Why the last try failed. */
  readonly problem: string | null;
}

/** How sending an alert ended. */
export type AlertEnd = Pick<LoggedAlert, 'tries' | 'problem'>;

/** The alerts of all servers of a database: who may send one, and the result of it. */
export interface AlertLog {
  /**
   * Writes an alert, unless one about the same subject is there that is less than an hour old; then
   * false. Of servers that ask at once, one gets true.
   */
  claim(
    alert: Pick<LoggedAlert, 'id' | 'type' | 'subject' | 'message'>,
    at: number,
  ): Promise<boolean>;
  end(id: string, end: AlertEnd): Promise<void>;
  /** The newest first. */
  latest(limit: number): Promise<readonly LoggedAlert[]>;
}

/** As many rows of watches stay, and as many of others: by them an alert is not sent twice. */
const KEPT = 1_000;

export function createAlertLog({
  db,
  isEmbedded,
}: Pick<OpenDatabase, 'db' | 'isEmbedded'>): AlertLog {
  return {
    claim: (alert, at) =>
      db.transaction().execute(async (transaction) => {
        // SQLite's transactions take the write lock at their start
        if (!isEmbedded) {
          await sql`lock table alerts in share row exclusive mode`.execute(transaction);
        }
        if (await isRecent(transaction, alert.subject, at)) return false;
        const { id, type, subject, message } = alert;
        const start = {
          created_at: isoTime(at),
          state: 'sending',
          tries: 0,
          problem: null,
        } as const;
        await transaction
          .insertInto('alerts')
          .values({ id, type, subject, message, ...start })
          .execute();
        await deleteOld(transaction, type);
        return true;
      }),
    end: async (id, { tries, problem }) => {
      const state = problem === null ? 'delivered' : 'failed';
      await db.updateTable('alerts').set({ state, tries, problem }).where('id', '=', id).execute();
    },
    latest: async (limit) => {
      const rows = await db
        .selectFrom('alerts')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ created_at: createdAt, ...row }) => ({ ...row, createdAt }));
    },
  };
}

/** Alerts of a server whose clock runs far ahead do not count. */
async function isRecent(db: Kysely<Tables>, subject: string, at: number): Promise<boolean> {
  const found = await db
    .selectFrom('alerts')
    .select('id')
    .where('subject', '=', subject)
    .where('created_at', '>', isoTime(at - HOUR_MS))
    .where('created_at', '<', isoTime(at + HOUR_MS))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Of its kind: runs of watches are many, and must not push out others. */
async function deleteOld(db: Kysely<Tables>, type: string): Promise<void> {
  const ofKind = type === 'watch' ? '=' : '<>';
  const oldest = db
    .selectFrom('alerts')
    .select('created_at')
    .where('type', ofKind, 'watch')
    .orderBy('created_at', 'desc')
    .offset(KEPT)
    .limit(1);
  await db
    .deleteFrom('alerts')
    .where('type', ofKind, 'watch')
    .where('created_at', '<=', oldest)
    .execute();
}
