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

export const colourOf = (index: number): string =>
  SERIES_COLOURS[index % SERIES_COLOURS.length] ?? '--series-1';
