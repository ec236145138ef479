import {
  type AnsweredSearch,
  FETCH_PROVIDERS,
  type FetchProvider,
  SEARCH_PROVIDERS,
  type SearchProvider,
  type Wanted,
} from '../../src/index.ts';
import { DECLARED } from './declared-examples.ts';

/** The search of a provider. Throws if it does not search. */
export function searchOf(slug: string): SearchProvider {
  const provider = [...SEARCH_PROVIDERS, ...DECLARED].find((one) => one.slug === slug);
  if (!provider) throw new Error(`${slug} is not a search provider`);
  return provider;
}

/** A search that was answered at noon of a day in November 2026. */
export const answered = (wanted: Wanted, query = 'tidal power'): AnsweredSearch => ({
  query,
  count: 5,
  wanted,
  now: Date.parse('2026-11-28T12:00:00Z'),
});

/** The fetch of a vendor. Throws if it does not fetch. */
export function vendorOf(slug: string): FetchProvider {
  const provider = FETCH_PROVIDERS.find((one) => one.slug === slug);
  if (provider?.kind !== 'vendor') throw new Error(`${slug} is not a vendor that fetches`);
  return provider;
}
