import { fieldsOfTier, type JsonObject, type Tier } from '@trawl/contract';
import { expect, test } from 'vitest';
import { PRICES, type SearchPlan } from '../src/index.ts';
import { fetchPlan } from './support/fetch-plan.ts';
import { answered, searchOf, vendorOf } from './support/providers.ts';

const linkup = searchOf('linkup');

const planOf = (tier: Tier, overrides: JsonObject = {}): SearchPlan => ({
  query: 'node 20 release notes',
  count: 5,
  wanted: { tier, fields: new Set(fieldsOfTier(tier)), fullContent: false, overrides },
});

test.each<[string, unknown, { text: string; citations: unknown }]>([
  [
    'a written answer',
    {
      answer: 'In April 2023.',
      sources: [
        { name: 'Notes', url: 'https://a.example.org/', snippet: 'Node 20 …', favicon: '' },
      ],
    },
    { text: 'In April 2023.', citations: [{ url: 'https://a.example.org/', title: 'Notes' }] },
  ],
  [
    'an object',
    {
      data: { year: 2023 },
      sources: [
        { type: 'text', name: 'Notes', url: 'https://a.example.org/', content: 'Node 20 …' },
      ],
    },
    { text: '{"year":2023}', citations: [{ url: 'https://a.example.org/', title: 'Notes' }] },
  ],
])('reads %s with its sources as rows', (_title, body, answer) => {
  const { wanted } = planOf('max', { outputType: 'sourcedAnswer' });
  const parsed = linkup.parse(linkup.response.parse(body), answered(wanted));
  expect(parsed.answer).toEqual(answer);
  expect(parsed.rows).toMatchObject([
    { url: 'https://a.example.org/', title: 'Notes', summary: 'Node 20 …' },
  ]);
});

test('reads the 400 for nothing found as an answer, and no other 400', () => {
  const answerOf = (status: number, code: string) =>
    linkup.readFailedAnswer?.({ status, body: { error: { code } }, headers: {} });
  expect(answerOf(400, 'SEARCH_QUERY_NO_RESULT')).toEqual({ results: [] });
  expect(answerOf(400, 'VALIDATION_ERROR')).toBeUndefined();
  expect(answerOf(500, 'SEARCH_QUERY_NO_RESULT')).toBeUndefined();
});

test.each<[JsonObject, number]>([
  [{}, 0.05],
  [{ depth: 'fast' }, 0.005],
  [{ outputType: 'structured' }, 0.055],
])('at max with %o a call is priced by its depth and output', (overrides, usd) => {
  const price = linkup.price(planOf('max', overrides), PRICES.providers.linkup ?? {}, null);
  expect(price).toEqual({ usd, kind: 'known' });
});

test.each(['FETCH_ERROR', 'FETCH_RESPONSE_TOO_LARGE', 'FETCH_URL_IS_FILE'])(
  '%s is a verdict on the page, so the target was reached',
  (code) => {
    const answer = { status: 400, body: { error: { code } }, headers: {} };
    const reading = vendorOf('linkup').readFailedAnswer?.(
      answer,
      fetchPlan('https://harbour.example.org/', 'default'),
    );
    expect(reading).toMatchObject({
      kind: 'verdict',
      verdict: { reason: `${code} 400`, httpStatus: null },
    });
  },
);
