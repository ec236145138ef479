import { sql } from 'kysely';
import type { OpenDatabase } from '../../packages/database/src/opening/open-database.ts';

export interface Filling {
  readonly interactions: number;
  readonly projects: number;
  /** How their ids begin. Default: other. */
  readonly name?: string;
}

const AT_ONCE = 50_000;

/**
 * Interactions of other projects by bulk statements: ten in a session, one run and one ledger row
 * each, with small texts, over the last twenty days.
 */
export async function fillProjects(
  { db, isEmbedded }: OpenDatabase,
  { interactions, projects, name = 'other' }: Filling,
): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  const series = (from: number, to: number, step = 1): string =>
    isEmbedded
      ? `(with recursive n(i) as (select ${from} union all select i + ${step} from n where i + ${step} <= ${to}) select i from n) as n`
      : `generate_series(${from}, ${to}, ${step}) as n(i)`;
  const project = `'${name}-' || (n.i / 10 % ${projects})`;
  const hex = (text: string) =>
    isEmbedded ? `printf('%08x', ${text})` : `lpad(to_hex(${text}), 8, '0')`;
  // spread over the days, as hashes are
  const id = (prefix: string, text: string) =>
    `'${name}-${prefix}-' || ${hex(`cast(${text} as bigint) * 40503 % 1048576 * 4096 % 2147483647`)} || (${text})`;
  const days = Array.from({ length: 20 }, (_, back) =>
    new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10),
  );
  const day = `case n.i / 10 % 20 ${days.map((text, back) => `when ${back} then '${text}'`).join(' ')} end`;
  const time = `${day} || 'T00:00:' || ${isEmbedded ? "printf('%02d', n.i % 60)" : "lpad((n.i % 60)::text, 2, '0')"} || '.000Z'`;
  const session = id('s', 'n.i / 10');
  await run(`insert into projects (id, name, created_at)
    select '${name}-' || i, '${name} ' || i, '2026-01-01T00:00:00.000Z' from ${series(0, projects - 1)}`);
  for (let from = 0; from < interactions; from += AT_ONCE) {
    const to = Math.min(from + AT_ONCE, interactions) - 1;
    await run(`insert into sessions
      select ${session}, ${project}, ${time}, ${time}, ${time}, 10 from ${series(from, to, 10)}`);
    await run(`insert into interactions (id, instance_id, session_id, project_id, key_id, status, created_at,
        completed_at, normalized_schema_version, trajectory_id, user_input, metadata, titles)
      select ${id('i', 'n.i')}, 'growth', ${session}, ${project}, ${project} || '-key', 'succeeded', ${time}, ${time}, 2,
        ${id('t', 'n.i')}, '{"query":"tidal power"}', '{}', '{"https://example.com/":"Home of the example"}'
      from ${series(from, to)}`);
    const body = isEmbedded ? '\'{"results":[]}\'' : '\'{"results":[]}\'::bytea';
    await run(`insert into runs (interaction_id, kind, position, id, name, body)
      select ${id('i', 'n.i')}, 'preprocessor', 0, ${id('r', 'n.i')}, 'one', ${body} from ${series(from, to)}`);
    await run(`insert into ledger (id, project_id, key_id, session_id, interaction_id, run_id, provider, created_at,
        calls, outcome, cost_micros, cost_source)
      select ${id('l', 'n.i')}, ${project}, ${project} || '-key', ${session}, ${id('i', 'n.i')}, ${id('r', 'n.i')}, 'one',
        ${time}, 1, 'succeeded', 5000, 'price_list' from ${series(from, to)}`);
  }
  if (!isEmbedded) {
    await run('analyze');
    return;
  }
  // on PostgreSQL a trigger did it
  await run(`insert into usage_days
    select project_id, users, substr(created_at, 1, 10), key_id, provider, '', count(*), 0, sum(cost_micros)
    from ledger cross join (select 'all' as users union all select 'none')
    where project_id like '${name}-%' group by project_id, users, substr(created_at, 1, 10), key_id, provider`);
}
