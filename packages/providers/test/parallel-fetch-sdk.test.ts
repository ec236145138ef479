import Parallel from 'parallel-web';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FetchPlan } from '../src/index.ts';
import { fetchPlan } from './support/fetch-plan.ts';
import { fetchFixture } from './support/fixtures.ts';
import { vendorOf } from './support/providers.ts';
import { type Recorder, startRecorder } from './support/recorder.ts';

const parallelFetch = vendorOf('parallel');
const fixture = fetchFixture('parallel');

/** Compares what the vendor's own client sends and reads with the declaration. */
let recorder: Recorder;
beforeAll(async () => {
  recorder = await startRecorder(Object(fixture.full));
});
afterAll(() => recorder.stop());

const { url } = fixture;
const clientOf = () => new Parallel({ apiKey: 'test-key', baseURL: recorder.url, maxRetries: 0 });

test.each<[string, Partial<FetchPlan>, Parallel.AdvancedExtractSettings]>([
  ['as it is', {}, { full_content: true }],
  [
    'of at most a day',
    { maxAgeSeconds: 86_400 },
    { full_content: true, fetch_policy: { max_age_seconds: 86_400 } },
  ],
  [
    'fresh',
    { noCache: true },
    {
      full_content: true,
      fetch_policy: { max_age_seconds: 600, disable_cache_fallback: true },
    },
  ],
])('sends what parallel-web sends for a page %s', async (_title, options, settings) => {
  const sent = await recorder.sentBy(() =>
    clientOf().extract({ urls: [url], advanced_settings: settings }),
  );
  const call = parallelFetch.request(fetchPlan(url, 'max', options));
  expect([sent.method, sent.path, sent.body]).toEqual([call.method, call.path, call.body]);
  expect(sent.headers).toMatchObject({
    'x-api-key': 'test-key',
    'content-type': 'application/json',
  });
  expect(parallelFetch.authentication).toEqual({ in: 'header', name: 'x-api-key' });
});

test('parallel-web reads the answer of the fixture', async () => {
  const { results, errors } = await clientOf().extract({ urls: [url] });
  const { parsed } = fixture;
  if (parsed.kind !== 'page') throw new Error('the fixture is not a page');
  expect(results.map(({ full_content: content }) => content)).toContain(parsed.page.content);
  expect(errors.map(({ http_status_code: status }) => status)).toEqual([500]);
});
