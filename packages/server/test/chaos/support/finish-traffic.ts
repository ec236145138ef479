import { expect } from 'vitest';
import { figure, tally } from './figures.ts';
import type { Checked, Traffic } from './traffic.ts';

/**
 * Repeats what has no answer after a fault, uses up the budget, and checks what clients rely on:
 * every acknowledged answer can be read, no request was recorded twice or ran twice at the same
 * time, and at most the calls that are in no ledger were paid beyond the budget.
 * @param row of the table
 * @param paidFor how many searches the budget pays for
 */
export async function finishTraffic(
  row: string,
  traffic: Traffic,
  paidFor: number,
): Promise<Checked> {
  const settledMs = await traffic.settle();
  await traffic.send(paidFor * 3);
  const checked = await traffic.check();
  figure(row, 'answers', JSON.stringify(tally(traffic.statuses())));
  figure(row, 'connections that failed', traffic.broken());
  for (const [name, value] of Object.entries(checked)) figure(row, name, value);
  figure(row, 'all repeated after', settledMs, 'ms');
  expect(checked).toMatchObject({ missing: 0, recordedTwice: 0, together: 0 });
  expect(checked.acknowledged).toBeGreaterThan(0);
  expect(checked.unbooked).toBeGreaterThanOrEqual(0);
  expect(checked.overspent).toBeLessThanOrEqual(checked.unbooked);
  expect(traffic.statuses()).toContain(402);
  return checked;
}
