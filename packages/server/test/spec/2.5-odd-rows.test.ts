import { beforeAll, describe, expect, test } from 'vitest';
import { type Row, type Search, search, useServer } from './support/search-runs.ts';

const server = useServer();

/**
 * The places of the readable rows among the odd rows of the sandbox, counted from 0. The row at 3
 * is that at 2 once more.
 */
const READABLE = [0, 2, 5, 7, 9, 11, 13, 15, 16, 17, 18, 19];
const UNUSABLE = 7;
/** Their dates; where one is null or unreadable, brave may have the date of an article. */
const DATES = [
  ...['2025-07-31T00:00:00.000Z', '2025-01-09T06:30:00Z', null, null, null, null],
  ...['2025-07-31T00:00:00.000Z', '2025-01-09T06:30:00Z', '2023-11-02', '2024-11-24', null, null],
];
const CLEANED = 'A marked word & an entity\'s end, "quoted", <b>shown</b>';

describe.each([
  ['exa', 10],
  ['brave', 12],
])('2.5 the odd rows of %s', (slug, count) => {
  let found: Search;
  let rows: readonly Row[];
  let raw: readonly Row[];
  beforeAll(async () => {
    found = await search(server(), 'tidal energy [[*:odd-rows]]', {
      tier: 'max',
      num_results: 20,
      include_raw: true,
    });
    rows = found.rows(slug);
    const sent = found.run(slug).raw_payload as { results?: Row[]; web?: { results: Row[] } };
    const all = sent.web?.results ?? sent.results ?? [];
    raw = READABLE.map((index) => all[index] ?? {});
  });
  /** The row in the answer for one place of the rows sent. */
  const at = (place: number) => rows[READABLE.indexOf(place)];

  test('2.5 nothing is lost silently: unusable rows are counted in upstream_warning', () => {
    expect(rows).toHaveLength(count);
    expect(rows.map((row) => row.rank)).toEqual(rows.map((_row, index) => index + 1));
    expect(found.warnings(slug).filter((line) => line.startsWith('upstream_warning'))).toEqual([
      `upstream_warning results: ${slug} sent ${UNUSABLE} rows without a usable http(s) URL; left out; results: 1 row with the URL of an earlier one was dropped`,
    ]);
  });

  test('2.5 rule 2: HTML and entities are removed from title, summary and excerpt', () => {
    expect(at(0)?.title).toMatch(/^[^<>&]+ & more 'titles'$/);
    for (const field of ['summary', 'excerpt']) {
      expect(at(0)?.[field]).toEqual(expect.stringContaining(CLEANED));
      expect(at(0)?.[field]).not.toMatch(/&(amp|lt|quot|#)|<\/?(strong|script)/);
    }
  });

  test('2.5 rule 6: tracking parameters and text fragment are removed, the page number stays', () => {
    expect(at(2)?.url).toMatch(/^https:\/\/[^?#]+\?page=2$/);
  });

  test('2.5 of equal rows the first stays', () => {
    const { url } = at(2) ?? {};
    expect(rows.filter((row) => row.url === url)).toHaveLength(1);
    expect(at(5)).toMatchObject({ rank: 3 });
  });

  test('2.5 rule 7: values of a wrong type are null, only on their row', () => {
    expect(at(5)).toMatchObject({
      title: null,
      thumbnail: expect.stringMatching(/^https:\/\/[^/]+\/static\/cover\.png$/),
    });
    expect(at(7)).toMatchObject({ title: null, summary: null, excerpt: null });
    for (const place of [9, 11]) {
      const { url, rank, source, enrichments, ...others } = at(place) ?? {};
      expect(Object.values(others)).toEqual(Object.values(others).map(() => null));
      expect(source).toEqual({ domain: new URL(String(url)).hostname, author: null });
    }
    expect(at(15)?.summary).toBeNull();
  });

  test('2.5 rule 4: an undocumented member is in enrichments verbatim', () => {
    expect(at(13)?.enrichments).toMatchObject({
      surprise: { nested: [1, { deep: true }], text: 'never documented' },
    });
  });

  test('2.5 publish_date is ISO, in UTC, in the precision received, null when unreadable', () => {
    for (const [index, row] of rows.entries()) {
      const article = (raw[index]?.article as { date?: string } | undefined)?.date ?? null;
      const hasDate = Object.hasOwn(
        raw[index] ?? {},
        slug === 'exa' ? 'publishedDate' : 'page_age',
      );
      expect(row.publish_date).toBe((hasDate ? DATES[index] : null) ?? article);
    }
  });
});

test('2.5 rule 6, rule 7: the odd rows that only brave has room for', async () => {
  const found = await search(server(), 'tidal energy [[brave:odd-rows]]', {
    tier: 'max',
    num_results: 20,
    include_raw: true,
  });
  const sent = found.run('brave').raw_payload as { web?: { results: Row[] } };
  const at = (place: number) => found.rows('brave')[READABLE.indexOf(place)];
  // upper case, default port and dot segments
  expect(sent.web?.results[16]?.url).toMatch(/^HTTPS:\/\/[A-Z.]+:443\/a\/\.\./);
  expect(at(16)?.url).toMatch(/^https:\/\/[a-z.]+\/[a-z]/);
  // only a URL
  const nothing = { title: null, summary: null, thumbnail: null, favicon: null, fetch_meta: null };
  expect(at(18)).toMatchObject({ ...nothing, enrichments: {} });
  // a title of 5,000 characters is returned in full
  expect(at(19)?.title).toBe(Array(1_000).fill('long').join(' '));
});

test('2.5 odd rows of one provider do not affect the other', async () => {
  const plain = await search(server(), 'tides');
  const odd = await search(server(), 'tides [[brave:odd-rows]]');
  expect(odd.rows('exa')).toEqual(plain.rows('exa'));
  expect(odd.warnings('exa')).toEqual([]);
});
