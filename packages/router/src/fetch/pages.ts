import { callerIdOf, type ReportFault } from '@trawl/base';
import type { FetchPassage } from '@trawl/contract';
import type { PassageFinder } from '@trawl/reader';
import type { Caller } from '../interaction/head.ts';
import type { InteractionReader } from '../interaction/store.ts';
import { askOnce, type Flights, flightsOfTurn } from '../sharing/flights.ts';
import { createSharedWork, type SharedWork } from '../sharing/shared-work.ts';
import { type ChainDependencies, type PageCall, type WantedPage, walkChain } from './chain.ts';
import {
  type ChainResult,
  cached,
  cancelledFetch,
  forbidden,
  internalFailure,
  ruledOut,
  shared,
  underRules,
} from './chain-result.ts';
import type { CheckedFetch, PageTarget } from './check.ts';
import type { PageOptions } from './command.ts';
import type { CostRoom } from './cost-room.ts';
import { isStopgap } from './low-quality.ts';
import { type FetchedPage, wholeText } from './normalize.ts';
import { mayCache, type PageCache, readCache, type WantedEntry, writeCache } from './page-cache.ts';

/** A fetch does not share a chain that ends this much before its own deadline. */
const LATE_MS = 30_000;

/** Equal pages in progress at the same time share one chain. */
export const createSharedFetches = (): SharedWork<PageCall, ChainResult, null> =>
  createSharedWork({ lateMs: LATE_MS });

export interface PageDependencies extends ChainDependencies {
  readonly reader: Pick<InteractionReader, 'knownTitle'>;
  readonly sharedFetches: ReturnType<typeof createSharedFetches>;
  /** Fetches of other replicas; absent = this process alone. */
  readonly flights?: Flights | undefined;
  /** null = switched off. */
  readonly cache: PageCache | null;
  /** Whether the form of an address allows a fetch at all. */
  readonly isForbidden: (url: URL) => boolean;
  readonly passageFinder: PassageFinder;
  readonly reportFault: ReportFault;
}

/** Pages of one request in progress at once; each provider also has its own limit. */
const AT_ONCE = 20;

/** The pages of a request, their providers, and the options. */
export interface WantedPages extends CheckedFetch {
  readonly options: PageOptions;
  /** What they may still cost; absent = no cap. */
  readonly room?: CostRoom | undefined;
}

/**
 * Fetches all pages of a request at once; `onPage` is called when each arrives. Never throws: a
 * failure is that page's result.
 */
export async function fetchPages(
  wanted: WantedPages,
  caller: Caller,
  dependencies: PageDependencies,
  onPage: (index: number, page: FetchedPage) => void,
): Promise<void> {
  const { clock } = dependencies;
  const waiting = wanted.targets.entries();
  const worker = async () => {
    for (const [index, target] of waiting) {
      const startedAt = clock.now();
      const result = await fetchPage({ target, ...wanted }, caller, dependencies);
      const latencyMs = Math.max(0, Math.round(clock.now() - startedAt));
      const knownTitle = await titleFor(target, result, caller, dependencies);
      const passages = await passagesIn(result, wanted.options, caller, dependencies);
      onPage(index, { target, result, latencyMs, knownTitle, passages });
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, wanted.targets.length) }, worker));
}

/**
 * The known title of a page without its own. Optional: a store that cannot be read does not fail
 * the pages.
 */
async function titleFor(
  { comparable }: PageTarget,
  result: ChainResult,
  { projectId }: Caller,
  { reader, reportFault }: PageDependencies,
): Promise<string | null> {
  if (result.kind !== 'page' || result.page.title !== null) return null;
  try {
    return (await reader.knownTitle(projectId, comparable)) ?? null;
  } catch (cause) {
    reportFault(cause, 'the known title of a page could not be read');
    return null;
  }
}

/** What the caller's query finds in the page; null = nothing is wanted, or it failed. */
async function passagesIn(
  result: ChainResult,
  { focus, fields }: PageOptions,
  caller: Caller,
  { passageFinder, clock, pageReadTimeoutMs }: PageDependencies,
): Promise<readonly FetchPassage[] | null> {
  if (focus === null || !fields.has('passages')) return null;
  const { signal, deadlineAt } = caller;
  if (result.kind !== 'page') return [];
  const text = wholeText(result.page.content ?? '', result.measure);
  if (text === '') return [];
  const timeoutMs = Math.max(0, Math.min(pageReadTimeoutMs, deadlineAt - clock.now()));
  const limits = { callerId: callerIdOf(caller), signal, timeoutMs };
  return passageFinder.find(text, focus, limits);
}

/** Looks for one page in the cache, then in a shared fetch in progress, then along the chain. */
async function fetchPage(
  wanted: WantedPage,
  caller: Caller,
  dependencies: PageDependencies,
): Promise<ChainResult> {
  const { cache, sharedFetches, isForbidden, reportFault } = dependencies;
  const { projectId, allowedProviders, allowedDomains } = caller;
  const { target, options } = wanted;
  if (target.rule) return ruledOut(target.rule);
  if (isForbidden(target.parsed)) return forbidden();
  const usedCache = mayCache(options) ? cache : null;
  const entry = { projectId, allowedProviders, allowedDomains, target, options };
  // a fetch of pinned providers is neither cached nor shared; nor is one under a cap shared, which
  // another caller's chain need not keep to
  const isAlone = options.pinned !== null || wanted.room !== undefined;
  const key = isAlone ? dependencies.clock.newId() : sharedKey(wanted, caller);
  try {
    const hit = usedCache && (await lookUp(usedCache, entry, caller, dependencies));
    if (usedCache) caller.observer?.cacheRead(hit !== undefined);
    if (hit) return hit;
    const start = (own: PageCall) =>
      usedCache
        ? fetchOnce({ wanted, entry, cache: usedCache, key }, own, dependencies)
        : walkChain(wanted, own, dependencies);
    const joined = await sharedFetches.join(key, caller, null, { start });
    if (joined === 'left') return cancelledFetch();
    const result = joined.isPayer ? joined.result : shared(joined.result);
    return allowedPart(result, caller, dependencies);
  } catch (cause) {
    reportFault(cause, 'a page could not be fetched because of an internal error');
    return internalFailure();
  }
}

interface CachedFetch {
  readonly wanted: WantedPage;
  readonly entry: WantedEntry;
  readonly cache: PageCache;
  /** Equal for fetches that may share their page. */
  readonly key: string;
}

/**
 * The page, which is in the cache afterwards. Where another replica fetches it already, it is
 * awaited and taken from the cache. A caller that accepts no page of the cache does not wait.
 */
async function fetchOnce(
  { wanted, entry, cache, key }: CachedFetch,
  call: PageCall,
  dependencies: PageDependencies,
): Promise<ChainResult> {
  const ask = async () => {
    const result = allowedPart(await walkChain(wanted, call, dependencies), call, dependencies);
    await keepPage(result, { entry, cache }, dependencies);
    return result;
  };
  const { flights } = dependencies;
  if (flights === undefined || entry.options.maxAgeSeconds === 0) return ask();
  const find = () => lookUp(cache, entry, call, dependencies);
  const take = flightsOfTurn(flights);
  const { result, end } = await askOnce({ take: () => take(key), find, ask }, call);
  await end();
  return result;
}

/** A page that broke off, or that another provider may have better, is not kept. */
async function keepPage(
  result: ChainResult,
  { entry, cache }: Pick<CachedFetch, 'entry' | 'cache'>,
  { clock, reportFault }: PageDependencies,
): Promise<void> {
  if (result.kind !== 'page' || result.page.isPartial || isStopgap(result.steps)) return;
  const { provider, page, measure, quality, findings } = result;
  const kept = { provider, page, measure, quality, findings, storedAt: clock.now() };
  await tryOptional(reportFault, () => writeCache(cache, entry, kept));
}

async function lookUp(
  cache: PageCache,
  entry: WantedEntry,
  call: PageCall,
  dependencies: PageDependencies,
): Promise<ChainResult | undefined> {
  const { clock, readers, reportFault } = dependencies;
  const startedAt = clock.now();
  const hit = await tryOptional(reportFault, () => readCache(cache, entry, startedAt));
  if (!hit) return undefined;
  // kept by a version that did not keep where redirects ended: it is read again
  const isUnknown = readers.has(hit.provider) && hit.page.finalUrl === undefined;
  if (isUnknown && call.rules.hasHosts) return undefined;
  return allowedPart(cached(hit, Math.round(clock.now() - startedAt)), call, dependencies);
}

/** What the rules of a caller leave of a result. */
const allowedPart = (
  result: ChainResult,
  { rules }: PageCall,
  { readers }: PageDependencies,
): ChainResult => underRules(result, rules, result.kind === 'page' && readers.has(result.provider));

/** The cached page. A failing cache never fails a page, especially not a paid one. */
async function tryOptional<Value>(
  reportFault: ReportFault,
  work: () => Promise<Value> | undefined,
): Promise<Value | undefined> {
  try {
    return await work();
  } catch (cause) {
    reportFault(cause, 'the page cache could not be used');
    return undefined;
  }
}

/**
 * Equal for fetches that may share their pages: the same page, providers, options and allowed
 * hosts, in one project.
 */
export function sharedKey(
  { target, chain, options }: WantedPage,
  { projectId, allowedDomains }: Caller,
): string {
  const { contentFormat, tier, maxAgeSeconds, noCache } = options;
  const slugs = chain.map(({ declaration }) => declaration.slug);
  const relevant = [slugs, contentFormat, tier, maxAgeSeconds, noCache, allowedDomains];
  return JSON.stringify([projectId, target.comparable, ...relevant]);
}
