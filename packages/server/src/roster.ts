import type { FetchProviderRoster, PreprocessorRoster } from '@trawl/contract';
import { unsupportedFields } from '@trawl/providers';
import type { ConfiguredProvider, Deployment } from './deployment.ts';

/** The live roster of search providers, from their declarations. */
export function searchRoster({ searchProviders, defaultSet }: Deployment): PreprocessorRoster {
  const entry = ({ declaration, isConfigured }: ConfiguredProvider) => ({
    slug: declaration.slug,
    name: declaration.name,
    active_by_default: defaultSet.includes(declaration.slug),
    configured: isConfigured,
    requires_key: declaration.authentication.in !== 'none',
    max_results: declaration.count.max,
    count_control: declaration.count.control,
    auto_routable: declaration.autoRoutable,
    unsupported_fields: [...unsupportedFields(declaration.capabilities)],
    description: declaration.description,
    docs_url: declaration.docsUrl,
  });
  return { preprocessors: [...searchProviders.values()].map(entry) };
}

/** No fetch provider is built into this version. */
export const fetchRoster: FetchProviderRoster = { fetch_providers: [] };
