import type { InteractionStatus, RunStatus } from '@trawl/contract';

/** All succeeded, or none at all: `succeeded`; all failed: `failed`; else `partially_succeeded`. */
export function interactionStatus(
  runs: readonly { readonly status: RunStatus }[],
): InteractionStatus {
  const failed = runs.filter(({ status }) => status === 'failed').length;
  if (failed === 0) return 'succeeded';
  return failed === runs.length ? 'failed' : 'partially_succeeded';
}
