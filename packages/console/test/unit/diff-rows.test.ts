import type { InteractionDiff } from '@trawl/contract';
import { expect, test } from 'vitest';
import { diffRows, diffTotals, type RunDiff, totalsText } from '../../src/pages/diff/diff-rows.ts';

const run = (given: Partial<RunDiff>): RunDiff =>
  ({ provider: 'exa', added: [], gone: [], moved: [], changed: [], same: 0, ...given }) as RunDiff;
const titles = { before: 'Old', after: 'New' };
const RUN = run({
  added: [{ url: 'd', title: 'D', rank: 3 }],
  gone: [
    { url: 'c', title: 'C', rank: 4 },
    { url: 'g', title: null, rank: 9 },
  ],
  moved: [
    { url: 'a', title: 'A', from: 1, to: 2 },
    { url: 'b', title: 'B', from: 2, to: 1 },
  ],
  changed: [
    { url: 'a', rank: 2, texts: ['title', 'summary'], title: titles },
    { url: 'e', rank: 5, texts: ['summary'], title: null },
  ],
  same: 4,
});

test('rows of two runs have both ranks, in the order of the later run, and those that went last', () => {
  const row = (url: string, title: string | null, before: number | null, after: number | null) => ({
    ...{ url, title, before, after, changed: null },
  });
  expect(diffRows(RUN)).toEqual([
    row('b', 'B', 2, 1),
    { ...row('a', 'New', 1, 2), changed: { texts: ['title', 'summary'], title: titles } },
    row('d', 'D', null, 3),
    { ...row('e', null, 5, 5), changed: { texts: ['summary'], title: null } },
    row('c', 'C', 4, null),
    row('g', null, 9, null),
  ]);
});

test('totals are those of all queries and providers', () => {
  const queries = [{ runs: [RUN, run({ same: 2 })] }, { runs: [RUN] }];
  const totals = diffTotals({ queries } as unknown as InteractionDiff);
  expect(totals).toEqual({ added: 2, gone: 4, moved: 4, changed: 4, same: 10 });
  expect(totalsText(totals)).toBe('2 came, 4 went, 4 moved, 4 changed, 10 the same');
});
