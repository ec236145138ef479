export interface Series {
  readonly name: string;
  /** One value per point; null is a gap, which stays one. */
  readonly values: readonly (number | null)[];
}

/**
 * Values of stacked series as they are drawn: each on top of those before it. A point at which no
 * series has a value is a gap; in others, a missing value adds nothing.
 */
export function stacked(series: readonly Series[]): (number | null)[][] {
  const length = series[0]?.values.length ?? 0;
  const sums: (number | null)[] = Array.from({ length }, () => null);
  return series.map(({ values }) =>
    values.map((value, index) => {
      if (value !== null) sums[index] = (sums[index] ?? 0) + value;
      return value === null && sums[index] === null ? null : (sums[index] ?? null);
    }),
  );
}

/** Names of the custom properties of styles/tokens.css, in the order of the series. */
export const SERIES_COLOURS = Array.from({ length: 7 }, (_, index) => `--series-${index + 1}`);

/**
 * The colour of each series. The same names have the same colours in every chart, in any order: a
 * name prefers one, and takes the next that is free. With these two numbers the seven providers
 * that are used most prefer different ones.
 */
export function coloursOf(series: readonly Pick<Series, 'name'>[]): readonly string[] {
  const taken = new Map<string, string>();
  for (const { name } of series.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const at = [...name].reduce(
      (sum, letter) => (sum * 44 + (letter.codePointAt(0) ?? 0)) % 1_000_003,
      31,
    );
    const from = at % SERIES_COLOURS.length;
    const wanted = [...SERIES_COLOURS.slice(from), ...SERIES_COLOURS.slice(0, from)];
    const used = new Set(taken.values());
    taken.set(name, wanted.find((colour) => !used.has(colour)) ?? wanted[0] ?? '--series-1');
  }
  return series.map(({ name }) => taken.get(name) ?? '--series-1');
}
