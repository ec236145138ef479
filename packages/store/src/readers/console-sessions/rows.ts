import { setImmediate as nextTurn } from 'node:timers/promises';
import type { InteractionOutcome } from '@trawl/contract';
import { type ConsoleSessionRow, USERS_IN_ROW } from '@trawl/contract/console';
import type { SessionsTable, Tables } from '@trawl/database';
import { type Kysely, type Selectable, sql } from 'kysely';
import { outcomeCounts } from '../outcome-counts.ts';
import { batches } from './batches.ts';
import { firstInput, INPUT_READ } from './first-input.ts';
import { groupedBy } from './grouped.ts';
import { type KeyNames, keyNames } from './key-names.ts';
import { readSpent, type Spent } from './spent.ts';

export type SessionHead = Omit<Selectable<SessionsTable>, 'project_id' | 'deleted_count'>;

/** Longer metadata is not read for a list. */
export const METADATA_READ = 4_000;

interface CountRow {
  readonly session_id: string;
  readonly outcome: InteractionOutcome;
  readonly key_id: string;
  readonly user_id: string | null;
  readonly count: number;
}

interface FirstRow {
  readonly session_id: string;
  readonly user_input: string | null;
  readonly normalized_schema_version: number | null;
  readonly metadata: string | null;
}

export async function readRow(
  db: Kysely<Tables>,
  projectId: string,
  sessionId: string,
): Promise<ConsoleSessionRow | undefined> {
  const heads = await db
    .selectFrom('sessions')
    .select(['id', 'created_at', 'updated_at', 'latest_interaction_at', 'interaction_count'])
    .where('id', '=', sessionId)
    .where('project_id', '=', projectId)
    .execute();
  const [row] = await readRows(db, projectId, heads);
  return row;
}

/** In the order of the heads. */
export async function readRows(
  db: Kysely<Tables>,
  projectId: string,
  heads: readonly SessionHead[],
): Promise<ConsoleSessionRow[]> {
  const rows: ConsoleSessionRow[] = [];
  for (const batch of batches(heads)) {
    const counts = groupedBy(await readCounts(db, projectId, batch), (row) => row.session_id);
    const spent = await readSpent(db, projectId, batch);
    const firsts = new Map(
      (await readFirsts(db, projectId, batch)).map((row) => [row.session_id, row]),
    );
    const keyIds = [...counts.values()].flat().map(({ key_id }) => key_id);
    const names = await keyNames(db, projectId, keyIds);
    for (const head of batch) {
      const first = firsts.get(head.id);
      rows.push(
        rowOf(head, { counts: counts.get(head.id) ?? [], spent: spent.get(head.id), first, names }),
      );
    }
    await nextTurn();
  }
  return rows;
}

interface Facts {
  readonly counts: readonly CountRow[];
  readonly spent: Spent | undefined;
  readonly first: FirstRow | undefined;
  readonly names: KeyNames;
}

function rowOf(head: SessionHead, { counts, spent, first, names }: Facts): ConsoleSessionRow {
  const users = [...new Set(counts.flatMap(({ user_id }) => user_id ?? []))].sort();
  return {
    id: head.id,
    created_at: head.created_at,
    latest_interaction_at: head.latest_interaction_at,
    duration_ms: Math.max(0, Date.parse(head.updated_at) - Date.parse(head.created_at)),
    outcomes: outcomeCounts(counts),
    interaction_count: counts.reduce((sum, { count }) => sum + count, 0),
    providers: [...(spent?.providers ?? [])],
    ...costOf(spent),
    keys: [...new Set(counts.map(({ key_id }) => key_id))].map((id) => ({
      id,
      name: names.get(id) ?? null,
    })),
    user_ids: users.slice(0, USERS_IN_ROW),
    user_count: users.length,
    input: firstInput(first?.user_input ?? null).input,
    kind: first?.normalized_schema_version === null ? 'fetch' : 'search',
    metadata_keys: first?.metadata ? Object.keys(JSON.parse(first.metadata)) : null,
  };
}

export function costOf(spent: Pick<Spent, 'micros' | 'calls' | 'unpricedCalls'> | undefined) {
  return {
    cost_micros: spent?.micros ?? null,
    calls: spent?.calls ?? 0,
    unpriced_calls: spent?.unpricedCalls ?? 0,
  };
}

const idsOf = (heads: readonly SessionHead[]) => sql.join(heads.map(({ id }) => id));

async function readCounts(
  db: Kysely<Tables>,
  projectId: string,
  heads: readonly SessionHead[],
): Promise<readonly CountRow[]> {
  const { rows } = await sql<CountRow>`
    select session_id, outcome, key_id, user_id, cast(count(*) as bigint) as count from interactions
    where session_id in (${idsOf(heads)}) and project_id = ${projectId}
    group by session_id, outcome, key_id, user_id`.execute(db);
  return rows;
}

/** The first interaction of each session. */
async function readFirsts(
  db: Kysely<Tables>,
  projectId: string,
  heads: readonly SessionHead[],
): Promise<readonly FirstRow[]> {
  const { rows } = await sql<FirstRow>`
    select session_id, substr(user_input, 1, ${sql.lit(INPUT_READ)}) as user_input,
      normalized_schema_version,
      case when length(metadata) <= ${sql.lit(METADATA_READ)} then metadata end as metadata
    from interactions where sequence in (
      select (
        select sequence from interactions as own
        where own.session_id = sessions.id and own.project_id = ${projectId}
        order by own.created_at, own.sequence limit 1
      ) from sessions where sessions.id in (${idsOf(heads)})
    )`.execute(db);
  return rows;
}
