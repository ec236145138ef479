import { type FetchRow, LIMITS } from '@trawl/contract';

/**
 * Limits the rows of one answer to the size that can be written and recorded. Any single page fits, and a full answer can still
 * be written as one JavaScript string, even if every character needs an escape.
 */
export interface AnswerRoom {
  /** Reserves the room of a row; false if there is not enough left. */
  take(row: FetchRow): boolean;
}

export function createAnswerRoom(): AnswerRoom {
  let left: number = LIMITS.fetchCharacters;
  return {
    take(row) {
      const needed = rowCharacters(row);
      if (needed > left) return false;
      left -= needed;
      return true;
    },
  };
}

/** Computed without serializing long texts. */
function rowCharacters(row: FetchRow): number {
  return Object.values(row).reduce<number>((sum, value) => sum + charactersOf(value), 0);
}

function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (value === null) return 'null'.length;
  return JSON.stringify(value)?.length ?? 0;
}
