import { CONTENT_FORMATS, PAGE_FIELDS } from '@trawl/contract';
import {
  type AnyFetchProvider,
  FETCH_PROVIDERS,
  type FetchPlan,
  pageFieldsOfTier,
  pageGapsOf,
} from '@trawl/providers';
import { byForm } from '@trawl/test-support/form';
import { describe, expect, test } from 'vitest';
import { fetchPage, gapsOfRow, hasFormatGap, type Row } from './support/fetched-pages.ts';
import { TIERS, useServer } from './support/search-runs.ts';

const server = useServer({ env: { MAX_FETCH_URLS: '50' } });
const VENDORS = FETCH_PROVIDERS.filter(({ kind }) => kind === 'vendor');
const LISTS = ['chunks', 'links', 'images', 'media', 'subpages'];

/** Pages with different known facts. */
const PAGES = [
  'https://www.example.com/guides/solar-kilns',
  'https://signal.example.net/notes/solar-kilns-explained-in-plain-words',
  'https://compare.example.net/reviews/rope-walks',
  'https://primer.example.org/basics/tidal-power',
  'https://www.example.com/pdf/solar-kilns',
];
const SITE = 'https://www.linkedin.com';
const RECORDS = [
  `${SITE}/company/example-archive`,
  `${SITE}/company/reading-room`,
  `${SITE}/jobs/view/4000000001`,
  `${SITE}/posts/example-archive_room-activity-7000000000000000001-abcd`,
];
/** Fields that a vendor sends with some pages, but its sandbox never does. */
const NEVER_IN_THE_SANDBOX: Readonly<Record<string, readonly string[]>> = {
  you: ['description'],
  brightdata: ['media'],
};
/** Those of the small form: half of them, with each pair of a tier and a format. */
const HALF = [0, 3];
const SHAPES = TIERS.flatMap((tier) =>
  CONTENT_FORMATS.flatMap((contentFormat) =>
    [false, true].map((noCache) => ({ tier, contentFormat, noCache })),
  ),
).filter((_shape, at) => byForm({ small: HALF.includes(at % 4), full: true }));
type Shape = (typeof SHAPES)[number];

const urlsFor = ({ slug }: AnyFetchProvider) => (slug === 'brightdata' ? RECORDS : PAGES);
const planOf = (url: string, shape: Shape): FetchPlan => ({
  ...shape,
  url,
  fields: pageFieldsOfTier(shape.tier),
  maxAgeSeconds: null,
  timeLimitMs: 25_000,
});

/** Each shape is asked once of each provider. */
const answers = new Map<string, Promise<readonly Row[]>>();
function ask(provider: AnyFetchProvider, shape: Shape): Promise<readonly Row[]> {
  const name = JSON.stringify([provider.slug, shape]);
  const asked = async () => {
    const { rows } = await fetchPage(server(), urlsFor(provider), {
      providers: [provider.slug],
      tier: shape.tier,
      content_format: shape.contentFormat,
      no_cache: shape.noCache,
      inline_max_chars: 1_000_000,
    });
    return rows;
  };
  const answer = answers.get(name) ?? asked();
  answers.set(name, answer);
  return answer;
}

const fieldOf = (row: Row, field: string): unknown => (row as Record<string, unknown>)[field];
const emptyOf = (field: string): unknown => {
  if (LISTS.includes(field)) return [];
  return field === 'enrichments' ? {} : null;
};
/** A known title of the page removes the gap, from any source. */
const isKnownTitle = (row: Row, field: string): boolean => field === 'title' && row.title !== null;

test('2.9 every vendor is part of these tests: the sandbox has its API', () => {
  expect(VENDORS.map(({ slug }) => slug).sort()).toEqual([
    ...['brightdata', 'deepseek', 'exa', 'firecrawl', 'jina', 'linkup', 'parallel', 'tavily'],
    ...['tinyfish', 'you'],
  ]);
});

describe.each(VENDORS)('2.9 rule 3: $slug', (provider) => {
  test.each(SHAPES)(
    `2.9 rule 3: ${provider.slug} at $tier, $contentFormat, no cache $noCache: every structural null is named in a gap`,
    async (shape) => {
      for (const row of await ask(provider, shape)) {
        expect(row.status, JSON.stringify(row.error)).toBe('succeeded');
        const gaps = pageGapsOf(provider.capabilities, planOf(row.url, shape))
          .map(({ field }) => field)
          .filter((field) => !isKnownTitle(row, field));
        expect(gapsOfRow(row).sort(), row.url).toEqual(gaps.sort());
        for (const field of gaps)
          expect(fieldOf(row, field), `${field} of ${row.url}`).toEqual(emptyOf(field));
        expect(hasFormatGap(row)).toBe(!provider.contentFormats.includes(shape.contentFormat));
        expect(provider.contentFormats).toContain(row.content_format);
      }
    },
  );

  test(`2.9 rule 3: every other field of ${provider.slug} has a value on some page`, async () => {
    for (const shape of SHAPES) {
      const rows = await ask(provider, shape);
      for (const field of pageFieldsOfTier(shape.tier)) {
        const open = rows.filter((row) => !gapsOfRow(row).includes(field));
        if (open.length === 0 || field === 'enrichments') continue;
        if (NEVER_IN_THE_SANDBOX[provider.slug]?.includes(field)) continue;
        const values = open.map((row) => JSON.stringify(fieldOf(row, field)));
        const isFilled = values.some((value) => value !== JSON.stringify(emptyOf(field)));
        expect(isFilled, `${field} at ${JSON.stringify(shape)}`).toBe(true);
      }
    }
  });

  test(`4.9 unsupported_fields of ${provider.slug} are the fields that no tier or option supplies`, async () => {
    const { json } = await server().call('GET', '/v1/fetch-providers', { key: null });
    const entry = json.fetch_providers.find((one: { name: string }) => one.name === provider.slug);
    const rows = (await Promise.all(SHAPES.map((shape) => ask(provider, shape)))).flat();
    const never = PAGE_FIELDS.filter((field) =>
      rows.every((row) => fieldOf(row, field) === undefined || gapsOfRow(row).includes(field)),
    );
    const onFailure = PAGE_FIELDS.filter(
      (field) => provider.capabilities[field].kind === 'on_failure',
    );
    // another provider may have supplied a known title, so it is left out of the comparison
    const isTold = (field: string) => field !== 'title';
    const expected = never.filter((field) => !onFailure.includes(field));
    expect(entry.unsupported_fields.filter(isTold)).toEqual(expected.filter(isTold));
  });
});
