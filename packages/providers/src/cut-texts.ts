/** How much is read of a text, in characters; the rest is cut off before anything looks at it. */
export const TEXT_LIMITS = { line: 20_000, text: 100_000 } as const;

let noted: Set<string> | null = null;

/** Says that a text is what was left of a longer one. */
export function noteCut(text: string): void {
  noted?.add(text);
}

/** What `work` returns, and the texts that it noted as cut. It may not wait for anything. */
export function notingCuts<Value>(work: () => Value): {
  readonly value: Value;
  readonly cuts: ReadonlySet<string>;
} {
  const cuts = new Set<string>();
  noted = cuts;
  try {
    return { value: work(), cuts };
  } finally {
    noted = null;
  }
}
