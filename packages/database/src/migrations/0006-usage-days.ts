import { type Kysely, type Migration, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/**
 * Sums of the ledger by day, so that usage and budgets need not read every row. `users` says what a row adds up: the
 * calls of `all` users, those without a user (`none`), or those of `one` user, in `user_id`. Ledger rows without a call
 * are left out.
 *
 * A trigger adds each new ledger row, so rows of a server of an older version are included. The trigger is created
 * before the sums are filled: this locks the ledger, so nothing is written in between.
 */
export function usageDays({ text, withoutRowid, triggers }: ColumnTypes): Migration {
  return {
    up: async (db) => {
      await db.schema
        .createTable('usage_days')
        .addColumn('project_id', text, (column) => column.notNull())
        .addColumn('users', text, (column) => column.notNull())
        .addColumn('day', text, (column) => column.notNull())
        .addColumn('key_id', text, (column) => column.notNull())
        .addColumn('provider', text, (column) => column.notNull())
        .addColumn('user_id', text, (column) => column.notNull())
        .addColumn('calls', 'bigint', (column) => column.notNull())
        .addColumn('unpriced_calls', 'bigint', (column) => column.notNull())
        .addColumn('cost_micros', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('usage_days_pkey', [
          'project_id',
          'users',
          'day',
          'key_id',
          'provider',
          'user_id',
        ])
        .modifyEnd(withoutRowid)
        .execute();
      await db.schema
        .createIndex('usage_days_by_key')
        .on('usage_days')
        .columns(['key_id', 'users', 'day'])
        .execute();
      for (const statement of TRIGGERS[triggers]) await sql.raw(statement).execute(db);
      await fill(db);
    },
  };
}

const ADD = `
  on conflict (project_id, users, day, key_id, provider, user_id) do update set
    calls = usage_days.calls + excluded.calls,
    unpriced_calls = usage_days.unpriced_calls + excluded.unpriced_calls,
    cost_micros = usage_days.cost_micros + excluded.cost_micros`;

/** The values that one new ledger row adds. `users` and `user_id` are SQL. */
const valuesOf = (users: string, userId: string): string => `
  new.project_id, ${users}, substr(new.created_at, 1, 10), new.key_id, new.provider, ${userId},
  new.calls, case when new.cost_micros is null then new.calls else 0 end,
  coalesce(new.cost_micros, 0)`;

/** @param condition SQL of the rows that it adds */
export const rowTrigger = (condition: string): string =>
  `create trigger ledger_to_usage_days after insert on ledger when ${condition} begin
      insert into usage_days values (${valuesOf("'all'", "''")}) ${ADD};
      insert into usage_days values (${valuesOf(
        "case when new.user_id is null then 'none' else 'one' end",
        "coalesce(new.user_id, '')",
      )}) ${ADD};
    end`;

const TRIGGERS: Readonly<Record<ColumnTypes['triggers'], readonly string[]>> = {
  row: [rowTrigger('new.calls > 0')],
  // All rows of a statement at once, with one update per sum. Servers lock the sums of a day, key and provider in
  // order, the sum of all users first, so that two servers never deadlock. The recorder writes its ledger rows in the
  // same order.
  statement: [
    `create function add_to_usage_days() returns trigger language plpgsql
      set search_path from current as $$
    begin
      insert into usage_days
      select project_id, users, substr(created_at, 1, 10), key_id, provider,
        case users when 'one' then user_id else '' end,
        sum(calls), sum(case when cost_micros is null then calls else 0 end),
        coalesce(sum(cost_micros), 0)
      from added
      cross join lateral (
        values ('all'), (case when user_id is null then 'none' else 'one' end)
      ) as summed (users)
      where calls > 0
      group by 1, 2, 3, 4, 5, 6
      order by 1, 3, 4, 5, 2, 6
      ${ADD};
      return null;
    end $$`,
    `create trigger ledger_to_usage_days after insert on ledger
      referencing new table as added for each statement execute function add_to_usage_days()`,
  ],
};

/** Fills the sums one day of a project at a time, over an index, so memory is limited to one day of the ledger. */
async function fill(db: Kysely<unknown>): Promise<void> {
  const projects = await sql<{ id: string }>`
    select distinct project_id as id from ledger`.execute(db);
  for (const { id } of projects.rows) {
    let day = await firstDay(db, id, '');
    while (day !== null) {
      await fillDay(db, id, day);
      day = await firstDay(db, id, lastMoment(day));
    }
  }
}

/** The day of the project's first ledger row after this time. */
async function firstDay(
  db: Kysely<unknown>,
  projectId: string,
  after: string,
): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select substr(min(created_at), 1, 10) as day from ledger
    where project_id = ${projectId} and created_at > ${after}`.execute(db);
  return rows[0]?.day ?? null;
}

async function fillDay(db: Kysely<unknown>, projectId: string, day: string): Promise<void> {
  await sql`
    insert into usage_days
    select project_id, case when user_id is null then 'none' else 'one' end, ${sql.lit(day)},
      key_id, provider, coalesce(user_id, ''), sum(calls),
      sum(case when cost_micros is null then calls else 0 end), coalesce(sum(cost_micros), 0)
    from ledger
    where project_id = ${projectId} and created_at >= ${day} and created_at <= ${lastMoment(day)}
      and calls > 0
    group by project_id, user_id, key_id, provider`.execute(db);
  await sql`
    insert into usage_days
    select project_id, 'all', day, key_id, provider, '', sum(calls), sum(unpriced_calls),
      sum(cost_micros)
    from usage_days
    where project_id = ${projectId} and users in ('none', 'one') and day = ${day}
    group by project_id, day, key_id, provider`.execute(db);
}

/** Sorts after all times of the day, which are written `2026-03-02T10:00:00.000Z`. */
const lastMoment = (day: string): string => `${day}T~`;
