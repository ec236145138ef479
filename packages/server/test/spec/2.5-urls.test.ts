import { describe, expect, test } from 'vitest';
import { search } from './support/search-runs.ts';
import { useStubbedServer } from './support/stubbed-server.ts';

const server = useStubbedServer();
const SLUGS = ['exa', 'brave'];

/** One search in which both providers send rows with these URLs. */
async function searchWithUrls(urls: readonly unknown[], block = {}) {
  const rows = urls.map((url, index) => ({ url, title: `row ${index}` }));
  server().rows(rows, rows);
  return search(server(), 'tides', { fields: ['url', 'title', 'rank', 'source'], ...block });
}

test.each([
  [
    'scheme and host in lower case',
    'HTTPS://Docs.Example.ORG/Path/A',
    'https://docs.example.org/Path/A',
  ],
  ['an empty path is /', 'https://example.org', 'https://example.org/'],
  ['an empty path before a query', 'https://example.org?a=1', 'https://example.org/?a=1'],
  ['the default port of https goes', 'https://example.org:443/a', 'https://example.org/a'],
  ['the default port of http goes', 'http://example.org:80/a', 'http://example.org/a'],
  ['another port stays', 'https://example.org:8443/a', 'https://example.org:8443/a'],
  ["the other scheme's port stays", 'http://example.org:443/a', 'http://example.org:443/a'],
  ['the fragment goes', 'https://example.org/a#part-2', 'https://example.org/a'],
  ['an empty fragment goes', 'https://example.org/a#', 'https://example.org/a'],
  ['a text fragment goes', 'https://example.org/a?b=1#:~:text=c', 'https://example.org/a?b=1'],
  [
    'a fragment that names the page of an app stays',
    'https://app.example.org/?utm_source=x#/docs/one',
    'https://app.example.org/#/docs/one',
  ],
  [
    'a fragment of the older form stays too',
    'https://Groups.example.org/#!topic/abc',
    'https://groups.example.org/#!topic/abc',
  ],
  [
    'escapes are in capitals',
    'https://example.org/caf%c3%a9?b=%c3%a9',
    'https://example.org/caf%C3%A9?b=%C3%A9',
  ],
  [
    'letters outside ASCII are escaped',
    'https://example.org/caf\u00e9',
    'https://example.org/caf%C3%A9',
  ],
  [
    'escapes that need none are decoded',
    'https://example.org/%7Ea/a%2db%5f%41?q=%7e',
    'https://example.org/~a/a-b_A?q=~',
  ],
  [
    'other escapes stay',
    'https://example.org/a%2Fb%28?q=%26',
    'https://example.org/a%2Fb%28?q=%26',
  ],
  ['the dot at the end of a host goes', 'https://example.org./a', 'https://example.org/a'],
  ['an empty query goes', 'https://example.org/a?', 'https://example.org/a'],
  [
    'an empty query goes before a fragment too',
    'https://example.org/a?#/b',
    'https://example.org/a#/b',
  ],
  ['dot segments are resolved', 'https://example.org/a/./b/../c', 'https://example.org/a/c'],
  ['encoded dot segments too', 'https://example.org/a/%2e%2E/b', 'https://example.org/b'],
  ['dot segments at the top', 'https://example.org/../../a', 'https://example.org/a'],
  [
    'a host of another script in ASCII',
    'https://bücher.example/ä',
    'https://xn--bcher-kva.example/%C3%A4',
  ],
  ['upper case of another script', 'https://BÜCHER.example/', 'https://xn--bcher-kva.example/'],
  [
    'utm parameters go',
    'https://example.org/a?utm_source=x&UTM_Medium=y&utm_id=7',
    'https://example.org/a',
  ],
  ['gclid goes', 'https://example.org/a?gclid=1&b=2', 'https://example.org/a?b=2'],
  ['fbclid goes', 'https://example.org/a?b=2&fbclid=1', 'https://example.org/a?b=2'],
  ['msclkid goes', 'https://example.org/a?msclkid=1', 'https://example.org/a'],
  [
    'mc_cid and mc_eid go',
    'https://example.org/a?mc_cid=1&mc_eid=2&mc=3',
    'https://example.org/a?mc=3',
  ],
  ['igshid goes', 'https://example.org/a?igshid=1', 'https://example.org/a'],
  [
    'a name that only contains one stays',
    'https://example.org/a?my_utm_source=1&gclids=2&utm=3',
    'https://example.org/a?my_utm_source=1&gclids=2&utm=3',
  ],
  [
    'the rest in its order',
    'https://example.org/a?b=2&utm_source=x&a=1&b=1',
    'https://example.org/a?b=2&a=1&b=1',
  ],
  [
    'the rest in its spelling',
    'https://example.org/a?q=a+b%20c&x=%C3%A9&empty=&flag&gclid=1',
    'https://example.org/a?q=a+b%20c&x=%C3%A9&empty=&flag',
  ],
  ['www stays', 'https://www.example.org/a', 'https://www.example.org/a'],
  ['a trailing slash stays', 'https://example.org/a/', 'https://example.org/a/'],
  ['http stays http', 'http://example.org/a', 'http://example.org/a'],
  [
    'the case of path and query stays',
    'https://example.org/CaSe?Q=AbC',
    'https://example.org/CaSe?Q=AbC',
  ],
])('2.5 rule 6: %s', async (_name, received, expected) => {
  const { rows, warnings } = await searchWithUrls([received]);
  for (const slug of SLUGS) {
    expect(rows(slug).map((row) => row.url)).toEqual([expected]);
    expect(rows(slug)[0]?.source).toMatchObject({ domain: new URL(expected).hostname });
    expect(warnings(slug)).toEqual([]);
  }
});

const UNUSABLE = [
  ...[null, '', '   ', 1234, true, {}, ['https://example.org/'], '/only/a/path', 'example.org/a'],
  ...[
    'javascript:alert(1)',
    'ftp://files.example.org/a.zip',
    'data:text/html,x',
    'mailto:a@b.example',
  ],
  ...['file:///etc/passwd', '//example.org/a', 'https://', 'http://exa mple.org/', 'https://[::1/'],
];

describe('2.5 a row without a usable http(s) URL is dropped', () => {
  test.each(UNUSABLE)(
    '2.5 rule 6: %j is not a usable URL, and the run reports that a row was dropped',
    async (url) => {
      const { rows, warnings } = await searchWithUrls([
        'https://a.example/',
        url,
        'https://b.example/',
      ]);
      for (const slug of SLUGS) {
        expect(rows(slug).map((row) => [row.rank, row.title])).toEqual([
          [1, 'row 0'],
          [2, 'row 2'],
        ]);
        expect(warnings(slug)).toEqual([
          expect.stringMatching(`^upstream_warning results: ${slug} .*\\b1 row\\b`),
        ]);
      }
    },
  );

  test('2.5 rule 1: rows are dropped before trim and rank, and all are counted', async () => {
    const urls = [...UNUSABLE, 'https://a.example/', 'https://b.example/', 'https://c.example/'];
    const { rows, warnings } = await searchWithUrls(urls, { num_results: 2 });
    for (const slug of SLUGS) {
      expect(rows(slug).map((row) => [row.rank, row.url])).toEqual([
        [1, 'https://a.example/'],
        [2, 'https://b.example/'],
      ]);
      expect(warnings(slug)).toEqual([expect.stringContaining(`${UNUSABLE.length} rows`)]);
    }
  });

  test('2.5 without a usable row the run succeeds with no rows', async () => {
    const { answer, rows, warnings } = await searchWithUrls(UNUSABLE);
    expect(answer.status).toBe('succeeded');
    for (const slug of SLUGS) {
      expect(rows(slug)).toEqual([]);
      expect(warnings(slug)).toHaveLength(1);
    }
  });

  test('2.5 items that are not rows are counted with them', async () => {
    const rows = [null, 'a text', 7, [], { url: 'https://a.example/' }];
    server().rows(rows, rows);
    const found = await search(server(), 'tides', { fields: ['url'] });
    for (const slug of SLUGS) {
      expect(found.rows(slug)).toEqual([{ url: 'https://a.example/' }]);
      expect(found.warnings(slug)).toEqual([expect.stringContaining('4 rows')]);
    }
  });
});

test('2.5 rule 6: of equal URLs within one run the first stays, and ranks have no holes', async () => {
  const same = [
    'https://a.example/',
    'https://A.example:443/#x',
    'https://b.example/',
    'https://a.example/?utm_source=y',
  ];
  const { rows, warnings } = await searchWithUrls(same);
  for (const slug of SLUGS) {
    expect(rows(slug).map((row) => [row.rank, row.url, row.title])).toEqual([
      [1, 'https://a.example/', 'row 0'],
      [2, 'https://b.example/', 'row 2'],
    ]);
    expect(warnings(slug)).toEqual([
      'upstream_warning results: 2 rows with the URL of an earlier one were dropped',
    ]);
  }
});

describe('2.5 thumbnail and favicon are absolute http(s) URLs or null', () => {
  test.each([
    ['/static/cover.png', 'https://site.example.org/static/cover.png'],
    ['cover.png', 'https://site.example.org/dir/cover.png'],
    ['../cover.png', 'https://site.example.org/cover.png'],
    ['//cdn.example.net/cover.png', 'https://cdn.example.net/cover.png'],
    ['https://cdn.example.net/c.png?w=1#x', 'https://cdn.example.net/c.png?w=1#x'],
    ['data:image/png;base64,AAAA', null],
    ['javascript:alert(1)', null],
    ['', null],
    [null, null],
    [12, null],
    [{ src: 'x' }, null],
  ])('2.5 rule 7: %j is answered as %j', async (image, expected) => {
    const url = 'https://site.example.org/dir/page?x=1#y';
    server().rows(
      [{ url, image, favicon: image }],
      [{ url, thumbnail: { src: image, original: image }, meta_url: { favicon: image } }],
    );
    const { rows } = await search(server(), 'tides', { fields: ['thumbnail', 'favicon'] });
    for (const slug of SLUGS)
      expect(rows(slug)).toEqual([{ thumbnail: expected, favicon: expected }]);
  });
});
