import { describe, expect, test } from 'vitest';
import {
  cutQuery,
  dated,
  daysOf,
  isoDate,
  isoFromUnix,
  limitedText,
  plainText,
  titleText,
} from '../src/index.ts';
import { rowReader } from '../src/parsed/rows.ts';
import { joinedNames } from '../src/parsed/table.ts';

const NOON = Date.parse('2026-11-28T12:00:00Z');

describe('the days that a date may mean', () => {
  test.each([
    ['2026-11-01', '2026-11-01', '2026-11-01'],
    ['Nov 1, 2026', '2026-11-01', '2026-11-01'],
    ['2026-11-01T23:30:00Z', '2026-11-01', '2026-11-01'],
    ['2026-11-01T00:30:00+02:00', '2026-10-31', '2026-10-31'],
    ['Sun, 01 Nov 2026 23:30:00 GMT', '2026-11-01', '2026-11-01'],
    // without a zone, it may be a day later or earlier in UTC
    ['2026-11-01T11:00:00', '2026-10-31', '2026-11-01'],
    [' 2026-11-01 12:30 ', '2026-10-31', '2026-11-02'],
    ['2026-11-01T16:00:00.123456789', '2026-11-01', '2026-11-02'],
    ['Sun, 01 Nov 2026 23:30:00', '2026-11-01', '2026-11-02'],
    ['2026-11', '2026-11', '2026-11~~~'],
    ['2026', '2026', '2026~~~~~~'],
    ['3 minutes ago', '2026-11-28', '2026-11-28'],
    ['13 hours ago', '2026-11-27', '2026-11-27'],
    ['just now', '2026-11-28', '2026-11-28'],
    ['Yesterday', '2026-11-26', '2026-11-27'],
    ['2 days ago', '2026-11-25', '2026-11-26'],
    ['a week ago', '2026-11-14', '2026-11-21'],
    ['3 Weeks ago', '2026-10-31', '2026-11-07'],
    ['1 month ago', '2026-09-27', '2026-10-31'],
    ['1 year ago', '2024-11-26', '2025-11-28'],
    ['2031-01-01', '2031-01-01', '2031-01-01'],
  ])('%s', (sent, first, last) => {
    expect(daysOf(sent, NOON)).toEqual({ first, last });
  });

  test.each([
    null,
    '',
    'n/a',
    'soon',
    'vor 3 Wochen',
    'hace 2 días',
    '3天前',
    'in 3 days',
    '1000 years ago',
    '3 weeks ago by Anna',
    '2026-13-01',
  ])('%j is not known', (sent) => {
    expect(daysOf(sent, NOON)).toBeNull();
  });

  test.each([
    [['2 days ago', '2026-11-01'], { publish_date: '2026-11-01' }],
    [[null, '2 days ago'], { publish_date: null, sent_date: '2 days ago' }],
    [
      ['2026-11-01T08:00:00'],
      { publish_date: '2026-11-01T08:00:00Z', sent_date: '2026-11-01T08:00:00' },
    ],
    [['2026-11-01T08:00:00Z', 'soon'], { publish_date: '2026-11-01T08:00:00Z' }],
    [['', 7, undefined], { publish_date: null }],
  ])('of %j the first that can be read is shown', (values, expected) => {
    expect(dated(...values)).toEqual(expected);
  });
});

describe('dates keep their precision and are never guessed', () => {
  test.each([
    ['2026-02-03', '2026-02-03'],
    ['2026-02-03T00:00:00.000Z', '2026-02-03T00:00:00.000Z'],
    ['2026-02-03T08:15:00', '2026-02-03T08:15:00Z'],
    ['2026-02-03 08:15:00', '2026-02-03T08:15:00Z'],
    ['2026-02-03T08:15:00.5', '2026-02-03T08:15:00.5Z'],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59Z'],
    ['2026-02-03t08:15:00z', '2026-02-03T08:15:00Z'],
    ['2026-02-03T08:15', '2026-02-03T08:15Z'],
    ['2026-02-03T01:15:00.123456+02:00', '2026-02-02T23:15:00.123456Z'],
    ['2026-02-03T01:15:00-0530', '2026-02-03T06:45:00Z'],
    ['Nov 24, 2024', '2024-11-24'],
    ['November 4 2024', '2024-11-04'],
    ['4 Nov 2024', '2024-11-04'],
    ['Tue, 03 Feb 2026 08:15:00 GMT', '2026-02-03T08:15:00Z'],
    ['Tue, 3 Feb 2026 01:15:00 +0200', '2026-02-02T23:15:00Z'],
    [' 2026-02-03 ', '2026-02-03'],
    ['2026-03', '2026-03'],
    ['2025-01-15 10:00:00+00', '2025-01-15T10:00:00Z'],
    ['2025-01-16 09:00:00-0130', '2025-01-16T10:30:00Z'],
    ['2026', '2026'],
    ['March 2026', '2026-03'],
    ['Sept. 1998', '1998-09'],
  ])('%s', (spelled, expected) => {
    expect(isoDate(spelled)).toBe(expected);
  });

  test.each([
    '2 days ago',
    'yesterday',
    '2026-02-30',
    '2026-13',
    '2026-00',
    '0026',
    '12345',
    'March 99',
    'Foo 2026',
    '2026-13-01',
    '2026-02-03T25:00:00Z',
    '2026-02-03T08:60:00Z',
    '2026-02-03T08:15:60',
    '2026-00-03T08:15:00Z',
    '2026-02-00T08:15:00Z',
    '2025-02-29T08:15:00Z',
    '2026-02-03T08:15:00+99:00',
    '03/02/2026',
    'Foo 3, 2024',
    'Mon, 30 Feb 2026 08:15:00 GMT',
    'Tue, 03 Feb 2026 25:15:00 GMT',
    '',
    'not a date',
  ])('%j is unreadable', (spelled) => {
    expect(isoDate(spelled)).toBeNull();
  });

  test.each([[null], [5], [{}], [['2026-02-03']]])('%j is not a date', (value) => {
    expect(isoDate(value)).toBeNull();
  });

  test('a date that cannot be read stays in enrichments unchanged', () => {
    const row = { url: 'https://a.example/', id: 1, published: '2 days ago' };
    const read = rowReader({ url: 'url', date: 'published' });
    const leftOf = (one: object) => read([one])[0]?.enrichments;
    expect(leftOf(row)).toEqual({ id: 1, published: '2 days ago' });
    expect(leftOf({ ...row, published: '2026-02-03' })).toEqual({ id: 1 });
    expect(leftOf({ ...row, published: '' })).toEqual({ id: 1 });
    expect(leftOf({ url: row.url })).toEqual({});
  });

  test('a Unix time is read in seconds and in milliseconds', () => {
    expect(isoFromUnix(1_772_500_930)).toBe('2026-03-03T01:22:10.000Z');
    expect(isoFromUnix(1_772_500_930_000)).toBe('2026-03-03T01:22:10.000Z');
    expect([0, -1, '5', null, Number.MAX_VALUE].map(isoFromUnix)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('titles and summaries are plain text', () => {
  test.each([
    ['A <strong>bold</strong> word', 'A bold word'],
    ['one<br>two<p class="x">three</p>', 'one two three'],
    ['can&#x27;t &quot;stop&quot; &amp; won&#39;t', 'can\'t "stop" & won\'t'],
    ['Array<string> and x < y', 'Array<string> and x < y'],
    ['<STRONG>big</Strong\n> <EM/>and<Br/>small', 'big and small'],
    ['<strongest>kept</strongest> <b<i>one</i>', '<strongest>kept</strongest> <bone'],
    ['write &lt;b&gt; for bold', 'write <b> for bold'],
    ['&amp;quot; is decoded once', '&quot; is decoded once'],
    ['?a=1&copy=2', '?a=1&copy=2'],
  ])('%s', (raw, expected) => {
    expect(plainText(raw)).toBe(expected);
  });

  test('a title is one line, a summary keeps its lines', () => {
    expect(titleText(' two\n  lines ')).toBe('two lines');
    expect(plainText('two\n  lines')).toBe('two\n  lines');
  });

  test.each([[''], ['   '], ['<b></b>'], [null], [undefined], [5], [['a']]])(
    '%j is not a text',
    (value) => {
      expect(plainText(value)).toBeNull();
    },
  );

  test('hostile markup is cleaned in linear time', () => {
    const startedAt = performance.now();
    plainText('<a '.repeat(300_000));
    plainText('<script>'.repeat(100_000));
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});

describe('a long query is cut at a word', () => {
  test.each([
    ['short enough', { characters: 12 }, 'short enough'],
    ['one two three', { characters: 9 }, 'one two'],
    ['one two three', { characters: 7 }, 'one two'],
    ['unbreakable', { characters: 5 }, 'unbre'],
    ['😀😀😀😀', { characters: 3 }, '😀😀😀'],
    ['a b c d', { words: 2 }, 'a b'],
    ['a b', { words: 2 }, 'a b'],
    ['a b c', { words: 2 }, 'a b'],
    ['  a   b  ', { words: 2 }, '  a   b  '],
  ])('%j within %j', (query, limit, expected) => {
    const cut = cutQuery(query, limit);
    expect(cut.query).toBe(expected);
    expect(cut.limit === null).toBe(expected === query);
  });
});

test('the texts of a row have no control characters and no others that nobody sees', () => {
  const given = 'Ti\u0008des \u001b[2Jof\u200b the \u202ebay\u0092s';
  const shown = 'Tides [2Jof the bay’s';
  const [row] = rowReader({
    ...{ title: 'any', summary: 'any', excerpt: 'any', author: 'any' },
    more: () => ({
      full_content: `${given}\r\nnext\tline`,
      enrichments: { any: given },
    }),
  })([{ any: given }]);
  expect(row).toMatchObject({
    title: shown,
    summary: shown,
    excerpt: shown,
    author: shown,
    enrichments: { any: given },
  });
  expect(row?.full_content).toBe(`${shown}\r\nnext\tline`);
});

describe('a row by a table', () => {
  const URL = 'https://a.example/page';

  test('has the value at each place, and keeps what no key of the table reads', () => {
    const [row] = rowReader({
      url: 'link',
      title: ['headline', 'name'],
      thumbnail: 'image.url',
      favicon: 'icon',
      author: { at: 'people', read: joinedNames },
      dropped: ['position'],
    })([
      {
        ...{ link: URL, headline: ' ', name: 'Tides', icon: '/i.png', people: ['Ada', 'Ben'] },
        ...{ image: { url: '/t.png', width: 3 }, position: 1, score: 0.5, alt: null },
      },
    ]);
    expect(row).toMatchObject({
      ...{ url: URL, title: 'Tides', author: 'Ada, Ben', summary: null },
      ...{ thumbnail: 'https://a.example/t.png', favicon: 'https://a.example/i.png' },
    });
    expect(row?.enrichments).toEqual({
      image: { url: '/t.png', width: 3 },
      score: 0.5,
      alt: null,
    });
  });

  test('has the first value that is a date, and keeps words that are not', () => {
    const read = rowReader({ date: ['day', 'seen.day'] });
    const [first, second, words] = read([
      { day: '2026-03-01', seen: { day: '2026-03-02' } },
      { day: 'soon', seen: { day: '2026-03-02' } },
      { day: '2 days ago', seen: {} },
    ]);
    expect([first?.publish_date, second?.publish_date]).toEqual(['2026-03-01', '2026-03-02']);
    expect(first?.enrichments).not.toHaveProperty('day');
    expect(second?.enrichments).toHaveProperty('day', 'soon');
    expect(words).toMatchObject({
      ...{ publish_date: null, sent_date: '2 days ago' },
      enrichments: { day: '2 days ago' },
    });
  });

  test('has what its function returns instead, which sees the rest and the answer around it', () => {
    const read = rowReader({
      url: 'url',
      title: 'title',
      more: ({ title }, left, seen: string) => ({
        ...{ title: null, summary: limitedText(`${title} (${seen})`) },
        enrichments: { ...left, seen },
      }),
    });
    expect(read([{ url: URL, title: 'Tides', score: 1 }, 'no row'], 'now')).toMatchObject([
      { url: URL, title: null, summary: 'Tides (now)', enrichments: { score: 1, seen: 'now' } },
      { url: null, enrichments: {} },
    ]);
    expect(read(null, 'now')).toEqual([]);
  });

  test('is read by names of its own only, whatever they are', () => {
    const row = JSON.parse('{ "title": "Tides", "__proto__": { "url": "x" }, "toString": 1 }');
    const read = rowReader({ url: 'constructor', title: 'title' });
    expect(read([row])[0]).toMatchObject({ url: null, title: 'Tides' });
    expect(JSON.stringify(read([row])[0]?.enrichments)).toBe(
      '{"__proto__":{"url":"x"},"toString":1}',
    );
  });
});
