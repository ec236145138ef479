import { z } from 'zod';
import { dateTimeOut, optional } from '../schemas/json.ts';
import { TOPICS, VERDICTS } from '../vocabulary/vocabulary.ts';
import { ProjectPath } from './projects.ts';
import type { ConsoleRoute } from './route.ts';

/** One place of a topic's ranking. */
export const RankedPlace = z.object({
  provider: z.string(),
  /** From 1. */
  place: z.int(),
  reason: z.string(),
  /** A page on which the reason can be checked. */
  source: z.string(),
  configured: z.boolean(),
});
export type RankedPlace = z.output<typeof RankedPlace>;

export const RankedTopic = z.object({
  topic: z.enum(TOPICS),
  /** Whether its queries are routed; otherwise they run on the default providers. */
  routed: z.boolean(),
  places: z.array(RankedPlace),
});
export type RankedTopic = z.output<typeof RankedTopic>;

const Interval = z.object({ mean: z.number(), low: z.number(), high: z.number() });
export type Interval = z.output<typeof Interval>;

export const RoutingProvider = z.object({
  provider: z.string(),
  place: z.int().nullable(),
  runs: z.int(),
  failed: Interval.nullable(),
  failures: z.array(z.object({ code: z.string(), runs: z.int() })),
  latency_ms: z.object({ p50: z.number().nullable(), p90: z.number().nullable() }),
  cost_per_call_usd: z.number().nullable(),
  unpriced_calls: z.int(),
  judged: z.int(),
  /** Of the judged runs: those with a result that was used or right. */
  helped: z.object({ runs: z.int(), share: Interval.nullable() }),
  verdicts: z.array(
    z.object({ verdict: z.enum(VERDICTS), results: z.int(), share: Interval.nullable() }),
  ),
});
export type RoutingProvider = z.output<typeof RoutingProvider>;

export const RoutingTopic = z.object({
  topic: z.string(),
  runs: z.int(),
  judged_queries: z.int(),
  providers: z.array(RoutingProvider),
  findings: z.array(z.string()),
});
export type RoutingTopic = z.output<typeof RoutingTopic>;

export const ROUTING_ROUTES = {
  readRanking: {
    method: 'GET',
    path: '/console/api/projects/{project_id}/routing/ranking',
    summary: 'The ranking of providers by topic, in use',
    access: 'viewer',
    params: ProjectPath,
    status: 200,
    response: z.object({ version: z.string(), topics: z.array(RankedTopic) }),
  },
  readRoutingReport: {
    method: 'GET',
    path: '/console/api/projects/{project_id}/routing/report',
    summary: 'Failures, latency, cost and feedback by topic, next to the ranking',
    access: 'viewer',
    params: ProjectPath,
    query: z.object({ days: optional(z.coerce.number().int().min(1).max(90)) }),
    status: 200,
    response: z.object({
      from: dateTimeOut,
      to: dateTimeOut,
      ranking_version: z.string(),
      topics: z.array(RoutingTopic),
      /** Runs without a known topic, by the reason. */
      left_out: z.array(z.object({ reason: z.string(), runs: z.int() })),
    }),
  },
} as const satisfies Record<string, ConsoleRoute>;
