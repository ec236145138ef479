import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UsageGroup } from '@trawl/contract';
import type { Tables } from '@trawl/database';
import type { LedgerOwner, UsageReader, UsageRow, UsageWanted } from '@trawl/router';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { usageParts } from './day-slices.ts';
import type { TimeSpan } from './run-records.ts';

/**
 * How many days are read at once: the embedded database is read on the calling thread, and other
 * requests get their turn in between. By user there may be many rows per day.
 */
const DAYS_AT_ONCE = 31;
const DAYS_AT_ONCE_BY_USER = 14;

/** One of the two tables that usage is read from, with the expressions that both support. */
interface Source {
  /** The rows of an owner in a time span. */
  readonly rows: (owner: LedgerOwner, span: TimeSpan, byUser: boolean) => RawBuilder<unknown>;
  readonly groups: Readonly<Record<UsageGroup, RawBuilder<unknown>>>;
  /**
   * Calls without a known cost, and the known cost, of all rows of a group; the cost is null when
   * it is not known for any of them.
   */
  readonly unpriced: RawBuilder<unknown>;
  readonly micros: RawBuilder<unknown>;
  readonly cached: RawBuilder<unknown>;
}

const column = ({ kind }: LedgerOwner) => sql.ref(kind === 'key' ? 'key_id' : 'project_id');

/** Single rows, for the part of a day at the start or end of a span. */
const LEDGER: Source = {
  rows: (owner, { from, to }) => sql`ledger where ${column(owner)} = ${owner.id}
    and created_at >= ${from} and created_at < ${to}
    and (calls > 0 or cached_from is not null)`,
  // the time of a row starts with its day in UTC
  groups: {
    day: sql`substr(created_at, 1, 10)`,
    provider: sql`provider`,
    key_id: sql`key_id`,
    user_id: sql`user_id`,
    key_tail: sql`key_tail`,
  },
  unpriced: sql`sum(case when cost_micros is null then calls else 0 end)`,
  // a run that was served has a cost of nothing, which is no known cost of a call
  micros: sql`sum(case when calls > 0 then cost_micros end)`,
  cached: sql`count(cached_from)`,
};

/** Sums, for whole days. */
const DAYS: Source = {
  rows: (owner, { from, to }, byUser) => sql`usage_days where ${column(owner)} = ${owner.id}
    and users in (${byUser ? sql`'none', 'one'` : sql`'all'`})
    and day >= ${from.slice(0, 10)} and day < ${to.slice(0, 10)}`,
  groups: {
    day: sql`day`,
    provider: sql`provider`,
    key_id: sql`key_id`,
    user_id: sql`case users when 'one' then user_id end`,
    key_tail: sql`nullif(key_tail, '')`,
  },
  unpriced: sql`sum(unpriced_calls)`,
  micros: sql`case when sum(calls) > sum(unpriced_calls) then sum(cost_micros) end`,
  cached: sql`sum(cached_calls)`,
};

/** Reads usage: sums over the ledger. */
export function createUsageReader(db: Kysely<Tables>): UsageReader {
  return {
    usage: (owner, wanted) => readUsage(db, owner, wanted),
    spentMicros: async (owner, from, to) => {
      const [row] = await readUsage(db, owner, { from, to, groups: [], limit: 1 });
      return row?.costMicros ?? 0;
    },
  };
}

async function readUsage(
  db: Kysely<Tables>,
  owner: LedgerOwner,
  wanted: UsageWanted,
): Promise<readonly UsageRow[]> {
  const rows = new Map<string, UsageRow>();
  const daysAtOnce = wanted.groups.includes('user_id') ? DAYS_AT_ONCE_BY_USER : DAYS_AT_ONCE;
  for (const part of usageParts(wanted, daysAtOnce)) {
    const source = part.wholeDays ? DAYS : LEDGER;
    for (const row of await readPart(db, source, owner, { ...wanted, ...part })) {
      const key = JSON.stringify(row.group);
      rows.set(key, sum(rows.get(key), row));
    }
    if (wanted.groups.length > 0 && rows.size >= wanted.limit) break;
    await nextTurn();
  }
  return [...rows.values()].sort(byGroups(wanted.groups)).slice(0, wanted.limit);
}

/** Sums are cast to 64-bit integers: PostgreSQL would return decimals, which are read as text. */
async function readPart(
  db: Kysely<Tables>,
  source: Source,
  owner: LedgerOwner,
  wanted: UsageWanted,
): Promise<readonly UsageRow[]> {
  const names = wanted.groups;
  const terms = names.map((name) => source.groups[name]);
  const { rows } = await sql<SumRow>`
    select
      ${sql.join(
        names.map((name, index) => sql`${terms[index]} as ${sql.ref(name)},`),
        sql` `,
      )}
      cast(sum(calls) as bigint) as calls,
      cast(${source.unpriced} as bigint) as unpriced,
      cast(${source.micros} as bigint) as micros,
      cast(${source.cached} as bigint) as cached,
      cast(sum(saved_micros) as bigint) as saved
    from ${source.rows(owner, wanted, names.includes('user_id'))}
    ${terms.length > 0 ? sql`group by ${sql.join(terms)}` : sql``}
    limit ${sql.lit(wanted.limit)}`.execute(db);
  return rows
    .filter(({ calls }) => calls !== null)
    .map(({ calls, unpriced, micros, cached, saved, ...group }) => ({
      group,
      calls: calls ?? 0,
      unpricedCalls: unpriced ?? 0,
      costMicros: micros,
      cachedCalls: cached ?? 0,
      savedMicros: saved ?? 0,
    }));
}

/** Without groups there is exactly one row, with nulls when no rows match. */
interface SumRow extends Partial<Record<UsageGroup, string | null>> {
  readonly calls: number | null;
  readonly unpriced: number | null;
  readonly micros: number | null;
  readonly cached: number | null;
  readonly saved: number | null;
}

function sum(one: UsageRow | undefined, other: UsageRow): UsageRow {
  if (!one) return other;
  const isPriced = one.costMicros !== null || other.costMicros !== null;
  return {
    group: one.group,
    calls: one.calls + other.calls,
    unpricedCalls: one.unpricedCalls + other.unpricedCalls,
    costMicros: isPriced ? (one.costMicros ?? 0) + (other.costMicros ?? 0) : null,
    cachedCalls: one.cachedCalls + other.cachedCalls,
    savedMicros: one.savedMicros + other.savedMicros,
  };
}

/** Rows without a user_id come first. */
const byGroups =
  (groups: readonly UsageGroup[]) =>
  (one: UsageRow, other: UsageRow): number => {
    for (const group of groups) {
      const [a, b] = [one.group[group] ?? '', other.group[group] ?? ''];
      if (a !== b) return a < b ? -1 : 1;
    }
    return 0;
  };
