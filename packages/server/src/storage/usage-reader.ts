import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UsageGroup } from '@trawl/contract';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { daySlices } from './day-slices.ts';
import type { LedgerOwner, UsageReader, UsageRow, UsageWanted } from './store.ts';
import type { Tables } from './tables.ts';

/** A time's UTC day stands at its beginning. */
const DAY = sql<string | null>`substr(created_at, 1, 10)`;

/** Sums are made whole numbers of 64 bits: PostgreSQL's own would be decimals, which are read as text. */
const CALLS = sql<number>`cast(sum(calls) as bigint)`;
const UNPRICED = sql<number>`cast(sum(case when cost_micros is null then calls else 0 end) as bigint)`;
const MICROS = sql<number | null>`cast(sum(cost_micros) as bigint)`;

const GROUPS: Readonly<Record<UsageGroup, RawBuilder<string | null>>> = {
  day: DAY,
  provider: sql`provider`,
  key_id: sql`key_id`,
  user_id: sql`user_id`,
};

/** What the ledger says in sums. */
export function createUsageReader(db: Kysely<Tables>): UsageReader {
  return {
    usage: (owner, wanted) => readUsage(db, owner, wanted),
    spentMicros: async (owner, from, to) => {
      const row = await ofOwner(db, owner, from, to)
        .select(MICROS.as('micros'))
        .executeTakeFirstOrThrow();
      return row.micros ?? 0;
    },
  };
}

function ofOwner(db: Kysely<Tables>, owner: LedgerOwner, from: string, to: string) {
  return db
    .selectFrom('ledger')
    .where(owner.kind === 'key' ? 'key_id' : 'project_id', '=', owner.id)
    .where('created_at', '>=', from)
    .where('created_at', '<', to);
}

/** A day at a time: the embedded database is read on the calling thread, and other requests have their turn between. */
async function readUsage(
  db: Kysely<Tables>,
  owner: LedgerOwner,
  wanted: UsageWanted,
): Promise<readonly UsageRow[]> {
  const rows = new Map<string, UsageRow>();
  for (const { from, to } of daySlices(wanted)) {
    for (const row of await readSlice(db, owner, { ...wanted, from, to })) {
      const key = JSON.stringify(row.group);
      rows.set(key, sum(rows.get(key), row));
    }
    if (rows.size >= wanted.limit) break;
    await nextTurn();
  }
  return [...rows.values()].sort(byGroups(wanted.groups)).slice(0, wanted.limit);
}

async function readSlice(
  db: Kysely<Tables>,
  owner: LedgerOwner,
  { from, to, groups, limit }: UsageWanted,
): Promise<readonly UsageRow[]> {
  let query = ofOwner(db, owner, from, to)
    .where('calls', '>', 0)
    .select([CALLS.as('calls'), UNPRICED.as('unpriced'), MICROS.as('micros')])
    .limit(limit);
  for (const group of groups) query = query.select(GROUPS[group].as(group)).groupBy(GROUPS[group]);
  const rows = await query.execute();
  return rows.map(({ calls, unpriced, micros, ...group }) => ({
    group,
    calls,
    unpricedCalls: unpriced,
    costMicros: micros,
  }));
}

function sum(one: UsageRow | undefined, other: UsageRow): UsageRow {
  if (!one) return other;
  const isPriced = one.costMicros !== null || other.costMicros !== null;
  return {
    group: one.group,
    calls: one.calls + other.calls,
    unpricedCalls: one.unpricedCalls + other.unpricedCalls,
    costMicros: isPriced ? (one.costMicros ?? 0) + (other.costMicros ?? 0) : null,
  };
}

/** What is without a user_id comes first. */
const byGroups =
  (groups: readonly UsageGroup[]) =>
  (one: UsageRow, other: UsageRow): number => {
    for (const group of groups) {
      const [a, b] = [one.group[group] ?? '', other.group[group] ?? ''];
      if (a !== b) return a < b ? -1 : 1;
    }
    return 0;
  };
