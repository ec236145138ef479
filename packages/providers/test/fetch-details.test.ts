import type { Tier } from '@trawl/contract';
import { expect, test } from 'vitest';
import {
  type FetchPlan,
  type FetchProvider,
  type PageReading,
  type ParsedPage,
  PRICES,
} from '../src/index.ts';
import { fetchPlan } from './support/fetch-plan.ts';
import { searchOf, vendorOf } from './support/providers.ts';

const exaFetch = vendorOf('exa');
const firecrawlFetch = vendorOf('firecrawl');
const parallelFetch = vendorOf('parallel');

const URL = 'https://harbour.example.org/';
const atTier = (tier: Tier, more: Partial<FetchPlan> = {}) => fetchPlan(URL, tier, more);

function pageOf(reading: PageReading): ParsedPage {
  if (reading.kind !== 'page') throw new Error(`a ${reading.kind}, not a page`);
  return reading.page;
}

const priceOf = (provider: FetchProvider, plan: FetchPlan, page: ParsedPage | null = null) => {
  const { usd, kind } = provider.price(plan, page, PRICES.providers[provider.slug] ?? {});
  return [Number(usd.toFixed(6)), kind];
};

test.each([
  ['firecrawl', 'timeout', 23_000, 23_000],
  ['firecrawl', 'timeout', 23_000.7, 23_000],
  ['firecrawl', 'timeout', 200, 1000],
  ['firecrawl', 'timeout', 900_000, 300_000],
  ['tinyfish', 'per_url_timeout_ms', 0.4, 1],
  ['tinyfish', 'per_url_timeout_ms', 58_000.9, 58_000],
  ['tinyfish', 'per_url_timeout_ms', 400_000, 110_000],
  ['you', 'crawl_timeout', 400, 1],
  ['you', 'crawl_timeout', 58_900, 58],
  ['you', 'crawl_timeout', 400_000, 60],
])('%s gets as %s for a limit of %s ms: %s', (slug, name, timeLimitMs, expected) => {
  const { body } = vendorOf(slug).request(atTier('default', { timeLimitMs }));
  expect(body?.[name]).toBe(expected);
});

test.each([
  [searchOf('tinyfish'), 'https://api.search.tinyfish.ai'],
  [vendorOf('tinyfish'), 'https://api.fetch.tinyfish.ai'],
])('tinyfish is called at the root of its host', ({ baseUrl, pathAtBaseUrl }, host) => {
  expect([baseUrl, pathAtBaseUrl]).toEqual([host, '/']);
});

const scraped = (metadata: object) =>
  pageOf(firecrawlFetch.parse({ success: true, data: { markdown: 'x', metadata } }, atTier('max')));

test('firecrawl costs a credit, five with structured facts, more for a document', () => {
  expect(priceOf(firecrawlFetch, atTier('extended'))).toEqual([0.001, 'estimated']);
  expect(priceOf(firecrawlFetch, atTier('max'))).toEqual([0.005, 'estimated']);
  const document = scraped({ numPages: 12 });
  expect(priceOf(firecrawlFetch, atTier('max'), document)).toEqual([0.016, 'estimated']);
  expect(priceOf(firecrawlFetch, atTier('default'), document)).toEqual([0.012, 'estimated']);
});

test('the credits that firecrawl reports count, not the list', () => {
  const page = scraped({ numPages: 12, creditsUsed: 2 });
  expect(priceOf(firecrawlFetch, atTier('max'), page)).toEqual([0.002, 'estimated']);
});

test('exa is billed for the text, and at max for highlights and summary as well', () => {
  expect(priceOf(exaFetch, atTier('extended'))).toEqual([0.001, 'known']);
  expect(priceOf(exaFetch, atTier('max'))).toEqual([0.003, 'known']);
});

test.each<[string, Partial<FetchPlan>, number]>([
  ['without options', {}, 1],
  ['for a copy of an hour', { maxAgeSeconds: 3600 }, 1],
  ['for a copy of ten minutes', { maxAgeSeconds: 600 }, 1],
  ['for no copy at all, which it does not offer', { noCache: true }, 2],
])('parallel warns %s', (_title, options, count) => {
  const plan = atTier('default', options);
  const { remarks } = pageOf(
    parallelFetch.parse({ results: [{ url: URL, full_content: 'x' }] }, plan),
  );
  expect(remarks.map(({ code }) => code)).toEqual(Array(count).fill('upstream_warning'));
  expect(remarks.at(-1)?.message.includes('600 seconds')).toBe(count === 2);
});
