/** Words as the benchmarks count them: Python's `\w+` in lower case. */
export const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

export interface Score {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** How many words a text shares with the expected one. */
export function wordScore(found: string, expected: string): Score {
  return scoreOf(wordsOf(found), wordsOf(expected));
}

/** How many parts of a text are expected, and how many expected parts it has. */
export function scoreOf(found: readonly string[], expected: readonly string[]): Score {
  if (found.length === 0 || expected.length === 0) {
    const same = found.length === expected.length ? 1 : 0;
    return { precision: same, recall: same, f1: same };
  }
  const left = new Map<string, number>();
  for (const part of expected) left.set(part, (left.get(part) ?? 0) + 1);
  let shared = 0;
  for (const part of found) {
    const count = left.get(part) ?? 0;
    if (count === 0) continue;
    shared += 1;
    left.set(part, count - 1);
  }
  const precision = shared / found.length;
  const recall = shared / expected.length;
  return {
    precision,
    recall,
    f1: shared === 0 ? 0 : (2 * precision * recall) / (precision + recall),
  };
}
