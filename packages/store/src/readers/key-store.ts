import { PERMISSIONS, type Permission } from '@trawl/contract';
import type { ApiKey, KeyStore, Limits, Project } from '@trawl/router';
import {
  type Insertable,
  type Kysely,
  type Selectable,
  sql,
  type Transaction,
  type UpdateResult,
} from 'kysely';
import type { ApiKeysTable, ProjectsTable, Tables } from '../database/tables.ts';
import { TRIAL_PROJECT_PREFIX } from '../recorder/trial-write.ts';

/** The setting that counts the changes of projects and keys. */
const REVISION = 'keys_revision';

export function createKeyStore(db: Kysely<Tables>): KeyStore {
  return { ...keyReader(db), ...keyWriter(db) };
}

type Reading = 'revision' | 'findKey' | 'hiddenKey' | 'listKeys' | 'listProjects';

function keyReader(db: Kysely<Tables>): Pick<KeyStore, Reading> {
  return {
    revision: async () => {
      const row = await db
        .selectFrom('settings')
        .select('value')
        .where('name', '=', REVISION)
        .executeTakeFirst();
      return Number(row?.value ?? 0);
    },
    findKey: (digest) =>
      oneKey(db, (query) => query.where('digest', '=', digest).where('hidden', '=', 0)),
    hiddenKey: (projectId) =>
      oneKey(db, (query) => query.where('project_id', '=', projectId).where('hidden', '=', 1)),
    listKeys: async (projectId) => {
      const query = db
        .selectFrom('api_keys')
        .selectAll()
        .where('hidden', '=', 0)
        .where('deleted_at', 'is', null)
        .orderBy('created_at')
        .orderBy('id');
      const ofProject = projectId === undefined ? query : query.where('project_id', '=', projectId);
      return (await ofProject.execute()).map(apiKey);
    },
    listProjects: async () => {
      const query = db
        .selectFrom('projects')
        .selectAll()
        .where('id', 'not like', `${TRIAL_PROJECT_PREFIX}%`)
        .orderBy('created_at')
        .orderBy('id');
      return (await query.execute()).map(project);
    },
  };
}

const keysWithLimits = (db: Kysely<Tables>) =>
  db
    .selectFrom('api_keys')
    .innerJoin('projects', 'projects.id', 'api_keys.project_id')
    .selectAll('api_keys')
    .select([
      'projects.rate_limit as project_rate_limit',
      'projects.monthly_budget_micros as project_budget_micros',
    ])
    .where('deleted_at', 'is', null);

type KeyQuery = ReturnType<typeof keysWithLimits>;

/** A key with the limits of its project. */
async function oneKey(
  db: Kysely<Tables>,
  narrow: (query: KeyQuery) => KeyQuery,
): Promise<ApiKey | undefined> {
  const row = await narrow(keysWithLimits(db)).executeTakeFirst();
  if (!row) return undefined;
  const projectLimits = limitsOf(row.project_rate_limit, row.project_budget_micros);
  return { ...apiKey(row), ...(projectLimits ? { projectLimits } : {}) };
}

function keyWriter(db: Kysely<Tables>): Omit<KeyStore, Reading> {
  return {
    ensureKey: (key, digest) =>
      db.transaction().execute((transaction) => ensureKey(transaction, key, digest)),
    createKey: (key, digest) =>
      db.transaction().execute(async (transaction) => {
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
    revokeKey: (keyId, at) =>
      db.transaction().execute((transaction) => revokeKey(transaction, keyId, at)),
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
    limitKey: (keyId, limits) =>
      changing(db, (transaction) =>
        transaction
          .updateTable('api_keys')
          .set(limitColumns(limits))
          .where('id', '=', keyId)
          .where('deleted_at', 'is', null),
      ),
    limitProject: (name, limits) =>
      changing(db, (transaction) =>
        transaction.updateTable('projects').set(limitColumns(limits)).where('name', '=', name),
      ),
    ensureProject: (wanted) =>
      db.transaction().execute((transaction) => ensureProject(transaction, wanted)),
  };
}

/** Runs an update and returns whether it changed a row; a change also increments the revision. */
function changing(
  db: Kysely<Tables>,
  update: (transaction: Transaction<Tables>) => {
    executeTakeFirstOrThrow(): Promise<UpdateResult>;
  },
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await update(transaction).executeTakeFirstOrThrow();
    if (numUpdatedRows > 0) await bumpRevision(transaction);
    return numUpdatedRows > 0;
  });
}

async function bumpRevision(transaction: Transaction<Tables>): Promise<void> {
  await transaction
    .insertInto('settings')
    .values({ name: REVISION, value: '1' })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ value: sql`cast(cast(settings.value as bigint) + 1 as text)` }),
    )
    .execute();
}

/** What makes a key invalid. */
const ENDINGS = ['revoked_at', 'expires_at', 'disabled_at', 'deleted_at'] as const;
const VALID_AGAIN = { revoked_at: null, expires_at: null, disabled_at: null, deleted_at: null };

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
        .doUpdateSet({ permissions, ...VALID_AGAIN })
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
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows) await bumpRevision(transaction);
  const row = await transaction
    .selectFrom('projects')
    .selectAll()
    .where('name', '=', wanted.name)
    .executeTakeFirstOrThrow();
  return project(row);
}

function project(row: Selectable<ProjectsTable>): Project {
  const limits = limitsOf(row.rate_limit, row.monthly_budget_micros);
  return { id: row.id, name: row.name, createdAt: row.created_at, ...(limits ? { limits } : {}) };
}

function limitsOf(
  rateLimit: number | null,
  monthlyBudgetMicros: number | null,
): Limits | undefined {
  if (rateLimit === null && monthlyBudgetMicros === null) return undefined;
  return { rateLimit, monthlyBudgetMicros };
}

/** An update needs at least one column, so without changes the row is overwritten with itself. */
function limitColumns({ rateLimit, monthlyBudgetMicros }: Partial<Limits>) {
  return {
    rate_limit: rateLimit === undefined ? sql<number | null>`rate_limit` : rateLimit,
    monthly_budget_micros:
      monthlyBudgetMicros === undefined
        ? sql<number | null>`monthly_budget_micros`
        : monthlyBudgetMicros,
  };
}

function keyRow(key: ApiKey, digest: string): Insertable<ApiKeysTable> {
  return {
    id: key.id,
    project_id: key.projectId,
    name: key.name,
    digest,
    last_four: key.lastFour,
    permissions: JSON.stringify(key.permissions),
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    disabled_at: key.disabledAt,
    deleted_at: null,
    created_by: key.createdBy,
    allowed_providers: key.allowedProviders && JSON.stringify(key.allowedProviders),
    rotated_from: key.rotatedFrom,
    hidden: key.isHidden ? 1 : 0,
    rate_limit: key.rateLimit,
    monthly_budget_micros: key.monthlyBudgetMicros,
  };
}

function apiKey(row: Selectable<ApiKeysTable>): ApiKey {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    lastFour: row.last_four,
    permissions: permissionsOf(row.permissions),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    disabledAt: row.disabled_at,
    createdBy: row.created_by,
    allowedProviders: row.allowed_providers === null ? null : slugsOf(row.allowed_providers),
    rotatedFrom: row.rotated_from,
    isHidden: row.hidden === 1,
    rateLimit: row.rate_limit,
    monthlyBudgetMicros: row.monthly_budget_micros,
  };
}

const slugsOf = (text: string): readonly string[] => {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.filter((slug) => typeof slug === 'string') : [];
};

/** A permission that a newer trawl wrote and this version does not know is ignored. */
function permissionsOf(text: string): readonly Permission[] {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.filter(isPermission) : [];
}

function isPermission(value: unknown): value is Permission {
  return PERMISSIONS.some((permission) => permission === value);
}
