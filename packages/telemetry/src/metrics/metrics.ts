import type { UpstreamObserver } from '@trawl/upstream';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { workSeconds } from './buckets.ts';
import type { BudgetSources } from './budget-metrics.ts';
import { addGauges, addLogLinesLost, type GaugeSources } from './gauges.ts';
import { type PageJob, pageMetrics } from './page-metrics.ts';
import { providerMetrics } from './provider-metrics.ts';
import {
  createRegistry,
  type DescribedMetric,
  describedMetrics,
  type MetricsSnapshot,
} from './registry.ts';
import { type AnsweredRequest, requestMetrics } from './request-metrics.ts';
import { type WorkMetrics, workMetrics } from './work-metrics.ts';

export interface MetricsOptions {
  readonly version: string;
}

/** What is read with the metrics. */
export interface MetricsSources extends GaugeSources, BudgetSources {}

/** The metrics of one process. */
export interface Metrics {
  readonly answered: (request: AnsweredRequest) => void;
  readonly upstream: UpstreamObserver;
  readonly work: WorkMetrics;
  readonly pageRead: (job: PageJob) => void;
  /** A record was committed, after this many milliseconds. */
  readonly committed: (milliseconds: number) => void;
  /** A run of a watch ended. */
  readonly watchRan: (status: string) => void;
  /** Names what is read with the metrics. May be called several times. */
  readonly connect: (sources: Partial<MetricsSources>) => void;
  /** In the text format of Prometheus. */
  readonly text: () => Promise<string>;
  /** For a process that adds up several: see `summedText`. */
  readonly snapshot: () => Promise<MetricsSnapshot>;
  /** What each metric is, for the docs. */
  readonly described: () => readonly DescribedMetric[];
}

export function createMetrics({ version }: MetricsOptions): Metrics {
  const registry = createRegistry();
  const registers = [registry];
  const sources: Partial<MetricsSources> = {};
  const build = new Gauge({
    name: 'trawl_build_info',
    help: 'The version of trawl; the value is always 1.',
    labelNames: ['version'],
    aggregator: 'first',
    registers,
  });
  build.set({ version }, 1);
  const commits = new Histogram({
    name: 'trawl_recorder_commit_seconds',
    help: 'Time from the end of the calls of a request until its record was committed.',
    buckets: workSeconds,
    registers,
  });
  const watchRuns = new Counter({
    name: 'trawl_watch_runs_total',
    help: 'Runs of watches, by how they ended.',
    labelNames: ['status'],
    registers,
  });
  addGauges(registry, sources);
  return {
    answered: requestMetrics(registry),
    upstream: providerMetrics(registry),
    work: workMetrics(registry, sources),
    pageRead: pageMetrics(registry),
    committed: (milliseconds) => commits.observe(milliseconds / 1000),
    watchRan: (status) => watchRuns.inc({ status }),
    connect: (more) => Object.assign(sources, more),
    text: () => registry.metrics(),
    snapshot: () => registry.getMetricsAsJSON(),
    described: () => describedMetrics(registry),
  };
}

/** The metrics of a process that only logs. */
export function logMetrics(logLinesLost: () => number): () => Promise<MetricsSnapshot> {
  const registry = new Registry();
  addLogLinesLost(registry, { logLinesLost });
  return () => registry.getMetricsAsJSON();
}
