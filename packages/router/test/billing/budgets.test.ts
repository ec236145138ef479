import { describe, expect, it } from 'vitest';
import { type Budget, createMemoryBudgets, monthOf } from '../../src/billing/budgets.ts';

const JANUARY = Date.parse('2026-01-31T23:59:00.000Z');
const FEBRUARY = Date.parse('2026-02-01T00:00:00.000Z');
const MARCH = Date.parse('2026-03-01T00:00:00.000Z');

const budget = (id: string, limitMicros: number, kind: 'key' | 'project' = 'key'): Budget => ({
  owner: { kind, id },
  limitMicros,
});

/** Budgets over a ledger that the test writes. */
function setUp(ledger: Record<string, number> = {}) {
  const time = { now: 0 };
  const reads: string[] = [];
  let wait: Promise<void> | undefined;
  const budgets = createMemoryBudgets({
    now: () => time.now,
    refreshMs: 1_000,
    ledger: {
      spentMicros: async ({ kind, id }, from, to) => {
        reads.push(`${kind} ${id} ${from.slice(0, 7)} ${to.slice(0, 10)}`);
        const spent = ledger[id] ?? 0;
        await wait;
        return spent;
      },
    },
  });
  const reserve = async (of: readonly Budget[], micros: number, at = JANUARY) => {
    const reserved = await budgets.reserve(of, micros, at);
    return 'reservation' in reserved ? reserved.reservation : reserved.overspent;
  };
  const isFree = async (of: readonly Budget[], micros: number, at = JANUARY) =>
    (await budgets.overspent(of, micros, at)) === undefined;
  return {
    ledger,
    time,
    reads,
    reserve,
    isFree,
    budgets,
    holdReads: (on: Promise<void>) => (wait = on),
  };
}

describe('a budget', () => {
  it('may be spent to the last millionth, and not beyond', async () => {
    const { isFree } = setUp({ a: 70 });
    const a = [budget('a', 100)];
    expect([await isFree(a, 30), await isFree(a, 31)]).toEqual([true, false]);
  });

  it('that is spent refuses also what costs nothing', async () => {
    const { isFree } = setUp({ a: 100 });
    expect(await isFree([budget('a', 100)], 0)).toBe(false);
    expect(await isFree([budget('a', 101)], 0)).toBe(true);
  });

  it('counts what is reserved, what was settled instead, and nothing that was cancelled', async () => {
    const { reserve, isFree } = setUp({ a: 10 });
    const a = [budget('a', 100)];
    const first = await reserve(a, 40);
    const second = await reserve(a, 50);
    expect(await isFree(a, 1)).toBe(false);
    if (!('settle' in first && 'settle' in second)) throw new Error('refused');
    first.settle(15);
    expect([await isFree(a, 25), await isFree(a, 26)]).toEqual([true, false]);
    second.cancel();
    expect([await isFree(a, 75), await isFree(a, 76)]).toEqual([true, false]);
  });

  it('that refuses says what was spent and reserved, and when the month ends', async () => {
    const { reserve } = setUp({ a: 60 });
    const a = budget('a', 100);
    await reserve([a], 30);
    expect(await reserve([a], 11)).toEqual({
      budget: a,
      spentMicros: 60,
      reservedMicros: 30,
      resetAt: FEBRUARY,
    });
  });

  it('of three is named, and the others reserve nothing', async () => {
    const { reserve, isFree } = setUp({ key: 0, project: 95 });
    const [key, project, other] = [
      budget('key', 100),
      budget('project', 100, 'project'),
      budget('other', 100),
    ];
    expect(await reserve([key, other, project], 10)).toMatchObject({
      budget: project,
      spentMicros: 95,
    });
    expect([await isFree([key], 100), await isFree([other], 100)]).toEqual([true, true]);
    const reservation = await reserve([key, project], 5);
    expect([await isFree([key], 96), await isFree([project], 1)]).toEqual([false, false]);
    if ('settle' in reservation) reservation.settle(2);
    expect([await isFree([key], 98), await isFree([project], 3)]).toEqual([true, true]);
    expect([await isFree([key], 99), await isFree([project], 4)]).toEqual([false, false]);
  });

  it('is read from the ledger again after its time, with what was settled meanwhile once', async () => {
    const { ledger, time, reads, reserve, isFree } = setUp({ a: 10 });
    const a = [budget('a', 100)];
    const reservation = await reserve(a, 20);
    if ('settle' in reservation) reservation.settle(20);
    time.now = 999;
    expect(await isFree(a, 70)).toBe(true);
    expect(reads).toEqual(['key a 2026-01 2026-02-01']);
    // the ledger has what was settled, and what another process spent
    ledger.a = 45;
    time.now = 1_000;
    expect([await isFree(a, 55), await isFree(a, 56)]).toEqual([true, false]);
    expect(reads).toHaveLength(2);
  });

  it('counts what is settled while the ledger is read', async () => {
    const { time, reserve, isFree, reads, holdReads } = setUp({ a: 10 });
    const a = [budget('a', 100)];
    const reservation = await reserve(a, 20);
    let read = () => {};
    holdReads(
      new Promise((resolve) => {
        read = resolve;
      }),
    );
    time.now = 2_000;
    const asked = [isFree(a, 70), isFree(a, 71)];
    if ('settle' in reservation) reservation.settle(20);
    read();
    expect(await Promise.all(asked)).toEqual([true, false]);
    // both waited for one read
    expect(reads).toHaveLength(2);
  });

  it('of another month begins at its own spending', async () => {
    const { ledger, reserve, isFree, reads } = setUp({ a: 100 });
    const a = [budget('a', 100)];
    expect(await isFree(a, 1)).toBe(false);
    ledger.a = 0;
    expect(await isFree(a, 100, FEBRUARY)).toBe(true);
    await reserve(a, 60, FEBRUARY);
    expect(await isFree(a, 41, FEBRUARY)).toBe(false);
    expect(reads).toEqual(['key a 2026-01 2026-02-01', 'key a 2026-02 2026-03-01']);
  });

  it('of a key is not that of a project with the same id', async () => {
    const { reserve, isFree } = setUp();
    await reserve([budget('a', 100)], 100);
    expect(await isFree([budget('a', 100, 'project')], 100)).toBe(true);
  });
});

it('a month is that of UTC', () => {
  expect(monthOf(JANUARY)).toEqual({ from: Date.UTC(2026, 0), to: FEBRUARY });
  expect(monthOf(FEBRUARY)).toEqual({ from: FEBRUARY, to: MARCH });
  expect(monthOf(Date.UTC(2026, 11, 31))).toEqual({
    from: Date.UTC(2026, 11),
    to: Date.UTC(2027, 0),
  });
});
