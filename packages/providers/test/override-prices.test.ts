import { fieldsOfTier, type JsonObject, type Tier } from '@trawl/contract';
import { describe, expect, test } from 'vitest';
import { PRICES, SEARCH_PROVIDERS } from '../src/index.ts';

/** The price that a search is planned with, in US dollars. */
function priceOf(slug: string, overrides: JsonObject, tier: Tier = 'default', count = 5) {
  const provider = SEARCH_PROVIDERS.find((one) => one.slug === slug);
  if (!provider) throw new Error(`${slug} is no provider`);
  const wanted = { tier, fields: new Set(fieldsOfTier(tier)), fullContent: false, overrides };
  const rates = PRICES.providers[slug] ?? {};
  return provider.price({ query: 'tides', count, wanted }, rates).usd;
}

/** Paid modes of the vendors' price pages. */
const MODES: readonly (readonly [string, JsonObject, number])[] = [
  ['exa', {}, 0.007],
  ['exa', { type: 'instant' }, 0.004],
  ['exa', { type: 'deep' }, 0.012],
  ['exa', { type: 'deep-reasoning' }, 0.015],
  ['exa', { type: 'neural' }, 0.007],
  ['tavily', {}, 0.008],
  ['tavily', { search_depth: 'basic' }, 0.008],
  ['tavily', { search_depth: 'advanced' }, 0.016],
  ['tavily', { search_depth: 7 }, 0.008],
  ['parallel', {}, 0.005],
  ['parallel', { mode: 'turbo' }, 0.001],
  ['parallel', { mode: 'fast' }, 0.001],
  ['you', {}, 0.005],
  ['you', { livecrawl: 'web' }, 0.01],
  ['you', { extraction: { extraction_mode: 'full_page' } }, 0.01],
  ['you', { extraction: { extraction_mode: 'full_page', extraction_source: 'cache' } }, 0.005],
  ['linkup', {}, 0.005],
  ['linkup', { depth: 'deep' }, 0.05],
  ['linkup', { outputType: 'sourcedAnswer' }, 0.006],
  ['linkup', { depth: 'deep', outputType: 'structured' }, 0.055],
  ['perplexity', {}, 0.005],
  ['perplexity', { search_type: 'fast' }, 0.001],
  ['brave', { extra_snippets: true }, 0.005],
  ['serpapi', { engine: 'google_news' }, 0.015],
  ['ceramic', { maxResults: 20 }, 0.00025],
  ['seltz', { tier: 'base' }, 0.005],
  ['tinyfish', { location: 'US' }, 0],
  ['searxng', { engines: 'bing' }, 0],
];

describe('2.11 native keys are provider-specific and paid features bill accordingly', () => {
  test.each(MODES)('2.11 %s with %j costs %d', (slug, overrides, usd) => {
    expect(priceOf(slug, overrides)).toBeCloseTo(usd, 9);
  });

  test('2.11 every search provider has a price in this table', () => {
    const slugs = new Set(MODES.map(([slug]) => slug));
    expect(SEARCH_PROVIDERS.filter(({ slug }) => !slugs.has(slug))).toEqual([]);
  });
});
