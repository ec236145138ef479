import type { Clock } from '@trawl/base';
import { createPageCheck, OWN_READER, openDirectReader } from '@trawl/reader';
import { createDeployment } from '@trawl/router';
import { createUpstreamRunner } from '@trawl/upstream';
import type { Config } from '../config/config.ts';
import type { Probe } from './probe.ts';
import { fetchProbes } from './probe-fetch.ts';
import { searchProbes } from './probe-search.ts';

export interface ProbeOptions {
  readonly version: string;
  readonly clock: Clock;
  /** The path of the page extraction's worker script. */
  readonly extractWorkerUrl: URL;
  /** The page that fetch providers are asked for. */
  readonly page: URL;
  readonly signal: AbortSignal;
}

/**
 * Every provider with the one call that shows whether it works, through its own runner: nothing is
 * sent before a probe is asked, nothing is recorded, and no circuit of a running server is touched.
 */
export function openProbes(
  config: Config,
  { version, clock, extractWorkerUrl, page, signal }: ProbeOptions,
): { readonly probes: readonly Probe[]; readonly close: () => Promise<void> } {
  const deployment = createDeployment({ ...config, version });
  const { httpsProxy, noProxy } = config;
  const runner = createUpstreamRunner({ clock, breaker: 'off', proxy: { httpsProxy, noProxy } });
  const direct = openDirectReader(config, { version, clock, workerUrl: extractWorkerUrl });
  const limits = { signal, deadlineAt: () => clock.now() + config.requestDeadlineMs };
  const pages = {
    readers: new Map([[OWN_READER, direct.reader]]),
    // only the arrival of a page counts; its text may be a wall
    pageCheck: createPageCheck({
      prepare: () => {},
      diagnose: async () =>
        ({ kind: 'diagnosed', verdict: null, measure: null, quality: null, findings: [] }) as const,
    }),
    pageReadTimeoutMs: config.pageReadTimeoutMs,
  };
  return {
    probes: [
      ...searchProbes(deployment, runner, limits),
      ...fetchProbes(deployment, page, limits, { runner, clock, ...pages }),
    ],
    close: async () => {
      await Promise.all([runner.close(), direct.close()]);
    },
  };
}
