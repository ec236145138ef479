import { tavily as sdk } from '@tavily/core';
import { fieldsOfTier, type ResultField, type Tier } from '@trawl/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchOf } from './support/providers.ts';
import { type Recorder, startRecorder } from './support/recorder.ts';

const tavily = searchOf('tavily');

/**
 * Compares what the vendor's own client sends with the declaration. The client adds
 * `X-Client-Source` and the headers of its HTTP library; the rest is the same.
 */
let recorder: Recorder;
beforeAll(async () => {
  recorder = await startRecorder({ query: 'x', images: [], results: [], response_time: 0.1 });
});
afterAll(() => recorder.stop());

const QUERY = 'node 20 release notes';
const BASIC = { maxResults: 5, searchDepth: 'basic' } as const;
const EXTENDED = {
  ...BASIC,
  includeRawContent: 'markdown',
  includeUsage: true,
  // the client does not rename this one and passes it on
  include_published_date: true,
} as const;

async function expectSameRequest(options: object, fields: readonly ResultField[], tier?: Tier) {
  const client = sdk({ apiKey: 'test-key', apiBaseURL: recorder.url });
  const sent = await recorder.sentBy(() => client.search(QUERY, options));
  const call = tavily.request({
    query: QUERY,
    count: 5,
    wanted: { tier: tier ?? null, fields: new Set(fields), fullContent: false, overrides: {} },
  });
  expect([sent.method, sent.path, sent.body]).toEqual([call.method, call.path, call.body]);
  expect(sent.headers).toMatchObject({
    authorization: 'Bearer test-key',
    'content-type': 'application/json',
  });
  expect(tavily.authentication).toEqual({
    in: 'header',
    name: 'authorization',
    prefix: 'Bearer ',
  });
}

test.each<[Tier, object]>([
  ['minimalist', BASIC],
  ['default', BASIC],
  ['extended', EXTENDED],
  ['max', { ...EXTENDED, includeImages: true, includeFavicon: true, includeAnswer: true }],
])('sends what @tavily/core sends at %s', async (tier, options) => {
  await expectSameRequest(options, fieldsOfTier(tier), tier);
});

test.each<[ResultField, object]>([
  ['full_content', { ...BASIC, includeRawContent: 'markdown' }],
  ['favicon', { ...BASIC, includeFavicon: true }],
  ['answer', { ...BASIC, includeAnswer: true }],
  ['verticals', { ...BASIC, includeImages: true }],
])('sends what @tavily/core sends for %s by name', async (field, options) => {
  await expectSameRequest(options, [field]);
});
