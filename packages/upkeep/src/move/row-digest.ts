import { createHash } from 'node:crypto';
import type { ColumnKind, MovedTable } from './moved-tables.ts';

/** A value as both databases have it: times as ISO 8601, truth as 0 or 1. */
export type PlainValue = string | number | Uint8Array | null;

/** A time of the sign-in library on the embedded database. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;

/**
 * The value of a row of either database.
 * @throws Error when it is not of its column's kind
 */
export function plainValue(kind: ColumnKind, value: unknown): PlainValue {
  if (value === null || value === undefined) return null;
  switch (kind) {
    case 'text':
      if (typeof value === 'string') return value;
      break;
    case 'number':
      if (Number.isSafeInteger(value)) return Number(value);
      break;
    case 'truth':
      if (value === 0 || value === 1 || typeof value === 'boolean') return Number(value);
      break;
    case 'bytes':
      if (value instanceof Uint8Array) return value;
      if (typeof value === 'string') return Buffer.from(value, 'utf8');
      break;
    case 'moment':
      if (value instanceof Date) return value.toISOString();
      if (typeof value === 'string' && MOMENT.test(value)) return new Date(value).toISOString();
      break;
  }
  throw new Error(`a value is not a ${kind}`);
}

/** The row's values in the order of the columns. @throws Error that names the column */
export function plainRow({ name: table, columns }: MovedTable, row: object): readonly PlainValue[] {
  const values = new Map(Object.entries(row));
  return columns.map(({ name, kind }) => {
    try {
      return plainValue(kind, values.get(name));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${table}.${name}: ${reason}`);
    }
  });
}

/** How many bytes a row takes, about. */
export const sizeOf = (row: readonly PlainValue[]): number =>
  row.reduce<number>((sum, value) => {
    if (typeof value === 'string') return sum + value.length;
    return sum + (value instanceof Uint8Array ? value.byteLength : 8);
  }, 0);

/** Counts rows, and digests all of their values in their order. */
export function createRowDigest() {
  const hash = createHash('sha256');
  let rows = 0;
  return {
    add: (row: readonly PlainValue[]): void => {
      rows += 1;
      for (const value of row) {
        if (value === null) hash.update('n');
        else if (typeof value === 'number') hash.update(`i${value};`);
        else {
          const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
          // with its length, so that no other values have the same bytes
          hash.update(`${typeof value === 'string' ? 't' : 'b'}${bytes.byteLength};`);
          hash.update(bytes);
        }
      }
    },
    end: (): RowDigest => ({ rows, digest: hash.digest('hex') }),
  };
}

export interface RowDigest {
  readonly rows: number;
  /** SHA-256, in hex. */
  readonly digest: string;
}
