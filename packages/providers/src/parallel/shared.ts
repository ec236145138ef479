/**
 * What Parallel's endpoints have in common: https://docs.parallel.ai/resources/warnings-and-errors
 */

import { finiteNumber, objects } from '../values/json.ts';
import type { ReportedUsage } from '../values/price.ts';
import { text } from '../values/text.ts';

/** What was billed, as a list of names and counts. */
export function parallelUsage(billed: unknown): ReportedUsage | null {
  const items = objects(billed).flatMap(({ name, count }) => {
    const key = text(name);
    return key === null || finiteNumber(count) === null ? [] : [[key, count] as const];
  });
  return items.length > 0 ? { units: Object.fromEntries(items), costUsd: null } : null;
}
