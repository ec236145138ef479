import type { FetchProviderRoster, KeylessUse, PreprocessorEntry } from '@trawl/contract';
import {
  filterSupport,
  filtersNote,
  needsCredential,
  unsupportedFields,
  unsupportedPageFields,
} from '@trawl/providers';
import {
  type ConfiguredFetchProvider,
  type ConfiguredProvider,
  type Deployment,
  type KeylessOffer,
  requiresKey,
} from './deployment.ts';

/** The live roster of search providers, from their declarations. */
export function searchRoster({
  searchProviders,
  defaultSet,
}: Deployment): readonly Omit<PreprocessorEntry, 'health'>[] {
  const entry = ({ declaration, isConfigured, keyless }: ConfiguredProvider) => ({
    slug: declaration.slug,
    name: declaration.name,
    active_by_default: defaultSet.includes(declaration.slug),
    configured: isConfigured,
    requires_key:
      declaration.keyless === undefined && declaration.keyed === undefined
        ? requiresKey(declaration)
        : ('optional' as const),
    max_results: declaration.count.max,
    count_control: declaration.count.control,
    auto_routable: declaration.autoRoutable,
    unsupported_fields: [...unsupportedFields(declaration.capabilities)],
    filters: filterSupport(declaration.filters),
    ...noteOf(declaration),
    description: declaration.description,
    docs_url: declaration.docsUrl,
    data_use: declaration.dataUse,
    ...(keyless ? { keyless: keylessUse(keyless) } : {}),
  });
  return [...searchProviders.values()].map(entry);
}

function noteOf(declaration: ConfiguredProvider['declaration']) {
  const note = filtersNote(declaration);
  return note === null ? {} : { filters_note: note };
}

const keylessUse = ({ allowance, pace, runs, remark }: KeylessOffer): KeylessUse => ({
  allowance,
  pace: {
    every_ms: pace.everyMs,
    in_flight: pace.inFlight,
    ...(pace.most ? { calls: pace.most.calls, in_seconds: pace.most.seconds } : {}),
  },
  runs,
  ...(remark === undefined ? {} : { remark }),
});

/** The live roster of fetch providers, from their declarations. */
export function fetchRoster({ fetchProviders, fetchChain }: Deployment): FetchProviderRoster {
  const entry = ({ declaration, isConfigured, keyless }: ConfiguredFetchProvider) => {
    const position = fetchChain.indexOf(declaration.slug);
    return {
      name: declaration.slug,
      in_default_chain: position >= 0,
      chain_position: position >= 0 ? position + 1 : null,
      requires_key: declaration.kind === 'vendor' && needsCredential(declaration.authentication),
      configured: isConfigured,
      pin_only: declaration.chain === 'pinned_only',
      content_formats: [...declaration.contentFormats],
      unsupported_fields: [...unsupportedPageFields(declaration.capabilities)],
      description: declaration.description,
      docs_url: declaration.docsUrl,
      data_use: declaration.dataUse,
      ...(keyless ? { keyless: keylessUse(keyless) } : {}),
    };
  };
  return { fetch_providers: [...fetchProviders.values()].map(entry) };
}
