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
  const failed = failures(runs);
  if (failed > 0) return failed === runs.length ? 'failed' : 'partially_succeeded';
  return failures(postprocessorRuns) > 0 ? 'partially_succeeded' : 'succeeded';
}

const failures = (runs: readonly Run[]): number =>
  runs.filter(({ status }) => status === 'failed').length;
