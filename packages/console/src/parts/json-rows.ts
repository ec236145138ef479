/** Larger values are not shown as a tree. */
const ROWS_MAX = 3_333;
export const CHARACTERS_MAX = 2_000_000;
/** Of the head that is shown instead. */
export const HEAD_CHARACTERS = 20_000;

/** Whether a value has more members than a tree can show well. Stops counting there. */
export function isTooLarge(value: unknown): boolean {
  const waiting: unknown[] = [value];
  let rows = 0;
  while (waiting.length > 0) {
    const next = waiting.pop();
    rows += 1;
    if (rows > ROWS_MAX) return true;
    if (typeof next === 'object' && next !== null) {
      for (const member of Object.values(next)) waiting.push(member);
    }
  }
  return false;
}

export type JsonKind = 'list' | 'object' | 'text' | 'number' | 'word';

export function kindOf(value: unknown): JsonKind {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object' && value !== null) return 'object';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' ? 'number' : 'word';
}

/** `3 items`, `1 member`. */
export function sizeText(value: object): string {
  const size = Object.keys(value).length;
  const noun = Array.isArray(value) ? 'item' : 'member';
  return `${size} ${noun}${size === 1 ? '' : 's'}`;
}
