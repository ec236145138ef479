import type { Budget, BudgetStore } from '@trawl/router';
import { describe, expect, it } from 'vitest';
import type { Alert } from '../../src/alerts/alerts.ts';
import { createBudgetAlerts, keyAlerts, newsAlerts } from '../../src/alerts/conditions.ts';

const NOW = Date.parse('2026-02-10T00:00:00.000Z');
const budget = (id: string, limitMicros = 1_000_000, kind: 'key' | 'project' = 'key'): Budget => ({
  owner: { kind, id },
  limitMicros,
});

function setUp(spent: Record<string, number> = {}) {
  const raised: Alert[] = [];
  const quiet = new Set<string>();
  const asked: string[] = [];
  const named: string[] = [];
  let refused: Budget | undefined;
  let isDown = false;
  const settled: number[] = [];
  const store: BudgetStore = {
    reserve: async () =>
      refused
        ? { overspent: { budget: refused, spentMicros: 0, reservedMicros: 0, resetAt: 0 } }
        : {
            reservation: {
              leaseId: 'lease',
              settle: (micros) => void settled.push(micros),
              cancel: () => {},
            },
          },
    overspent: async () => undefined,
  };
  const budgetAlerts = createBudgetAlerts({
    alerts: { raise: (alert) => void raised.push(alert), isQuiet: (subject) => quiet.has(subject) },
    spentMicros: async ({ id }, from, to) => {
      if (isDown) throw new Error('down');
      asked.push(`${id} ${from.slice(0, 10)} ${to.slice(0, 10)}`);
      return spent[id] ?? 0;
    },
    keys: {
      keyName: async (id) => {
        named.push(id);
        return id === 'nameless' ? undefined : `name of ${id}`;
      },
      findProject: async (id) => ({ id, name: `project ${id}`, createdAt: '' }),
    },
    now: () => NOW,
  });
  const noting = budgetAlerts.observe(store);
  return {
    raised,
    quiet,
    asked,
    named,
    settled,
    look: budgetAlerts.look,
    setDown: (down: boolean) => {
      isDown = down;
    },
    use: async (...budgets: Budget[]) => {
      refused = undefined;
      const reserved = await noting.reserve(budgets, 5, NOW);
      if ('reservation' in reserved) reserved.reservation.settle(7);
    },
    refuse: async (one: Budget) => {
      refused = one;
      await noting.reserve([one], 5, NOW);
    },
    levels: () => raised.splice(0).map(({ subject }) => subject),
  };
}

describe('a budget that is noting', () => {
  it.each([
    [799_999, []],
    [800_000, ['budget of key a 2026-02 80 %']],
    [999_999, ['budget of key a 2026-02 80 %']],
    [1_000_000, ['budget of key a 2026-02 100 %']],
    [1_500_000, ['budget of key a 2026-02 100 %']],
  ])('of which %i of 1,000,000 are spent raises %j', async (spent, subjects) => {
    const { use, look, levels, settled, asked } = setUp({ a: spent });
    await use(budget('a'));
    expect(levels()).toEqual([]);
    await look();
    expect(levels()).toEqual(subjects);
    expect([settled, asked]).toEqual([[7], ['a 2026-02-01 2026-03-01']]);
    await look();
    expect(asked).toHaveLength(1);
  });

  it('has its numbers in the text and the data', async () => {
    const { use, look, raised } = setUp({ p: 25_000_000 });
    await use(budget('p', 30_000_000, 'project'));
    await look();
    expect(raised).toEqual([
      {
        type: 'budget',
        subject: 'budget of project p 2026-02 80 %',
        message:
          '83 % of the monthly budget of project project p is spent: $25.00 of $30.00. It starts again on 2026-03-01 (UTC).',
        data: {
          ...{ scope: 'project', id: 'p', name: 'project p', level: 80, month: '2026-02' },
          ...{ spent_usd: 25, limit_usd: 30, refuses: false },
        },
      },
    ]);
  });

  it('that refuses is reported at any share, also when it is used once more before the look', async () => {
    const { use, refuse, look, raised, levels } = setUp({ a: 810_000, b: 790_000 });
    await refuse(budget('a'));
    await use(budget('a'));
    await refuse(budget('b'));
    await look();
    expect(raised[0]?.message).toMatch(/^81 % .+; it refuses requests\. It starts/);
    expect(raised[0]?.data).toMatchObject({ level: 100, refuses: true });
    expect(raised[1]?.message).toMatch(/^79 % .+; it refuses requests\. It starts/);
    expect(levels()).toEqual(['budget of key a 2026-02 100 %', 'budget of key b 2026-02 100 %']);
  });

  it('of three in one request is looked at by itself, and not where it is quiet or zero', async () => {
    const { use, look, levels, quiet, asked, named } = setUp({
      a: 900_000,
      b: 900_000,
      c: 900_000,
    });
    quiet.add('budget of key b 2026-02 80 %');
    await use(budget('a'), budget('b'), budget('c', 1_000_000, 'project'), budget('zero', 0));
    await look();
    expect(levels()).toEqual(['budget of key a 2026-02 80 %', 'budget of project c 2026-02 80 %']);
    expect(asked).toHaveLength(3);
    // what was said within the hour needs no name
    expect(named).toEqual(['a']);
  });

  it('is looked at again where it could not be read, as refused as it was', async () => {
    const { refuse, use, look, levels, setDown } = setUp({ a: 810_000, b: 900_000 });
    await refuse(budget('a'));
    await use(budget('b'));
    setDown(true);
    await look();
    expect(levels()).toEqual([]);
    setDown(false);
    await look();
    expect(levels()).toEqual(['budget of key a 2026-02 100 %', 'budget of key b 2026-02 80 %']);
  });

  it('of a key without a name has its id', async () => {
    const { use, look, raised } = setUp({ nameless: 900_000 });
    await use(budget('nameless'));
    await look();
    expect(raised[0]).toMatchObject({
      message: expect.stringContaining('budget of key nameless is spent'),
      data: { name: null },
    });
  });
});

it('a key that a provider refuses is named by its tail, and other failures are not reported', () => {
  const raised: Alert[] = [];
  const { attempted } = keyAlerts({ raise: (alert) => void raised.push(alert) });
  const target = { slug: 'exa' } as never;
  attempted?.(target, 'timeout', 'tail');
  attempted?.(target, 'invalid_credential', 'tail');
  attempted?.(target, 'invalid_credential', null);
  expect(raised.map(({ subject, data }) => [subject, data])).toEqual([
    ['key …tail of exa', { provider: 'exa', key_tail: 'tail' }],
    ['key of exa', { provider: 'exa', key_tail: null }],
  ]);
});

it.each([
  [1, 0, 'Watch w found 1 new item.'],
  [3, 5, 'Watch w found 3 new items.'],
])('%i news after place %i are reported with the address of the first', (count, after, message) => {
  const raised: Alert[] = [];
  const report = newsAlerts({ raise: (alert) => void raised.push(alert) }, 'https://t.example');
  report({ watchId: 'w', interactionId: 'i', news: { count, after } });
  expect(raised).toEqual([
    {
      ...{ type: 'watch', subject: 'watch w i', message },
      data: {
        ...{ watch_id: 'w', interaction_id: 'i', news: count },
        url: `https://t.example/v1/watches/w/news?after=${after}`,
      },
    },
  ]);
});
