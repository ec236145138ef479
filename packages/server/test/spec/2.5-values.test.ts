import { describe, expect, test } from 'vitest';
import { search } from './support/search-runs.ts';
import { useStubbedServer } from './support/stubbed-server.ts';

const server = useStubbedServer();
const SLUGS = ['exa', 'brave'];
const url = 'https://a.example/';

test.each([
  ['<b>Tidal</b> power', 'Tidal power'],
  ['A <strong class="hit">marked</strong> word', 'A marked word'],
  ['Tom &amp; Jerry', 'Tom & Jerry'],
  ['it&#x27;s &quot;so&quot; &#39;here&#39;', "it's \"so\" 'here'"],
  ['caf&eacute; &ndash; &Uuml;ber &hellip;', 'café – Über …'],
  ['one<br>two<br/>three', 'one two three'],
  ['a map: Map<string, number> of 3 < 4', 'a map: Map<string, number> of 3 < 4'],
  ['AT&T and R&D', 'AT&T and R&D'],
  ['<em></em>', null],
  ['&nbsp; ', null],
  ['   ', null],
  [42, null],
  [{ text: 'x' }, null],
  [null, null],
])(
  '2.5 rule 2: markup and entities are removed from titles and summaries: %j',
  async (received, expected) => {
    server().rows(
      [{ url, title: received, highlights: [received] }],
      [{ url, title: received, description: received }],
    );
    const { rows } = await search(server(), 'tides');
    for (const slug of SLUGS)
      expect(rows(slug)).toEqual([{ url, title: expected, rank: 1, summary: expected }]);
  },
);

test('2.5 rule 2: a title is one line', async () => {
  const row = { url, title: '  Tidal\n\n  <i>power</i>\t here ' };
  server().rows([row], [row]);
  const { rows } = await search(server(), 'tides', { tier: 'minimalist' });
  for (const slug of SLUGS) expect(rows(slug)[0]?.title).toBe('Tidal power here');
});

test.each([
  ['2023-04-18', '2023-04-18'],
  ['2023-04-18T00:00:00.000Z', '2023-04-18T00:00:00.000Z'],
  ['2024-03-26T16:57:55', '2024-03-26T16:57:55Z'],
  ['2024-03-26 16:57:55', '2024-03-26T16:57:55Z'],
  ['2025-01-09T08:30:00+02:00', '2025-01-09T06:30:00Z'],
  ['2025-01-01T00:30:00+0100', '2024-12-31T23:30:00Z'],
  ['2025-01-09T08:30Z', '2025-01-09T08:30Z'],
  ['2025-01-09T08:30:00.123456Z', '2025-01-09T08:30:00.123456Z'],
  ['April 12, 2025', '2025-04-12'],
  ['Nov 24, 2024', '2024-11-24'],
  ['3 May 2024', '2024-05-03'],
  ['2 days ago', null],
  ['yesterday', null],
  ['03/04/2025', null],
  ['2025-02-30', null],
  ['February 30, 2025', null],
  ['2025-13-01', null],
  ['2025-01-09T25:00:00Z', null],
  ['', null],
  [null, null],
  [1718000000, null],
  [{ year: 2024 }, null],
])('2.5 publish_date: %j is answered as %j', async (received, expected) => {
  server().rows([{ url, publishedDate: received }], [{ url, page_age: received }]);
  const { rows, warnings } = await search(server(), 'tides', { fields: ['publish_date'] });
  for (const slug of SLUGS) {
    expect(rows(slug)).toEqual([{ publish_date: expected }]);
    expect(warnings(slug)).toEqual([]);
  }
});

describe('2.5 rule 7: nothing is invented', () => {
  const NOTHING = {
    url,
    title: null,
    rank: 1,
    summary: null,
    excerpt: null,
    full_content: null,
    publish_date: null,
    thumbnail: null,
    favicon: null,
    source: { domain: 'a.example', author: null },
    enrichments: {},
    fetch_meta: null,
  };

  test('2.5 rule 7: a row with only a URL has null everywhere else', async () => {
    server().rows([{ url }], [{ url }]);
    const { rows } = await search(server(), 'tides', { tier: 'max' });
    for (const slug of SLUGS) expect(rows(slug)).toEqual([NOTHING]);
  });

  test('2.5 rule 7: null and empty members do not count as values', async () => {
    const names = ['title', 'summary', 'highlights', 'text', 'author', 'image', 'publishedDate'];
    const braveNames = ['title', 'description', 'extra_snippets', 'page_age', 'page_fetched'];
    for (const empty of [null, '', [], {}, false]) {
      const filled = (keys: readonly string[]) =>
        Object.fromEntries(keys.map((key) => [key, empty]));
      server().rows([{ url, ...filled(names) }], [{ url, ...filled(braveNames) }]);
      const { rows } = await search(server(), 'tides', { tier: 'max' });
      for (const slug of SLUGS) expect(rows(slug)).toEqual([NOTHING]);
    }
  });

  test('2.5 rule 7: usage is null with a gap when the answer reports neither cost nor units', async () => {
    for (const costDollars of [undefined, null, {}, 'free', { total: '0.01' }]) {
      server().rows([{ url }], [{ url }], { costDollars });
      const { output, warnings } = await search(server(), 'tides', { fields: ['usage'] });
      expect(output('exa').usage).toBeNull();
      expect(warnings('exa')).toEqual([expect.stringMatching(/^capability_gap usage: exa \w/)]);
    }
  });

  test('2.5 rule 7: a cost of 0 is a cost', async () => {
    server().rows([{ url }], [{ url }], { costDollars: { total: 0 } });
    const { output, warnings } = await search(server(), 'tides', { fields: ['usage'] });
    expect(output('exa').usage).toEqual({
      requests: 1,
      units: {},
      cost_usd: 0,
      cost_source: 'reported',
    });
    expect(warnings('exa')).toEqual([]);
  });
});

describe('2.5 rule 2, rule 8: values of exa', () => {
  test.each([undefined, null, '', '  ', 7])(
    '2.5 rule 2: at max the highlights if the summary is %j',
    async (summary) => {
      server().rows([{ url, summary, highlights: [' first ', null, '', 'second'] }], []);
      const { rows } = await search(server(), 'tides', { tier: 'max' });
      expect(rows('exa')[0]?.summary).toBe('first\n\nsecond');
      expect(rows('exa')[0]?.excerpt).toBe('first\n\nsecond');
    },
  );

  test('2.5 rule 4: undocumented keys are in enrichments unchanged', async () => {
    const more = {
      id: 'x',
      score: 0.5,
      highlightScores: [1],
      entities: [{ id: 'e', type: 'company' }],
      'odd key': { deep: [null, { a: '&amp; <b>kept</b>' }] },
    };
    server().rows([{ url, title: 'a', ...more }], [{ url, title: 'a', ...more }]);
    const { rows } = await search(server(), 'tides', { tier: 'max' });
    for (const slug of SLUGS) expect(rows(slug)[0]?.enrichments).toEqual(more);
  });
});

describe('2.3 brave: rows', () => {
  test('2.3 brave: a picture marked as logo is not a thumbnail and stays in enrichments', async () => {
    const thumbnail = {
      src: 'https://i.example/s.png',
      original: 'https://a.example/l.png',
      logo: true,
    };
    const original = { ...thumbnail, logo: false };
    const proxied = { src: 'https://i.example/s.png' };
    server().rows(
      [],
      [
        { url, thumbnail },
        { url: `${url}2`, thumbnail: original },
        { url: `${url}3`, thumbnail: proxied },
      ],
    );
    const { rows } = await search(server(), 'tides', { fields: ['thumbnail', 'enrichments'] });
    expect(rows('brave')).toEqual([
      { thumbnail: null, enrichments: { thumbnail } },
      { thumbnail: 'https://a.example/l.png', enrichments: {} },
      { thumbnail: 'https://i.example/s.png', enrichments: {} },
    ]);
  });

  test('2.3 brave: authors are joined, and the date of the article replaces a missing age', async () => {
    const author = [{ type: 'person', name: 'R. Moss' }, { name: 'Ines &amp; Co' }, { name: 7 }];
    const article = { author, date: '2026-03-02' };
    const profile = { name: 'The Site', long_name: 'a.example' };
    server().rows([], [{ url, article, profile, age: '2 days ago' }]);
    const { rows } = await search(server(), 'tides', {
      fields: ['source', 'publish_date', 'enrichments'],
    });
    expect(rows('brave')).toEqual([
      {
        publish_date: '2026-03-02',
        source: { domain: 'a.example', author: 'R. Moss, Ines & Co' },
        enrichments: { article, profile, age: '2 days ago' },
      },
    ]);
  });

  test('2.3 brave: extra snippets are the excerpt, joined by a blank line', async () => {
    server().rows([], [{ url, extra_snippets: ['One &amp; two.', '', null, '<b>Three</b>.'] }]);
    const { rows } = await search(server(), 'tides', { fields: ['excerpt'] });
    expect(rows('brave')).toEqual([{ excerpt: 'One & two.\n\nThree.' }]);
  });

  test('2.3 brave: fetch_meta is the time of its fetch, null on a row without one', async () => {
    const rowsSent = [
      { url, fetched_content_timestamp: 1_772_500_930, page_fetched: '2020-01-01T00:00:00Z' },
      { url: `${url}2`, page_fetched: '2026-03-03T01:22:10Z' },
      { url: `${url}3`, fetched_content_timestamp: 'soon', page_fetched: 'later' },
      { url: `${url}4` },
    ];
    server().rows([], rowsSent);
    const { rows, warnings } = await search(server(), 'tides', { fields: ['fetch_meta'] });
    const fetched = (fetched_at: unknown) => ({ status: null, cached: null, fetched_at });
    expect(rows('brave')).toEqual([
      { fetch_meta: fetched(expect.stringMatching(/^2026-03-03T01:22:10(\.000)?Z$/)) },
      { fetch_meta: fetched('2026-03-03T01:22:10Z') },
      { fetch_meta: null },
      { fetch_meta: null },
    ]);
    expect(warnings('brave')).toEqual([]);
  });
});
