import { fieldsOfTier } from '@trawl/contract';
import { describe, expect, test } from 'vitest';
import { planFilters, type SearchProvider } from '../src/index.ts';
import { readXml } from '../src/values/xml.ts';
import { answered, searchOf } from './support/providers.ts';

/** What single vendors do otherwise than others, by their documents. */
const MAX = { tier: 'max', fields: new Set(fieldsOfTier('max')), fullContent: true } as const;
const wanted = { ...MAX, overrides: {} };

const read = (provider: SearchProvider, body: unknown, search = answered(wanted)) =>
  provider.parse(provider.response.parse(body), search);

describe('jina', () => {
  const languageOf = (language: string, strict = false) =>
    planFilters(
      searchOf('jina'),
      { language },
      { today: '2026-11-28', overrides: {}, strict },
      () => true,
    );

  test.each([
    ['de', 'de'],
    ['he', 'iw'],
    ['jv', 'jw'],
    ['nb', 'no'],
    ['zh', 'zh-cn'],
  ])('is sent a language that it knows: %s', (language, hl) => {
    expect(languageOf(language).parameters).toEqual({ hl });
  });

  test.each(['my', 'lb', 'as', 'ki', 'ss'])('is not sent one that it refuses: %s', (language) => {
    expect(languageOf(language).parameters).toEqual({});
    expect(languageOf(language).methods).toEqual({ language: 'unsupported' });
  });

  test.each([
    [{ type: 'news', provider: 'bing' }, 5],
    [{ type: 'images' }, 5],
    [{ engine: 'bing' }, 3],
    [{}, 1],
  ])('counts one factor for %j', (overrides, factor) => {
    const { price } = searchOf('jina');
    const plan = { query: 'a', count: 11, wanted: { ...wanted, fields: new Set([]), overrides } };
    const rates = { search_million_tokens: 0.05 };
    expect(price(plan as never, rates, null).usd).toBeCloseTo(20_000 * factor * 0.05e-6, 12);
    const many = { query: 'a', count: 20, wanted: { ...wanted, overrides: { type: 'news' } } };
    expect(price(many, { search_million_tokens: 1 }, null).usd).toBeLessThanOrEqual(2);
  });
});

test('mojeek says where a plan caps its rows, and nothing where there are no more', () => {
  const mojeek = searchOf('mojeek');
  const results = Array.from({ length: 10 }, (_, n) => ({ url: `https://a.example/${n}` }));
  const remarks = (found: number, count: number) =>
    read(
      mojeek,
      { response: { status: 'OK', head: { results: found, return: 10 }, results } },
      { ...answered(wanted), count },
    ).remarks;
  expect(remarks(5_120, 20)).toEqual([
    {
      code: 'capability_gap',
      message: expect.stringMatching(/^num_results: mojeek returned 10 of 20 rows/),
    },
  ]);
  expect(remarks(10, 20)).toEqual([]);
  expect(remarks(5_120, 10)).toEqual([]);
});

test('wikidata: an id that nothing has is an empty answer, and another error is not one', () => {
  const wikidata = searchOf('wikidata');
  const error = (code: string) => ({ error: { code, info: 'x' } });
  expect(read(wikidata, error('no-such-entity')).rows).toEqual([]);
  expect(wikidata.response.safeParse(error('missingparam')).success).toBe(false);
});

test('gleif ranks by likeness to the name that was asked for, whatever its links say', () => {
  const record = (lei: string, name: string) => ({
    attributes: { lei, entity: { legalName: { name }, status: 'ACTIVE' } },
  });
  const body = {
    links: {},
    data: [
      record('A'.repeat(18).concat('11'), 'Publicis SA'),
      record('B'.repeat(18).concat('22'), 'Harbour Mills AG'),
    ],
  };
  const { rows } = read(searchOf('gleif'), body, answered(wanted, 'harbour mills'));
  expect(rows.map(({ title }) => title)).toEqual(['Harbour Mills AG', 'Publicis SA']);
});

test.each([
  ['2026-10-02', '2026-09-20', '2026-10-02'],
  ['2027-03-02', '2026-09-20', '2026-09-20'],
  ['2027-03-02', '2027-03-03', '2027-03-02'],
])(
  'europepmc: published %s and indexed %s is dated %s, in November 2026',
  (firstPublicationDate, firstIndexDate, expected) => {
    const result = [{ id: '1', source: 'MED', title: 'A', firstPublicationDate, firstIndexDate }];
    const { rows } = read(searchOf('europepmc'), { resultList: { result } });
    expect(rows[0]?.publish_date).toBe(expected);
  },
);

test('kagi: the text of a bought page is its content, and a snippet never is', () => {
  const body = (snippet: string) => ({
    data: { search: [{ url: 'https://a.example/', snippet }] },
  });
  const kagi = searchOf('kagi');
  const page = '# Mills\n\nAll of them.';
  expect(read(kagi, body(page)).rows[0]).toMatchObject({ full_content: page });
  expect(read(kagi, body('Mills by the sea.')).rows[0]).toMatchObject({
    summary: 'Mills by the sea.',
    full_content: null,
  });
  const extended = { ...wanted, tier: 'extended', fullContent: false } as const;
  expect(read(kagi, body(page), answered(extended)).rows[0]?.full_content).toBeNull();
});

test('XML that is cut anywhere is not an answer', () => {
  const whole = '<?xml version="1.0"?>\n<feed><entry><id>1</id><link href="a"/></entry></feed>';
  expect(readXml(whole)?.children).toHaveLength(1);
  expect(readXml(`${whole}\n`)?.children).toHaveLength(1);
  for (let end = 0; end < whole.length; end += 1) expect(readXml(whole.slice(0, end))).toBeNull();
});
