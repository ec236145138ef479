import type { FetchRow, FetchRun } from '@trawl/contract';
import type { ConfiguredFetchProvider } from '../deployment/deployment.ts';
import { type FetchCommand, fetchRequestPayload } from './command.ts';
import { RUN_NAME } from './record.ts';
import { type Causes, unavailableError } from './unavailable.ts';

/**
 * The one run of a fetch, of its finished rows. `causes`: why no page was reached; null = some was.
 */
export function fetchRun(
  command: FetchCommand,
  chain: readonly ConfiguredFetchProvider[],
  rows: FetchRow[],
  {
    id,
    latencyMs,
    causes,
  }: { readonly id: string; readonly latencyMs: number; readonly causes: Causes | null },
): FetchRun {
  const isLost = causes !== null;
  const succeeded = rows.filter(({ status }) => status === 'succeeded').length;
  const slugs = chain.map(({ declaration }) => declaration.slug);
  return {
    id,
    preprocessor_name: RUN_NAME,
    status: isLost ? 'failed' : 'succeeded',
    batch_index: 0,
    query: '',
    request_payload: fetchRequestPayload(command, slugs),
    output_payload: isLost
      ? null
      : {
          fetched_results: rows,
          succeeded_count: succeeded,
          failed_count: rows.length - succeeded,
          warnings: [],
        },
    raw_payload: null,
    error: isLost ? unavailableError(slugs, rows, causes) : null,
    latency_ms: latencyMs,
  };
}
