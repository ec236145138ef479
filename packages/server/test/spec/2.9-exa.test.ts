import { expect, test } from 'vitest';
import { booked, fetchPage, gapsOfRow, PAGE, pageOf, useStubFor } from './support/fetched-pages.ts';
import { bodiesTo, callsTo, useServer } from './support/search-runs.ts';

const server = useServer();
const stub = useStubFor('exa');
const TIERS = ['minimalist', 'default', 'extended'] as const;

test.each(TIERS)('2.9 exa: at %s only the text is asked for', async (tier) => {
  const fetched = await pageOf(server(), 'exa', PAGE, { tier });
  expect(bodiesTo(server(), 'exa')).toEqual([{ urls: [PAGE], text: true, maxAgeHours: 0 }]);
  expect(callsTo(server(), 'exa').map(({ path }) => path)).toEqual(['/contents']);
  expect(await booked(server(), fetched)).toEqual([
    { provider: 'exa', calls: 1, costMicros: 1_000 },
  ]);
});

test('2.9 exa: page text, links and images come at max', async () => {
  const { row } = await pageOf(server(), 'exa', PAGE, { tier: 'max' });
  expect(row.content).toContain('Background');
  for (const list of [row.links, row.images])
    expect(list).toEqual(expect.arrayContaining([expect.stringMatching(/^https:\/\//)]));
  expect(gapsOfRow(row)).not.toEqual(expect.arrayContaining(['links']));
  expect(gapsOfRow(row)).not.toEqual(expect.arrayContaining(['images']));
});

test('2.9 exa: below max links, images, summary and excerpt are gaps at extended', async () => {
  const { row } = await pageOf(server(), 'exa', PAGE, { tier: 'extended' });
  expect([row.links, row.images, row.summary]).toEqual([[], [], null]);
  expect(gapsOfRow(row)).toEqual(expect.arrayContaining(['links', 'images', 'summary']));
});

test('2.9 exa: the summary is only asked for at max, and billed per page', async () => {
  const fetched = await pageOf(server(), 'exa', PAGE, { tier: 'max' });
  expect(fetched.row.summary).toEqual(expect.any(String));
  const [body] = bodiesTo(server(), 'exa');
  expect(body).toMatchObject({ text: true, highlights: true, summary: {} });
  expect(body).toMatchObject({ extras: { links: 100, imageLinks: 100 } });
  expect(fetched.row.usage).toMatchObject({ cost_usd: 0.003, cost_source: 'reported' });
  expect(await booked(server(), fetched)).toEqual([
    { provider: 'exa', calls: 1, costMicros: 3_000 },
  ]);
});

test('2.9 exa: two pages at max are two calls, each with its own bill', async () => {
  const urls = [PAGE, 'https://www.example.com/guides/rope-walks'];
  const fetched = await fetchPage(server(), urls, { providers: ['exa'], tier: 'max' });
  expect((await booked(server(), fetched)).map(({ costMicros }) => costMicros)).toEqual([
    3_000, 3_000,
  ]);
});

test.each([
  ['cached', 'hit'],
  ['crawled', 'miss'],
  [undefined, null],
])('2.9 exa: source %s is cache_state %s', async (source, expected) => {
  stub().respond(() => ({
    body: {
      requestId: 'c0ffee',
      results: [
        { id: PAGE, url: PAGE, title: 'Solar kilns', text: 'The kiln dries wood. '.repeat(60) },
      ],
      statuses: [{ id: PAGE, status: 'success', ...(source ? { source } : {}) }],
    },
  }));
  const { row } = await pageOf(stub(), 'exa');
  expect([row.cache_state, row.request_id]).toEqual([expected, 'c0ffee']);
});

test('2.9 exa: a short text that is very long is cut, and a warning names it if it is shown', async () => {
  const long = { title: `${'t'.repeat(20_000)}!`, summary: `${'s'.repeat(100_000)}!` };
  const page = { id: PAGE, url: PAGE, text: 'The kiln dries wood. '.repeat(60) };
  stub().respond(() => ({
    body: {
      results: [{ ...page, ...long, author: 'a'.repeat(30_000) }],
      statuses: [{ id: PAGE, status: 'success' }],
    },
  }));
  const title = 'title: exa sent a text that is longer than 20000 characters; cut to that';
  const shown = await pageOf(stub(), 'exa', PAGE, { tier: 'max' });
  expect([shown.row.title, shown.row.author]).toEqual(['t'.repeat(20_000), 'a'.repeat(20_000)]);
  expect(shown.warnings.filter((line) => line.startsWith('upstream_warning '))).toEqual([
    `upstream_warning ${title}`,
    'upstream_warning summary: exa sent a text that is longer than 100000 characters; cut to that',
    'upstream_warning author: exa sent a text that is longer than 20000 characters; cut to that',
  ]);
  expect((await pageOf(stub(), 'exa')).row.warning).toBe(title);
});

test.each([
  [{}, 0],
  [{ max_age_seconds: 7_200 }, 2],
  [{ max_age_seconds: 3_599 }, 0],
  [{ max_age_seconds: 0 }, 0],
  [{ max_age_seconds: 99_999_999 }, 720],
  [{ no_cache: true }, 0],
  [{ no_cache: true, max_age_seconds: 7_200 }, 0],
])('2.9 exa: %j is passed on as maxAgeHours %i', async (options, maxAgeHours) => {
  await pageOf(server(), 'exa', PAGE, options);
  expect(bodiesTo(server(), 'exa')).toEqual([{ urls: [PAGE], text: true, maxAgeHours }]);
});

test.each([
  ['missing', 'CRAWL_NOT_FOUND', 404],
  ['blocked', 'SOURCE_NOT_AVAILABLE', 403],
  ['error', 'CRAWL_UNKNOWN_ERROR', 500],
])(
  '2.9 exa: for a page that it could not read (%s) the row names the tag and the status',
  async (word, tag, status) => {
    const { row, warnings } = await fetchPage(server(), `https://www.example.com/${word}`, {
      providers: ['exa'],
    });
    expect([row.status, row.http_status]).toEqual(['failed', status]);
    expect(warnings).toEqual([expect.stringMatching(/^provider_error .*exa/)]);
    expect(warnings[0]).toMatch(new RegExp(tag, 'i'));
    expect(warnings[0]).toContain(String(status));
  },
);
