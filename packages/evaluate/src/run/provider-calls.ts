import { setTimeout as pause } from 'node:timers/promises';
import { isSearchOutput, type SearchRequest, type SearchRun } from '@trawl/client';
import { batchesOf } from '@trawl/client/terminal/batches';
import type { CommandContext } from '@trawl/client/terminal/command';
import { fieldsOfTier, LIMITS } from '@trawl/contract';
import { type SetQuery, sha256Of } from '../measure/query-set.ts';
import { isOpen, type RunHead, type SearchedRow, searchKey } from '../measure/run-rows.ts';
import { inTurn, patiently, TRIES, waitWithin } from './calls.ts';
import type { RunStore } from './run-store.ts';

export type EvaluationTier = 'default' | 'extended' | 'max';

/** One provider on one query. */
export interface ProviderCall {
  readonly query: SetQuery;
  readonly provider: string;
  /** The interaction in which it was not sent; empty = it was not tried. */
  readonly unsentIn: string;
}

/** The calls of a run that have no row yet, or were not sent. */
export const missingCalls = (
  queries: readonly SetQuery[],
  providers: readonly string[],
  index: RunStore['index'] | undefined,
): readonly ProviderCall[] =>
  queries.flatMap((query) =>
    providers.flatMap((provider): readonly ProviderCall[] => {
      const row = index?.get(searchKey(query.id, provider));
      if (row && !isOpen(row)) return [];
      return [{ query, provider, unsentIn: row?.kind === 'search' ? row.interaction_id : '' }];
    }),
  );

export interface SearchManner {
  readonly k: number;
  readonly tier: EvaluationTier;
}

/** US dollars by the server's price list, by the key of the call; null = not known. */
export type CallPrices = ReadonlyMap<string, number | null>;

export async function callPrices(
  { client, signal }: CommandContext,
  calls: readonly ProviderCall[],
  manner: SearchManner,
): Promise<CallPrices> {
  const isMissing = new Set(calls.map(({ query, provider }) => searchKey(query.id, provider)));
  const size = Math.max(
    1,
    Math.min(LIMITS.queriesPerBatch, Math.floor(LIMITS.volumeBudget / manner.k)),
  );
  const providers = [...new Set(calls.map(({ provider }) => provider))];
  const prices = new Map<string, number | null>();
  for (const alike of byFilters([...new Set(calls.map(({ query }) => query))])) {
    for (const batch of batchesOf(alike, size)) {
      const search = searchOptions(manner, providers, batch[0]?.filters ?? null);
      const user_input = batch.map(({ query }) => ({ query }));
      const plan = await patiently(signal, () =>
        client.searchDryRun({ user_input, search }, { signal }),
      );
      for (const { provider, batch_index, cost_usd: usd } of plan.calls) {
        const key = searchKey(batch[batch_index ?? 0]?.id ?? '', provider);
        if (isMissing.has(key)) prices.set(key, usd);
      }
    }
  }
  return prices;
}

function byFilters(queries: readonly SetQuery[]): readonly (readonly SetQuery[])[] {
  const groups = new Map<string, SetQuery[]>();
  for (const query of queries) {
    const key = JSON.stringify(query.filters);
    groups.set(key, [...(groups.get(key) ?? []), query]);
  }
  return [...groups.values()];
}

function searchOptions(
  { k, tier }: SearchManner,
  include: readonly string[],
  filters: SetQuery['filters'],
): NonNullable<SearchRequest['search']> {
  return {
    // with the cost, which the default tier leaves out
    ...(tier === 'default' ? { fields: [...fieldsOfTier('default'), 'usage'] } : { tier }),
    num_results: k,
    providers: { include: [...include] },
    ...(filters === null ? {} : { filters }),
  } as NonNullable<SearchRequest['search']>;
}

interface CallSink {
  readonly store: RunStore;
  /** For providers that do not say what a call costs. */
  readonly prices: CallPrices;
  readonly onRow: () => void;
}

/** Makes the calls, each in the session of the run, and stores a row for each. */
export async function searchAll(
  { client, signal }: CommandContext,
  calls: readonly ProviderCall[],
  manner: SearchManner,
  { store, prices, onRow }: CallSink,
): Promise<void> {
  await inTurn(calls, signal, async (call) => {
    const request = requestOf(call, manner, store.head);
    const ask = (unsentIn: string) =>
      patiently(signal, () =>
        client.search(request, {
          signal,
          throwOnFailure: false,
          // a call that was in progress when the command ended is answered from its record
          idempotencyKey: idempotencyKey(store.head, call, unsentIn),
        }),
      );
    let answer = await ask(call.unsentIn);
    for (let tries = 1; tries < TRIES; tries += 1) {
      const waitMs = unsentFor(answer.preprocessor_runs[0]);
      if (waitMs === null) break;
      await pause(waitMs, undefined, { signal });
      answer = await ask(answer.interaction_id);
    }
    const [run] = answer.preprocessor_runs;
    store.add({
      kind: 'search',
      query: call.query.id,
      provider: call.provider,
      at: new Date().toISOString(),
      interaction_id: answer.interaction_id,
      ...searchedFacts(run, prices.get(searchKey(call.query.id, call.provider)) ?? null, manner.k),
    });
    onRow();
  });
}

const requestOf = (
  { query, provider }: ProviderCall,
  manner: SearchManner,
  { run_id, session_id }: RunHead,
): SearchRequest => ({
  session_id,
  user_input: { query: query.query },
  metadata: { evaluation: run_id },
  search: {
    ...searchOptions(manner, [provider], query.filters),
    // another provider in its place would be measured as this one, and a recorded answer as nothing
    fallback: 'off',
    no_cache: true,
  },
});

/** A call that was not sent is another request when it is tried again. */
const idempotencyKey = (
  { run_id }: RunHead,
  { query, provider }: ProviderCall,
  unsentIn: string,
): string =>
  `evaluate-${run_id}-${sha256Of(searchKey(query.id, provider) + unsentIn).slice(0, 40)}`;

/** Milliseconds until a provider that was not asked may be asked: its circuit was open. */
const unsentFor = (run: SearchRun | undefined): number | null =>
  run?.latency_ms === null ? waitWithin(run.error?.retry_after_ms) : null;

type Facts = Pick<SearchedRow, 'failure' | 'latency_ms' | 'cost_usd' | 'pages'>;

function searchedFacts(run: SearchRun | undefined, listed: number | null, k: number): Facts {
  // strict filters leave a provider out that cannot apply them
  if (run === undefined) return { failure: 'not_run', latency_ms: null, cost_usd: 0, pages: [] };
  const { output_payload: output, error, latency_ms } = run;
  if (!isSearchOutput(output)) {
    const isSent = latency_ms !== null;
    const failure = String(error?.code ?? 'unknown');
    return { failure, latency_ms, cost_usd: isSent ? null : 0, pages: [] };
  }
  const pages = output.results.slice(0, k).map(({ url, title, summary, excerpt }) => ({
    url: url ?? '',
    title: title ?? null,
    text: excerpt ?? summary ?? null,
  }));
  return { failure: null, latency_ms, cost_usd: output.usage?.cost_usd ?? listed, pages };
}
