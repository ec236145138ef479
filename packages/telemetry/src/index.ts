export type { Lane } from './metrics/gauges.ts';
export { createMetrics, logMetrics, type Metrics } from './metrics/metrics.ts';
export { observedStore } from './metrics/observed-store.ts';
export {
  METRICS_TYPE,
  type MetricsSnapshot,
  summedCounts,
  summedText,
} from './metrics/registry.ts';
export type { AnsweredRequest } from './metrics/request-metrics.ts';
export type { WorkOperation } from './metrics/work-metrics.ts';
export type { RequestWork } from './requests/request-work.ts';
export { type Observe, type ObservedRequest, observeRequests } from './requests/request-work.ts';
export { openTracing } from './traces/tracer.ts';
