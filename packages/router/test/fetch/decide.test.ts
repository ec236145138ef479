import { expect, it } from 'vitest';
import { type Decision, decide, type Held, type WeighedAttempt } from '../../src/fetch/chain.ts';

type Page = NonNullable<WeighedAttempt['page']>;

/** A page with this predicted quality. */
const pageOf = (quality: number | null): Page => ({
  provider: 'jina',
  latencyMs: 20,
  cost: { calls: 1, costUsd: 0, source: 'price_list', keyTail: null },
  kind: 'page',
  page: {} as Page['page'],
  measure: {} as Page['measure'],
  quality,
  findings: [],
  verdict: null,
});
const judged = (page: Page, isPoor: boolean): WeighedAttempt => ({
  attempt: page,
  page,
  failure: null,
  isVerdict: false,
  isGone: false,
  isSpecialist: false,
  isPoor,
});
const GOOD = judged(pageOf(0.9), false);
const POOR = judged(pageOf(0.3), true);
const WORSE = judged(pageOf(0.2), false);
const UNKNOWN = judged(pageOf(null), false);
const FAILED: WeighedAttempt = { ...GOOD, page: null };
const NOT_ASKED: WeighedAttempt = { ...FAILED, attempt: { ...GOOD.attempt, latencyMs: null } };

const FIRST: Held = { page: null, isGone: false, isLast: false };
const LAST: Held = { ...FIRST, isLast: true };
const GONE: Held = { ...FIRST, isGone: true };
const WITH_POOR: Held = { ...FIRST, page: POOR.page };
const WITH_BROKEN: Held = {
  ...FIRST,
  page: { ...pageOf(0.95), page: { isPartial: true } as Page['page'] },
};

const CASES: readonly [string, string, Decision, WeighedAttempt, Held][] = [
  ['a good page', 'nothing', 'return', GOOD, FIRST],
  ['a good page', 'a poor page', 'return', GOOD, WITH_POOR],
  ['a poor page', 'nothing', 'hold', POOR, FIRST],
  ['a poor page of the last provider', 'nothing', 'return', POOR, LAST],
  ['a poor page', 'word that the page is gone', 'return', POOR, GONE],
  ['a page that is worse', 'a poor page', 'keep', WORSE, WITH_POOR],
  ['a page of unknown quality', 'a poor page', 'return', UNKNOWN, WITH_POOR],
  ['a good page', 'a better one that broke off', 'return', GOOD, WITH_BROKEN],
  ['a failure', 'nothing', 'next', FAILED, FIRST],
  ['a failure', 'a poor page', 'next', FAILED, WITH_POOR],
  ['a failure', 'word that the page is gone', 'stop', FAILED, GONE],
  ['a provider that was not asked', 'word that the page is gone', 'next', NOT_ASKED, GONE],
];

it.each(CASES)('%s after %s: %s', (_last, _held, decision, last, held) => {
  expect(decide(last, held)).toBe(decision);
});
