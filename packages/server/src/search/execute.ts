import type { ParsedSearch } from '@trawl/providers';
import type { UpstreamResult, UpstreamRunner } from '../upstream/types.ts';
import type { RunPlan } from './plan.ts';

export interface ExecutedRun {
  readonly plan: RunPlan;
  readonly result: UpstreamResult<ParsedSearch>;
  /** The answer came with a failing status, which is never charged. */
  readonly isFree: boolean;
}

/** Runs all plans at once. Never throws: what goes wrong is that run's result. */
export function executeRuns(
  plans: readonly RunPlan[],
  runner: UpstreamRunner,
  limits: { readonly signal: AbortSignal; readonly deadlineAt: number },
): Promise<readonly ExecutedRun[]> {
  return Promise.all(plans.map((plan) => executeRun(plan, runner, limits)));
}

async function executeRun(
  plan: RunPlan,
  runner: UpstreamRunner,
  { signal, deadlineAt }: { readonly signal: AbortSignal; readonly deadlineAt: number },
): Promise<ExecutedRun> {
  const { declaration, target } = plan.provider;
  const { wanted } = plan.search;
  const read = (json: unknown) => {
    const answer = declaration.response.safeParse(json);
    return answer.success ? declaration.parse(answer.data, wanted) : undefined;
  };
  let isFree = false;
  const result = await runner.run({
    target,
    call: plan.call,
    read,
    readFailedAnswer: (failed) => {
      const body = declaration.readFailedAnswer?.(failed);
      if (body === undefined) return undefined;
      isFree = true;
      return read(body);
    },
    signal,
    deadlineAt,
    retry: true,
    overridden: Object.keys(wanted.overrides).length > 0,
  });
  return { plan, result, isFree };
}
