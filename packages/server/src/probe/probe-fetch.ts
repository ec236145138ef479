import { comparableUrl } from '@trawl/providers';
import {
  type AttemptDependencies,
  accepts,
  attemptPage,
  type ConfiguredFetchProvider,
  callPrice,
  type Deployment,
  type FetchAttempt,
  FREE_CALL,
  fetchCommand,
  type PageTarget,
  pagePrice,
  planFor,
} from '@trawl/router';
import { OWN_CALLER } from '@trawl/upstream';
import { eachAccess } from './each-access.ts';
import type { Obstacle, Probe, ProbeResult } from './probe.ts';
import { obstacleOf, type ProbeLimits } from './probe-search.ts';

/**
 * One page of each provider, planned, sent and read as any other; collected pages are waited for.
 */
export function fetchProbes(
  deployment: Deployment,
  page: URL,
  limits: ProbeLimits,
  dependencies: AttemptDependencies,
): readonly Probe[] {
  const url = page.href;
  const target = { url, parsed: page, comparable: comparableUrl(url)?.url ?? url };
  return [...deployment.fetchProviders.values()].flatMap((provider) => {
    if (!('target' in provider)) {
      return [fetchProbe({ provider, access: undefined }, target, limits, dependencies)];
    }
    return eachAccess(provider.target).map(({ target: single, access }) =>
      fetchProbe(
        { provider: { ...provider, target: single }, access },
        target,
        limits,
        dependencies,
      ),
    );
  });
}

function fetchProbe(
  {
    provider,
    access,
  }: { readonly provider: ConfiguredFetchProvider; readonly access: string | undefined },
  target: PageTarget,
  limits: ProbeLimits,
  dependencies: AttemptDependencies,
): Probe {
  const { options } = fetchCommand({ urls: [target.url], options: { tier: 'minimalist' } });
  const isVendor = 'target' in provider;
  const timeoutMs = isVendor ? provider.target.timeoutMs : provider.timeoutMs;
  const plan = planFor(provider, target, options, timeoutMs);
  return {
    role: 'fetch',
    provider: provider.declaration.slug,
    access,
    obstacle: obstacleTo(provider, target),
    hasKey: isVendor && provider.target.credentials.length > 0,
    price: isVendor ? callPrice(pagePrice(provider, plan, null)) : FREE_CALL,
    ask: async () => {
      const { signal } = limits;
      const call = {
        keyId: OWN_CALLER,
        projectId: OWN_CALLER,
        signal,
        deadlineAt: limits.deadlineAt(),
      };
      const bounds = { call, limits: { timeoutMs, retry: false } };
      return resultOf(await attemptPage(provider, plan, bounds, dependencies));
    },
  };
}

function obstacleTo(
  provider: ConfiguredFetchProvider,
  { parsed }: PageTarget,
): Obstacle | undefined {
  const missing = 'target' in provider ? obstacleOf(provider) : undefined;
  return missing ?? (accepts(provider, parsed) ? undefined : { kind: 'other_pages' });
}

function resultOf(attempt: FetchAttempt): ProbeResult {
  const { latencyMs, cost } = attempt;
  if (attempt.kind === 'page') return { kind: 'answered', rows: null, latencyMs, cost };
  if (attempt.kind === 'failed') {
    return { kind: 'failed', failure: attempt.failure, latencyMs, cost };
  }
  const { code, reason } = attempt.verdict;
  return { kind: 'page_failed', code, reason, latencyMs, cost };
}
