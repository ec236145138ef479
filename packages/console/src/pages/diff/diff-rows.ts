import type { InteractionDiff } from '@trawl/contract';

export type QueryDiff = InteractionDiff['queries'][number];
export type RunDiff = QueryDiff['runs'][number];
type Changed = RunDiff['changed'][number];

/** A row of one or both runs that differs, in one line. */
export interface DiffRow {
  readonly url: string;
  readonly title: string | null;
  /** Its rank in each run; null = it is not there. */
  readonly before: number | null;
  readonly after: number | null;
  /** Its texts that differ, and both titles where they do. */
  readonly changed: Pick<Changed, 'texts' | 'title'> | null;
}

/** The rows of two runs that differ, in the order of the later run; those that went come last. */
export function diffRows({ added, gone, moved, changed }: RunDiff): readonly DiffRow[] {
  const rows = new Map<string, DiffRow>();
  for (const { url, title, rank } of added)
    rows.set(url, { url, title, before: null, after: rank, changed: null });
  for (const { url, title, from, to } of moved)
    rows.set(url, { url, title, before: from, after: to, changed: null });
  for (const { url, rank, texts, title } of changed) {
    const known = rows.get(url);
    rows.set(url, {
      url,
      title: title?.after ?? known?.title ?? null,
      before: known?.before ?? rank,
      after: rank,
      changed: { texts, title },
    });
  }
  const later = [...rows.values()].sort((a, b) => (a.after ?? 0) - (b.after ?? 0));
  const earlier = gone.map(
    ({ url, title, rank }): DiffRow => ({ url, title, before: rank, after: null, changed: null }),
  );
  return [...later, ...earlier];
}

/** Counts of all queries and providers. */
export function diffTotals({ queries }: InteractionDiff) {
  const totals = { added: 0, gone: 0, moved: 0, changed: 0, same: 0 };
  for (const { runs } of queries) {
    for (const { added, gone, moved, changed, same } of runs) {
      totals.added += added.length;
      totals.gone += gone.length;
      totals.moved += moved.length;
      totals.changed += changed.length;
      totals.same += same;
    }
  }
  return totals;
}

/** `2 came, 1 went, 3 moved, 1 changed, 4 the same` */
export const totalsText = ({ added, gone, moved, changed, same }: ReturnType<typeof diffTotals>) =>
  `${added} came, ${gone} went, ${moved} moved, ${changed} changed, ${same} the same`;
