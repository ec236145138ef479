/**
 * Measures that text from outside costs CPU time in proportion to its length: n, 2n and 4n of each adversarial text.
 * Run it by `npm run chaos -- growth`; `growth.test.ts` asserts only the outcomes, on every change.
 */
import { expect, it } from 'vitest';
import { GROWTH_CASES } from '../support/growth-cases.ts';
import { figure, sized } from './support.ts';

/** Four times the text may take this many times as long: a linear reader takes 4, a quadratic one 16. */
const RATIO_MAX = 9;
/** Below this time, the clock and garbage collection decide the result. */
const MEASURABLE_MS = 60;
const CASES = sized({ short: GROWTH_CASES.filter((_, at) => at % 12 === 0), full: GROWTH_CASES });

let worst = { name: 'none', ratio: 0 };

it.each(CASES)('$name', { timeout: 300_000 }, async ({ name, text, read, parts }) => {
  const cpuMs = async (n: number): Promise<number> => {
    const given = text(n);
    const before = process.cpuUsage();
    await read(given);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  // the smallest of three: other work on the machine only adds to it
  const least = async (n: number) => Math.min(await cpuMs(n), await cpuMs(n), await cpuMs(n));
  await cpuMs(parts / 4);
  const [once, twice, fourTimes] = [
    await least(parts),
    await least(parts * 2),
    await least(parts * 4),
  ];
  const base = Math.max(once, MEASURABLE_MS);
  const ratio = fourTimes / base;
  if (ratio > worst.ratio) worst = { name, ratio };
  expect(ratio, `${once}, ${twice}, ${fourTimes} ms of CPU time`).toBeLessThan(RATIO_MAX);
});

it('the table has the worst of them', () => {
  figure(
    'text-growth',
    'CPU time of 4n to that of n, at worst',
    Number(worst.ratio.toFixed(1)),
    'x',
  );
  figure('text-growth', 'readers and texts', CASES.length, '');
});
