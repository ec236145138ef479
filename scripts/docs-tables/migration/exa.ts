import type { JsonObject } from '@trawl/contract';
import { filtered, type Migration } from './mapping.ts';

const override = (block: JsonObject): JsonObject => ({
  search: { provider_overrides: { exa: block } },
});

/** A parameter without an equivalent in trawl is passed on unchanged. */
const passed = (sends: JsonObject) => ({ sends, ask: override(sends) });

export const EXA_MIGRATIONS: readonly Migration[] = [
  {
    vendor: 'exa',
    route: 'search',
    path: '/search',
    requests: [
      { sends: { query: 'tidal power' }, ask: { user_input: { query: 'tidal power' } } },
      { sends: { numResults: 8 }, ask: { search: { num_results: 8 } } },
      { sends: { contents: { highlights: true } }, ask: { search: { tier: 'default' } } },
      {
        sends: { contents: { text: true } },
        ask: { search: { tier: 'extended', include_full_content: true } },
      },
      {
        sends: { contents: { summary: { query: 'tidal power' } } },
        ask: { search: { tier: 'max' } },
      },
      {
        sends: { contents: { extras: { links: 10, imageLinks: 10 } } },
        ask: { search: { fields: ['url', 'enrichments'] } },
      },
      passed({ type: 'deep' }),
      passed({ category: 'news' }),
      filtered({ includeDomains: ['example.org'] }, { include_domains: ['example.org'] }),
      filtered({ excludeDomains: ['example.com'] }, { exclude_domains: ['example.com'] }),
      filtered(
        { startPublishedDate: '2026-01-01T00:00:00.000Z' },
        { published_after: '2026-01-01' },
      ),
      filtered(
        { endPublishedDate: '2026-06-30T23:59:59.999Z' },
        { published_before: '2026-06-30' },
      ),
      filtered({ userLocation: 'GB' }, { country: 'GB' }),
      filtered({ moderation: true }, { safe_search: 'moderate' }),
      passed({ includeText: ['tidal range'] }),
      passed({ contents: { text: { maxCharacters: 1000 } } }),
      passed({ outputSchema: { type: 'text' } }),
    ],
    askForAll: {
      search: {
        tier: 'max',
        include_raw: true,
        provider_overrides: { exa: { outputSchema: { type: 'text' } } },
      },
    },
    responses: [
      { theirs: 'results[].url', value: 'https://example.org/tides', ours: 'results[].url' },
      { theirs: 'results[].title', value: 'On tides', ours: 'results[].title' },
      { theirs: 'results[].summary', value: 'Written by Exa.', ours: 'results[].summary' },
      {
        theirs: 'results[].highlights',
        value: ['One part.', 'Another.'],
        ours: 'results[].excerpt',
        becomes: 'One part.\n\nAnother.',
      },
      { theirs: 'results[].text', value: 'The whole text.', ours: 'results[].full_content' },
      {
        theirs: 'results[].publishedDate',
        value: '2026-03-02T08:15:00.000Z',
        ours: 'results[].publish_date',
      },
      { theirs: 'results[].author', value: 'R. Moss', ours: 'results[].source.author' },
      {
        theirs: 'results[].image',
        value: 'https://example.org/tides.png',
        ours: 'results[].thumbnail',
      },
      {
        theirs: 'results[].favicon',
        value: 'https://example.org/favicon.ico',
        ours: 'results[].favicon',
      },
      { theirs: 'results[].id', value: 'tides', ours: 'results[].enrichments.id' },
      { theirs: 'results[].score', value: 0.7, ours: 'results[].enrichments.score' },
      {
        theirs: 'results[].entities',
        value: [{ id: '1' }],
        ours: 'results[].enrichments.entities',
      },
      { theirs: 'output.content', value: 'Tides make power.', ours: 'answer.text' },
      { theirs: 'costDollars.total', value: 0.012, ours: 'usage.cost_usd' },
      { theirs: 'requestId', value: '5f0c2d9e', ours: 'raw_payload.requestId' },
    ],
  },
  {
    vendor: 'exa',
    route: 'fetch',
    path: '/contents',
    requests: [
      {
        sends: { urls: ['https://news.example.com/a-page'] },
        ask: { urls: ['https://news.example.com/a-page'] },
      },
      { sends: { text: true }, ask: { options: { tier: 'minimalist' } } },
      { sends: { highlights: true }, ask: { options: { tier: 'max' } } },
      { sends: { summary: {} }, ask: { options: { tier: 'max' } } },
      { sends: { extras: { links: 100, imageLinks: 100 } }, ask: { options: { tier: 'max' } } },
      { sends: { maxAgeHours: 2 }, ask: { options: { max_age_seconds: 7200 } } },
      { sends: { maxAgeHours: 0 }, ask: { options: { no_cache: true } } },
    ],
    askForAll: { options: { tier: 'max' } },
    responses: [
      { theirs: 'results[].text', value: 'The whole text.', ours: 'fetched_results[].content' },
      {
        theirs: 'results[].url',
        value: 'https://example.org/tides',
        ours: 'fetched_results[].canonical_url',
      },
      { theirs: 'results[].title', value: 'On tides', ours: 'fetched_results[].title' },
      { theirs: 'results[].author', value: 'R. Moss', ours: 'fetched_results[].author' },
      {
        theirs: 'results[].publishedDate',
        value: '2026-03-02T08:15:00.000Z',
        ours: 'fetched_results[].publish_date',
      },
      { theirs: 'results[].summary', value: 'In short.', ours: 'fetched_results[].summary' },
      {
        theirs: 'results[].extras.links',
        value: ['https://example.org/more'],
        ours: 'fetched_results[].links',
      },
      {
        theirs: 'results[].extras.imageLinks',
        value: ['https://example.org/tides.png'],
        ours: 'fetched_results[].images',
      },
      {
        theirs: 'statuses[].source',
        value: 'cached',
        ours: 'fetched_results[].cache_state',
        becomes: 'hit',
      },
      { theirs: 'requestId', value: '5f0c2d9e', ours: 'fetched_results[].request_id' },
      { theirs: 'costDollars.total', value: 0.003, ours: 'fetched_results[].usage.cost_usd' },
    ],
  },
];
