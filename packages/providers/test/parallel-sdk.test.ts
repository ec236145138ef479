import { fieldsOfTier, TIERS } from '@trawl/contract';
import Parallel from 'parallel-web';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PRICES } from '../src/index.ts';
import { searchOf } from './support/providers.ts';
import { type Recorder, startRecorder } from './support/recorder.ts';

const parallel = searchOf('parallel');

const QUERY = 'node 20 release notes';
const planOf = (query: string, more: { count?: number; overrides?: object } = {}) => ({
  query,
  count: more.count ?? 5,
  wanted: {
    tier: 'default' as const,
    fields: new Set(fieldsOfTier('default')),
    fullContent: false,
    overrides: { ...more.overrides },
  },
});

/**
 * Compares what the vendor's own client sends with the declaration. The client adds
 * `X-Stainless-…` headers about itself; it passes the body on untouched.
 */
describe('the call is that of parallel-web', () => {
  let recorder: Recorder;
  beforeAll(async () => {
    recorder = await startRecorder({ search_id: 'x', session_id: 'x', results: [] });
  });
  afterAll(() => recorder.stop());

  test.each(TIERS)('at %s', async (tier) => {
    const client = new Parallel({ apiKey: 'test-key', baseURL: recorder.url, maxRetries: 0 });
    const sent = await recorder.sentBy(() =>
      client.search({
        search_queries: [QUERY],
        objective: QUERY,
        mode: 'advanced',
        advanced_settings: { max_results: 5 },
      }),
    );
    const { wanted } = planOf(QUERY);
    const call = parallel.request({
      query: QUERY,
      count: 5,
      wanted: { ...wanted, tier, fields: new Set(fieldsOfTier(tier)) },
    });
    expect([sent.method, sent.path, sent.body]).toEqual([call.method, call.path, call.body]);
    expect(sent.headers).toMatchObject({
      'x-api-key': 'test-key',
      'content-type': 'application/json',
    });
    expect(parallel.authentication).toEqual({ in: 'header', name: 'x-api-key' });
  });
});

test('a query of more than 200 characters is whole in the objective and cut at a word elsewhere', () => {
  const query = `${'word '.repeat(45)}end`;
  expect(parallel.request(planOf(query)).body).toMatchObject({
    objective: query,
    search_queries: ['word '.repeat(40).trim()],
  });
});

test.each([
  ['ten results', { count: 10 }, { usd: 0.005, kind: 'known' }],
  ['12 results', { count: 12 }, { usd: 0.007, kind: 'estimated' }],
  ['mode turbo', { overrides: { mode: 'turbo' } }, { usd: 0.001, kind: 'known' }],
  ['mode basic', { overrides: { mode: 'basic' } }, { usd: 0.005, kind: 'known' }],
])('%s has its list price', (_title, more, expected) => {
  const price = parallel.price(planOf(QUERY, more), PRICES.providers.parallel ?? {}, null);
  expect(price).toEqual({ ...expected, usd: expect.closeTo(expected.usd, 9) });
});
