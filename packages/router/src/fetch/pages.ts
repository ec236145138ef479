import type { ReportFault } from '@trawl/base';
import type { Caller } from '../interaction/head.ts';
import type { InteractionReader } from '../interaction/store.ts';
import type { AttemptDependencies } from './attempt.ts';
import { type ChainLimits, type WantedPage, walkChain } from './chain.ts';
import {
  type ChainResult,
  cached,
  cancelledFetch,
  forbidden,
  internalFailure,
  shared,
} from './chain-result.ts';
import type { CheckedFetch, PageTarget } from './check.ts';
import type { PageOptions } from './command.ts';
import type { FetchedPage } from './normalize.ts';
import { mayCache, type PageCache, readCache, writeCache } from './page-cache.ts';
import type { SharedFetches } from './shared-fetches.ts';

export interface PageDependencies extends AttemptDependencies {
  readonly reader: Pick<InteractionReader, 'knownTitle'>;
  readonly sharedFetches: SharedFetches;
  /** null = switched off. */
  readonly cache: PageCache | null;
  /** Whether the form of an address allows a fetch at all. */
  readonly isForbidden: (url: URL) => boolean;
  readonly requestDeadlineMs: number;
  readonly chainAttemptTimeoutMs: number;
  readonly reportFault: ReportFault;
}

/** Pages of one request in progress at once; each provider also has its own limit. */
const AT_ONCE = 20;

/** The pages of a request, their providers, and the options. */
export interface WantedPages extends CheckedFetch {
  readonly options: PageOptions;
}

/** Fetches all pages of a request at once; `onPage` is called when each arrives. Never throws: a failure is that page's result. */
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
        const result = await fetchPage({ ...wanted, target }, caller, limits);
        const latencyMs = Math.max(0, Math.round(clock.now() - startedAt));
        const knownTitle = await titleFor(target, result, caller, dependencies);
        onPage(index, { target, result, latencyMs, knownTitle });
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, wanted.targets.length) }, worker));
  };
}

/**
 * The known title of a page without its own. Optional: a store that cannot be read does not fail the
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
    return (await reader.knownTitle(projectId, comparable)) ?? null;
  } catch (cause) {
    reportFault(cause, 'the known title of a page could not be read');
    return null;
  }
}

/** Looks for one page in the cache, then in a shared fetch in progress, then along the chain. */
function createFetchOfOne(dependencies: PageDependencies) {
  const { cache, clock, sharedFetches, isForbidden, reportFault } = dependencies;
  return async (
    wanted: WantedPage,
    { projectId, allowedProviders }: Caller,
    limits: ChainLimits,
  ): Promise<ChainResult> => {
    const { target, options } = wanted;
    if (isForbidden(target.parsed)) return forbidden();
    const usedCache = mayCache(options) ? cache : null;
    const entry = { projectId, allowedProviders, target, options };
    try {
      const startedAt = clock.now();
      const hit = await tryOptional(reportFault, () =>
        usedCache ? readCache(usedCache, entry, startedAt) : undefined,
      );
      if (hit) return cached(hit, Math.round(clock.now() - startedAt));
      const joined = await sharedFetches.join(sharedKey(projectId, wanted), limits, (own) =>
        walkChain(wanted, own, dependencies),
      );
      if (joined === 'left') return cancelledFetch();
      const { result, isPayer } = joined;
      if (!isPayer) return shared(result);
      if (usedCache && result.kind === 'page') {
        const { provider, page, measure } = result;
        const kept = { provider, page, measure, storedAt: clock.now() };
        await tryOptional(reportFault, () => writeCache(usedCache, entry, kept));
      }
      return result;
    } catch (cause) {
      reportFault(cause, 'a page could not be fetched because of an internal error');
      return internalFailure();
    }
  };
}

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

/** Equal for fetches that may share their pages: the same page, providers and options, in one project. */
function sharedKey(projectId: string, { target, chain, options }: WantedPage): string {
  const { pinned, contentFormat, tier, maxAgeSeconds, noCache } = options;
  const slugs = chain.map(({ declaration }) => declaration.slug);
  const relevant = [pinned !== null, slugs, contentFormat, tier, maxAgeSeconds, noCache];
  return JSON.stringify([projectId, target.comparable, ...relevant]);
}
