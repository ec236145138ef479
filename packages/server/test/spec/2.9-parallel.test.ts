import { expect, test } from 'vitest';
import { fetchPage, PAGE, pageOf, useStubFor } from './support/fetched-pages.ts';
import { bodiesTo, callsTo, useServer } from './support/search-runs.ts';

const server = useServer();
const stub = useStubFor('parallel');
const TIERS = ['minimalist', 'default', 'extended', 'max'] as const;
const TEXT = 'The kiln dries wood in the sun. '.repeat(200);
const answer = (more: object) => ({
  body: {
    extract_id: 'extract_11223344556677889900aabbccddeeff',
    session_id: 'session_1',
    results: [
      { url: PAGE, title: 'Solar kilns', excerpts: ['Part one.', 'Part two.'], full_content: TEXT },
    ],
    errors: [],
    ...more,
  },
});

test.each(TIERS)(
  '2.9 parallel: the full markdown is asked for at %s, without an objective',
  async (tier) => {
    const { row } = await pageOf(server(), 'parallel', PAGE, { tier });
    expect(row.content_length).toBeGreaterThan(2_000);
    expect(row.content).toMatch(/^# Solar kilns/);
    expect(bodiesTo(server(), 'parallel')).toEqual([
      { urls: [PAGE], advanced_settings: { full_content: true } },
    ]);
    expect(callsTo(server(), 'parallel').map(({ path }) => path)).toEqual(['/v1/extract']);
  },
);

test('2.9 parallel: publish date, request id and a usage list', async () => {
  const { row } = await pageOf(server(), 'parallel', PAGE, { tier: 'extended' });
  expect(row.publish_date).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(row.request_id).toMatch(/^extract_/);
  expect(row.usage).toMatchObject({
    requests: 1,
    units: { sku_extract_excerpts: 1, sku_extract_full_content: 1 },
  });
});

test.each(TIERS)('2.9 parallel: warning is always filled: %s', async (tier) => {
  const { row } = await pageOf(server(), 'parallel', PAGE, { tier });
  expect(row.warning).toMatch(/objective/);
});

test.each([
  ['no warnings', {}],
  ['null', { warnings: null }],
  ['an empty list', { warnings: [] }],
])('2.9 parallel: warning is filled even if it sends %s', async (_how, more) => {
  stub().respond(() => answer(more));
  const { row, warnings } = await pageOf(stub(), 'parallel');
  expect(row.warning).toMatch(/objective/);
  expect(warnings.filter((line) => line.startsWith('upstream_warning '))).toHaveLength(1);
});

test('2.9 parallel: its own warning is passed on', async () => {
  stub().respond(() =>
    answer({ warnings: [{ type: 'warning', message: 'The page is old.', detail: null }] }),
  );
  expect((await pageOf(stub(), 'parallel')).row.warning).toContain('The page is old.');
});

test('2.9 parallel: excerpts are not content: without full_content the page is empty', async () => {
  const excerpts = ['Part one.', 'Part two.'];
  stub().respond(() =>
    answer({ results: [{ url: PAGE, title: 'Solar kilns', excerpts, full_content: null }] }),
  );
  const { row } = await fetchPage(stub(), PAGE, { providers: ['parallel'] });
  expect([row.status, row.error?.code]).toEqual(['failed', 'empty_page']);
});

test('2.9 parallel: a page in both lists was extracted', async () => {
  const error = { url: PAGE, error_type: 'fetch_error', http_status_code: 500, content: null };
  stub().respond(() => answer({ errors: [error] }));
  await pageOf(stub(), 'parallel');
});

test.each([
  ['missing', 'fetch_error', 404],
  ['blocked', 'fetch_error', 403],
  ['error', 'fetch_error', 500],
])(
  '2.9 parallel: a URL that it cannot extract (/%s) is a provider_error naming %s and %i',
  async (word, type, status) => {
    const { row, warnings } = await fetchPage(server(), `https://www.example.com/${word}`, {
      providers: ['parallel'],
    });
    expect([row.status, row.http_status]).toEqual(['failed', status]);
    expect(warnings.filter((line) => line.startsWith('provider_error '))).toHaveLength(1);
    expect(warnings.join(' ')).toContain(type);
    expect(warnings.join(' ')).toContain(String(status));
  },
);

test('2.9 parallel: an error type without a status is named without one', async () => {
  const { row, warnings } = await fetchPage(server(), 'https://www.example.com/slow', {
    providers: ['parallel'],
  });
  expect([row.status, row.http_status]).toEqual(['failed', null]);
  expect(warnings).toEqual([expect.stringMatching(/^provider_error .*timeout_error/)]);
});
