import type { SqliteConnection } from '@trawl/database';
import { ledgerPlace, type Value } from './rows.ts';

/** What the new ledger rows of one transaction add to `usage_days`. */
export interface DaySums {
  add(row: readonly Value[]): void;
  /** One update for each sum. */
  write(connection: SqliteConnection): void;
}

const PROJECT = ledgerPlace('project_id');
const KEY = ledgerPlace('key_id');
const USER = ledgerPlace('user_id');
const PROVIDER = ledgerPlace('provider');
const CREATED = ledgerPlace('created_at');
const KEY_TAIL = ledgerPlace('key_tail');
const CALLS = ledgerPlace('calls');
const COST = ledgerPlace('cost_micros');
const CACHED_FROM = ledgerPlace('cached_from');
const SAVED = ledgerPlace('saved_micros');

/** Adds to two rows: the sum of all users, and the sum of this user or of calls without a user. */
const ADD_TO_DAY = `insert into usage_days
  (project_id, users, day, key_id, provider, user_id, key_tail, calls, unpriced_calls, cost_micros,
    cached_calls, saved_micros)
  values (?1, 'all', ?2, ?3, ?4, '', ?7, ?8, ?9, ?10, ?11, ?12),
    (?1, ?5, ?2, ?3, ?4, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
  on conflict (project_id, users, day, key_id, provider, user_id, key_tail) do update set
    calls = calls + excluded.calls,
    unpriced_calls = unpriced_calls + excluded.unpriced_calls,
    cost_micros = cost_micros + excluded.cost_micros,
    cached_calls = cached_calls + excluded.cached_calls,
    saved_micros = saved_micros + excluded.saved_micros`;

interface Sum {
  /** As the row has them. */
  readonly of: {
    readonly project: Value;
    readonly day: string;
    readonly key: Value;
    readonly provider: Value;
    readonly user: Value;
    readonly keyTail: Value;
  };
  calls: number;
  unpricedCalls: number;
  costMicros: number;
  cachedCalls: number;
  savedMicros: number;
}

export function createDaySums(): DaySums {
  const sums = new Map<string, Sum>();
  return {
    add: (row) => {
      const calls = Number(row[CALLS]);
      const isCached = (row[CACHED_FROM] ?? null) !== null;
      if (calls === 0 && !isCached) return;
      const sum = sumOf(sums, row);
      const cost = row[COST] ?? null;
      sum.calls += calls;
      if (cost === null) sum.unpricedCalls += calls;
      else sum.costMicros += Number(cost);
      sum.cachedCalls += Number(isCached);
      sum.savedMicros += Number(row[SAVED] ?? 0);
    },
    write: (connection) => {
      const statement = connection.prepare(ADD_TO_DAY);
      for (const { of, ...added } of sums.values()) {
        const { project, day, key, provider, user, keyTail } = of;
        const { calls, unpricedCalls, costMicros, cachedCalls, savedMicros } = added;
        const users = user === null ? 'none' : 'one';
        const owner = [project, day, key, provider, users, user ?? '', keyTail ?? ''];
        statement.run([...owner, calls, unpricedCalls, costMicros, cachedCalls, savedMicros]);
      }
    },
  };
}

function sumOf(sums: Map<string, Sum>, row: readonly Value[]): Sum {
  const user = row[USER] ?? null;
  const of = {
    project: row[PROJECT] ?? null,
    day: String(row[CREATED]).slice(0, 10),
    key: row[KEY] ?? null,
    provider: row[PROVIDER] ?? null,
    user,
    keyTail: row[KEY_TAIL] ?? null,
  };
  const owner = [of.project, of.day, of.key, of.provider, of.keyTail ?? ''];
  const name = [...owner, user === null ? '' : `=${user}`].join('\u0000');
  const known = sums.get(name);
  if (known) return known;
  const sum: Sum = {
    of,
    calls: 0,
    unpricedCalls: 0,
    costMicros: 0,
    cachedCalls: 0,
    savedMicros: 0,
  };
  sums.set(name, sum);
  return sum;
}
