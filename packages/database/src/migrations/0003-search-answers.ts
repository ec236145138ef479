import { type Migration, sql } from 'kysely';
import type { ColumnTypes, Statements } from './column-types.ts';

/**
 * Which recorded runs may answer an equal search again, and ledger rows of runs that were answered
 * so. A server of the version before writes none of it: its runs are not served again, and what it
 * sums up is right.
 */
export const searchAnswers = (types: ColumnTypes): Migration => ({
  up: async (db) => {
    const added = [...answers(types), ...cachedCosts(types)];
    for (const statement of added) await statement.execute(db);
    if (!types.isEmbedded) await SUM_UP_USAGE.execute(db);
  },
});

/** A table of its own: to index the runs would read all of them, while writes wait. */
const answers = ({ text, withoutRowid }: ColumnTypes): Statements => [
  sql`create table search_answers (
    interaction_id ${text} not null references interactions (id) on delete cascade,
    position integer not null,
    project_id ${text} not null,
    fingerprint ${text} not null,
    answered_at ${text} not null,
    cost_micros bigint,
    own_warnings integer not null,
    hidden ${text},
    primary key (interaction_id, position)
  ) ${withoutRowid}`,
  sql`create index search_answers_by_fingerprint
    on search_answers (project_id, fingerprint, answered_at)`,
];

const cachedCosts = ({ text }: ColumnTypes): Statements => [
  sql`alter table ledger add column cached_from ${text}`,
  sql`alter table ledger add column saved_micros bigint`,
  sql`alter table usage_days add column cached_calls bigint not null default 0`,
  sql`alter table usage_days add column saved_micros bigint not null default 0`,
];

/** As in the first release, with the runs that were answered without a call. */
const SUM_UP_USAGE = sql`create or replace function add_to_usage_days() returns trigger
  language plpgsql set search_path from current as $$
  begin
    insert into usage_days
    select project_id, users, substr(created_at, 1, 10),
      case users when 'project' then '' else key_id end,
      case when users in ('project', 'key') then '' else provider end,
      case users when 'one' then user_id else '' end,
      case when users in ('project', 'key') then '' else coalesce(key_tail, '') end,
      sum(calls), sum(case when cost_micros is null then calls else 0 end),
      coalesce(sum(cost_micros), 0), count(cached_from), coalesce(sum(saved_micros), 0)
    from added
    cross join lateral (
      values ('project'), ('key'), ('all'),
        (case when user_id is null then 'none' else 'one' end)
    ) as summed (users)
    where calls > 0 or cached_from is not null
    group by 1, 2, 3, 4, 5, 6, 7
    order by 1, 3, 4, 5, 2, 6, 7
    on conflict (project_id, users, day, key_id, provider, user_id, key_tail) do update set
      calls = usage_days.calls + excluded.calls,
      unpriced_calls = usage_days.unpriced_calls + excluded.unpriced_calls,
      cost_micros = usage_days.cost_micros + excluded.cost_micros,
      cached_calls = usage_days.cached_calls + excluded.cached_calls,
      saved_micros = usage_days.saved_micros + excluded.saved_micros;
    return null;
  end $$`;
