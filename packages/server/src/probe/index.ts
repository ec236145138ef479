import type { Clock } from '@trawl/base';
import { comparableUrl } from '@trawl/providers';
import { createPageCheck, OWN_READER, openDirectReader } from '@trawl/reader';
import {
  ALL_PROVIDERS,
  type AskDependencies,
  accepts,
  type Caller,
  type CallPrice,
  type ConfiguredFetchProvider,
  type ConfiguredProvider,
  createDeployment,
  isUsable,
  type KeylessOffer,
  type PageTarget,
  type PlannedProbe,
  type ProbeOutcome,
  planFetchProbe,
  planSearchProbe,
  webRulesOf,
} from '@trawl/router';
import {
  accessesOf,
  createUpstreamRunner,
  keyTailOf,
  OWN_CALLER,
  type UpstreamTarget,
} from '@trawl/upstream';
import type { Config } from '../config/config.ts';

/**
 * One provider in one of its two roles, with one of its keys, and the cheapest call that shows
 * whether it works.
 */
export interface Probe {
  readonly role: 'search' | 'fetch';
  readonly provider: string;
  /** Which of its several keys or addresses is used; undefined = it has one. */
  readonly access: string | undefined;
  /** Why it cannot be asked; undefined = it can. */
  readonly obstacle: Obstacle | undefined;
  /** How it answers without a key; absent = it does not, or has one. */
  readonly keyless?: KeylessOffer | undefined;
  /** Whether its own key is sent. */
  readonly hasKey: boolean;
  readonly price: CallPrice;
  /** Never throws. */
  readonly ask: () => Promise<ProbeOutcome>;
}

export type Obstacle =
  | {
      readonly kind: 'not_configured';
      readonly setting: string | undefined;
      readonly reason?: string | undefined;
    }
  | { readonly kind: 'other_pages' };

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
 * The probes of the API for each key of each provider, through a runner of their own: nothing is
 * sent before a probe is asked, nothing is recorded, and no circuit of a running server is touched.
 */
export function openProbes(
  config: Config,
  { version, clock, extractWorkerUrl, page, signal }: ProbeOptions,
): { readonly probes: readonly Probe[]; readonly close: () => Promise<void> } {
  const { httpsProxy, noProxy, requestDeadlineMs, pageReadTimeoutMs } = config;
  const deployment = createDeployment({ ...config, version });
  const runner = createUpstreamRunner({ clock, breaker: 'off', proxy: { httpsProxy, noProxy } });
  const direct = openDirectReader(config, { version, clock, workerUrl: extractWorkerUrl });
  const dependencies: AskDependencies = {
    deployment,
    runner,
    clock,
    instanceId: '',
    readers: new Map([[OWN_READER, direct.reader]]),
    // only the arrival of a page counts; its text may be a wall
    pageCheck: createPageCheck({
      prepare: () => {},
      diagnose: async () =>
        ({ kind: 'diagnosed', verdict: null, measure: null, quality: null, findings: [] }) as const,
    }),
    chainAttemptTimeoutMs: requestDeadlineMs,
    pageReadTimeoutMs,
    isForbidden: () => false,
  };
  const caller = (): Caller => ({
    keyId: OWN_CALLER,
    projectId: OWN_CALLER,
    receivedAt: clock.now(),
    deadlineAt: clock.now() + requestDeadlineMs,
    signal,
    budgets: [],
    allowedProviders: ALL_PROVIDERS,
    allowedDomains: null,
    rules: webRulesOf(deployment, undefined),
    mayRead: false,
  });
  const ask = (planned: PlannedProbe) => async () => (await planned.ask(caller())).outcome;
  const url = page.href;
  const target = { url, parsed: page, comparable: comparableUrl(url)?.url ?? url };
  return {
    probes: [
      ...[...deployment.searchProviders.values()].flatMap((provider) =>
        searchProbes(provider, dependencies, ask),
      ),
      ...[...deployment.fetchProviders.values()].flatMap((provider) =>
        fetchProbes(provider, target, dependencies, ask),
      ),
    ],
    close: async () => {
      await Promise.all([runner.close(), direct.close()]);
    },
  };
}

type Ask = (planned: PlannedProbe) => Probe['ask'];

const searchProbes = (
  provider: ConfiguredProvider,
  dependencies: AskDependencies,
  ask: Ask,
): readonly Probe[] =>
  eachAccess(provider.target).map(({ target, access }) => {
    const { slug } = provider.declaration;
    const wanted = { provider: slug, operation: 'search', url: undefined } as const;
    const planned = planSearchProbe({ ...provider, target }, wanted, dependencies);
    return {
      role: 'search',
      provider: slug,
      access,
      obstacle: obstacleOf(provider),
      keyless: provider.keyless,
      hasKey: target.credentials.length > 0,
      price: planned.call,
      ask: ask(planned),
    };
  });

function fetchProbes(
  provider: ConfiguredFetchProvider,
  page: PageTarget,
  dependencies: AskDependencies,
  ask: Ask,
): readonly Probe[] {
  const { slug } = provider.declaration;
  const wanted = { provider: slug, operation: 'fetch', url: page.url } as const;
  const probeOf = (one: ConfiguredFetchProvider, access?: string): Probe => {
    const planned = planFetchProbe(one, page, wanted, dependencies);
    const missing = 'target' in one ? obstacleOf(one) : undefined;
    return {
      role: 'fetch',
      provider: slug,
      access,
      obstacle: missing ?? (accepts(one, page.parsed) ? undefined : { kind: 'other_pages' }),
      hasKey: 'target' in one && one.target.credentials.length > 0,
      price: planned.call,
      ask: ask(planned),
    };
  };
  if (!('target' in provider)) return [probeOf(provider)];
  return eachAccess(provider.target).map(({ target, access }) =>
    probeOf({ ...provider, target }, access),
  );
}

function obstacleOf(provider: Omit<ConfiguredProvider, 'declaration'>): Obstacle | undefined {
  if (isUsable(provider)) return undefined;
  const { obstacle, credentialVariable } = provider.target;
  return {
    kind: 'not_configured',
    setting: credentialVariable,
    reason: obstacle && `${obstacle.happened}; ${obstacle.remedy}`,
  };
}

/** The target once for each of its keys, or its addresses, with the name of that. */
function eachAccess(
  target: UpstreamTarget,
): readonly { readonly target: UpstreamTarget; readonly access: string | undefined }[] {
  const accesses = accessesOf(target);
  if (accesses.length === 0) return [{ target, access: undefined }];
  return accesses.map(({ by, target: single }, index) => {
    const tail = keyTailOf(single.credentials[0]);
    const key = tail === null ? `key ${index + 1}` : `key …${tail}`;
    return { target: single, access: by === 'key' ? key : (single.baseUrl ?? undefined) };
  });
}
