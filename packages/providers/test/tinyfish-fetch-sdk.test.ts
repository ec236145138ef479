import { TinyFish } from '@tiny-fish/sdk';
import type { Tier } from '@trawl/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FetchPlan } from '../src/index.ts';
import { fetchPlan } from './support/fetch-plan.ts';
import { fetchFixture } from './support/fixtures.ts';
import { vendorOf } from './support/providers.ts';
import { type Recorder, startRecorder } from './support/recorder.ts';

const tinyfishFetch = vendorOf('tinyfish');
const fixture = fetchFixture('tinyfish');

/**
 * Compares what the vendor's own client sends with the declaration. The client calls a host of its
 * own, whose path is the one declared for an operator's base URL. Its version has neither a time
 * limit for a page nor `page_metadata`.
 */
const PAGE = 'https://harbour.example.org/a?b=1';
const FAILED = { url: PAGE, error: 'page_not_found', status: 404 };

let recorder: Recorder;
let client: TinyFish;
beforeAll(async () => {
  const full = fixture.full as object;
  recorder = await startRecorder({ ...full, errors: [FAILED] });
  client = new TinyFish({ apiKey: 'test-key', baseURL: recorder.url, maxRetries: 0 });
});
afterAll(() => recorder.stop());

const LINKED = { links: true, image_links: true };

test.each<[Tier, Partial<FetchPlan>, object]>([
  ['minimalist', {}, {}],
  ['default', {}, {}],
  ['extended', {}, LINKED],
  ['max', {}, LINKED],
  ['default', { maxAgeSeconds: 60 }, { ttl: 60 }],
  ['max', { noCache: true }, { ...LINKED, ttl: 0 }],
])('2.9 sends what @tiny-fish/sdk sends at %s with %j', async (tier, shape, options) => {
  const params = { urls: [PAGE], format: 'markdown' as const, ...options };
  const sent = await recorder.sentBy(() => client.fetch.getContents(params));
  const { method, path, body } = tinyfishFetch.request(fetchPlan(PAGE, tier, shape));
  const { per_url_timeout_ms, page_metadata, ...rest } = body ?? {};
  expect([sent.method, sent.path, sent.body]).toEqual([method, path, rest]);
  expect(per_url_timeout_ms).toBe(23_000);
  expect(page_metadata).toBe(Object.hasOwn(options, 'links') ? true : undefined);
  expect(sent.headers).toMatchObject({
    accept: 'application/json',
    'content-type': 'application/json',
    'x-api-key': 'test-key',
  });
});

test('the client accepts the same answer body as our declaration', async () => {
  const answer = await client.fetch.getContents({ urls: [PAGE] });
  expect(answer.results).toHaveLength(1);
  expect(answer.errors).toEqual([{ url: PAGE, error: 'page_not_found' }]);
});

test.each([
  [0.4, 1],
  [58_000.9, 58_000],
  [400_000, 110_000],
])('a limit of %d ms is sent as %d', (timeLimitMs, expected) => {
  const { body } = tinyfishFetch.request(fetchPlan(PAGE, 'default', { timeLimitMs }));
  expect(body?.per_url_timeout_ms).toBe(expected);
});

test('calls the root of the canonical host', () => {
  expect([tinyfishFetch.baseUrl, tinyfishFetch.pathAtBaseUrl]).toEqual([
    'https://api.fetch.tinyfish.ai',
    '/',
  ]);
});
