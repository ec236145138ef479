import { CompiledQuery } from 'kysely';
import {
  firstOfEachSession,
  mergeClaims,
  ON_SESSION_CONFLICT,
  SESSION_COLUMNS,
  sessionValues,
} from './claim-sessions.ts';
import type { GroupItem } from './group-item.ts';
import { byUsageDay, runRows } from './postgres-rows.ts';
import { INTERACTION_COLUMNS, LEDGER_COLUMNS, RUN_COLUMNS } from './rows.ts';

/**
 * The code with which PostgreSQL refuses the statement when a session of the group belongs to
 * another project: a division by zero, which a plain expression can raise on purpose.
 */
export const SESSION_TAKEN = '22012';

/** PostgreSQL allows 65,535. */
const PARAMETERS_MAX = 20_000;

type Rows = readonly (readonly unknown[])[];

/**
 * One statement that writes a whole group, which is its own transaction: one round trip in place of
 * six. It writes all or nothing, and fails with `SESSION_TAKEN` when a session belongs to another
 * project. It takes its locks in the same order as the transaction: sessions by id, then, in the
 * trigger of the ledger at the end, the sums.
 * @returns undefined = the group needs a transaction: it binds repeatable requests, claims a
 * session for two projects, or is very large
 */
export function groupStatement(items: readonly GroupItem[]): CompiledQuery | undefined {
  const records = items.flatMap(({ record }) => record ?? []);
  if (records.length === 0 || records.some(({ repeat }) => repeat !== null)) return undefined;
  const claims = mergeClaims(records.map(({ session }) => session));
  const sessions = firstOfEachSession(claims);
  if (sessions.length < claims.length) return undefined;
  const rows = [
    sessions.map(({ session }) => sessionValues(session)),
    records.map(({ interaction }) => interaction),
    records.flatMap(runRows),
    items.flatMap(({ ledger }) => ledger).sort(byUsageDay),
  ] as const;
  const leases = items.flatMap(({ budgetLeaseIds }) => budgetLeaseIds);
  const parameters: unknown[] = [sessions.length, leases];
  for (const table of rows)
    for (const row of table) for (const value of row) parameters.push(value);
  if (parameters.length > PARAMETERS_MAX) return undefined;
  return CompiledQuery.raw(textFor(rows), parameters);
}

/** Texts by the numbers of rows: most groups are searches of the same providers. */
const texts = new Map<string, string>();
const TEXTS_MAX = 500;

function textFor(
  rows: readonly [sessions: Rows, interactions: Rows, runs: Rows, ledger: Rows],
): string {
  const counts = rows.map(({ length }) => length);
  const name = counts.join(' ');
  const known = texts.get(name);
  if (known !== undefined) return known;
  if (texts.size >= TEXTS_MAX) texts.clear();
  const text = write(counts);
  texts.set(name, text);
  return text;
}

function write([sessions = 0, interactions = 0, runs = 0, ledger = 0]: readonly number[]): string {
  let used = 2;
  const insert = (table: string, columns: readonly string[], count: number): string => {
    const from = used + 1;
    used += count * columns.length;
    const row = (at: number): string =>
      `(${columns.map((_, place) => `$${from + at * columns.length + place}`).join(', ')})`;
    const values = Array.from({ length: count }, (_, at) => row(at)).join(', ');
    return `insert into ${table} (${columns.join(', ')}) values ${values}`;
  };
  const parts = [
    `claimed as (${insert('sessions', SESSION_COLUMNS, sessions)} ${ON_SESSION_CONFLICT} returning id)`,
    `recorded as (${insert('interactions', INTERACTION_COLUMNS, interactions)})`,
  ];
  if (runs > 0) parts.push(`ran as (${insert('runs', RUN_COLUMNS, runs)})`);
  // a row that already exists stays: the caller may not know that it was stored
  if (ledger > 0) {
    const booked = insert('ledger', LEDGER_COLUMNS, ledger);
    parts.push(`booked as (${booked} on conflict (id) do nothing)`);
  }
  parts.push('ended as (delete from budget_leases where id = any($2::text[]))');
  return `with ${parts.join(', ')} select 1 / (count(*) = $1)::int from claimed`;
}
