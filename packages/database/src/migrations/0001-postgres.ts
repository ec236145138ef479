import { sql } from 'kysely';
import type { ColumnTypes, Statements } from './column-types.ts';

/** What only PostgreSQL has: its trigger sums up usage, and its functions lease to many servers. */
export const postgresOnly = (types: ColumnTypes): Statements => [...usageTrigger, ...leases(types)];

/**
 * Adds new ledger rows to `usage_days`, all rows of a statement at once, with one update for each
 * sum. The totals of each key and of each project are kinds of `users`, so that a check of a budget
 * reads at most 31 rows. Ledger rows without a call are left out.
 *
 * Servers lock the total of a project first, then that of a key, then the sums of its providers, so
 * two servers never deadlock. The recorder writes the ledger rows of a transaction in one
 * statement.
 */
const usageTrigger: Statements = [
  sql`create function add_to_usage_days() returns trigger language plpgsql
    set search_path from current as $$
  begin
    insert into usage_days
    select project_id, users, substr(created_at, 1, 10),
      case users when 'project' then '' else key_id end,
      case when users in ('project', 'key') then '' else provider end,
      case users when 'one' then user_id else '' end,
      case when users in ('project', 'key') then '' else coalesce(key_tail, '') end,
      sum(calls), sum(case when cost_micros is null then calls else 0 end),
      coalesce(sum(cost_micros), 0)
    from added
    cross join lateral (
      values ('project'), ('key'), ('all'),
        (case when user_id is null then 'none' else 'one' end)
    ) as summed (users)
    where calls > 0
    group by 1, 2, 3, 4, 5, 6, 7
    order by 1, 3, 4, 5, 2, 6, 7
    on conflict (project_id, users, day, key_id, provider, user_id, key_tail) do update set
      calls = usage_days.calls + excluded.calls,
      unpriced_calls = usage_days.unpriced_calls + excluded.unpriced_calls,
      cost_micros = usage_days.cost_micros + excluded.cost_micros;
    return null;
  end $$`,
  sql`create trigger ledger_to_usage_days after insert on ledger
    referencing new table as added for each statement execute function add_to_usage_days()`,
];

/** Rows live for seconds, so dead ones are removed early. */
const SHORT_LIVED = sql`with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`;

/**
 * What servers of one database agree on while requests are in progress: the money that is reserved,
 * and who executes a repeatable request. Each lease ends in the transaction that records its
 * request, or at a time of the database's clock. The one server of an embedded database keeps this
 * in memory.
 */
const leases = ({ text, moment }: ColumnTypes): Statements => [
  sql`create table budget_leases (
    id ${text} not null,
    owner_kind ${text} not null,
    owner_id ${text} not null,
    month ${text} not null,
    micros bigint not null,
    expires_at ${moment} not null,
    primary key (owner_kind, owner_id, month, id)
  ) ${SHORT_LIVED}`,
  sql`create index budget_leases_by_id on budget_leases (id)`,
  sql`create table repeat_leases (
    id ${text} not null unique,
    key_id ${text} not null,
    idempotency_key ${text} not null,
    body_digest ${text} not null,
    expires_at ${moment} not null,
    primary key (key_id, idempotency_key)
  ) ${SHORT_LIVED}`,
  HOLD_BUDGETS,
  CLAIM_REPEAT,
];

/**
 * Reserves amounts for requests, each on both of its budgets or on none; or only checks. A request
 * has a key, a project, or both; null = without a budget. Returns a row for each refused request:
 * the first budget that has less left, or neither where the caller's clock is wrong.
 *
 * Callers of one budget take turns, in the order of numbers, so they never deadlock. Sums are read
 * after the turn was given, so the earlier callers' leases are in them, and in one statement, so a
 * record that ends a lease and books its cost is in them exactly once. Limits are read here too: a
 * server may not know yet that one was changed.
 */
const HOLD_BUDGETS = sql`
create function hold_budgets(
  only_check boolean, leases text[], key_ids text[], project_ids text[], amounts bigint[],
  month_from text, month_to text, lease_ms bigint, asked_at_ms bigint, clock_tolerance_ms bigint
) returns table (
  request int, budget_kind text, limit_micros bigint, spent_micros bigint, reserved_micros bigint,
  ahead_ms bigint
) language plpgsql set search_path from current as $$
declare
  turn bigint;
  clock_ahead_ms bigint := asked_at_ms - floor(extract(epoch from clock_timestamp()) * 1000);
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'budgets need the isolation level "read committed"';
  end if;
  if abs(clock_ahead_ms) > clock_tolerance_ms then
    return query select place, null, null::bigint, null::bigint, null::bigint, clock_ahead_ms
      from generate_series(1, cardinality(amounts)) as place;
    return;
  end if;
  if not only_check then
    for turn in
      select distinct hashtextextended(concat_ws(' ', current_schema(), owner.kind, owner.id), 0)
      from (
        select 'key', unnest(key_ids) union all select 'project', unnest(project_ids)
      ) as owner (kind, id)
      where owner.id is not null order by 1
    loop
      perform pg_advisory_xact_lock(turn);
    end loop;
  end if;
  for place in 1 .. cardinality(amounts) loop
    return query
      select place, budget.kind, budget.limit_micros, spent.micros, reserved.micros, clock_ahead_ms
      from (values
        ('key', key_ids[place], (
          select monthly_budget_micros from api_keys where id = key_ids[place])),
        ('project', project_ids[place], (
          select monthly_budget_micros from projects where id = project_ids[place]))
      ) as budget (kind, id, limit_micros)
      cross join lateral (
        select coalesce(case budget.kind
          when 'key' then (
            select sum(cost_micros) from usage_days
            where key_id = budget.id and users = 'key' and day >= month_from and day < month_to)
          else (
            select sum(cost_micros) from usage_days
            where project_id = budget.id and users = 'project'
              and day >= month_from and day < month_to)
        end, 0)::bigint as micros
      ) as spent
      cross join lateral (
        select coalesce(sum(budget_leases.micros), 0)::bigint as micros from budget_leases
        where owner_kind = budget.kind and owner_id = budget.id and month = month_from
          and expires_at > clock_timestamp()
      ) as reserved
      where budget.id is not null and (spent.micros >= budget.limit_micros
        or spent.micros + reserved.micros + amounts[place] > budget.limit_micros)
      order by budget.kind limit 1;
    if not found and not only_check then
      insert into budget_leases (id, owner_kind, owner_id, month, micros, expires_at)
      select leases[place], budget.kind, budget.id, month_from, amounts[place],
        clock_timestamp() + lease_ms * interval '1 millisecond'
      from (
        values ('key', key_ids[place]), ('project', project_ids[place])
      ) as budget (kind, id)
      where budget.id is not null;
    end if;
  end loop;
end $$`;

/**
 * The answer that is recorded for a repeatable request, or a new lease for it, or the lease of the
 * server that executes it. The answer is looked for again after the lease was taken: it is recorded
 * in the transaction that ends the earlier lease, which a caller that wants the same row waits for.
 */
const CLAIM_REPEAT = sql`
create function claim_repeat(
  lease text, wanted_key text, wanted_idempotency_key text, digest text, lease_ms bigint,
  valid_ms bigint
) returns table (
  state text, body_digest text, interaction_id text, session_id text, ends_in_ms bigint
) language plpgsql set search_path from current as $$
#variable_conflict use_column
declare
  valid_from text := to_char(
    (clock_timestamp() - valid_ms * interval '1 millisecond') at time zone 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
begin
  for attempt in 1 .. 2 loop
    return query
      select 'answered', repeats.body_digest, repeats.interaction_id, interactions.session_id,
        0::bigint
      from repeats join interactions on interactions.id = repeats.interaction_id
      where repeats.key_id = wanted_key and idempotency_key = wanted_idempotency_key
        and repeats.created_at >= valid_from;
    if found then
      if attempt = 2 then
        delete from repeat_leases where id = lease;
      end if;
      return;
    end if;
    exit when attempt = 2;
    insert into repeat_leases (id, key_id, idempotency_key, body_digest, expires_at)
    values (lease, wanted_key, wanted_idempotency_key, digest,
      clock_timestamp() + lease_ms * interval '1 millisecond')
    on conflict (key_id, idempotency_key) do update
      set id = excluded.id, body_digest = excluded.body_digest, expires_at = excluded.expires_at
      where repeat_leases.expires_at <= clock_timestamp();
    if not found then
      return query
        select 'running', repeat_leases.body_digest, null::text, null::text,
          ceil(extract(epoch from repeat_leases.expires_at - clock_timestamp()) * 1000)::bigint
        from repeat_leases
        where key_id = wanted_key and idempotency_key = wanted_idempotency_key;
      return;
    end if;
  end loop;
  return query select 'granted', digest, null::text, null::text, 0::bigint;
end $$`;
