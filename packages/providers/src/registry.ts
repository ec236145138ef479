import { arxiv } from './arxiv/provider.ts';
import { bocha } from './bocha/provider.ts';
import { brave } from './brave/provider.ts';
import { brightdata } from './brightdata/provider.ts';
import { ceramic } from './ceramic/provider.ts';
import { crossref } from './crossref/provider.ts';
import { needsCredential } from './declaration/call.ts';
import type { Provider } from './declaration/declare.ts';
import type { AnyFetchProvider } from './declaration/fetch.ts';
import type { SearchProvider } from './declaration/search.ts';
import { deepseek } from './deepseek/provider.ts';
import { direct } from './direct/provider.ts';
import { edgar } from './edgar/provider.ts';
import { europepmc } from './europepmc/provider.ts';
import { exa } from './exa/provider.ts';
import { firecrawl } from './firecrawl/provider.ts';
import { gleif } from './gleif/provider.ts';
import { hackernews } from './hackernews/provider.ts';
import { jina } from './jina/provider.ts';
import { kagi } from './kagi/provider.ts';
import { keenable } from './keenable/provider.ts';
import { linkup } from './linkup/provider.ts';
import { mojeek } from './mojeek/provider.ts';
import { orcid } from './orcid/provider.ts';
import { parallel } from './parallel/provider.ts';
import { perplexity } from './perplexity/provider.ts';
import { searchapi } from './searchapi/provider.ts';
import { searxng } from './searxng/provider.ts';
import { seltz } from './seltz/provider.ts';
import { serpapi } from './serpapi/provider.ts';
import { serper } from './serper/provider.ts';
import { stackexchange } from './stackexchange/provider.ts';
import { tavily } from './tavily/provider.ts';
import { tinyfish } from './tinyfish/provider.ts';
import type { Rates } from './values/price.ts';
import { valyu } from './valyu/provider.ts';
import { wikidata } from './wikidata/provider.ts';
import { wikipedia } from './wikipedia/provider.ts';
import { you } from './you/provider.ts';

/** All providers, in the order of the search roster. */
export const PROVIDERS: readonly Provider[] = [
  exa,
  brave,
  tavily,
  parallel,
  you,
  linkup,
  serpapi,
  ceramic,
  seltz,
  perplexity,
  tinyfish,
  serper,
  searchapi,
  valyu,
  kagi,
  mojeek,
  bocha,
  deepseek,
  searxng,
  firecrawl,
  jina,
  brightdata,
  keenable,
  wikipedia,
  crossref,
  arxiv,
  europepmc,
  hackernews,
  stackexchange,
  wikidata,
  gleif,
  edgar,
  orcid,
  direct,
];

/**
 * All search providers with those that the operator declared. These come after the vendors that are
 * known for searches, and before services without a key and keys that were set for fetches.
 */
export function searchProvidersWith(
  declared: readonly SearchProvider[],
): readonly SearchProvider[] {
  const place = SEARCH_PROVIDERS.findIndex(
    ({ authentication, usesFetchKey }) => usesFetchKey || !needsCredential(authentication),
  );
  return SEARCH_PROVIDERS.toSpliced(place, 0, ...declared);
}

/** The search providers that run when neither the request nor the operator names any. */
export const DEFAULT_SEARCH_PROVIDERS: readonly string[] = ['exa', 'brave'];

/** Those that run instead, without a key, where no provider is configured. */
export const DEFAULT_KEYLESS_PROVIDERS: readonly string[] = ['tavily', 'you', 'wikipedia'];

/** The chain of a fetch when neither the request nor the operator names one, in order. */
export const DEFAULT_FETCH_CHAIN: readonly string[] = [
  'tinyfish',
  'firecrawl',
  'parallel',
  'tavily',
  'exa',
  'linkup',
  'you',
  'jina',
  'direct',
];

/** All search providers, in roster order. */
export const SEARCH_PROVIDERS: readonly SearchProvider[] = PROVIDERS.flatMap(
  ({ search }) => search ?? [],
);

/**
 * All fetch providers, in roster order: as in the default chain, then those outside it; our own
 * reader is the last.
 */
export const FETCH_PROVIDERS: readonly AnyFetchProvider[] = PROVIDERS.flatMap(
  ({ fetch }) => fetch ?? [],
).toSorted((one, other) => placeOf(one) - placeOf(other));

function placeOf({ kind, slug }: AnyFetchProvider): number {
  if (kind === 'own') return Number.MAX_SAFE_INTEGER;
  const place = DEFAULT_FETCH_CHAIN.indexOf(slug);
  return place < 0 ? DEFAULT_FETCH_CHAIN.length : place;
}

/** A price list: US dollars by provider and item. */
export interface Prices {
  readonly version: string;
  readonly providers: Readonly<Record<string, Rates>>;
}

const LISTS = PROVIDERS.flatMap(({ slug, prices }) => (prices === null ? [] : { slug, prices }));

/**
 * The list prices of all providers. The version is the latest day on which one of them was read.
 */
export const PRICES: Prices = {
  version: LISTS.map(({ prices }) => prices.asOf ?? '').reduce((newest, day) =>
    day > newest ? day : newest,
  ),
  providers: Object.fromEntries(LISTS.map(({ slug, prices }) => [slug, prices.usd])),
};
