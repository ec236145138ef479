import { expect, test } from 'vitest';
import { codeOfTargetStatus, httpStatusOf, remark, shortReason } from '../src/parsed/page.ts';
import { pageReader } from '../src/parsed/page-table.ts';
import { wholeNumber } from '../src/values/json.ts';
import { webUrls } from '../src/values/urls.ts';

const PAGE = 'https://harbour.example.org/heat/pumps';

test('addresses of a list are absolute http(s) URLs, each once', () => {
  const values = ['/a', 'b', `${PAGE}/../b`, '//cdn.example/c', 'HTTP://D.example', '/a#top'];
  expect(webUrls(values, PAGE)).toEqual([
    'https://harbour.example.org/a',
    'https://harbour.example.org/heat/b',
    'https://cdn.example/c',
    'http://d.example/',
    'https://harbour.example.org/a#top',
  ]);
});

test('values that are not http(s) URLs are left out', () => {
  const values = ['#top', ' #top', 'mailto:a@b.example', 'data:text/plain,a', 'https://', '', 7];
  expect(webUrls([...values, null, {}], PAGE)).toEqual([]);
  expect(webUrls('https://a.example/', PAGE)).toEqual([]);
});

test.each([
  ['CRAWL_NOT_FOUND', 'CRAWL_NOT_FOUND'],
  ['  Failed,\nto "fetch" ', 'Failed to fetch'],
  ['x'.repeat(300), 'x'.repeat(80)],
  ['<>', 'unknown'],
  [null, 'unknown'],
])('the reason %j is kept short and plain', (said, expected) => {
  expect(shortReason(said, 'unknown')).toBe(expected);
});

test.each([
  [404, 'not_found'],
  [410, 'not_found'],
  [403, 'blocked'],
  [429, 'blocked'],
  [451, 'blocked'],
  [401, 'paywall'],
  [402, 'payment_required'],
  [408, 'timeout'],
  [504, 'timeout'],
  [418, 'target_error'],
  [500, 'target_error'],
  [200, 'provider_error'],
  [null, 'provider_error'],
])('a failure with the target status %s is %s', (status, code) => {
  expect(codeOfTargetStatus(status)).toBe(code);
});

test('counts are whole and statuses are statuses', () => {
  expect([0, 12, -1, 1.5, '3', 1e308, null].map(wholeNumber)).toEqual([
    0,
    12,
    ...Array(5).fill(null),
  ]);
  expect([100, 404, 599, 0, 99, 600, '404'].map(httpStatusOf)).toEqual([
    100,
    404,
    599,
    ...Array(4).fill(null),
  ]);
});

test('a remark names the provider, is one line and is cut', () => {
  expect(remark('upstream_error', 'harbour', 'Not\n Found')).toEqual([
    { code: 'upstream_error', message: 'harbour: Not Found' },
  ]);
  expect(remark('upstream_warning', 'harbour', 'x'.repeat(999))[0]?.message).toHaveLength(209);
  expect([' ', null, {}].map((said) => remark('upstream_warning', 'harbour', said))).toEqual([
    [],
    [],
    [],
  ]);
});

test('what a page table reads is left out of enrichments, of a split object only what is read', () => {
  const read = pageReader({ title: 'name', links: 'extras.links', split: ['extras'] });
  const leftOf = (sent: Readonly<Record<string, unknown>>) => {
    const reading = read(sent, PAGE);
    return reading.kind === 'page' && reading.page.enrichments;
  };
  expect(leftOf({ name: 'N', id: 1, extras: { links: [] } })).toEqual({ id: 1 });
  expect(leftOf({ extras: { links: [], more: 2 } })).toEqual({ extras: { more: 2 } });
  expect(leftOf({ extras: 'odd', name: 7 })).toEqual({});
});
