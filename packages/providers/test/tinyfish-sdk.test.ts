import { TinyFish } from '@tiny-fish/sdk';
import { fieldsOfTier, TIERS } from '@trawl/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyOverrides } from '../src/index.ts';
import { searchOf } from './support/providers.ts';
import { type Recorder, startRecorder } from './support/recorder.ts';

const tinyfish = searchOf('tinyfish');

/**
 * Compares what the vendor's own client sends with the declaration. The client names itself in
 * `user-agent` and `x-tf-request-origin`, and sends a content type without a body; the rest is the
 * same. It calls its own host, with the path that is declared for an operator's base URL.
 */
let recorder: Recorder;
beforeAll(async () => {
  recorder = await startRecorder({ query: 'x', results: [], total_results: 0, page: 0 });
});
afterAll(() => recorder.stop());

const QUERY = 'node 20 release notes';
const sentBy = (options: object) =>
  recorder.sentBy(() =>
    new TinyFish({ apiKey: 'test-key', baseURL: recorder.url, maxRetries: 0 }).search.query({
      query: QUERY,
      ...options,
    }),
  );
const callAt = (tier: (typeof TIERS)[number]) =>
  tinyfish.request({
    query: QUERY,
    count: 5,
    wanted: { tier, fields: new Set(fieldsOfTier(tier)), fullContent: false, overrides: {} },
  });

test.each(TIERS)('sends what @tiny-fish/sdk sends at %s', async (tier) => {
  const sent = await sentBy({});
  const { method, path, query = {}, body } = callAt(tier);
  // this version of the client does not know it
  const { include_thumbnail, ...known } = query;
  const { pathname, searchParams } = new URL(sent.path ?? '', recorder.url);
  expect([sent.method, pathname, sent.body]).toEqual([method, path, body]);
  expect(Object.fromEntries(searchParams)).toEqual(known);
  expect(include_thumbnail).toBe(tier === 'max' ? 'true' : undefined);
  expect(sent.headers).toMatchObject({ accept: 'application/json', 'x-api-key': 'test-key' });
  expect(tinyfish.authentication).toEqual({ in: 'header', name: 'x-api-key' });
});

test('sends overrides as @tiny-fish/sdk sends its options', async () => {
  const options = { location: 'US', language: 'en', page: 1 };
  const sent = await sentBy(options);
  const { query } = applyOverrides(callAt('default'), options);
  const onWire = new URL(sent.path ?? '', recorder.url).searchParams;
  expect(Object.fromEntries(onWire)).toEqual({ ...query, page: '1' });
});

test('calls the root of the canonical host', () => {
  expect([tinyfish.baseUrl, tinyfish.pathAtBaseUrl]).toEqual([
    'https://api.search.tinyfish.ai',
    '/',
  ]);
});
