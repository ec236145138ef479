import type { InteractionRecord, RequestObserver } from '@trawl/router';
import { Counter, Histogram, type Registry } from 'prom-client';
import { workSeconds } from './buckets.ts';
import { type BudgetSources, budgetMetrics } from './budget-metrics.ts';

/** What a request asks providers for. A probe is one search or fetch for an operator. */
export type WorkOperation = 'search' | 'fetch' | 'probe';

/** What requests that ask providers did. */
export interface WorkMetrics {
  readonly paying: RequestObserver['paying'];
  readonly judged: RequestObserver['judged'];
  readonly cacheRead: (isHit: boolean) => void;
  /** The costs of the calls of a request. */
  readonly paid: (ledger: InteractionRecord['ledger']) => void;
  /** @param milliseconds of a request in which none of its calls to providers was in progress */
  readonly overhead: (operation: WorkOperation, milliseconds: number) => void;
}

export function workMetrics(registry: Registry, sources: Partial<BudgetSources>): WorkMetrics {
  const registers = [registry];
  const overheads = new Histogram({
    name: 'trawl_overhead_seconds',
    help: 'Our own share of a search or fetch: its time without the time in which a call to a provider was in progress.',
    labelNames: ['operation'],
    buckets: workSeconds,
    registers,
  });
  const costs = new Counter({
    name: 'trawl_cost_micros_total',
    help: 'Cost of calls in millionths of a US dollar. Basis: billed (the provider reported it) or estimated (from the price list).',
    labelNames: ['provider', 'basis'],
    registers,
  });
  const unpriced = new Counter({
    name: 'trawl_unpriced_calls_total',
    help: 'Calls whose cost is not known.',
    labelNames: ['provider'],
    registers,
  });
  const verdicts = new Counter({
    name: 'trawl_fetch_verdicts_total',
    help: 'What providers said about pages: page, low_quality, or why it is missing.',
    labelNames: ['provider', 'verdict'],
    registers,
  });
  const cacheReads = new Counter({
    name: 'trawl_page_cache_reads_total',
    help: 'Reads of the page cache by result: hit or miss.',
    labelNames: ['result'],
    registers,
  });
  return {
    paying: budgetMetrics(registry, sources),
    judged: (provider, verdict) => verdicts.inc({ provider, verdict }),
    cacheRead: (isHit) => cacheReads.inc({ result: isHit ? 'hit' : 'miss' }),
    paid: (ledger) => {
      for (const { provider, calls, costMicros, costSource } of ledger) {
        if (calls === 0) continue;
        if (costMicros === null) unpriced.inc({ provider }, calls);
        else {
          const basis = costSource === 'reported' ? 'billed' : 'estimated';
          costs.inc({ provider, basis }, costMicros);
        }
      }
    },
    overhead: (operation, milliseconds) => overheads.observe({ operation }, milliseconds / 1000),
  };
}
