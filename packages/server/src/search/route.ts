import type { RoutingEntry, SearchOptions, Warning } from '@trawl/contract';
import type { ProviderSet } from './check.ts';

export interface RoutePlan {
  /** One entry per query with auto-routing; null without. */
  readonly routing: readonly RoutingEntry[] | null;
  /** Warnings that routing puts on every run. */
  readonly notes: readonly Warning[];
}

/**
 * Query × provider grid. No topic classifier is built into this version, so with auto-routing every topic is
 * undetermined: each query runs on the set that would run without it, and every run says so.
 */
export function planRoutes(
  queries: readonly string[],
  set: ProviderSet,
  options: SearchOptions,
): RoutePlan {
  if (options.auto_routing === undefined) return { routing: null, notes: [] };
  return {
    routing: queries.map(() => ({ topic: null, score: null, providers: [...set.slugs] })),
    notes: [
      {
        code: 'routing_unavailable',
        message:
          'auto_routing: this version has no topic classifier; the query ran on the default providers',
      },
    ],
  };
}
