import { fieldsOfTier, type JsonObject, type Tier } from '@trawl/contract';
import { LinkupClient } from 'linkup-sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyOverrides, PRICES, type SearchPlan } from '../src/index.ts';
import { answered, searchOf } from './support/providers.ts';
import { type Recorder, startRecorder } from './support/recorder.ts';

const linkup = searchOf('linkup');

let recorder: Recorder;
let client: LinkupClient;

beforeAll(async () => {
  recorder = await startRecorder({ results: [] });
  client = new LinkupClient({ apiKey: 'test-key', baseUrl: `${recorder.url}/v1` });
});
afterAll(() => recorder.stop());

const QUERY = 'node 20 release notes';
const planOf = (tier: Tier, overrides: JsonObject = {}): SearchPlan => ({
  query: QUERY,
  count: 5,
  wanted: { tier, fields: new Set(fieldsOfTier(tier)), fullContent: false, overrides },
});

test.each<[Tier, Parameters<LinkupClient['search']>[0]]>([
  ['minimalist', { query: QUERY, depth: 'standard', outputType: 'searchResults', maxResults: 5 }],
  ['default', { query: QUERY, depth: 'standard', outputType: 'searchResults', maxResults: 5 }],
  ['extended', { query: QUERY, depth: 'standard', outputType: 'searchResults', maxResults: 5 }],
  [
    'max',
    {
      query: QUERY,
      depth: 'deep',
      outputType: 'searchResults',
      includeImages: true,
      // images are mixed into the results, and each answer costs the same
      maxResults: 25,
    },
  ],
])('sends what linkup-sdk sends at %s', async (tier, options) => {
  const sent = await recorder.sentBy(() => client.search(options));
  const call = linkup.request(planOf(tier));
  expect([sent.method, sent.path, sent.body]).toEqual([call.method, call.path, call.body]);
  expect(sent.headers).toMatchObject({
    authorization: 'Bearer test-key',
    'content-type': 'application/json',
  });
  expect(linkup.authentication).toEqual({
    in: 'header',
    name: 'authorization',
    prefix: 'Bearer ',
  });
});

const SCHEMA = { type: 'object', properties: { year: { type: 'number' } } };

test.each<[string, JsonObject, Parameters<LinkupClient['search']>[0]]>([
  [
    'a written answer',
    { outputType: 'sourcedAnswer' },
    { query: QUERY, depth: 'standard', outputType: 'sourcedAnswer', maxResults: 5 },
  ],
  [
    'an object with its sources, which are asked for along with it',
    { outputType: 'structured', structuredOutputSchema: JSON.stringify(SCHEMA) },
    {
      query: QUERY,
      depth: 'standard',
      outputType: 'structured',
      includeSources: true,
      structuredOutputSchema: SCHEMA,
      maxResults: 5,
    },
  ],
])('sends what linkup-sdk sends for %s', async (_title, overrides, options) => {
  const sent = await recorder.sentBy(() => client.search(options));
  const call = applyOverrides(linkup.request(planOf('default', overrides)), overrides);
  expect(sent.body).toEqual(call.body);
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

test.each<[Tier, JsonObject, number]>([
  ['default', {}, 0.005],
  ['max', {}, 0.05],
  ['default', { depth: 'deep' }, 0.05],
  ['max', { depth: 'fast' }, 0.005],
  ['default', { outputType: 'sourcedAnswer' }, 0.006],
  ['max', { outputType: 'structured' }, 0.055],
])('at %s with %o a call is priced by its depth and output', (tier, overrides, usd) => {
  const price = linkup.price(planOf(tier, overrides), PRICES.providers.linkup ?? {}, null);
  expect(price).toEqual({ usd, kind: 'known' });
});
