import { planFields } from '@trawl/providers';
import {
  type ConfiguredProvider,
  callPrice,
  type Deployment,
  executeRun,
  isUsable,
  normalizeRun,
  PROBE_QUERY,
  PROBE_SEARCH,
  planRuns,
  type RunPlan,
  searchPrice,
} from '@trawl/router';
import { OWN_CALLER, type UpstreamRunner } from '@trawl/upstream';
import { eachAccess } from './each-access.ts';
import type { Probe, ProbeResult } from './probe.ts';

export interface ProbeLimits {
  readonly signal: AbortSignal;
  /** When a call that starts now must be over, in milliseconds since 1970. */
  readonly deadlineAt: () => number;
}

/** One search of each provider, planned, sent and read as any other. */
export function searchProbes(
  deployment: Deployment,
  runner: UpstreamRunner,
  limits: ProbeLimits,
): readonly Probe[] {
  const fields = planFields(PROBE_SEARCH);
  const slugs = [...deployment.searchProviders.keys()];
  const routes = [{ slugs, skipped: [], notes: [] }];
  const plans = planRuns(
    { queries: [PROBE_QUERY], routes, options: PROBE_SEARCH, fields },
    deployment,
  );
  const ask = async (plan: RunPlan): Promise<ProbeResult> => {
    const { signal, deadlineAt } = limits;
    const executed = await executeRun(plan, runner, {
      keyId: OWN_CALLER,
      projectId: OWN_CALLER,
      signal,
      deadlineAt: deadlineAt(),
    });
    const { cost, rows } = normalizeRun(executed, fields, { id: '', includeRaw: false });
    const { latencyMs } = executed.result;
    return executed.result.status === 'failed'
      ? { kind: 'failed', failure: executed.result.failure, latencyMs, cost }
      : { kind: 'answered', rows: rows.length, latencyMs, cost };
  };
  return plans.flatMap((plan) =>
    eachAccess(plan.provider.target).map(({ target, access }) => ({
      role: 'search',
      provider: plan.provider.declaration.slug,
      access,
      obstacle: obstacleOf(plan.provider),
      keyless: plan.provider.keyless,
      hasKey: target.credentials.length > 0,
      price: callPrice(searchPrice(plan.provider, plan.search, null)),
      ask: () => ask({ ...plan, provider: { ...plan.provider, target } }),
    })),
  );
}

export function obstacleOf(provider: Omit<ConfiguredProvider, 'declaration'>) {
  if (isUsable(provider)) return undefined;
  const { obstacle, credentialVariable } = provider.target;
  return {
    kind: 'not_configured',
    setting: credentialVariable,
    reason: obstacle && `${obstacle.happened}; ${obstacle.remedy}`,
  } as const;
}
