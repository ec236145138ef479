import { Histogram, type Registry } from 'prom-client';
import { waitSeconds, workSeconds } from './buckets.ts';

/** One page that was read by our threads; its names are those of the reader. */
export interface PageJob {
  readonly task: 'extract' | 'diagnose' | 'focus' | 'pieces' | 'quotes';
  readonly outcome: string;
  readonly waitedMs: number;
  /** null = no thread took it. */
  readonly readMs: number | null;
}

/** @returns notes a page that was read */
export function pageMetrics(registry: Registry): (job: PageJob) => void {
  const registers = [registry];
  const times = new Histogram({
    name: 'trawl_extraction_seconds',
    help: 'Time in which a thread read a page (extract), checked the text of a page that a provider sent (diagnose), found passages in one (focus), cut texts into pieces for a context (pieces), or looked for quotes in texts (quotes), by outcome.',
    labelNames: ['task', 'outcome'],
    buckets: workSeconds,
    registers,
  });
  const waits = new Histogram({
    name: 'trawl_extraction_wait_seconds',
    help: 'Wait of a page for a thread.',
    buckets: waitSeconds,
    registers,
  });
  return ({ task, outcome, waitedMs, readMs }) => {
    waits.observe(waitedMs / 1000);
    if (readMs !== null) times.observe({ task, outcome }, readMs / 1000);
  };
}
