import type { JsonObject } from '@trawl/contract';
import { filtered, type Migration } from './mapping.ts';

const override = (block: JsonObject): JsonObject => ({
  search: { provider_overrides: { tavily: block } },
});

/** A parameter without an equivalent in trawl is passed on unchanged. */
const passed = (sends: JsonObject) => ({ sends, ask: override(sends) });

/** A parameter that a field sets. */
const brought = (sends: JsonObject, field: string) => ({
  sends,
  ask: { search: { fields: ['url', field] } },
});

export const TAVILY_MIGRATIONS: readonly Migration[] = [
  {
    vendor: 'tavily',
    route: 'search',
    path: '/search',
    requests: [
      { sends: { query: 'tidal power' }, ask: { user_input: { query: 'tidal power' } } },
      { sends: { max_results: 8 }, ask: { search: { num_results: 8 } } },
      brought({ include_raw_content: 'markdown' }, 'full_content'),
      brought({ include_answer: true }, 'answer'),
      brought({ include_images: true }, 'verticals'),
      brought({ include_favicon: true }, 'favicon'),
      brought({ include_published_date: true }, 'publish_date'),
      brought({ include_usage: true }, 'usage'),
      passed({ search_depth: 'advanced' }),
      passed({ chunks_per_source: 2 }),
      passed({ topic: 'news' }),
      passed({ time_range: 'week' }),
      filtered({ start_date: '2026-01-01' }, { published_after: '2026-01-01' }),
      filtered({ end_date: '2026-06-30' }, { published_before: '2026-06-30' }),
      filtered({ include_domains: ['example.org'] }, { include_domains: ['example.org'] }),
      filtered({ exclude_domains: ['example.com'] }, { exclude_domains: ['example.com'] }),
      filtered({ country: 'france' }, { country: 'FR' }),
      filtered({ safe_search: true }, { safe_search: 'moderate' }),
      passed({ exact_match: true }),
    ],
    askForAll: { search: { tier: 'max', include_raw: true } },
    responses: [
      { theirs: 'results[].url', value: 'https://example.org/tides', ours: 'results[].url' },
      { theirs: 'results[].title', value: 'On tides', ours: 'results[].title' },
      { theirs: 'results[].content', value: 'A snippet.', ours: 'results[].summary' },
      { theirs: 'results[].raw_content', value: '# On tides', ours: 'results[].full_content' },
      { theirs: 'results[].published_date', value: '2026-03-02', ours: 'results[].publish_date' },
      {
        theirs: 'results[].favicon',
        value: 'https://example.org/favicon.ico',
        ours: 'results[].favicon',
      },
      {
        theirs: 'results[].images[]',
        value: 'https://example.org/tides.png',
        ours: 'results[].thumbnail',
      },
      { theirs: 'results[].score', value: 0.83, ours: 'results[].enrichments.score' },
      { theirs: 'answer', value: 'Tides make power.', ours: 'answer.text' },
      {
        theirs: 'images',
        value: ['https://example.org/tides.png'],
        ours: 'verticals.images',
      },
      { theirs: 'usage.credits', value: 1, ours: 'usage.units.credits' },
      { theirs: 'response_time', value: 1.42, ours: 'raw_payload.response_time' },
      { theirs: 'request_id', value: '5f6c1d52', ours: 'raw_payload.request_id' },
    ],
  },
  {
    vendor: 'tavily',
    route: 'fetch',
    path: '/extract',
    requests: [
      {
        sends: { urls: ['https://news.example.com/a-page'] },
        ask: { urls: ['https://news.example.com/a-page'] },
      },
      { sends: { format: 'markdown' }, ask: { options: { tier: 'minimalist' } } },
      { sends: { extract_depth: 'basic' }, ask: { options: { tier: 'minimalist' } } },
      { sends: { include_images: true }, ask: { options: { tier: 'extended' } } },
      { sends: { include_favicon: true }, ask: { options: { tier: 'extended' } } },
      { sends: { include_usage: true }, ask: { options: { tier: 'extended' } } },
    ],
    askForAll: { options: { tier: 'extended' } },
    responses: [
      {
        theirs: 'results[].raw_content',
        value: '# On tides\n\nThey come and go.',
        ours: 'fetched_results[].content',
      },
      {
        theirs: 'results[].url',
        value: 'https://example.org/tides',
        ours: 'fetched_results[].canonical_url',
      },
      { theirs: 'results[].title', value: 'On tides', ours: 'fetched_results[].title' },
      {
        theirs: 'results[].images',
        value: ['https://example.org/tides.png'],
        ours: 'fetched_results[].images',
      },
      {
        theirs: 'results[].favicon',
        value: 'https://example.org/favicon.ico',
        ours: 'fetched_results[].favicon',
      },
      { theirs: 'usage.credits', value: 1, ours: 'fetched_results[].usage.units.credits' },
      { theirs: 'request_id', value: '0b1c8a77', ours: 'fetched_results[].request_id' },
    ],
  },
];
