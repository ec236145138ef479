import type { SearchRun } from '@trawl/contract';

/** One page that some provider found. */
export interface MatrixRow {
  readonly url: string;
  /** The first title that a provider gave it. */
  readonly title: string | null;
  /** Its best rank in each run, by the id of the run. */
  readonly ranks: ReadonlyMap<string, number>;
}

/**
 * Which run found which page at which rank. Addresses are comparable, since the server writes each in one form. Pages that
 * more runs found come first, then those with better ranks.
 */
export function matrixOf(runs: readonly SearchRun[]): readonly MatrixRow[] {
  const rows = new Map<string, { title: string | null; ranks: Map<string, number> }>();
  for (const { id, output_payload: output } of runs) {
    for (const [index, { url, title, rank = index + 1 }] of (output?.results ?? []).entries()) {
      // `fields` may leave the address out: such rows cannot be compared
      if (url === undefined) continue;
      const row = rows.get(url) ?? { title: null, ranks: new Map<string, number>() };
      row.title ??= title ?? null;
      row.ranks.set(id, Math.min(rank, row.ranks.get(id) ?? rank));
      rows.set(url, row);
    }
  }
  const best = ({ ranks }: { readonly ranks: ReadonlyMap<string, number> }) =>
    [...ranks.values()].reduce((sum, rank) => sum + 1 / rank, 0);
  return [...rows]
    .map(([url, row]) => ({ url, ...row }))
    .sort((one, other) => other.ranks.size - one.ranks.size || best(other) - best(one));
}

/** How many runs found each address. */
export const sharedBy = (rows: readonly MatrixRow[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ url, ranks }) => [url, ranks.size]));
