import type { PlannedCall } from '@trawl/contract';
import { at, interactionRecord, ledgerRecord } from '@trawl/test-support/records';
import { describe, expect, it } from 'vitest';
import type { Budget, BudgetStore } from '../../src/billing/budgets.ts';
import { agreementsOfOneServer } from '../../src/interaction/agreements.ts';
import type { InteractionRecord } from '../../src/interaction/records.ts';
import { checkBudgets, spend } from '../../src/interaction/spend.ts';
import type { InteractionStore } from '../../src/interaction/store.ts';

const BUDGET: Budget = { owner: { kind: 'project', id: 'p' }, limitMicros: 50_000 };
const call = (cost_usd: number | null, conditional = false) =>
  ({
    provider: 'exa',
    cost_usd,
    ...(conditional ? { conditional } : {}),
  }) as unknown as PlannedCall;
const CALLS = [call(0.007), call(0.005), call(null), call(0.0005, true)];

const record = (...costs: (number | null)[]): InteractionRecord => {
  const made = interactionRecord({ projectId: 'p' });
  return { ...made, ledger: costs.map((costMicros) => ledgerRecord(made, { costMicros })) };
};

/** What happens, in its order. */
function setUp(
  fails: { ready?: boolean; work?: boolean; write?: boolean; overspent?: boolean } = {},
) {
  const steps: unknown[] = [];
  const fail = (isFailing: boolean | undefined, what: string) => {
    steps.push(what);
    if (isFailing) throw new Error(`${what} failed`);
  };
  const overspent = {
    budget: BUDGET,
    spentMicros: 45_000,
    reservedMicros: 2_000,
    resetAt: Date.UTC(2026, 1),
  };
  const budgets: BudgetStore = {
    reserve: async (of, micros, month) => {
      steps.push(['reserve', of.length, micros, month]);
      if (fails.overspent) return { overspent };
      return {
        reservation: {
          leaseId: 'lease',
          settle: (spent) => void steps.push(['settle', spent]),
          cancel: () => void steps.push('cancel'),
        },
      };
    },
    overspent: async (_of, micros) => {
      steps.push(['looked', micros]);
      return fails.overspent ? overspent : undefined;
    },
  };
  const interactions = {
    ready: async () => fail(fails.ready, 'ready'),
    write: async (written: InteractionRecord, deadlineAt: number) => {
      steps.push(['write', written.budgetLeaseId, deadlineAt]);
      if (fails.write) throw new Error('write failed');
    },
  } as unknown as InteractionStore;
  const spender = { budgets: [BUDGET], receivedAt: 5, deadlineAt: 90 };
  return {
    steps,
    budgets,
    run: (given = spender, made = record(7_000, null, 4_000)) =>
      spend(
        given,
        async () => CALLS,
        { budgets, interactions },
        async () => {
          fail(fails.work, 'work');
          return { record: made };
        },
      ),
    spender,
  };
}

describe('paid work', () => {
  it('is reserved at its dearest, done, recorded and then paid as it cost', async () => {
    const { run, steps } = setUp();
    await run();
    expect(steps).toEqual([
      ['reserve', 1, 12_500, 5],
      'ready',
      'work',
      ['write', 'lease', 90],
      ['settle', 11_000],
    ]);
  });

  it('without a budget is done and recorded', async () => {
    const { run, steps, spender } = setUp();
    await run({ ...spender, budgets: [] });
    expect(steps).toEqual(['ready', 'work', ['write', undefined, 90]]);
  });

  it.each(['ready', 'work'] as const)(
    'gives back what was reserved when %s fails',
    async (what) => {
      const { run, steps } = setUp({ [what]: true });
      await expect(run()).rejects.toThrow(`${what} failed`);
      expect(steps.at(-1)).toBe('cancel');
      expect(steps.some((step) => Array.isArray(step) && step[0] === 'settle')).toBe(false);
    },
  );

  it('is paid also when it cannot be recorded', async () => {
    const { run, steps } = setUp({ write: true });
    await expect(run()).rejects.toThrow('write failed');
    expect(steps.at(-1)).toEqual(['settle', 11_000]);
  });

  it('that exceeds a budget is not begun, and the refusal has each amount', async () => {
    const { run, steps } = setUp({ overspent: true });
    await expect(run()).rejects.toMatchObject({
      status: 402,
      typed: { code: 'budget_exceeded' },
      detail: expect.stringMatching(
        /is \$0\.05: \$0\.045 spent.*\$0\.002.*would cost about \$0\.0125, of which \$0\.0005 is kept for a fallback\. The budget starts again on 2026-02-01 \(UTC\)$/,
      ),
      hint: expect.stringContaining('"off"'),
    });
    expect(steps).toHaveLength(1);
  });

  it('that is only looked at reserves nothing', async () => {
    const { budgets, steps, spender } = setUp();
    await checkBudgets(spender, CALLS, budgets);
    await checkBudgets({ ...spender, budgets: [] }, CALLS, budgets);
    expect(steps).toEqual([['looked', 12_500]]);
    const over = setUp({ overspent: true });
    const refused = checkBudgets(over.spender, [call(0.007)], over.budgets);
    await expect(refused).rejects.toMatchObject({ status: 402, hint: undefined });
  });
});

it('a budget of one server counts what is in the ledger, and what could not be booked yet', async () => {
  const { budgets } = agreementsOfOneServer({
    usage: { spentMicros: async () => 30_000 },
    reader: { repeated: async () => undefined },
    interactions: { ready: async () => {}, unbookedMicros: async () => 15_000 },
    clock: { now: () => Date.parse(at(0)) },
  });
  const overspent = (micros: number) => budgets.overspent([BUDGET], micros, Date.parse(at(0)));
  expect(await overspent(5_000)).toBeUndefined();
  expect(await overspent(5_001)).toMatchObject({ spentMicros: 45_000 });
});
