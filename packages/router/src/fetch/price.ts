import type { PlannedCall } from '@trawl/contract';
import {
  type CallPrice,
  calledProvider,
  estimatedMicros,
  FREE_CALL,
} from '../billing/planned-call.ts';
import { MICROS, microsOf } from '../billing/records.ts';
import { type ConfiguredFetchProvider, isCandidate } from '../deployment/deployment.ts';
import type { Caller } from '../interaction/head.ts';
import { costsTooMuch } from '../interaction/over-cost.ts';
import { chainPrice } from './chain.ts';
import { accepts, type PageTarget } from './check.ts';
import type { PageOptions } from './command.ts';
import { mayCache, readCache, type WantedEntry } from './page-cache.ts';
import type { PageDependencies, WantedPages } from './pages.ts';
import { RUN_NAME } from './record.ts';

type PriceDependencies = Pick<PageDependencies, 'cache' | 'clock' | 'isForbidden'>;

/** The calls of a fetch with their prices. */
export interface PricedPages {
  /** For each page the call that would be made first. */
  readonly first: readonly PlannedCall[];
  /** Those of them that ask a provider, and not the cache. */
  readonly asked: readonly PlannedCall[];
  /** The calls that may follow, where earlier ones do not bring the page. */
  readonly next: readonly PlannedCall[];
}

/** Where the options have a cap, the first calls are the first ones that fit together. */
export async function plannedCalls(
  { targets, chain, options }: WantedPages,
  {
    projectId,
    allowedProviders,
    allowedDomains,
  }: Pick<Caller, 'projectId' | 'allowedProviders' | 'allowedDomains'>,
  dependencies: PriceDependencies,
): Promise<PricedPages> {
  let leftMicros = microsOf(options.maxCostUsd);
  const pages = await Promise.all(
    targets.map(async (target) => {
      const { url, rule } = target;
      if (rule) return { free: { provider: RUN_NAME, url, rule } };
      if (dependencies.isForbidden(target.parsed)) return { free: { provider: RUN_NAME, url } };
      const entry = { projectId, allowedProviders, allowedDomains, target, options };
      const provider = await cachedBy(entry, dependencies);
      return provider === undefined ? { target } : { free: { provider, url } };
    }),
  );
  const planned = pages.map((page): { first: PlannedCall; next: readonly PlannedCall[] } => {
    if (page.free) return { first: { ...page.free, ...FREE_CALL }, next: [] };
    const calls = callsOf(page.target, chain, options);
    const [usual = { provider: RUN_NAME, url: page.target.url, ...FREE_CALL }] = calls;
    const fitting = options.pinned ? calls.slice(0, 1) : calls;
    const fits = ({ cost_usd }: PlannedCall) =>
      leftMicros === null || (microsOf(cost_usd) ?? Number.POSITIVE_INFINITY) <= leftMicros;
    const first = fitting.find(fits) ?? usual;
    if (leftMicros !== null) leftMicros -= microsOf(first.cost_usd) ?? 0;
    const next = calls.slice(calls.indexOf(first) + 1);
    return { first, next: next.map((call) => ({ ...call, conditional: true as const })) };
  });
  return {
    first: planned.map(({ first }) => first),
    asked: planned.flatMap(({ first }, index) => (pages[index]?.free ? [] : first)),
    next: planned.flatMap(({ next }) => next),
  };
}

/** @throws RequestError 402 where the first calls do not fit into the cap */
export function checkCap({ first }: PricedPages, { maxCostUsd }: PageOptions): void {
  if (maxCostUsd === null) return;
  const isKnown = first.every(({ cost_usd }) => cost_usd !== null);
  if (isKnown && estimatedMicros(first) <= (microsOf(maxCostUsd) ?? 0)) return;
  throw costsTooMuch('options.max_cost_usd', first, maxCostUsd);
}

/** The calls of the most expensive path, which cost no more than the cap together. */
export function mostCalls(
  { first, next }: PricedPages,
  { maxCostUsd }: PageOptions,
): readonly PlannedCall[] {
  let leftMicros = microsOf(maxCostUsd) ?? Number.POSITIVE_INFINITY;
  return [...first, ...next].map((call) => {
    const micros = Math.min(leftMicros, microsOf(call.cost_usd) ?? 0);
    leftMicros -= micros;
    return call.cost_usd === null ? call : { ...call, cost_usd: micros / MICROS };
  });
}

/**
 * The calls for a page whose URL is not known yet: the dearest of those that may be first, then
 * those that may follow. A provider for some pages only may be first for any of these.
 */
export function callsOfAnyPage(
  chain: readonly ConfiguredFetchProvider[],
  options: PageOptions,
): readonly PlannedCall[] {
  const asked = chain.filter(isCandidate);
  const calls = asked.map(
    (provider): PlannedCall => ({
      ...calledProvider(provider.declaration),
      ...chainPrice(provider, ANY_PAGE, options),
    }),
  );
  const always = asked.findIndex(({ declaration }) => declaration.accepts === undefined);
  const count = always < 0 ? calls.length : always + 1;
  const priceOf = ({ cost_usd }: PlannedCall) => cost_usd ?? Number.POSITIVE_INFINITY;
  const [first] = calls.slice(0, count).sort((a, b) => priceOf(b) - priceOf(a));
  if (!first) return [];
  const next = calls.filter((call) => call !== first);
  return [first, ...next.map((call) => ({ ...call, conditional: true as const }))];
}

const ANY_URL = 'https://example.com/';
const ANY_PAGE: PageTarget = { url: ANY_URL, parsed: new URL(ANY_URL), comparable: ANY_URL };

async function cachedBy(
  entry: WantedEntry,
  { cache, clock }: PriceDependencies,
): Promise<string | undefined> {
  if (!cache || !mayCache(entry.options)) return undefined;
  // a price may be asked for while the cache fails; the fetch treats it the same way
  const kept = await readCache(cache, entry, clock.now()).catch(() => undefined);
  return kept?.provider;
}

/** The calls for one page in their order. Without a provider to ask, the page costs nothing. */
function callsOf(
  target: PageTarget,
  chain: readonly ConfiguredFetchProvider[],
  options: PageOptions,
): readonly PlannedCall[] {
  const accepting = chain.filter((provider) => accepts(provider, target.parsed));
  const asked = accepting.filter(isCandidate);
  const callOf = (provider: ConfiguredFetchProvider, price: CallPrice): PlannedCall => ({
    ...calledProvider(provider.declaration),
    url: target.url,
    ...price,
  });
  const [unset] = accepting;
  if (asked.length === 0) return unset ? [callOf(unset, FREE_CALL)] : [];
  return asked.map((provider, index) => {
    const price = chainPrice(provider, target, options);
    const mayChange = price.cost_kind === 'known' && index === 0 && asked.length > 1;
    return callOf(provider, mayChange ? { ...price, cost_kind: 'estimated' } : price);
  });
}
