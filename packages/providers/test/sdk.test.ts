import { Perplexity } from '@perplexity-ai/perplexity_ai';
import { tavily } from '@tavily/core';
import { TinyFish } from '@tiny-fish/sdk';
import { fieldsOfTier, type JsonObject, type Tier } from '@trawl/contract';
import { Ceramic } from 'ceramic-ai';
import { Exa } from 'exa-js';
import { LinkupClient } from 'linkup-sdk';
import Parallel from 'parallel-web';
import { getJson } from 'serpapi';
import { expect, test } from 'vitest';
import type { HttpCall } from '../src/declaration/call.ts';
import { applyOverrides, type Filters, planFilters } from '../src/index.ts';
import { fetchPlan } from './support/fetch-plan.ts';
import { fetchFixture, searchFixture } from './support/fixtures.ts';
import { LoopbackAgent } from './support/loopback-agent.ts';
import { searchOf, vendorOf } from './support/providers.ts';
import { startRecorder } from './support/recorder.ts';

/**
 * One call by each vendor's own client, with as many options as one call can have: the client and
 * our declaration send the same. The request of every tier, option and filter is in the fixtures.
 */
const QUERY = 'café & crème, rust async';
const PAGE = 'https://harbour.example.org/a?b=1';
const apiKey = 'test-key';

/** Our call for five rows. */
function searchCall(slug: string, tier: Tier, filters: Filters, overrides: JsonObject = {}) {
  const provider = searchOf(slug);
  const context = { today: '2026-06-30', overrides, strict: false };
  const { parameters, operators } = planFilters(provider, filters, context, () => true);
  const wanted = { tier, fields: new Set(fieldsOfTier(tier)), fullContent: true, overrides };
  const query = operators === '' ? QUERY : `${QUERY} ${operators}`;
  const call = provider.request({ query, count: 5, wanted });
  return applyOverrides(applyOverrides(call, parameters), overrides);
}

const fetchCall = (slug: string, ...plan: Parameters<typeof fetchPlan>) =>
  vendorOf(slug).request(fetchPlan(...plan));

interface Comparison {
  readonly slug: string;
  readonly ours: HttpCall;
  /** The same call by the client of the vendor, which is at this address. */
  readonly theirs: (url: string) => Promise<unknown>;
  /** What the client reads of the answer in the fixture of the page. */
  readonly read?: (answer: never) => unknown;
  /** Members that only one side sends, with the reason. */
  readonly apart?: Readonly<Record<string, string>>;
}

const HOSTS = ['example.com', 'example.org'];
const FILTERS: Filters = {
  include_domains: HOSTS,
  published_after: '2026-01-02',
  published_before: '2026-03-04',
  country: 'DE',
  language: 'de',
  safe_search: 'strict',
};

const SEARCHES: readonly Comparison[] = [
  {
    slug: 'exa',
    ours: searchCall('exa', 'max', FILTERS),
    theirs: (url) =>
      new Exa(apiKey, url).search(QUERY, {
        type: 'auto',
        numResults: 5,
        contents: {
          ...{ text: true, highlights: true, summary: { query: QUERY } },
          extras: { links: 10, imageLinks: 10 },
        },
        includeDomains: HOSTS,
        startPublishedDate: '2026-01-02T00:00:00.000Z',
        endPublishedDate: '2026-03-04T23:59:59.999Z',
        userLocation: 'DE',
        moderation: true,
      }),
  },
  {
    slug: 'tavily',
    ours: searchCall('tavily', 'max', FILTERS),
    theirs: (url) =>
      tavily({ apiKey, apiBaseURL: url }).search(QUERY, {
        ...{ maxResults: 5, searchDepth: 'basic', includeRawContent: 'markdown' },
        ...{ includeImages: true, includeFavicon: true, includeAnswer: true, includeUsage: true },
        includeDomains: HOSTS,
        ...{ startDate: '2026-01-02', endDate: '2026-03-04', country: 'germany' },
        ...{ language: 'de', filterByLanguage: true },
        // not renamed by the client, which passes them on
        ...{ include_published_date: true, safe_search: true },
      }),
  },
  {
    slug: 'linkup',
    ours: searchCall('linkup', 'max', FILTERS, {
      outputType: 'structured',
      structuredOutputSchema: '{"type":"object","properties":{"year":{"type":"number"}}}',
    }),
    theirs: (url) =>
      new LinkupClient({ apiKey, baseUrl: `${url}/v1` }).search({
        ...{ query: QUERY, depth: 'deep', outputType: 'structured', includeSources: true },
        structuredOutputSchema: { type: 'object', properties: { year: { type: 'number' } } },
        ...{ includeImages: true, maxResults: 5, includeDomains: HOSTS },
        ...{ fromDate: new Date('2026-01-02'), toDate: new Date('2026-03-04') },
      }),
  },
  {
    slug: 'parallel',
    ours: searchCall('parallel', 'max', FILTERS),
    theirs: (url) =>
      new Parallel({ apiKey, baseURL: url, maxRetries: 0 }).search({
        ...{ search_queries: [QUERY], objective: QUERY, mode: 'advanced' },
        advanced_settings: {
          ...{ max_results: 5, location: 'de' },
          source_policy: { include_domains: HOSTS, after_date: '2026-01-02' },
        },
      }),
  },
  {
    slug: 'perplexity',
    ours: searchCall('perplexity', 'max', FILTERS),
    theirs: (url) =>
      new Perplexity({ apiKey, baseURL: url, maxRetries: 0 }).search.create({
        ...{ query: QUERY, max_results: 5, max_tokens: 50_000, search_domain_filter: HOSTS },
        search_after_date_filter: '01/02/2026',
        search_before_date_filter: '03/04/2026',
        ...{ country: 'DE', search_language_filter: ['de'] },
      }),
  },
  {
    slug: 'ceramic',
    ours: searchCall('ceramic', 'max', {}, { maxDescriptionLength: 8000, maxResults: 20 }),
    theirs: (url) =>
      new Ceramic({ apiKey, baseURL: url }).search({
        ...{ query: QUERY, maxDescriptionLength: 8000, maxResults: 20 },
      }),
  },
  {
    slug: 'tinyfish',
    ours: searchCall('tinyfish', 'max', { country: 'DE', language: 'de' }, { page: 1 }),
    theirs: (url) =>
      new TinyFish({ apiKey, baseURL: url, maxRetries: 0 }).search.query({
        ...{ query: QUERY, location: 'DE', language: 'de', page: 1 },
      }),
    apart: { include_thumbnail: 'this version of the client does not know it' },
  },
  {
    slug: 'serpapi',
    ours: searchCall('serpapi', 'max', FILTERS, { location: 'Austin', start: 10, no_cache: true }),
    theirs: (url) =>
      getJson({
        q: `${QUERY} site:example.com OR site:example.org`,
        ...{ engine: 'google', api_key: apiKey, as_qdr: 'd180', gl: 'de', lr: 'lang_de' },
        ...{ safe: 'active', location: 'Austin', start: 10, no_cache: true },
        requestOptions: { agent: new LoopbackAgent(url), protocol: 'http:' },
      }),
    apart: { source: 'the client names itself' },
  },
];

const FETCHES: readonly Comparison[] = [
  {
    slug: 'exa',
    ours: fetchCall('exa', PAGE, 'max', { noCache: true }),
    theirs: (url) =>
      new Exa(apiKey, url).getContents([PAGE], {
        ...{ text: true, highlights: true, summary: {}, maxAgeHours: 0 },
        extras: { links: 100, imageLinks: 100 },
      }),
    read: ({ results: [page] }: { results: { text: string }[] }) => page?.text,
  },
  {
    slug: 'tavily',
    ours: fetchCall('tavily', PAGE, 'max'),
    theirs: (url) =>
      tavily({ apiKey, apiBaseURL: url }).extract([PAGE], {
        ...{ extractDepth: 'basic', format: 'markdown' },
        ...{ includeImages: true, includeFavicon: true, includeUsage: true },
      }),
    read: ({ results: [page] }: { results: { rawContent: string }[] }) => page?.rawContent,
    apart: { timeout: 'the client sends its own' },
  },
  {
    slug: 'parallel',
    ours: fetchCall('parallel', PAGE, 'max', { noCache: true }),
    theirs: (url) =>
      new Parallel({ apiKey, baseURL: url, maxRetries: 0 }).extract({
        urls: [PAGE],
        advanced_settings: {
          full_content: true,
          fetch_policy: { max_age_seconds: 600, disable_cache_fallback: true },
        },
      }),
    read: ({ results }: { results: { full_content: string }[] }) =>
      results.map(({ full_content: content }) => content),
  },
  {
    slug: 'linkup',
    ours: fetchCall('linkup', PAGE, 'max'),
    theirs: (url) =>
      new LinkupClient({ apiKey, baseUrl: `${url}/v1` }).fetch({
        ...{ url: PAGE, renderJs: true, extractImages: true },
        // its types lack the newer name, which it passes on
        ...{ includeRawContent: true },
      }),
    read: ({ markdown }: { markdown: string }) => markdown,
  },
  {
    slug: 'tinyfish',
    ours: fetchCall('tinyfish', PAGE, 'max', { noCache: true }),
    theirs: (url) =>
      new TinyFish({ apiKey, baseURL: url, maxRetries: 0 }).fetch.getContents({
        ...{ urls: [PAGE], format: 'markdown', links: true, image_links: true, ttl: 0 },
      }),
    read: ({ results: [page] }: { results: { text: string }[] }) => page?.text,
    apart: {
      per_url_timeout_ms: 'this version of the client does not know it',
      page_metadata: 'this version of the client does not know it',
    },
  },
];

/** A call as it is sent, without the key and members that only one side sends. */
function comparable(sent: HttpCall | JsonObject, { slug, apart = {} }: Comparison) {
  const { method, path, query, body } = sent;
  const without = (values: unknown) =>
    Object.fromEntries(
      Object.entries(Object(values)).filter(([name]) => !(name in apart) && name !== 'api_key'),
    );
  const texts = Object.entries(without(query)).map(([name, value]) => [name, String(value)]);
  // this client sends a time, where the API documents days
  const days = ([name, value]: [string, unknown]) =>
    slug === 'linkup' && name.endsWith('Date') ? [name, String(value).slice(0, 10)] : [name, value];
  return {
    ...{ method, path, query: Object.fromEntries(texts) },
    body: Object.fromEntries(Object.entries(without(body)).map(days)),
  };
}

async function compare(
  one: Comparison,
  provider: Readonly<Record<string, unknown>>,
  full: unknown,
) {
  const recorder = await startRecorder(Object(full));
  try {
    let answer: unknown;
    const sent = await recorder.sentBy(async () => {
      answer = await one.theirs(recorder.url);
    });
    const { pathname, searchParams } = new URL(sent.path ?? '', recorder.url);
    const query = Object.fromEntries(searchParams);
    const theirs = { method: sent.method, path: pathname, query, body: sent.body };
    expect(comparable(theirs, one)).toEqual(comparable(one.ours, one));
    const { in: place, name, prefix = '' } = Object(provider.authentication);
    expect(place === 'query' ? query[name] : sent.headers[name]).toBe(`${prefix}${apiKey}`);
    if (sent.body !== undefined) expect(sent.headers['content-type']).toBe('application/json');
    return answer;
  } finally {
    await recorder.stop();
  }
}

test.each(SEARCHES)('a search of $slug is what its client sends', async (one) => {
  const { full } = searchFixture(one.slug);
  await compare(one, { ...searchOf(one.slug) }, full);
});

test.each(FETCHES)('a fetch of $slug is what its client sends and reads', async (one) => {
  const { full, parsed } = fetchFixture(one.slug);
  const answer = await compare(one, { ...vendorOf(one.slug) }, full);
  if (parsed.kind !== 'page') throw new Error('the fixture is not a page');
  expect([one.read?.(answer as never)].flat()).toContain(parsed.page.content);
});

test('ceramic gets no query of a length that its client refuses', () => {
  const { words = 0 } = searchOf('ceramic').queryLimit;
  const query = Array.from({ length: words + 1 }, () => 'word').join(' ');
  expect(() => new Ceramic({ apiKey }).search({ query })).toThrow(String(words));
});
