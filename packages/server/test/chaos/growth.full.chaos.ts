/**
 * Measures that text from outside costs CPU time in proportion to its length, with texts far above
 * the limits of the server. Run it by `npm run chaos -- growth`; `growth.test.ts` does the same
 * with shorter texts, on every change.
 */

import { growthOf } from '@trawl/test-support/cpu-growth';
import { expect, it } from 'vitest';
import { GROWTH_CASES } from '../support/growth-cases.ts';
import { figure } from './support.ts';

/** Of texts that no limit has cut. */
const CPU_MAX_MS = 120_000;

let worst = 0;

it.each(GROWTH_CASES)('$name', { timeout: 300_000 }, async ({ text, read, parts }) => {
  const { ratio, fault } = await growthOf({
    given: text,
    work: read,
    most: parts * 4,
    cpuMaxMs: CPU_MAX_MS,
  });
  worst = Math.max(worst, ratio);
  expect(fault).toBeUndefined();
});

it('the table has the worst of them', () => {
  figure('text-growth', 'CPU time of 4n to that of n, at worst', Number(worst.toFixed(1)), 'x');
  figure('text-growth', 'readers and texts', GROWTH_CASES.length, '');
});
