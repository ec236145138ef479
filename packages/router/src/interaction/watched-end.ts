import type { UpstreamResult } from '@trawl/upstream';
import type { WatchedEnd } from './watch.ts';

/** How a call through the runner ended. */
export function endOf(result: UpstreamResult<unknown>): WatchedEnd {
  const failure = result.status === 'failed' ? result.failure : null;
  return {
    code: failure?.code ?? null,
    httpStatus: failure?.httpStatus ?? null,
    calls: result.calls,
  };
}
