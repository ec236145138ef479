import type { Series } from '../../parts/chart-data.ts';
import { sumOfUsd } from '../../parts/number-text.ts';
import type { Group, UsageRow } from './usage-query.ts';

/** A chart has this many series; the rest is one more. */
const SERIES_MAX = 6;

export type Metric = 'cost' | 'calls';

/** Calls and cost of one group over all days. */
export interface GroupSum {
  readonly id: string | null;
  readonly calls: number;
  readonly unpricedCalls: number;
  /** null without a call whose cost is known. */
  readonly costUsd: number | null;
}

/** Runs that were answered without a call, and what those answers had cost. */
export const servedOf = (rows: readonly UsageRow[]) => ({
  calls: rows.reduce((sum, { cached_calls }) => sum + cached_calls, 0),
  savedUsd: sumOfUsd(rows.map(({ saved_usd }) => saved_usd)),
});

function groupOf(row: UsageRow, group: Group): string | null {
  if (group !== 'key_tail') return row[group] ?? null;
  return `${row.provider} ${row.key_tail ? `…${row.key_tail}` : 'without a key'}`;
}

/** By the metric, most first. */
export function groupSums(
  rows: readonly UsageRow[],
  group: Group,
  metric: Metric,
): readonly GroupSum[] {
  const sums = new Map<string | null, GroupSum>();
  for (const row of rows) {
    const id = groupOf(row, group);
    const known = sums.get(id);
    const costs = [known?.costUsd ?? null, row.cost_usd];
    sums.set(id, {
      id,
      calls: (known?.calls ?? 0) + row.calls,
      unpricedCalls: (known?.unpricedCalls ?? 0) + row.unpriced_calls,
      costUsd: knownSum(costs),
    });
  }
  const sizeOf = (sum: GroupSum) => (metric === 'cost' ? (sum.costUsd ?? 0) : sum.calls);
  return [...sums.values()].sort((a, b) => sizeOf(b) - sizeOf(a) || b.calls - a.calls);
}

/** One value per day and group; a day without a call is a gap. */
export function seriesOf(
  rows: readonly UsageRow[],
  days: readonly string[],
  { group, metric, nameOf }: SeriesWanted,
): readonly Series[] {
  const sums = groupSums(rows, group, metric);
  const shown = sums.length > SERIES_MAX + 1 ? sums.slice(0, SERIES_MAX) : sums;
  const ids = new Set(shown.map(({ id }) => id));
  const valuesOf = (isMeant: (row: UsageRow) => boolean) =>
    days.map((day) => {
      const found = rows.filter((row) => row.day === day && isMeant(row));
      return found.length === 0 ? null : sumOf(found, metric);
    });
  const series = shown.map(({ id }) => ({
    name: nameOf(id),
    values: valuesOf((row) => groupOf(row, group) === id),
  }));
  if (shown.length === sums.length) return series;
  const others = valuesOf((row) => !ids.has(groupOf(row, group)));
  return [...series, { name: `${sums.length - shown.length} others`, values: others }];
}

export interface SeriesWanted {
  readonly group: Group;
  readonly metric: Metric;
  readonly nameOf: (id: string | null) => string;
}

/** null where no cost is known. */
function knownSum(costs: readonly (number | null)[]): number | null {
  const known = costs.flatMap((cost) => cost ?? []);
  return known.length === 0 ? null : sumOfUsd(known);
}

/** null where no cost is known. */
function sumOf(rows: readonly UsageRow[], metric: Metric): number | null {
  if (metric === 'calls') return rows.reduce((sum, { calls }) => sum + calls, 0);
  return knownSum(rows.map(({ cost_usd }) => cost_usd));
}

/** Of all rows. */
export function totalOf(rows: readonly UsageRow[]): Omit<GroupSum, 'id'> {
  return {
    calls: sumOf(rows, 'calls') ?? 0,
    unpricedCalls: rows.reduce((sum, { unpriced_calls }) => sum + unpriced_calls, 0),
    costUsd: sumOf(rows, 'cost'),
  };
}
