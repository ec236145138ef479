import { type ConsoleSessionRow, USERS_IN_ROW } from '@trawl/contract/console';
import type { Tables } from '@trawl/database';
import { usdOf } from '@trawl/router';
import type { Kysely } from 'kysely';
import { firstInput, INPUT_READ } from './first-input.ts';
import { durationOf, readHeads, type SessionHead } from './heads.ts';
import { type KeyNames, keyNames } from './key-names.ts';
import { type ListedSession, outcomeCounts, readListedSessions } from './listed-sessions.ts';
import type { Spent } from './spent.ts';

export async function readRow(
  db: Kysely<Tables>,
  projectId: string,
  sessionId: string,
): Promise<ConsoleSessionRow | undefined> {
  const heads = await readHeads(db, projectId, { ids: [sessionId] });
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
  for await (const batch of readListedSessions(db, projectId, heads, INPUT_READ)) {
    const keyIds = batch.flatMap(({ counts }) => counts.map(({ key_id }) => key_id));
    const names = await keyNames(db, projectId, keyIds);
    rows.push(...batch.map((facts) => rowOf(facts, names)));
  }
  return rows;
}

function rowOf({ head, counts, spent, first }: ListedSession, names: KeyNames): ConsoleSessionRow {
  const users = [...new Set(counts.flatMap(({ user_id }) => user_id ?? []))].sort();
  return {
    id: head.id,
    created_at: head.created_at,
    latest_interaction_at: head.latest_interaction_at,
    duration_ms: durationOf(head),
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
    cost_usd: usdOf(spent?.micros ?? null),
    calls: spent?.calls ?? 0,
    unpriced_calls: spent?.unpricedCalls ?? 0,
  };
}
