import { isTrawlError, type RoutingEntry } from '@trawl/client';
import { batchesOf } from '@trawl/client/terminal/batches';
import type { CommandContext } from '@trawl/client/terminal/command';
import { note } from '@trawl/client/terminal/output';
import { LIMITS, TOPICS, type Topic, UNROUTED_TOPICS } from '@trawl/contract';
import type { OrdersInUse } from '../measure/evaluation-report.ts';
import type { SetQuery } from '../measure/query-set.ts';
import { patiently } from './calls.ts';

/** Queries with their topics, and what auto-routing does with these. */
export interface RoutedQueries {
  readonly queries: readonly SetQuery[];
  /** How many have the topic that the server determined. */
  readonly classified: number;
  readonly inUse: OrdersInUse;
}

/** One row of each provider: the fewest that a batch may ask for. */
const SEARCH = { auto_routing: 'accuracy', num_results: 1, fallback: 'off' } as const;

/**
 * Asks the server for the topics that a set lacks and for the providers that it would ask, by dry
 * runs: nothing is searched. Where it does not answer, both stay unknown.
 */
export async function routedQueries(
  context: CommandContext,
  queries: readonly SetQuery[],
): Promise<RoutedQueries> {
  const entries = await routingOf(context, queries);
  const routed = queries.map((query, index) => {
    return { ...query, topic: query.topic ?? topicOf(entries[index]?.topic) };
  });
  const found = routed.filter(({ topic }, index) => topic !== queries[index]?.topic);
  return { queries: routed, classified: found.length, inUse: ordersOf(entries) };
}

/** One for each query in their order; none where the server does not say. */
async function routingOf(
  { client, signal }: CommandContext,
  queries: readonly SetQuery[],
): Promise<readonly RoutingEntry[]> {
  const entries: RoutingEntry[] = [];
  try {
    for (const batch of batchesOf(queries, LIMITS.queriesPerBatch)) {
      const user_input = batch.map(({ query }) => ({ query }));
      const plan = await patiently(signal, () =>
        client.searchDryRun({ user_input, search: SEARCH }, { signal }),
      );
      entries.push(...(plan.routing ?? []));
    }
  } catch (error) {
    if (!isTrawlError(error) || signal.aborted) throw error;
    note(`topics and the order in use are not known: ${error.message}\n`);
  }
  return entries.length === queries.length ? entries : [];
}

/** null for one that this version does not know. */
const topicOf = (name: string | null | undefined): Topic | null =>
  TOPICS.find((known) => known === name) ?? null;

/** Where a second topic had a part in the choice, it is the order of neither. */
function ordersOf(entries: readonly RoutingEntry[]): OrdersInUse {
  const orders: Partial<Record<Topic, readonly string[]>> = {};
  for (const { topic: name, second_topic: second, providers } of entries) {
    const topic = topicOf(name);
    if (topic !== null && second === undefined && !UNROUTED_TOPICS.has(topic)) {
      orders[topic] ??= providers;
    }
  }
  return orders;
}
