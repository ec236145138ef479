import { faultCode } from '@trawl/base';
import type { Tables } from '@trawl/database';
import { type Kysely, sql } from 'kysely';
import { type GroupItem, type GroupWriter, uncertainCommit } from './group-item.ts';
import {
  INTERACTION_COLUMNS,
  LEDGER_COLUMNS,
  REPEAT_COLUMNS,
  RUN_COLUMNS,
  type Value,
} from './rows.ts';

/** The recorder's writer on PostgreSQL: one call of the function `record_group`. */
export function createPostgresWriter(db: Kysely<Tables>): GroupWriter {
  const write: GroupWriter = async (items) => {
    try {
      await recordGroup(db, items);
      return new Set(items);
    } catch (error) {
      const taken = takenInteractions(error);
      if (taken === undefined) throw isRolledBack(error) ? error : uncertainCommit(error);
      return write(
        items.filter(({ record }) => !record || !taken.has(record.session.interactionId)),
      );
    }
  };
  return write;
}

async function recordGroup(db: Kysely<Tables>, items: readonly GroupItem[]): Promise<void> {
  const records = items.flatMap(({ record }) => record ?? []);
  // two servers that claim the same sessions in the same order never deadlock
  const ordered = records.toSorted((a, b) => compare(a.session.id, b.session.id));
  const interactions = rowsAsJson(
    INTERACTION_COLUMNS,
    ordered.map(({ interaction }) => interaction),
  );
  const runs = rowsAsJson(
    RUN_COLUMNS,
    records.flatMap((record) => record.runs),
  );
  const repeats = rowsAsJson(
    [...REPEAT_COLUMNS, 'lease_id'],
    records.flatMap(({ repeat, repeatLeaseId }) => (repeat ? [[...repeat, repeatLeaseId]] : [])),
  );
  const ledger = rowsAsJson(
    LEDGER_COLUMNS,
    items.flatMap((item) => item.ledger),
  );
  const endedLeases = items.flatMap(({ budgetLeaseIds }) => budgetLeaseIds);
  await sql`select record_group(${interactions}, ${runs}, ${repeats}, ${ledger}, ${endedLeases})`.execute(
    db,
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const rowsAsJson = (columns: readonly string[], rows: readonly (readonly Value[])[]): string =>
  JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(columns.map((column, place) => [column, wellFormed(row[place])])),
    ),
  );

/** PostgreSQL refuses JSON with half of a surrogate pair; as UTF-8 it is U+FFFD. */
const wellFormed = (value: Value | undefined): Value | undefined =>
  typeof value === 'string' ? value.toWellFormed() : value;

/** The ids of interactions whose session belongs to another project, if it failed because of them. */
function takenInteractions(error: unknown): ReadonlySet<string> | undefined {
  if (!(error instanceof Error) || faultCode(error) !== 'TAKEN' || !('detail' in error))
    return undefined;
  return new Set(JSON.parse(String(error.detail)));
}

/**
 * The server answered that it refused the call. When it ends, loses its disk or finds a fault of
 * its own, which may happen while it commits, or when the connection ends, that is not known.
 */
const isRolledBack = (error: unknown): boolean =>
  error instanceof Error &&
  'severity' in error &&
  !/^(?:08|53|57P|58|XX)/.test(faultCode(error) ?? '08');
