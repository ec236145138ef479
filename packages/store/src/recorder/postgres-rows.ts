import { ledgerPlace, type RecordRows, type Value } from './rows.ts';

/** The database compresses large values itself. */
export function runRows({ runs }: RecordRows): readonly (readonly unknown[])[] {
  return runs.map(([interactionId, kind, position, id, name, text]) => [
    interactionId,
    kind,
    position,
    id,
    name,
    Buffer.from(text, 'utf8'),
  ]);
}

const PROJECT = ledgerPlace('project_id');
const KEY = ledgerPlace('key_id');
const PROVIDER = ledgerPlace('provider');
const CREATED = ledgerPlace('created_at');

/** The order in which the trigger locks its sums, so that two recorders never deadlock. */
export function byUsageDay(one: readonly Value[], other: readonly Value[]): number {
  const [a, b] = [usageDayOf(one), usageDayOf(other)];
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const usageDayOf = (row: readonly Value[]): string =>
  [row[PROJECT], String(row[CREATED]).slice(0, 10), row[KEY], row[PROVIDER]].join('\u0000');
