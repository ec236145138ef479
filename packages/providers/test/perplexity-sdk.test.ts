import Perplexity from '@perplexity-ai/perplexity_ai';
import { fieldsOfTier, type ResultField, type Tier } from '@trawl/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchOf } from './support/providers.ts';
import { type Recorder, startRecorder } from './support/recorder.ts';

const perplexity = searchOf('perplexity');

/**
 * Compares what the vendor's own client sends with the declaration. The client names
 * itself in `user-agent`, `x-source`, `x-title` and `x-pplx-integration`; the rest is the same.
 */
let recorder: Recorder;
beforeAll(async () => {
  recorder = await startRecorder({ id: '0a', results: [] });
});
afterAll(() => recorder.stop());

const QUERY = 'node 20 release notes';
const PLAIN = { query: QUERY, max_results: 5 };
const LONG = { ...PLAIN, max_tokens: 50_000 };

async function expectSameRequest(
  options: typeof PLAIN,
  fields: readonly ResultField[],
  tier?: Tier,
): Promise<void> {
  const client = new Perplexity({ apiKey: 'test-key', baseURL: recorder.url, maxRetries: 0 });
  const sent = await recorder.sentBy(() => client.search.create(options));
  const call = perplexity.request({
    query: QUERY,
    count: 5,
    wanted: { tier: tier ?? null, fields: new Set(fields), fullContent: false, overrides: {} },
  });
  expect([sent.method, sent.path, sent.body]).toEqual([call.method, call.path, call.body]);
  expect(sent.headers).toMatchObject({
    accept: 'application/json',
    authorization: 'Bearer test-key',
    'content-type': 'application/json',
  });
  expect(perplexity.authentication).toEqual({
    in: 'header',
    name: 'authorization',
    prefix: 'Bearer ',
  });
}

test.each<[Tier, typeof PLAIN]>([
  ['minimalist', PLAIN],
  ['default', PLAIN],
  ['extended', LONG],
  ['max', LONG],
])('sends what @perplexity-ai/perplexity_ai sends at %s', async (tier, options) => {
  await expectSameRequest(options, fieldsOfTier(tier), tier);
});

test('sends what @perplexity-ai/perplexity_ai sends for full_content by name', async () => {
  await expectSameRequest(LONG, ['full_content']);
});
