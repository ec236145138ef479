import type { PlannedCall } from '@trawl/contract';
import { pagePrice } from '../billing/list-price.ts';
import { calledProvider, callPrice, FREE_CALL } from '../billing/planned-call.ts';
import {
  type ConfiguredFetchProvider,
  type ConfiguredVendor,
  isCandidate,
} from '../deployment/deployment.ts';
import type { Caller } from '../interaction/head.ts';
import { planFor } from './chain.ts';
import { accepts, type PageTarget } from './check.ts';
import type { PageOptions } from './command.ts';
import { mayCache, readCache, type WantedEntry } from './page-cache.ts';
import type { PageDependencies, WantedPages } from './pages.ts';
import { RUN_NAME } from './record.ts';

type PriceDependencies = Pick<PageDependencies, 'cache' | 'clock' | 'isForbidden'>;

/** For each page the call that would be made first, with its price. */
export function plannedCalls(
  { targets, chain, options }: WantedPages,
  {
    projectId,
    allowedProviders,
    allowedDomains,
  }: Pick<Caller, 'projectId' | 'allowedProviders' | 'allowedDomains'>,
  dependencies: PriceDependencies,
): Promise<readonly PlannedCall[]> {
  return Promise.all(
    targets.map(async (target): Promise<PlannedCall> => {
      const { url } = target;
      if (dependencies.isForbidden(target.parsed)) {
        return { provider: RUN_NAME, url, ...FREE_CALL };
      }
      const entry = { projectId, allowedProviders, allowedDomains, target, options };
      const provider = await cachedBy(entry, dependencies);
      if (provider !== undefined) return { provider, url, ...FREE_CALL };
      return firstCall(target, chain, options);
    }),
  );
}

async function cachedBy(
  entry: WantedEntry,
  { cache, clock }: PriceDependencies,
): Promise<string | undefined> {
  if (!cache || !mayCache(entry.options)) return undefined;
  // a price may be asked for while the cache fails; the fetch treats it the same way
  const kept = await readCache(cache, entry, clock.now()).catch(() => undefined);
  return kept?.provider;
}

/** Without a provider to ask, the page costs nothing. */
function firstCall(
  target: PageTarget,
  chain: readonly ConfiguredFetchProvider[],
  options: PageOptions,
): PlannedCall {
  const accepting = chain.filter((provider) => accepts(provider, target.parsed));
  const [first, ...others] = accepting.filter(isCandidate);
  const called = (first ?? accepting[0])?.declaration;
  const call = { ...(called ? calledProvider(called) : { provider: RUN_NAME }), url: target.url };
  if (first === undefined) return { ...call, ...FREE_CALL };
  const price = 'target' in first ? vendorPrice(first, target, options) : FREE_CALL;
  const mayChange = price.cost_kind === 'known' && others.length > 0;
  return { ...call, ...price, ...(mayChange ? { cost_kind: 'estimated' } : {}) };
}

function vendorPrice(vendor: ConfiguredVendor, target: PageTarget, options: PageOptions) {
  return callPrice(
    pagePrice(vendor, planFor(vendor, target, options, vendor.target.timeoutMs), null),
  );
}
