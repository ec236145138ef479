import { Registry } from 'prom-client';
import { addLogLinesLost } from './gauges.ts';
import type { MetricsSnapshot } from './registry.ts';

/** The metrics of a process that only logs. */
export function logMetrics(logLinesLost: () => number): () => Promise<MetricsSnapshot> {
  const registry = new Registry();
  addLogLinesLost(registry, { logLinesLost });
  return () => registry.getMetricsAsJSON();
}
