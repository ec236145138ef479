import type { Tables } from '@trawl/database';
import { type Kysely, sql } from 'kysely';
import { LEDGER_OF_INTERACTION } from './conditions.ts';

/** The ledger of a session. */
export interface Spent {
  /** null: no cost is known. */
  readonly micros: number | null;
  readonly calls: number;
  readonly unpricedCalls: number;
  /** By name. */
  readonly providers: readonly {
    readonly name: string;
    readonly runs: number;
    readonly failed: number;
  }[];
}

interface SpentRow {
  readonly session_id: string;
  readonly provider: string | null;
  readonly runs: number;
  readonly failed: number;
  readonly calls: number;
  readonly unpriced: number;
  readonly micros: number | null;
}

/**
 * By session; one without a ledger row is left out. A left join, because SQLite would turn an inner
 * one around and read all of the project's ledger.
 */
export async function readSpent(
  db: Kysely<Tables>,
  projectId: string,
  sessions: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, Spent>> {
  if (sessions.length === 0) return new Map();
  const { rows } = await sql<SpentRow>`
    select interactions.session_id, ledger.provider, cast(count(*) as bigint) as runs,
      cast(sum(case ledger.outcome when 'failed' then 1 else 0 end) as bigint) as failed,
      cast(sum(ledger.calls) as bigint) as calls,
      cast(sum(case when ledger.cost_micros is null then ledger.calls else 0 end) as bigint) as unpriced,
      cast(sum(ledger.cost_micros) as bigint) as micros
    from interactions left join ledger on ${LEDGER_OF_INTERACTION}
    where interactions.session_id in (${sql.join(sessions.map(({ id }) => id))})
      and interactions.project_id = ${projectId}
    group by interactions.session_id, ledger.provider
    order by ledger.provider`.execute(db);
  const spent = new Map<string, Spent>();
  for (const { provider, ...row } of rows) {
    if (provider === null) continue;
    spent.set(row.session_id, added(spent.get(row.session_id), { ...row, provider }));
  }
  return spent;
}

function added(spent: Spent | undefined, row: SpentRow & { readonly provider: string }): Spent {
  const { provider: name, runs, failed } = row;
  if (!spent) {
    const { calls, unpriced: unpricedCalls, micros } = row;
    return { micros, calls, unpricedCalls, providers: [{ name, runs, failed }] };
  }
  const isPriced = spent.micros !== null || row.micros !== null;
  return {
    micros: isPriced ? (spent.micros ?? 0) + (row.micros ?? 0) : null,
    calls: spent.calls + row.calls,
    unpricedCalls: spent.unpricedCalls + row.unpriced,
    providers: [...spent.providers, { name, runs, failed }],
  };
}
