import { type FetchRow, LIMITS, writeJson } from '@trawl/contract';

/**
 * Limits the rows of one answer to the size that can be written and recorded: PostgreSQL limits the
 * time of a write, which grows with the bytes. The text of any single page fits, and a full answer
 * can still be written as one JavaScript string, even if every character needs an escape.
 */
export interface AnswerRoom {
  /** Reserves the room of a row; false if there is not enough left. */
  take(row: FetchRow): boolean;
}

export function createAnswerRoom(): AnswerRoom {
  let left: number = LIMITS.fetchBytes;
  return {
    take(row) {
      const needed = rowBytes(row);
      if (needed > left) return false;
      left -= needed;
      return true;
    },
  };
}

/** Computed without serializing long texts. */
function rowBytes(row: FetchRow): number {
  return Object.values(row).reduce<number>((sum, value) => sum + bytesOf(value), 0);
}

function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value === null) return 'null'.length;
  return Buffer.byteLength(writeJson(value) ?? '');
}
