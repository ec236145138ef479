import { type FetchRow, LIMITS } from '@trawl/contract';

/**
 * Keeps the rows of one answer within what can be written and recorded. Any page fits by itself, and a full answer can still
 * be written as one text, which JavaScript bounds, though every character of it should need an escape.
 */
export interface AnswerRoom {
  /** Takes the room of a row; false where there is not enough left. */
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

/** Without writing long texts out. */
function rowCharacters(row: FetchRow): number {
  return Object.values(row).reduce<number>(
    (sum, value) =>
      sum + (typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0)),
    0,
  );
}
