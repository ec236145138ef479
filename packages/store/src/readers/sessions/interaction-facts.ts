import type { ConsoleInteractionFacts, LedgerCall } from '@trawl/contract/console';
import type { InteractionsTable, LedgerTable, Tables } from '@trawl/database';
import { usdOf } from '@trawl/router';
import { type Kysely, type Selectable, sql } from 'kysely';
import { keyNames } from './key-names.ts';

type Row = Pick<
  Selectable<InteractionsTable>,
  'id' | 'session_id' | 'outcome' | 'created_at' | 'sequence' | 'key_id' | 'user_id'
>;

export async function readFacts(
  db: Kysely<Tables>,
  projectId: string,
  interactionId: string,
): Promise<ConsoleInteractionFacts | undefined> {
  const row: Row | undefined = await db
    .selectFrom('interactions')
    .select(['id', 'session_id', 'outcome', 'created_at', 'sequence', 'key_id', 'user_id'])
    .where('id', '=', interactionId)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (!row) return undefined;
  const calls = await db
    .selectFrom('ledger')
    .selectAll()
    .where('project_id', '=', projectId)
    // a ledger row has the time of its interaction, so the index over project and time finds it
    .where('created_at', '=', row.created_at)
    .where('interaction_id', '=', row.id)
    .orderBy('id')
    .execute();
  const names = await keyNames(db, projectId, [row.key_id]);
  return {
    outcome: row.outcome,
    key: { id: row.key_id, name: names.get(row.key_id) ?? null },
    user_id: row.user_id,
    calls: calls.map(callOf),
    previous_id: await neighbour(db, projectId, row, 'previous'),
    next_id: await neighbour(db, projectId, row, 'next'),
  };
}

const callOf = (row: LedgerTable): LedgerCall => ({
  run_id: row.run_id,
  provider: row.provider,
  batch_index: row.batch_index,
  calls: row.calls,
  outcome: row.outcome,
  error_code: row.error_code,
  cost_usd: usdOf(row.cost_micros),
  cost_source: row.cost_source,
  latency_ms: row.latency_ms,
  key_tail: row.key_tail,
});

async function neighbour(
  db: Kysely<Tables>,
  projectId: string,
  row: Row,
  side: 'previous' | 'next',
): Promise<string | null> {
  const [compare, order] =
    side === 'next'
      ? [sql`>`, sql`created_at, sequence`]
      : [sql`<`, sql`created_at desc, sequence desc`];
  const { rows } = await sql<{ id: string }>`
    select id from interactions
    where session_id = ${row.session_id} and project_id = ${projectId}
      and (created_at, sequence) ${compare} (${row.created_at}, ${row.sequence})
    order by ${order} limit 1`.execute(db);
  return rows[0]?.id ?? null;
}
