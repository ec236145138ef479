import type { DataUse, ProbeOperation } from '@trawl/contract';
import {
  type FieldSupply,
  type FilterFact,
  filterFacts,
  needsCredential,
  pageSupply,
  searchSupply,
} from '@trawl/providers';
import type { UpstreamTarget } from '@trawl/upstream';
import { searchPrice } from '../billing/list-price.ts';
import { type CallPrice, callPrice } from '../billing/planned-call.ts';
import { type Deployment, isUsable, requiresKey } from '../deployment/deployment.ts';
import { readPageUrl } from '../fetch/check.ts';
import { PROBE_PAGE } from './probe.ts';
import { fetchProbePrice } from './probe-fetch.ts';
import { searchProbePlan } from './probe-search.ts';

/** What a provider offers for one operation in this deployment. */
export interface Offer {
  readonly slug: string;
  readonly operation: ProbeOperation;
  readonly description: string;
  /** null = the operator declared it. */
  readonly docsUrl: string | null;
  readonly dataUse: DataUse;
  /** Where a key of the vendor is made; null = not known, or it takes none. */
  readonly keyPage: { readonly url: string; readonly free?: string } | null;
  readonly isConfigured: boolean;
  /** It is asked without a key. */
  readonly isKeyless: boolean;
  readonly needsCredential: boolean;
  /** The setting that holds its credential or address; null = it has none. Never the value. */
  readonly setting: string | null;
  /** Whether it is asked where a request names no provider. */
  readonly isDefault: boolean;
  /** Place in the default chain of a fetch, from 1; null elsewhere. */
  readonly chainPosition: number | null;
  /** Where the runner sends its calls; null = it is not asked through the runner. Has its keys. */
  readonly target: UpstreamTarget | null;
  /** Of the cheapest call. */
  readonly price: CallPrice;
  readonly supply: readonly FieldSupply<string>[];
  /** Of a search; empty for a fetch. */
  readonly filters: readonly FilterFact[];
}

/** All offers of a deployment: searches in roster order, then fetches. */
export const offersOf = (deployment: Deployment): readonly Offer[] => [
  ...searchOffers(deployment),
  ...fetchOffers(deployment),
];

function searchOffers(deployment: Deployment): readonly Offer[] {
  const { searchProviders, defaultSet } = deployment;
  return [...searchProviders.values()].map((provider) => {
    const { declaration, target, isConfigured } = provider;
    return {
      slug: declaration.slug,
      operation: 'search' as const,
      description: declaration.description,
      docsUrl: declaration.docsUrl,
      dataUse: declaration.dataUse,
      keyPage: declaration.keyPage ?? null,
      isConfigured,
      isKeyless: !isConfigured && isUsable(provider),
      needsCredential: requiresKey(declaration),
      setting: target.credentialVariable ?? null,
      isDefault: defaultSet.includes(declaration.slug),
      chainPosition: null,
      target,
      price: callPrice(searchPrice(provider, searchProbePlan(provider, deployment).search, null)),
      supply: searchSupply(declaration.capabilities),
      filters: filterFacts(declaration.filters),
    };
  });
}

function fetchOffers({ fetchProviders, fetchChain }: Deployment): readonly Offer[] {
  const page = readPageUrl(PROBE_PAGE);
  if ('fault' in page) throw new Error(page.fault);
  return [...fetchProviders.values()].map((provider) => {
    const { declaration, isConfigured } = provider;
    const position = fetchChain.indexOf(declaration.slug);
    const isVendor = 'target' in provider;
    return {
      slug: declaration.slug,
      operation: 'fetch' as const,
      description: declaration.description,
      docsUrl: declaration.docsUrl,
      dataUse: declaration.dataUse,
      keyPage: (isVendor ? provider.declaration.keyPage : undefined) ?? null,
      isConfigured,
      isKeyless: !isConfigured && isUsable(provider),
      needsCredential: isVendor && needsCredential(provider.declaration.authentication),
      setting: (isVendor ? provider.target.credentialVariable : undefined) ?? null,
      isDefault: position >= 0,
      chainPosition: position >= 0 ? position + 1 : null,
      target: isVendor ? provider.target : null,
      price: fetchProbePrice(provider, page.target),
      supply: pageSupply(declaration.capabilities),
      filters: [],
    };
  });
}
