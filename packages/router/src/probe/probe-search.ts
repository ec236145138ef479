import { SCHEMA_VERSION } from '@trawl/contract';
import { planFields } from '@trawl/providers';
import type { ConfiguredProvider, Deployment } from '../deployment/deployment.ts';
import { type Caller, interactionHead } from '../interaction/head.ts';
import { executeRun } from '../search/execute.ts';
import { type NormalizedRun, normalizeRun } from '../search/normalize.ts';
import { planRuns, type RunPlan } from '../search/plan.ts';
import { plannedCalls } from '../search/price.ts';
import { interactionRecord } from '../search/record.ts';
import {
  type AskDependencies,
  type PlannedProbe,
  PROBE_QUERY,
  PROBE_SEARCH,
  type ProbeOutcome,
  type ProbeWanted,
  probeMetadata,
} from './probe.ts';

/** The cheapest search of a provider. */
export function searchProbePlan(provider: ConfiguredProvider, deployment: Deployment): RunPlan {
  const fields = planFields(PROBE_SEARCH);
  const routes = [{ slugs: [provider.declaration.slug], skipped: [], notes: [] }];
  const wanted = { queries: [PROBE_QUERY], routes, options: PROBE_SEARCH, fields };
  const [plan] = planRuns(wanted, deployment);
  if (plan === undefined) throw new Error('a search of one provider has no run');
  return { ...plan, provider };
}

/** One search for one row, planned, sent, read and recorded as any other. */
export function planSearchProbe(
  provider: ConfiguredProvider,
  wanted: ProbeWanted,
  dependencies: AskDependencies,
): PlannedProbe {
  const { clock, deployment, runner } = dependencies;
  const fields = planFields(PROBE_SEARCH);
  const plan = searchProbePlan(provider, deployment);
  const [call] = plannedCalls([plan]);
  if (call === undefined) throw new Error('a run has no call');
  const ask = async (caller: Caller) => {
    const executed = await executeRun(plan, runner, caller, true);
    const { rules } = caller;
    const run = normalizeRun(executed, fields, { id: clock.newId(), includeRaw: true, rules });
    const facts = {
      sessionId: undefined,
      userId: null,
      userInput: { query: PROBE_QUERY },
      metadata: probeMetadata(wanted),
      status: run.run.value.status,
      normalizedSchemaVersion: SCHEMA_VERSION,
      routing: null,
      request: null,
    };
    const head = interactionHead(facts, caller, dependencies);
    const record = interactionRecord(
      head,
      [run],
      { postprocessorRuns: [], merged: [] },
      clock.newId,
    );
    caller.observer?.executed(record);
    return { record, outcome: outcomeOf(run) };
  };
  return { call, ask, target: provider.target };
}

function outcomeOf({ run: { value }, rows, cost }: NormalizedRun): ProbeOutcome {
  const { error, latency_ms } = value;
  return {
    status: error === null ? 'works' : 'failed',
    error: error && {
      code: error.code,
      message: error.message,
      http_status: error.http_status ?? null,
      retryable: error.retryable ?? false,
    },
    result_count: error === null ? rows.length : null,
    latency_ms,
    key_tail: cost.keyTail,
    calls: cost.calls,
    cost_usd: cost.costUsd,
  };
}
