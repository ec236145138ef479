import { DAY_MS } from '@trawl/base';
import type { NamedKey, UsageRow } from '@trawl/router';
import { at } from '@trawl/test-support/records';
import { describe, expect, it } from 'vitest';
import { spanOf } from '../src/serving/span.ts';
import { usageRoutes } from '../src/usage/routes.ts';

const NOW = Date.parse('2026-01-21T00:00:00.000Z');
const iso = (time: number) => new Date(time).toISOString();
const key = (id: string, given: Partial<NamedKey> = {}): NamedKey => ({
  ...{
    id,
    name: `name of ${id}`,
    isHidden: false,
    deletedAt: null,
    revokedAt: null,
    expiresAt: null,
  },
  ...{ disabledAt: null, monthlyBudgetMicros: null },
  ...given,
});
const row = (key_id: string, costMicros: number | null, unpricedCalls = 0): UsageRow => ({
  group: { key_id },
  calls: 2,
  unpricedCalls,
  costMicros,
  cachedCalls: 0,
  savedMicros: 0,
});

function setUp() {
  const asked: string[] = [];
  const routes = usageRoutes({
    clock: { now: () => NOW, newId: () => '' },
    usage: {
      spentMicros: async () => 0,
      usage: async ({ id }, { from, to, groups }) => {
        asked.push(`${id} ${from.slice(0, 10)} ${to.slice(0, 10)} ${groups.join()}`);
        if (groups.length === 0) {
          return id === 'p2' ? [{ ...row('', 90_000, 1), group: {}, calls: 7 }] : [];
        }
        return from.startsWith('2026-01-01')
          ? [row('a', 2_000_000), row('b', null, 3), row('gone', 500_000, 1)]
          : [row('a', 700_000), row('gone', 350_000)];
      },
    },
    namedKeys: async () => [
      key('gone', { name: 'Z', deletedAt: at(0), monthlyBudgetMicros: 4_000_000 }),
      key('b', { name: 'b', revokedAt: at(0) }),
      key('a', { name: 'A', monthlyBudgetMicros: 2_500_000 }),
      key('c', { name: 'c', isHidden: true }),
      key('d', { name: 'd', expiresAt: iso(NOW) }),
      key('e', { name: 'e', disabledAt: at(0), expiresAt: iso(NOW + 1), revokedAt: iso(NOW + 1) }),
    ],
    keys: {
      findProject: async (id) => ({
        ...{ id, name: id, createdAt: at(0) },
        limits: { rateLimit: null, monthlyBudgetMicros: 10_000_000 },
      }),
      listProjects: async () =>
        ['p3', 'p2', 'p1'].map((id) => ({
          id,
          name: id === 'p1' ? 'alpha' : `x ${id}`,
          createdAt: at(0),
        })),
    },
  });
  return { asked, routes };
}
// biome-ignore lint/suspicious/noExplicitAny: an answer by the contract's names
const jsonOf = (reply: unknown): any => JSON.parse(String((reply as { text: unknown }).text));

describe('the spending of a project', () => {
  it('is what each key spent this month, and at the rate of seven days by its end', async () => {
    const { routes, asked } = setUp();
    const context = undefined as never;
    const answer = jsonOf(
      await routes.readSpending({ params: { project_id: 'p' } } as never, context),
    );
    expect(asked).toEqual(['p 2026-01-01 2026-02-01 key_id', 'p 2026-01-14 2026-01-21 key_id']);
    // eleven days are left
    const rate = (micros: number) => (micros / 7) * 11;
    expect(answer).toMatchObject({
      ...{ from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z', unpriced_calls: 4 },
      ...{ budget_usd: 10, spent_usd: 2.5 },
      projected_usd: expect.closeTo((2_500_000 + rate(1_050_000)) / 1e6, 5),
    });
    type Shown = {
      key_id: string;
      state: string;
      spent_usd: number;
      budget_usd: number;
      projected_usd: number;
    };
    expect(
      (answer.keys as Shown[]).map((one) => [
        one.key_id,
        one.state,
        one.spent_usd,
        one.budget_usd,
        Math.round(one.projected_usd * 1e6),
      ]),
    ).toEqual([
      ['a', 'active', 2, 2.5, 2_000_000 + rate(700_000)],
      ['b', 'revoked', 0, null, 0],
      ['c', 'console', 0, null, 0],
      ['d', 'expired', 0, null, 0],
      ['e', 'disabled', 0, null, 0],
      ['gone', 'deleted', 0.5, 4, 500_000 + rate(350_000)],
    ]);
  });

  it('of several is a row for each project of the person, by name', async () => {
    const { routes, asked } = setUp();
    const roles = new Map([
      ['p1', 'viewer'],
      ['p2', 'owner'],
    ]);
    const query = { from: '2026-01-05T00:00:00Z', to: '2026-01-07T00:00:00Z' };
    const context = { person: { isOperator: false, roles } } as never;
    const answer = jsonOf(await routes.listProjectUsage({ query } as never, context));
    expect(answer.rows).toEqual([
      { project_id: 'p1', name: 'alpha', calls: 0, unpriced_calls: 0, cost_usd: null },
      { project_id: 'p2', name: 'x p2', calls: 7, unpriced_calls: 1, cost_usd: 0.09 },
    ]);
    expect(asked).toEqual(['p2', 'p1'].map((id) => `${id} 2026-01-05 2026-01-07 `));
  });
});

describe('a span of days', () => {
  const span = (from?: string, to?: string) =>
    spanOf({ from, to }, NOW, { usualMs: 30 * DAY_MS, daysMax: 31 });

  it('is as long as usual up to now, or from and to where they are named', () => {
    expect(span()).toEqual({ from: iso(NOW - 30 * DAY_MS), to: iso(NOW) });
    expect(span(iso(NOW - DAY_MS))).toEqual({ from: iso(NOW - DAY_MS), to: iso(NOW) });
    expect(span(undefined, iso(NOW - DAY_MS))).toEqual({
      from: iso(NOW - 31 * DAY_MS),
      to: iso(NOW - DAY_MS),
    });
  });

  it('has a beginning before its end, and at most so many days', () => {
    expect(() => span(iso(NOW))).toThrow('from must be before to');
    expect(span(iso(NOW - 31 * DAY_MS)).to).toBe(iso(NOW));
    expect(() => span(iso(NOW - 31 * DAY_MS - 1))).toThrow('at most 31 days');
  });
});
