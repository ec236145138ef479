import { z } from 'zod';
import { FetchOptions } from './fetch.ts';
import { optional } from './json.ts';
import { SearchOptions } from './search-request.ts';

const { providers, tier, filters, fallback, max_age_seconds, max_cost_usd } = SearchOptions.shape;
const SearchDefaults = z.strictObject({
  providers,
  tier,
  filters,
  fallback,
  max_age_seconds,
  max_cost_usd,
});

/**
 * What an API key asks for where its requests do not say: fields of requests, in their own words.
 */
export const KeyProfile = z
  .strictObject({
    search: optional(
      SearchDefaults.meta({
        id: 'SearchDefaults',
        description: 'Options of searches whose requests do not name them.',
      }),
    ).describe('Defaults of searches.'),
    fetch: optional(
      FetchOptions.pick({ providers: true, tier: true, max_cost_usd: true }).meta({
        id: 'FetchDefaults',
        description: 'Options of fetches whose requests do not name them.',
      }),
    ).describe('Defaults of fetches.'),
    evaluation: optional(z.boolean()).describe(
      'Whether its recorded queries may be used to compare providers (`trawl routing queries`); no when absent.',
    ),
  })
  .meta({ id: 'KeyProfile', description: 'Defaults of the requests of a key.' });
export type KeyProfile = z.output<typeof KeyProfile>;
