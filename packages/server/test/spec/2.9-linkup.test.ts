import { expect, test } from 'vitest';
import { booked, fetchPage, gapsOfRow, PAGE, pageOf, useStubFor } from './support/fetched-pages.ts';
import { bodiesTo, useServer } from './support/search-runs.ts';

const server = useServer();
const stub = useStubFor('linkup');
const at = (path: string) => `https://www.example.com/${path}`;

test('2.9 linkup: it returns no title: null and a gap without a known title', async () => {
  const { row } = await pageOf(server(), 'linkup', at('first/rope-walks'));
  expect(row.title).toBeNull();
  expect(gapsOfRow(row)).toContain('title');
});

test('2.9 linkup: the roster lists title as unsupported', async () => {
  const { json } = await server().call('GET', '/v1/fetch-providers', { key: null });
  for (const { name, unsupported_fields } of json.fetch_providers)
    expect(unsupported_fields.includes('title'), name).toBe(name === 'linkup');
});

test('2.9 linkup: the title of an earlier fetch of the page is used, without a gap', async () => {
  const url = at('second/rope-walks');
  const earlier = await pageOf(server(), 'tavily', url);
  const { row } = await pageOf(server(), 'linkup', `${url}?utm_source=letter#top`);
  expect(row.title).toBe(earlier.row.title);
  expect(row.title).toBe('Rope walks');
  expect(gapsOfRow(row)).not.toContain('title');
});

test('2.9 linkup: the title of an earlier search result is used', async () => {
  const found = await server().search({
    user_input: { query: 'rope walks' },
    search: { providers: { include: ['tavily'] } },
  });
  const [result] = found.json.preprocessor_runs[0].output_payload.results;
  const { row } = await pageOf(server(), 'linkup', result.url);
  expect(row.title).toBe(result.title);
});

test('2.9 linkup: a title known in another project is not known here', async () => {
  const url = at('third/rope-walks');
  const { key } = await server().makeKey('other');
  await server().fetch({ urls: [url], options: { providers: ['tavily'] } }, { key });
  expect((await pageOf(server(), 'linkup', url)).row.title).toBeNull();
});

test.each([PAGE, `${PAGE}?b=2&utm_source=x#part`, 'https://www.example.com/pdf/solar-kilns'])(
  '2.9 linkup: it returns no URL: canonical_url is the one sent (%s)',
  async (url) => {
    const { row } = await pageOf(server(), 'linkup', url, { tier: 'minimalist' });
    expect(row.canonical_url).toBe(url);
  },
);

test.each(['minimalist', 'default'] as const)(
  '2.9 linkup: at %s neither raw_html nor content_type is returned or asked for',
  async (tier) => {
    const { row } = await pageOf(server(), 'linkup', PAGE, { tier });
    expect(row).not.toHaveProperty('raw_html');
    expect(row).not.toHaveProperty('content_type');
    expect(bodiesTo(server(), 'linkup')).toEqual([{ url: PAGE, renderJs: true }]);
  },
);

test.each(['extended', 'max'] as const)(
  '2.9 linkup: raw_html and content_type from extended: %s',
  async (tier) => {
    const { row } = await pageOf(server(), 'linkup', PAGE, { tier });
    expect(row.raw_html).toMatch(/^<!doctype html>/);
    expect(row.content_type).toBe('text/html');
    expect(bodiesTo(server(), 'linkup')).toEqual([
      { url: PAGE, renderJs: true, includeRawContent: true, extractImages: true },
    ]);
  },
);

test('2.9 linkup: the raw content of a PDF is not HTML', async () => {
  const url = at('pdf/solar-kilns');
  const { row } = await pageOf(server(), 'linkup', url, { tier: 'extended' });
  expect([row.raw_html, row.content_type]).toEqual([null, 'application/pdf']);
});

test('2.9 linkup: it has no control for the age, and reports none', async () => {
  const { row } = await pageOf(server(), 'linkup', PAGE, { max_age_seconds: 60 });
  expect([row.cache_state, gapsOfRow(row).includes('cache_state')]).toEqual([null, true]);
});

test.each([
  ['missing', /FETCH_ERROR/i],
  ['error', /FETCH_ERROR/i],
  ['too-large', /FETCH_RESPONSE_TOO_LARGE/i],
  ['archive', /FETCH_UNSUPPORTED_CONTENT_TYPE/i],
])(
  '2.9 linkup: /%s is only reported by its own status, so http_status is null',
  async (word, code) => {
    const fetched = await fetchPage(server(), at(word), { providers: ['linkup'] });
    expect([fetched.row.status, fetched.row.http_status]).toEqual(['failed', null]);
    expect(fetched.warnings).toEqual([expect.stringMatching(/^provider_error .*linkup/)]);
    expect(fetched.warnings[0]).toMatch(code);
    expect(await booked(server(), fetched)).toEqual([
      { provider: 'linkup', calls: 1, costMicros: 0 },
    ]);
  },
);

test('2.9 linkup: the warning names its status, the only fact that it reports', async () => {
  const { warnings } = await fetchPage(server(), at('missing'), { providers: ['linkup'] });
  expect(warnings[0]).toContain('400');
});

test('2.9 linkup: a 200 is a page, with any other members in the body', async () => {
  const markdown = 'The kiln dries wood in the sun. '.repeat(40);
  stub().respond(() => ({
    body: { markdown, error: null, title: 'Never sent', url: at('other') },
  }));
  const { row } = await pageOf(stub(), 'linkup', PAGE);
  expect([row.canonical_url, row.http_status]).toEqual([PAGE, null]);
});

test('2.9 linkup: it reports no cost; its list price is booked', async () => {
  const fetched = await pageOf(server(), 'linkup', PAGE, { tier: 'extended' });
  expect(fetched.row.usage).toBeNull();
  expect(gapsOfRow(fetched.row)).toContain('usage');
  expect(await booked(server(), fetched)).toEqual([
    { provider: 'linkup', calls: 1, costMicros: 5_000 },
  ]);
});
