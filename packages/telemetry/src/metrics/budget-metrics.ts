import type { Budget, UsageReader } from '@trawl/router';
import { Gauge, type Registry } from 'prom-client';

export interface BudgetSources {
  /** What a key or a project has spent. */
  readonly spentMicros: UsageReader['spentMicros'];
}

type Kind = Budget['owner']['kind'];

const KINDS: readonly Kind[] = ['key', 'project'];
/** Budgets of a kind that are looked at: those that paid last. */
const KNOWN_MAX = 100;
/** The ledger is read again after this time. */
const REFRESH_MS = 60_000;

/**
 * The lowest share of a monthly budget that is left, of keys and of projects: their ids would be
 * labels without a limit. Only budgets that this process has seen pay are known.
 * @returns notes the budgets that pay for a request
 */
export function budgetMetrics(
  registry: Registry,
  sources: Partial<BudgetSources>,
): (budgets: readonly Budget[]) => void {
  const known = { key: new Map<string, Budget>(), project: new Map<string, Budget>() };
  let readAt = Number.NEGATIVE_INFINITY;
  const gauge = new Gauge({
    name: 'trawl_budget_remaining_ratio',
    help: 'The lowest share that is left of a monthly budget, by scope: key or project. Of the last 100 of each that paid for a request; read once a minute.',
    labelNames: ['scope'],
    aggregator: 'min',
    registers: [registry],
    async collect() {
      const { spentMicros } = sources;
      if (!spentMicros || performance.now() - readAt < REFRESH_MS) return;
      for (const kind of KINDS) await show(kind, spentMicros);
    },
  });
  const show = async (scope: Kind, spentMicros: BudgetSources['spentMicros']): Promise<void> => {
    const budgets = [...known[scope].values()];
    if (budgets.length === 0) return;
    readAt = performance.now();
    try {
      const shares = await Promise.all(budgets.map((budget) => shareLeft(budget, spentMicros)));
      gauge.set({ scope }, Math.min(...shares));
    } catch {
      // the store cannot be read, which trawl_recorder_open shows: an old value would be wrong
      gauge.remove({ scope });
    }
  };
  return (budgets) => {
    for (const budget of budgets) {
      const { kind, id } = budget.owner;
      const same = known[kind];
      same.delete(id);
      same.set(id, budget);
      const [oldest] = same.keys();
      if (same.size > KNOWN_MAX && oldest !== undefined) same.delete(oldest);
    }
  };
}

async function shareLeft(
  { owner, limitMicros }: Budget,
  spentMicros: BudgetSources['spentMicros'],
): Promise<number> {
  const now = new Date();
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const first = (of: number) => new Date(Date.UTC(year, of)).toISOString();
  const spent = await spentMicros(owner, first(month), first(month + 1));
  return limitMicros <= 0 ? 0 : Math.max(0, 1 - spent / limitMicros);
}
