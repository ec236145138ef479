import { given, type WebRules } from '@trawl/contract';
import { inTransaction, type Tables } from '@trawl/database';
import type { ApiKey, KeyReplacement, KeyStore, Limits, Project } from '@trawl/router';
import { type Kysely, sql, type Transaction } from 'kysely';
import { keyReader, type Reading } from './key-reads.ts';
import { keyRow, projectOf, settingColumns } from './key-rows.ts';
import { bumpRevision, changing } from './revision.ts';

/** Projects and keys in the database. */
export const createKeyStore = (db: Kysely<Tables>): KeyStore => ({
  ...keyReader(db),
  ...keyChanges(db),
});

function keyChanges(db: Kysely<Tables>): Omit<KeyStore, Reading> {
  return {
    ensureKey: (key, digest) =>
      inTransaction(db, (transaction) => ensureKey(transaction, key, digest)),
    createKey: (key, digest) =>
      inTransaction(db, async (transaction) => {
        await transaction.insertInto('api_keys').values(keyRow(key, digest)).execute();
        await bumpRevision(transaction);
      }),
    ensureHiddenKey: async (key, digest) => {
      // the database allows one for each project: of two processes at the same time, one makes it
      await db
        .insertInto('api_keys')
        .values({ ...keyRow(key, digest), hidden: 1 })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    revokeKey: (keyId, at) => inTransaction(db, (transaction) => revokeKey(transaction, keyId, at)),
    disableKey: (keyId, at) =>
      changing(db, (transaction) =>
        transaction
          .updateTable('api_keys')
          .set({ disabled_at: at === null ? null : sql<string>`coalesce(disabled_at, ${at})` })
          .where('id', '=', keyId)
          .where('deleted_at', 'is', null),
      ),
    deleteKey: (keyId, at) =>
      changing(db, (transaction) =>
        transaction
          .updateTable('api_keys')
          .set({ deleted_at: at })
          .where('id', '=', keyId)
          .where('deleted_at', 'is', null),
      ),
    changeKey: (keyId, settings) =>
      changing(db, (transaction) =>
        transaction
          .updateTable('api_keys')
          // an update needs a column: without changes a row is overwritten with itself
          .set({ id: keyId, ...settingColumns(settings) })
          .where('id', '=', keyId)
          .where('hidden', '=', 0)
          .where('deleted_at', 'is', null),
      ),
    replaceKey: (replacement) =>
      inTransaction(db, (transaction) => replaceKey(transaction, replacement)),
    limitProject: (name, limits) => limitProject(db, name, limits),
    setWebRules: (projectId, rules) => setWebRules(db, projectId, rules),
    setMcpLogin: (projectId, settings) => setMcpLogin(db, projectId, settings),
    ensureProject: (wanted) =>
      inTransaction(db, (transaction) => ensureProject(transaction, wanted)),
  };
}

const setWebRules = (db: Kysely<Tables>, projectId: string, rules: WebRules | null) =>
  changing(db, (transaction) =>
    transaction
      .updateTable('projects')
      .set({ web_rules: rules && JSON.stringify(rules) })
      .where('id', '=', projectId)
      .where('deleted_at', 'is', null),
  );

const limitProject = (
  db: Kysely<Tables>,
  name: string,
  { rateLimit, monthlyBudgetMicros }: Partial<Limits>,
) =>
  changing(db, (transaction) =>
    transaction
      .updateTable('projects')
      .set({
        name,
        ...given({ rate_limit: rateLimit, monthly_budget_micros: monthlyBudgetMicros }),
      })
      .where('name', '=', name)
      .where('deleted_at', 'is', null),
  );

const setMcpLogin = (
  db: Kysely<Tables>,
  projectId: string,
  { mcpLogin, loginBudgetMicros }: Parameters<KeyStore['setMcpLogin']>[1],
) =>
  changing(db, (transaction) =>
    transaction
      .updateTable('projects')
      .set({
        id: projectId,
        ...given({ mcp_login: mcpLogin, mcp_login_budget_micros: loginBudgetMicros }),
      })
      .where('id', '=', projectId)
      .where('deleted_at', 'is', null),
  );

/** What makes a key invalid. */
const ENDINGS = ['revoked_at', 'expires_at', 'disabled_at', 'deleted_at'] as const;
const VALID_AGAIN = { revoked_at: null, expires_at: null, disabled_at: null, deleted_at: null };

/** A key whose project was deleted moves to the one that is wanted now. */
const LIVING_PROJECT = sql<string>`case when exists (select 1 from projects
  where projects.id = api_keys.project_id and projects.deleted_at is not null)
  then excluded.project_id else api_keys.project_id end`;

async function ensureKey(
  transaction: Transaction<Tables>,
  key: ApiKey,
  digest: string,
): Promise<void> {
  const permissions = JSON.stringify(key.permissions);
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('api_keys')
    .values(keyRow(key, digest))
    .onConflict((conflict) =>
      conflict
        .column('digest')
        .doUpdateSet({ permissions, project_id: LIVING_PROJECT, ...VALID_AGAIN })
        // A start that changes nothing must not make every server reload its keys.
        .where((eb) =>
          eb.or([
            eb('api_keys.permissions', '<>', permissions),
            ...ENDINGS.map((column) => eb(`api_keys.${column}`, 'is not', null)),
          ]),
        ),
    )
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows) await bumpRevision(transaction);
}

async function revokeKey(
  transaction: Transaction<Tables>,
  keyId: string,
  at: string,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0) {
    await bumpRevision(transaction);
    return true;
  }
  const known = await transaction
    .selectFrom('api_keys')
    .select('id')
    .where('id', '=', keyId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return known !== undefined;
}

async function ensureProject(transaction: Transaction<Tables>, wanted: Project): Promise<Project> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('projects')
    .values({ id: wanted.id, name: wanted.name, created_at: wanted.createdAt })
    .onConflict((conflict) => conflict.column('name').where('deleted_at', 'is', null).doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows) await bumpRevision(transaction);
  const row = await transaction
    .selectFrom('projects')
    .selectAll()
    .where('name', '=', wanted.name)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return projectOf(row);
}

/**
 * Of two replacements at the same time, the second waits for the lock of the first, and then finds
 * its successor.
 */
async function replaceKey(
  transaction: Transaction<Tables>,
  { keyId, endsAt, successor, digest }: KeyReplacement,
): Promise<boolean> {
  const replaced = transaction
    .updateTable('api_keys')
    .where('id', '=', keyId)
    .where('hidden', '=', 0)
    .where('deleted_at', 'is', null)
    .where('revoked_at', 'is', null);
  const locked = await replaced.set({ id: keyId }).executeTakeFirstOrThrow();
  if (locked.numUpdatedRows === 0n) return false;
  const newer = await transaction
    .selectFrom('api_keys')
    .select('id')
    .where('rotated_from', '=', keyId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (newer) return false;
  const earlier = sql<string>`case when expires_at < ${endsAt} then expires_at else ${endsAt} end`;
  await replaced.set({ expires_at: earlier }).execute();
  await transaction.insertInto('api_keys').values(keyRow(successor, digest)).execute();
  // the successor is the same key with another secret
  await transaction
    .updateTable('watches')
    .set({ key_id: successor.id })
    .where('key_id', '=', keyId)
    .execute();
  await bumpRevision(transaction);
  return true;
}
