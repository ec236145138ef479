import type { InteractionStatus, RunStatus } from '@trawl/contract';

interface Run {
  readonly status: RunStatus;
}

/**
 * Over the provider runs: all succeeded, or none at all: `succeeded`; all failed: `failed`; else
 * `partially_succeeded`. A failed postprocessor makes a success partial.
 */
export function interactionStatus(
  runs: readonly Run[],
  postprocessorRuns: readonly Run[] = [],
): InteractionStatus {
  const failed = runs.filter(isFailed).length;
  if (failed > 0) return failed === runs.length ? 'failed' : 'partially_succeeded';
  return postprocessorRuns.some(isFailed) ? 'partially_succeeded' : 'succeeded';
}

const isFailed = ({ status }: Run): boolean => status === 'failed';
