import type { JsonObject } from '@trawl/contract';
import { filtered, type Migration } from './mapping.ts';

const override = (block: JsonObject): JsonObject => ({
  search: { provider_overrides: { brave: block } },
});

/** A parameter without an equivalent in trawl is passed on unchanged. */
const passed = (sends: JsonObject) => ({ sends, ask: override(sends) });

export const BRAVE_MIGRATIONS: readonly Migration[] = [
  {
    vendor: 'brave',
    route: 'search',
    path: '/res/v1/web/search',
    requests: [
      { sends: { q: 'tidal power' }, ask: { user_input: { query: 'tidal power' } } },
      { sends: { count: 8 }, ask: { search: { num_results: 8 } } },
      { sends: { extra_snippets: true }, ask: { search: { tier: 'extended' } } },
      {
        sends: { include_fetch_metadata: true },
        ask: { search: { fields: ['url', 'fetch_meta'] } },
      },
      { sends: { result_filter: 'web' }, ask: { search: { tier: 'default' } } },
      passed({ result_filter: 'web,news' }),
      passed({ offset: 1 }),
      filtered({ country: 'GB' }, { country: 'GB' }),
      filtered({ search_lang: 'en' }, { language: 'en' }),
      filtered({ safesearch: 'strict' }, { safe_search: 'strict' }),
      filtered(
        { freshness: '2026-01-01to2026-06-30' },
        { published_after: '2026-01-01', published_before: '2026-06-30' },
      ),
      {
        sends: { q: 'tides site:example.org' },
        ask: {
          user_input: { query: 'tides' },
          search: { filters: { include_domains: ['example.org'] } },
        },
      },
      passed({ ui_lang: 'en-US' }),
      passed({ freshness: 'pw' }),
      passed({ spellcheck: false }),
      passed({ units: 'metric' }),
      passed({ goggles: 'https://example.org/g.goggle' }),
    ],
    askForAll: { search: { tier: 'max', include_raw: true } },
    responses: [
      { theirs: 'web.results[].url', value: 'https://example.org/tides', ours: 'results[].url' },
      { theirs: 'web.results[].title', value: 'On tides', ours: 'results[].title' },
      { theirs: 'web.results[].description', value: 'A snippet.', ours: 'results[].summary' },
      {
        theirs: 'web.results[].extra_snippets',
        value: ['One part.', 'Another.'],
        ours: 'results[].excerpt',
        becomes: 'One part.\n\nAnother.',
      },
      {
        theirs: 'web.results[].page_age',
        value: '2026-03-02T08:15:00',
        ours: 'results[].publish_date',
        becomes: '2026-03-02T08:15:00Z',
      },
      {
        theirs: 'web.results[].thumbnail.original',
        value: 'https://example.org/tides.jpg',
        ours: 'results[].thumbnail',
      },
      {
        theirs: 'web.results[].meta_url.favicon',
        value: 'https://example.org/favicon.png',
        ours: 'results[].favicon',
      },
      {
        theirs: 'web.results[].article.author[].name',
        value: 'R. Moss',
        ours: 'results[].source.author',
      },
      {
        theirs: 'web.results[].fetched_content_timestamp',
        value: 1_772_500_930,
        ours: 'results[].fetch_meta.fetched_at',
        becomes: '2026-03-03T01:22:10.000Z',
      },
      { theirs: 'web.results[].age', value: 'March 2, 2026', ours: 'results[].enrichments.age' },
      { theirs: 'web.results[].language', value: 'en', ours: 'results[].enrichments.language' },
      { theirs: 'news.results', value: [{ title: 'News' }], ours: 'verticals.news' },
      { theirs: 'videos.results', value: [{ title: 'Video' }], ours: 'verticals.videos' },
      { theirs: 'faq.results', value: [{ question: 'Why?' }], ours: 'verticals.faq' },
      { theirs: 'discussions.results', value: [{ title: 'Talk' }], ours: 'verticals.discussions' },
      { theirs: 'locations.results', value: [{ id: '1' }], ours: 'verticals.locations' },
      { theirs: 'infobox.results[].title', value: 'Tidal power', ours: 'entities[].name' },
      {
        theirs: 'infobox.results[].description',
        value: 'Power from tides.',
        ours: 'entities[].description',
      },
      { theirs: 'query.original', value: 'tidal power', ours: 'raw_payload.query.original' },
    ],
  },
];
