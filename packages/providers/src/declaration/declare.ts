import type { DataUse } from '@trawl/contract';
import { withCutRemarks } from '../parsed/cut-warnings.ts';
import { EMPTY_SEARCH } from '../parsed/search.ts';
import type { PriceList } from '../values/price.ts';
import type { AnyFetchDeclaration, AnyFetchProvider, FetchFacts, FetchProvider } from './fetch.ts';
import type { AnySearchDeclaration, SearchPrice, SearchProvider } from './search.ts';
import type { Vendor } from './vendor.ts';

/** What the registry knows about a provider; null = it does not do this. */
export interface Provider {
  readonly slug: string;
  readonly name: string;
  /** null = its calls have no price. */
  readonly prices: PriceList | null;
  readonly dataUse: DataUse;
  readonly search: SearchProvider | null;
  readonly fetch: AnyFetchProvider | null;
}

/** A vendor's search, its fetch, or both. */
export interface ProviderDeclaration extends Vendor {
  readonly search?: AnySearchDeclaration;
  readonly fetch?: AnyFetchDeclaration;
}

/**
 * Declares a provider: what a `parse` leaves out is filled here, and both operations get the
 * vendor's facts.
 */
export function defineProvider({ search, fetch, ...vendor }: ProviderDeclaration): Provider {
  const { slug, name, prices, dataUse } = vendor;
  return {
    slug,
    name,
    prices,
    dataUse,
    search: search === undefined ? null : searchProvider(vendor, search),
    fetch: fetch === undefined ? null : fetchProvider(vendor, fetch),
  };
}

function searchProvider(vendor: Vendor, declaration: AnySearchDeclaration): SearchProvider {
  const concurrency = declaration.concurrency ?? vendor.open?.pace.inFlight;
  if (concurrency === undefined) throw new Error(`${vendor.slug} needs concurrency or a pace`);
  return {
    ...vendor,
    ...declaration,
    autoRoutable: declaration.autoRoutable ?? true,
    queryLimit: declaration.queryLimit ?? {},
    price: declaration.price ?? pricePerCall,
    concurrency,
    parse: (body, search) => ({ ...EMPTY_SEARCH, ...declaration.parse(body, search) }),
  };
}

const pricePerCall: SearchPrice = (_plan, rates) => ({ usd: rates.search ?? 0, kind: 'known' });

const fetchProvider = (vendor: Vendor, declaration: AnyFetchDeclaration): FetchProvider => ({
  ...vendor,
  ...declaration,
  kind: 'vendor',
  parse: (body, plan, job) =>
    withCutRemarks(vendor.slug, declaration.parse(body, plan, job), plan.fields),
});

/** Declares our own reader. It has no vendor or price. */
export function defineOwnReader(declared: FetchFacts): Provider {
  const { slug, name, dataUse } = declared;
  const fetch = { ...declared, kind: 'own' } as const;
  return { slug, name, prices: null, dataUse, search: null, fetch };
}
