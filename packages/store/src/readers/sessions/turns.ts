import { type ConsoleTurn, type ConsoleTurns, TURN_ROWS } from '@trawl/contract/console';
import type { InteractionsTable, LedgerTable, Tables } from '@trawl/database';
import { type Kysely, type Selectable, sql } from 'kysely';
import { LEDGER_OF_INTERACTION } from './conditions.ts';
import { firstInput, INPUT_READ } from './first-input.ts';
import { groupedBy, METADATA_READ } from './listed-sessions.ts';
import { costOf } from './rows.ts';

type TurnRow = Pick<
  Selectable<InteractionsTable>,
  | 'id'
  | 'outcome'
  | 'created_at'
  | 'completed_at'
  | 'trajectory_goal'
  | 'user_id'
  | 'key_id'
  | 'normalized_schema_version'
> & { readonly user_input: string | null; readonly metadata: string | null };

type RunRow = Pick<
  LedgerTable,
  'interaction_id' | 'provider' | 'outcome' | 'error_code' | 'latency_ms' | 'calls' | 'cost_micros'
>;

export async function readTurns(
  db: Kysely<Tables>,
  projectId: string,
  sessionId: string,
  after: string | undefined,
): Promise<ConsoleTurns | undefined> {
  const ofSession = () =>
    db
      .selectFrom('interactions')
      .where('session_id', '=', sessionId)
      .where('project_id', '=', projectId);
  const start = await ofSession()
    .select(['created_at', 'sequence'])
    .$if(after !== undefined, (query) => query.where('id', '=', after ?? ''))
    .limit(1)
    .executeTakeFirst();
  if (!start) return undefined;
  const rows: readonly TurnRow[] = await ofSession()
    .select(['id', 'outcome', 'created_at', 'completed_at', 'trajectory_goal', 'user_id', 'key_id'])
    .select(['normalized_schema_version'])
    .select(sql<string | null>`substr(user_input, 1, ${sql.lit(INPUT_READ)})`.as('user_input'))
    .select(
      sql<
        string | null
      >`case when length(metadata) <= ${sql.lit(METADATA_READ)} then metadata end`.as('metadata'),
    )
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('created_at', 'sequence'), '>', eb.tuple(start.created_at, start.sequence)),
      ),
    )
    .orderBy('created_at')
    .orderBy('sequence')
    .limit(TURN_ROWS + 1)
    .execute();
  const page = rows.slice(0, TURN_ROWS);
  const runs = await readRuns(db, page);
  return {
    turns: page.map((row) => turnOf(row, runs.get(row.id) ?? [])),
    next_after: rows.length > TURN_ROWS ? (page.at(-1)?.id ?? null) : null,
  };
}

/** The ledger rows of these interactions, by interaction and in the order of recording. */
async function readRuns(
  db: Kysely<Tables>,
  rows: readonly TurnRow[],
): Promise<ReadonlyMap<string, readonly RunRow[]>> {
  if (rows.length === 0) return new Map();
  const { rows: runs } = await sql<RunRow>`
    select interactions.id as interaction_id, ledger.provider, ledger.outcome, ledger.error_code,
      ledger.latency_ms, ledger.calls, ledger.cost_micros
    from interactions left join ledger on ${LEDGER_OF_INTERACTION}
    where interactions.id in (${sql.join(rows.map(({ id }) => id))})
    order by ledger.id`.execute(db);
  return groupedBy(
    runs.filter(({ provider }) => provider !== null),
    ({ interaction_id }) => interaction_id,
  );
}

function turnOf(row: TurnRow, runs: readonly RunRow[]): ConsoleTurn {
  const { input, count } = firstInput(row.user_input);
  const priced = runs.flatMap(({ cost_micros }) => cost_micros ?? []);
  const calls = (some: readonly RunRow[]) => some.reduce((sum, run) => sum + run.calls, 0);
  return {
    id: row.id,
    kind: row.normalized_schema_version === null ? 'fetch' : 'search',
    input,
    input_count: count,
    goal: row.trajectory_goal,
    outcome: row.outcome,
    created_at: row.created_at,
    completed_at: row.completed_at,
    user_id: row.user_id,
    key_id: row.key_id,
    replay_of: replayOf(row.metadata),
    runs: runs.map(({ provider, outcome, error_code, latency_ms }) => ({
      provider,
      outcome,
      error_code,
      latency_ms,
    })),
    ...costOf({
      micros: priced.length > 0 ? priced.reduce((sum, micros) => sum + micros, 0) : null,
      calls: calls(runs),
      unpricedCalls: calls(runs.filter(({ cost_micros }) => cost_micros === null)),
    }),
  };
}

function replayOf(metadata: string | null): string | null {
  const { replay_of: id } = JSON.parse(metadata ?? '{}') as { readonly replay_of?: unknown };
  return typeof id === 'string' ? id : null;
}
