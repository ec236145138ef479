import type { ReportFault } from '@trawl/base';
import type { Caller } from '../interaction/head.ts';
import type { InteractionReader } from '../interaction/store.ts';
import type { AttemptDependencies } from './attempt.ts';
import { type ChainLimits, type WantedPage, walkChain } from './chain.ts';
import {
  brokenDown,
  type ChainResult,
  cached,
  forbidden,
  leftEarly,
  shared,
} from './chain-result.ts';
import type { CheckedFetch, PageTarget } from './check.ts';
import type { PageOptions } from './command.ts';
import type { Flights } from './flights.ts';
import type { FetchedPage } from './normalize.ts';
import { mayCache, type PageCache, readCache, writeCache } from './page-cache.ts';

export interface PageDependencies extends AttemptDependencies {
  readonly reader: Pick<InteractionReader, 'knownTitles'>;
  readonly flights: Flights;
  /** null = switched off. */
  readonly cache: PageCache | null;
  /** Whether an address may be asked for at all, by its form alone. */
  readonly isForbidden: (url: URL) => boolean;
  readonly requestDeadlineMs: number;
  readonly chainAttemptTimeoutMs: number;
  readonly reportFault: ReportFault;
}

/** Pages of one request under way at once; each provider has a bound of its own beside it. */
const AT_ONCE = 20;

/** The pages that a request asks for, whom to ask for them, and how. */
export interface WantedPages extends CheckedFetch {
  readonly options: PageOptions;
}

/** Fetches all pages of a request at once; `onPage` is called as each lands. Never throws: what goes wrong is that page's result. */
export type FetchPages = (
  wanted: WantedPages,
  caller: Caller,
  onPage: (index: number, page: FetchedPage) => void,
) => Promise<void>;

export function createPageFetcher(dependencies: PageDependencies): FetchPages {
  const { clock, requestDeadlineMs, chainAttemptTimeoutMs } = dependencies;
  const fetchPage = createFetchOfOne(dependencies);
  return async (wanted, caller, onPage) => {
    const limits: ChainLimits = {
      callerId: caller.keyId,
      signal: caller.signal,
      deadlineAt: caller.receivedAt + requestDeadlineMs,
      attemptTimeoutMs: chainAttemptTimeoutMs,
    };
    const waiting = wanted.targets.entries();
    const worker = async () => {
      for (const [index, target] of waiting) {
        const startedAt = clock.now();
        const result = await fetchPage({ ...wanted, target }, caller.projectId, limits);
        const latencyMs = Math.max(0, Math.round(clock.now() - startedAt));
        const knownTitle = await titleFor(target, result, caller, dependencies);
        onPage(index, { target, result, latencyMs, knownTitle });
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, wanted.targets.length) }, worker));
  };
}

/**
 * The title known for a page that came without one. A courtesy: a store that cannot be read loses none of the
 * pages.
 */
async function titleFor(
  { comparable }: PageTarget,
  result: ChainResult,
  { projectId }: Caller,
  { reader, reportFault }: PageDependencies,
): Promise<string | null> {
  if (result.kind !== 'page' || result.page.title !== null) return null;
  try {
    const known = await reader.knownTitles(projectId, [comparable]);
    return known.get(comparable) ?? null;
  } catch (cause) {
    reportFault(cause, 'the known title of a page could not be read');
    return null;
  }
}

/** Looks for one page in the cache, then in a flight under way, then along the chain. */
function createFetchOfOne(dependencies: PageDependencies) {
  const { cache, clock, flights, isForbidden, reportFault } = dependencies;
  return async (
    wanted: WantedPage,
    projectId: string,
    limits: ChainLimits,
  ): Promise<ChainResult> => {
    const { target, options } = wanted;
    if (isForbidden(target.parsed)) return forbidden();
    const usedCache = mayCache(options) ? cache : null;
    const entry = { projectId, target, options };
    try {
      const startedAt = clock.now();
      const hit = await spared(reportFault, () =>
        usedCache ? readCache(usedCache, entry, startedAt) : undefined,
      );
      if (hit) return cached(hit, Math.round(clock.now() - startedAt));
      const joined = await flights.join(flightKey(projectId, target, options), limits, (own) =>
        walkChain(wanted, own, dependencies),
      );
      if (joined === 'left') return leftEarly();
      const { result, isPayer } = joined;
      if (!isPayer) return shared(result);
      if (usedCache && result.kind === 'page') {
        const { provider, page, measure } = result;
        const kept = { provider, page, measure, storedAt: clock.now() };
        await spared(reportFault, () => writeCache(usedCache, entry, kept));
      }
      return result;
    } catch (cause) {
      reportFault(cause, 'a page could not be fetched for a fault of our own');
      return brokenDown();
    }
  };
}

/** What the cache says; a cache that fails costs nobody a page, least of all one that was paid. */
async function spared<Value>(
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

/** Equal for fetches that may share their pages: the same page, wished for in the same way, in one project. */
function flightKey(projectId: string, target: PageTarget, options: PageOptions): string {
  const { pinned, contentFormat, tier, maxAgeSeconds, noCache } = options;
  const wish = [pinned, contentFormat, tier, maxAgeSeconds, noCache];
  return JSON.stringify([projectId, target.comparable, ...wish]);
}
