import { fieldsOfTier, type JsonObject, type ResultField, type Tier } from '@trawl/contract';
import { describe, expect, test } from 'vitest';
import { applyOverrides, gapsOf, PRICES } from '../src/index.ts';
import { searchOf } from './support/providers.ts';

const you = searchOf('you');

const QUERY = 'rust async runtimes';

function planOf(
  tier: Tier,
  more: { fullContent?: boolean; overrides?: JsonObject; fields?: readonly ResultField[] } = {},
) {
  const { fullContent = false, overrides = {}, fields } = more;
  return {
    query: QUERY,
    count: 5,
    wanted: {
      tier: fields ? null : tier,
      fields: new Set(fields ?? fieldsOfTier(tier)),
      fullContent,
      overrides,
    },
  };
}

/**
 * What the vendor's own client (@youdotcom-oss/sdk 0.10.21) sent, recorded once: it needs another
 * major version of a library that this project uses itself. It still speaks the older form of the
 * same search. So it differs by: GET with a query string in place of POST with a body, `livecrawl`
 * in place of `extraction`, a `crawl_timeout` that is left to the server, and `language=EN`, which
 * is the server's default.
 */
test('a search has the names and values that the official client sends', () => {
  const recorded =
    '/v1/search?count=5&language=EN&livecrawl=web&livecrawl_formats=markdown&query=rust%20async%20runtimes';
  const sdk = new URL(recorded, 'https://sdk.example');
  const { path, body } = you.request(planOf('max'));
  expect([path, body]).toEqual([
    sdk.pathname,
    {
      query: sdk.searchParams.get('query'),
      count: Number(sdk.searchParams.get('count')),
      extraction: {
        extraction_mode: 'full_page',
        full_page: { extraction_formats: sdk.searchParams.getAll('livecrawl_formats') },
      },
      crawl_timeout: 10,
    },
  ]);
});

describe('overrides that ask for page text themselves', () => {
  const merged = (tier: Tier, overrides: JsonObject) =>
    applyOverrides(you.request(planOf(tier, { overrides })), overrides).body;
  const base = { query: QUERY, count: 5 };
  const OURS = { extraction_mode: 'full_page', full_page: { extraction_formats: ['markdown'] } };

  test('livecrawl is sent without extraction: the vendor refuses both together', () => {
    expect(merged('max', { livecrawl: 'all' })).toEqual({ ...base, livecrawl: 'all' });
  });

  test('another mode is sent without our members: the vendor refuses both together', () => {
    const extraction = { extraction_mode: 'highlights', highlights: { total_max_tokens: 2048 } };
    expect(merged('max', { extraction })).toEqual({ ...base, extraction });
  });

  test('any other member of extraction is merged with ours', () => {
    const extraction = { extraction_source: 'cache' };
    expect(merged('max', { extraction })).toEqual({
      ...base,
      extraction: { ...OURS, ...extraction },
      crawl_timeout: 10,
    });
  });

  test.each<[Tier, JsonObject, boolean]>([
    ['extended', {}, true],
    ['extended', { livecrawl: 'web' }, false],
    ['extended', { livecrawl: 'news' }, true],
    ['extended', { extraction: { extraction_mode: 'full_page' } }, false],
    ['max', {}, false],
    ['max', { extraction: { extraction_mode: 'highlights' } }, true],
  ])('at %s with %j page text is a gap: %s', (tier, overrides, expected) => {
    const gaps = gapsOf(you, planOf(tier, { overrides }).wanted).map(({ field }) => field);
    expect(gaps.includes('full_content')).toBe(expected);
  });

  test('knowledge adds the answer', () => {
    const gaps = (overrides: JsonObject) =>
      gapsOf(you, planOf('max', { overrides }).wanted).map(({ field }) => field);
    expect(gaps({})).toContain('answer');
    expect(gaps({ knowledge: 'core' })).not.toContain('answer');
  });
});

test.each<[string, ReturnType<typeof planOf>, { usd: number; kind: string }]>([
  ['extended', planOf('extended'), { usd: 0.005, kind: 'known' }],
  [
    'extended, text bought',
    planOf('extended', { fullContent: true }),
    { usd: 0.01, kind: 'estimated' },
  ],
  ['max', planOf('max'), { usd: 0.01, kind: 'estimated' }],
  [
    'max from the cache',
    planOf('max', { overrides: { extraction: { extraction_source: 'cache' } } }),
    { usd: 0.005, kind: 'known' },
  ],
])('%s is priced by the pages that may be crawled', (_title, plan, expected) => {
  expect(you.price(plan, PRICES.providers.you ?? {}, null)).toEqual(expected);
});
