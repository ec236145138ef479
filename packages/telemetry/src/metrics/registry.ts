import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';

/** All metrics of one process as plain data, which can be sent to another process. */
export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** The content type of the text for Prometheus. */
export const METRICS_TYPE: string = Registry.PROMETHEUS_CONTENT_TYPE;

/** Gauges that are named like counters, which promtool refuses. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

let processMetrics: Registry | undefined;

/**
 * A new registry that has the metrics of the process: CPU, memory, event loop, garbage collection.
 * They observe the process from the first call on, once, however many registries there are.
 */
export function createRegistry(): Registry {
  processMetrics ??= observeProcess();
  const registry = new Registry();
  for (const metric of processMetrics.getMetricsAsArray()) {
    const found = processMetrics.getSingleMetric(metric.name);
    if (found) registry.registerMetric(found);
  }
  return registry;
}

function observeProcess(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  return registry;
}

/**
 * The metrics of several processes as one text: counters and histograms are added up, each gauge by
 * its `aggregator`. Facts of one process only, such as its start time, are left out.
 */
export function summedText(snapshots: readonly MetricsSnapshot[]): Promise<string> {
  return AggregatorRegistry.aggregate([...snapshots]).metrics();
}

/**
 * Counters and histograms of several processes, added up. What only a running process has, such as
 * its memory, is left out.
 */
export async function summedCounts(
  snapshots: readonly MetricsSnapshot[],
): Promise<MetricsSnapshot> {
  const counts = snapshots.map((metrics) => metrics.filter(isCount));
  return AggregatorRegistry.aggregate(counts).getMetricsAsJSON();
}

const isCount = ({ type }: MetricsSnapshot[number]): boolean =>
  String(type) === 'counter' || String(type) === 'histogram';

export interface DescribedMetric {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** What each metric is, in the order of the exposition. */
export const describedMetrics = (registry: Registry): readonly DescribedMetric[] =>
  registry.getMetricsAsArray().map((metric) => ({
    name: metric.name,
    help: metric.help,
    // missing from the library's types
    labels: 'labelNames' in metric ? (metric.labelNames as readonly string[]) : [],
  }));
