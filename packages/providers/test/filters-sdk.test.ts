import { Perplexity } from '@perplexity-ai/perplexity_ai';
import { tavily } from '@tavily/core';
import { TinyFish } from '@tiny-fish/sdk';
import { fieldsOfTier } from '@trawl/contract';
import { Exa } from 'exa-js';
import { LinkupClient } from 'linkup-sdk';
import Parallel from 'parallel-web';
import { getJson } from 'serpapi';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyOverrides, type Filters, planFilters } from '../src/index.ts';
import { LoopbackAgent } from './support/loopback-agent.ts';
import { searchOf } from './support/providers.ts';
import { type Recorder, type SentRequest, startRecorder } from './support/recorder.ts';

/** Compares what the vendors' own clients send for a filter with the declarations. */
let recorder: Recorder;
beforeAll(async () => {
  const row = { id: 'x', query: 'x', search_id: 'x', session_id: 'x', requestId: 'x', page: 0 };
  const lists = { results: [], images: [], total_results: 0, response_time: 0.1 };
  recorder = await startRecorder({ ...row, ...lists });
});
afterAll(() => recorder.stop());

const QUERY = 'node 20 release notes';
const apiKey = 'test-key';

/** The request of the declaration at tier default for five rows, with these filters. */
function callOf(slug: string, filters: Filters) {
  const provider = searchOf(slug);
  const context = { today: '2026-06-30', overrides: {}, strict: false };
  const { parameters, operators } = planFilters(provider, filters, context, () => true);
  const call = provider.request({
    query: operators === '' ? QUERY : `${QUERY} ${operators}`,
    count: 5,
    wanted: {
      tier: 'default',
      fields: new Set(fieldsOfTier('default')),
      fullContent: false,
      overrides: {},
    },
  });
  return applyOverrides(call, parameters);
}

const expectBody = (sent: SentRequest, slug: string, filters: Filters) =>
  expect(sent.body).toEqual(callOf(slug, filters).body);

const SITES: Filters = { include_domains: ['example.com', 'example.org'] };
const NO_SITES: Filters = { exclude_domains: ['example.com', 'example.org'] };
const DATES: Filters = { published_after: '2026-01-02', published_before: '2026-03-04' };

test.each<[Filters, object]>([
  [SITES, { includeDomains: ['example.com', 'example.org'] }],
  [NO_SITES, { excludeDomains: ['example.com', 'example.org'] }],
  [
    DATES,
    {
      startPublishedDate: '2026-01-02T00:00:00.000Z',
      endPublishedDate: '2026-03-04T23:59:59.999Z',
    },
  ],
  [{ country: 'DE' }, { userLocation: 'DE' }],
  [{ safe_search: 'strict' }, { moderation: true }],
])('exa-js: %j', async (filters, options) => {
  const base = { type: 'auto', numResults: 5, contents: { highlights: true } };
  const client = new Exa(apiKey, recorder.url);
  const sent = await recorder.sentBy(() => client.search(QUERY, { ...base, ...options } as never));
  expectBody(sent, 'exa', filters);
});

test.each<[Filters, object]>([
  [SITES, { includeDomains: ['example.com', 'example.org'] }],
  [NO_SITES, { excludeDomains: ['example.com', 'example.org'] }],
  [DATES, { startDate: '2026-01-02', endDate: '2026-03-04', include_published_date: true }],
  [{ country: 'DE' }, { country: 'germany' }],
  [{ language: 'de' }, { language: 'de', filterByLanguage: true }],
  // not renamed by the client, which passes it on
  [{ safe_search: 'moderate' }, { safe_search: true }],
])('@tavily/core: %j', async (filters, options) => {
  const client = tavily({ apiKey, apiBaseURL: recorder.url });
  const base = { maxResults: 5, searchDepth: 'basic' } as const;
  const sent = await recorder.sentBy(() => client.search(QUERY, { ...base, ...options }));
  expectBody(sent, 'tavily', filters);
});

const linkup = async (options: object) => {
  const client = new LinkupClient({ apiKey, baseUrl: `${recorder.url}/v1` });
  const base = { query: QUERY, depth: 'standard', outputType: 'searchResults', maxResults: 5 };
  return recorder.sentBy(() => client.search({ ...base, ...options } as never));
};

test.each<[Filters, object]>([
  [SITES, { includeDomains: ['example.com', 'example.org'] }],
  [NO_SITES, { excludeDomains: ['example.com', 'example.org'] }],
])('linkup-sdk: %j', async (filters, options) => {
  expectBody(await linkup(options), 'linkup', filters);
});

test('linkup-sdk: dates, which this version sends with a time; the API documents days', async () => {
  const options = { fromDate: new Date('2026-01-02'), toDate: new Date('2026-03-04') };
  const { body } = await linkup(options);
  const day = (value: unknown) => String(value).slice(0, 10);
  const { fromDate, toDate, ...rest } = body as Record<string, unknown>;
  expect({ ...rest, fromDate: day(fromDate), toDate: day(toDate) }).toEqual(
    callOf('linkup', DATES).body,
  );
});

test.each<[Filters, object]>([
  [SITES, { source_policy: { include_domains: ['example.com', 'example.org'] } }],
  [NO_SITES, { source_policy: { exclude_domains: ['example.com', 'example.org'] } }],
  [{ published_after: '2026-01-02' }, { source_policy: { after_date: '2026-01-02' } }],
  [{ country: 'DE' }, { location: 'de' }],
])('parallel-web: %j', async (filters, settings) => {
  const client = new Parallel({ apiKey, baseURL: recorder.url, maxRetries: 0 });
  const sent = await recorder.sentBy(() =>
    client.search({
      search_queries: [QUERY],
      objective: QUERY,
      mode: 'advanced',
      advanced_settings: { max_results: 5, ...settings },
    }),
  );
  expectBody(sent, 'parallel', filters);
});

test.each<[Filters, object]>([
  [SITES, { search_domain_filter: ['example.com', 'example.org'] }],
  [NO_SITES, { search_domain_filter: ['-example.com', '-example.org'] }],
  [DATES, { search_after_date_filter: '01/02/2026', search_before_date_filter: '03/04/2026' }],
  [{ country: 'DE' }, { country: 'DE' }],
  [{ language: 'de' }, { search_language_filter: ['de'] }],
])('@perplexity-ai/perplexity_ai: %j', async (filters, options) => {
  const client = new Perplexity({ apiKey, baseURL: recorder.url, maxRetries: 0 });
  const sent = await recorder.sentBy(() =>
    client.search.create({ query: QUERY, max_results: 5, ...options }),
  );
  expectBody(sent, 'perplexity', filters);
});

const parametersOf = ({ path = '' }: SentRequest) =>
  Object.fromEntries(new URL(path, recorder.url).searchParams);

test.each<[Filters, object]>([
  // the client has no parameters for hosts yet
  [{ country: 'DE' }, { location: 'DE' }],
  [{ language: 'de' }, { language: 'de' }],
])('@tiny-fish/sdk: %j', async (filters, options) => {
  const client = new TinyFish({ apiKey, baseURL: recorder.url, maxRetries: 0 });
  const sent = await recorder.sentBy(() => client.search.query({ query: QUERY, ...options }));
  expect(parametersOf(sent)).toEqual(callOf('tinyfish', filters).query);
});

test.each<[Filters, object]>([
  [SITES, { q: `${QUERY} site:example.com OR site:example.org` }],
  [NO_SITES, { q: `${QUERY} -site:example.com -site:example.org` }],
  [{ published_after: '2026-01-02' }, { as_qdr: 'd180' }],
  [{ country: 'DE' }, { gl: 'de' }],
  [{ language: 'de' }, { lr: 'lang_de' }],
  [{ safe_search: 'strict' }, { safe: 'active' }],
])('serpapi: %j', async (filters, options) => {
  const requestOptions = { agent: new LoopbackAgent(recorder.url), protocol: 'http:' };
  const sent = await recorder.sentBy(() =>
    getJson({ q: QUERY, engine: 'google', api_key: apiKey, requestOptions, ...options }),
  );
  const { source: _, api_key, ...sentQuery } = parametersOf(sent);
  expect(sentQuery).toEqual(callOf('serpapi', filters).query);
});
