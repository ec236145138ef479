import { systemClock } from '@trawl/base';
import type { PlannedCall, SearchOptions } from '@trawl/contract';
import { type FieldPlan, planFields } from '@trawl/providers';
import {
  createDeployment,
  type Deployment,
  dryRun,
  executeRun,
  isUsable,
  normalizeRun,
  plannedCalls,
  planRuns,
  type RunPlan,
  whyUnusable,
} from '@trawl/router';
import type { Config } from '@trawl/server';
import { createUpstreamRunner, OWN_CALLER, type UpstreamRunner } from '@trawl/upstream';
import type { LabelledQuery } from './query-file.ts';
import type { EvaluatedRun } from './score-runs.ts';

/** An evaluation as planned; nothing was sent yet. */
export interface PlannedEvaluation {
  readonly providers: readonly string[];
  readonly calls: readonly PlannedCall[];
  /** By the price list; null where a provider has no price in it. */
  readonly totalUsd: number | null;
  /**
   * Sends everything. Ends early, without an error, when the signal aborts: what is missing failed
   * as `cancelled`.
   */
  run(options: EvaluationOptions): Promise<readonly EvaluatedRun[]>;
}

export interface EvaluationOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Five rows are scored, and asked for; the tier is the one that searches have. */
const OPTIONS: SearchOptions = { tier: 'default', num_results: 5 };
/** Queries in progress at once, each with all its providers; vendors limit requests per second. */
const QUERIES_AT_ONCE = 4;

/** @throws Error naming the providers that are unknown or have no key */
export function planEvaluation(
  config: Config,
  queries: readonly LabelledQuery[],
  slugs: readonly string[],
): PlannedEvaluation {
  const deployment = createDeployment(config);
  const providers = [...new Set(slugs)];
  checkProviders(providers, deployment);
  const fields = planFields(OPTIONS);
  const route = { slugs: providers, skipped: [], notes: [] };
  const texts = queries.map(({ query }) => query);
  const routes = texts.map(() => route);
  const plans = planRuns({ queries: texts, routes, options: OPTIONS, fields }, deployment);
  const calls = plannedCalls(plans);
  return {
    providers,
    calls,
    totalUsd: dryRun(calls).total_usd,
    run: (options) => runPlans(config, plans, fields, options),
  };
}

function checkProviders(slugs: readonly string[], { searchProviders }: Deployment): void {
  if (slugs.length === 0) throw new Error('no provider is named');
  const unknown = slugs.filter((slug) => !searchProviders.has(slug));
  if (unknown.length > 0) {
    const known = [...searchProviders.keys()].join(', ');
    throw new Error(`unknown provider ${unknown.join(', ')}; the providers are ${known}`);
  }
  const unset = slugs.flatMap((slug) => {
    const provider = searchProviders.get(slug);
    return provider && !isUsable(provider) ? provider : [];
  });
  const [away] = unset.filter(({ target }) => target.obstacle !== undefined);
  if (away) {
    const { slug } = away.declaration;
    throw new Error(`leave ${slug} out: ${whyUnusable(away)}; ${away.target.obstacle?.remedy}`);
  }
  const names = unset.map(({ target }) => target.credentialVariable);
  if (names.length > 0)
    throw new Error(`set ${names.join(', ')} first, or leave that provider out`);
}

async function runPlans(
  config: Config,
  plans: readonly RunPlan[],
  fields: FieldPlan,
  { signal, onProgress }: EvaluationOptions,
): Promise<readonly EvaluatedRun[]> {
  const runner = createUpstreamRunner({
    clock: systemClock,
    // a cool-down would fail calls that the provider never saw
    breaker: 'off',
    proxy: { httpsProxy: config.httpsProxy, noProxy: config.noProxy },
  });
  const waiting = byQuery(plans);
  const runs: EvaluatedRun[] = [];
  const worker = async (): Promise<void> => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      const done = await Promise.all(
        group.map((plan) => evaluatedRun(plan, fields, runner, { signal, config })),
      );
      runs.push(...done);
      onProgress?.(runs.length, plans.length);
    }
  };
  try {
    await Promise.all(Array.from({ length: QUERIES_AT_ONCE }, worker));
  } finally {
    await runner.close();
  }
  return runs.sort((a, b) => a.queryIndex - b.queryIndex);
}

/** Plans are in the order of their queries. */
function byQuery(plans: readonly RunPlan[]): RunPlan[][] {
  const groups: RunPlan[][] = [];
  for (const plan of plans) {
    const group = groups[plan.batchIndex] ?? [];
    groups[plan.batchIndex] = [...group, plan];
  }
  return groups;
}

async function evaluatedRun(
  plan: RunPlan,
  fields: FieldPlan,
  runner: UpstreamRunner,
  { signal, config }: { readonly signal: AbortSignal; readonly config: Config },
): Promise<EvaluatedRun> {
  const deadlineAt = systemClock.now() + config.requestDeadlineMs;
  const executed = await executeRun(plan, runner, {
    keyId: OWN_CALLER,
    projectId: OWN_CALLER,
    signal,
    deadlineAt,
  });
  const options = { id: systemClock.newId(), includeRaw: false };
  const { run, rows, cost } = normalizeRun(executed, fields, options);
  return {
    queryIndex: plan.batchIndex,
    provider: plan.provider.declaration.slug,
    urls: rows.map(({ url }) => url),
    failure: run.value.error?.code ?? null,
    latencyMs: run.value.latency_ms,
    costUsd: cost.costUsd,
  };
}
