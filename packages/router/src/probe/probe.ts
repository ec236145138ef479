import type { PlannedCall, ProbeOperation, ProbeResponse, SearchOptions } from '@trawl/contract';
import type { MonitoredUpstreamRunner, UpstreamTarget } from '@trawl/upstream';
import type { Deployment } from '../deployment/deployment.ts';
import type { PageDependencies } from '../fetch/pages.ts';
import type { Caller } from '../interaction/head.ts';
import type { InteractionRecord } from '../interaction/records.ts';

/** What a probe asks with, of what searches and fetches ask with. */
export interface AskDependencies
  extends Pick<
    PageDependencies,
    | 'chainAttemptTimeoutMs'
    | 'clock'
    | 'isForbidden'
    | 'pageCheck'
    | 'pageReadTimeoutMs'
    | 'readers'
  > {
  readonly deployment: Deployment;
  readonly runner: MonitoredUpstreamRunner;
  readonly instanceId: string;
}

export interface ProbeWanted {
  readonly provider: string;
  readonly operation: ProbeOperation;
  /** The page of a fetch; undefined = the usual one. */
  readonly url: string | undefined;
}

/** What one call showed. */
export type ProbeOutcome = Pick<
  ProbeResponse,
  'status' | 'error' | 'result_count' | 'latency_ms' | 'key_tail' | 'calls' | 'cost_usd'
>;

export interface Probed {
  readonly record: InteractionRecord;
  readonly outcome: ProbeOutcome;
}

/** A probe that passed all checks. Nothing was sent yet. */
export interface PlannedProbe {
  readonly call: PlannedCall;
  /** Where it is sent; null = it is not sent through the runner. */
  readonly target: UpstreamTarget | null;
  /** Asks the provider. Never throws. */
  readonly ask: (caller: Caller) => Promise<Probed>;
}

/** What a probe leaves in the metadata of its interaction. */
export const probeMetadata = ({ provider, operation }: ProbeWanted) => ({
  probe: { provider, operation },
});

/** The search of a probe: nothing that costs extra, and something that every provider finds. */
export const PROBE_QUERY = 'tidal power';
export const PROBE_SEARCH: SearchOptions = { tier: 'minimalist', num_results: 1 };

/** The page of a probe, unless the caller names one. */
export const PROBE_PAGE = 'https://example.com/';
