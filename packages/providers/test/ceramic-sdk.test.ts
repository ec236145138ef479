import { fieldsOfTier, type JsonObject, TIERS } from '@trawl/contract';
import { Ceramic } from 'ceramic-ai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyOverrides, type SearchPlan } from '../src/index.ts';
import { searchOf } from './support/providers.ts';
import { type Recorder, startRecorder } from './support/recorder.ts';

const ceramic = searchOf('ceramic');

let recorder: Recorder;
let client: Ceramic;

beforeAll(async () => {
  recorder = await startRecorder({ requestId: '7b1f', result: { results: [], totalResults: 0 } });
  client = new Ceramic({ apiKey: 'test-key', baseURL: recorder.url });
});
afterAll(() => recorder.stop());

const QUERY = 'solid state battery production 2026';
const planOf = (tier: (typeof TIERS)[number]): SearchPlan => ({
  query: QUERY,
  count: 5,
  wanted: { tier, fields: new Set(fieldsOfTier(tier)), fullContent: true, overrides: {} },
});

test.each(TIERS)('sends what ceramic-ai sends at %s', async (tier) => {
  const sent = await recorder.sentBy(() => client.search({ query: QUERY }));
  const call = ceramic.request(planOf(tier));
  expect([sent.method, sent.path, sent.body]).toEqual([call.method, call.path, call.body]);
  expect(sent.headers).toMatchObject({
    authorization: 'Bearer test-key',
    'content-type': 'application/json',
  });
  expect(ceramic.authentication).toEqual({
    in: 'header',
    name: 'authorization',
    prefix: 'Bearer ',
  });
});

test.each<[JsonObject]>([[{ maxDescriptionLength: 8000 }], [{ maxResults: 20 }]])(
  'sends what ceramic-ai sends with %o',
  async (options) => {
    const sent = await recorder.sentBy(() => client.search({ query: QUERY, ...options }));
    const call = applyOverrides(ceramic.request(planOf('default')), options);
    expect(sent.body).toEqual(call.body);
  },
);

test('cuts queries at the length that ceramic-ai refuses', () => {
  const { words = 0 } = ceramic.queryLimit;
  const query = Array.from({ length: words + 1 }, () => 'word').join(' ');
  expect(() => client.search({ query })).toThrow(String(words));
});
