import { recorded } from '@trawl/base';
import type { FetchRow } from '@trawl/contract';
import { pagePrice } from '../billing/list-price.ts';
import { type CallPrice, callPrice, FREE_CALL } from '../billing/planned-call.ts';
import type { ConfiguredFetchProvider } from '../deployment/deployment.ts';
import { planFor, walkChain } from '../fetch/chain.ts';
import { underRules } from '../fetch/chain-result.ts';
import type { PageTarget } from '../fetch/check.ts';
import { type FetchCommand, fetchCommand } from '../fetch/command.ts';
import { FREE } from '../fetch/cost.ts';
import { type FetchedPage, fetchRow } from '../fetch/normalize.ts';
import { fetchRecord, fetchRun, fetchRunParts } from '../fetch/record.ts';
import { causesOf, isUnavailable } from '../fetch/unavailable.ts';
import { type Caller, interactionHead } from '../interaction/head.ts';
import {
  type AskDependencies,
  type PlannedProbe,
  type Probed,
  type ProbeOutcome,
  type ProbeWanted,
  probeMetadata,
} from './probe.ts';

/** What the cheapest page of a provider costs. */
export function fetchProbePrice(provider: ConfiguredFetchProvider, target: PageTarget): CallPrice {
  if (!('target' in provider)) return FREE_CALL;
  const { options } = fetchCommand({ urls: [target.url], options: { tier: 'minimalist' } });
  return callPrice(
    pagePrice(provider, planFor(provider, target, options, provider.target.timeoutMs), null),
  );
}

/**
 * One page through one provider, planned, sent, read and recorded as any other. Never from a cache.
 */
export function planFetchProbe(
  provider: ConfiguredFetchProvider,
  target: PageTarget,
  wanted: ProbeWanted,
  dependencies: AskDependencies,
): PlannedProbe {
  const { slug } = provider.declaration;
  const command = fetchCommand({
    urls: [target.url],
    metadata: probeMetadata(wanted),
    options: { tier: 'minimalist', providers: [slug] },
  });
  const price = fetchProbePrice(provider, target);
  return {
    call: { provider: slug, url: target.url, ...price },
    target: 'target' in provider ? provider.target : null,
    ask: async (caller) => {
      const page = await fetchPage(provider, target, command, { caller, dependencies });
      return probedPage(page, provider, command, { caller, dependencies });
    },
  };
}

interface Asking {
  readonly caller: Caller;
  readonly dependencies: AskDependencies;
}

async function fetchPage(
  provider: ConfiguredFetchProvider,
  target: PageTarget,
  { options }: FetchCommand,
  { caller, dependencies }: Asking,
): Promise<FetchedPage> {
  const { clock } = dependencies;
  const startedAt = clock.now();
  const wanted = { target, chain: [provider], options, isProbe: true };
  const walked = await walkChain(wanted, caller, dependencies);
  const result = underRules(walked, caller.rules, !('target' in provider));
  const latencyMs = Math.max(0, Math.round(clock.now() - startedAt));
  return { target, result, latencyMs, knownTitle: null, passages: null };
}

function probedPage(
  page: FetchedPage,
  provider: ConfiguredFetchProvider,
  command: FetchCommand,
  { caller, dependencies }: Asking,
): Probed {
  const { clock, deployment } = dependencies;
  const row = recorded<FetchRow>(fetchRow(page, command.options, deployment));
  const run = fetchRun(command, [provider], [row.value], {
    id: clock.newId(),
    latencyMs: page.latencyMs,
    causes: isUnavailable(command.options, [page]) ? causesOf([page]) : null,
  });
  const facts = {
    sessionId: undefined,
    userId: null,
    userInput: { urls: command.urls },
    metadata: command.metadata,
    status: run.status,
    normalizedSchemaVersion: null,
    routing: null,
    request: null,
  };
  const head = interactionHead(facts, caller, dependencies);
  const parts = fetchRunParts(run, [row]);
  return {
    record: fetchRecord(head, { id: run.id, parts }, [page], clock.newId),
    outcome: outcomeOf(page, row.value),
  };
}

function outcomeOf({ result }: FetchedPage, { error, http_status }: FetchRow): ProbeOutcome {
  const [spent = { ...FREE, latencyMs: null }] = result.costs;
  return {
    status: statusOf(result),
    error: error && {
      code: error.code,
      message: error.message,
      http_status: http_status ?? null,
      retryable: error.retryable ?? false,
    },
    result_count: null,
    latency_ms: spent.latencyMs,
    key_tail: spent.keyTail,
    calls: spent.calls,
    cost_usd: spent.costUsd,
  };
}

function statusOf(result: FetchedPage['result']): ProbeOutcome['status'] {
  if (result.kind === 'page') return 'works';
  return result.isReached ? 'page_failed' : 'failed';
}
