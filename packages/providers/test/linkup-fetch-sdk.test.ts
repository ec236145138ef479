import type { Tier } from '@trawl/contract';
import { LinkupClient } from 'linkup-sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchPlan } from './support/fetch-plan.ts';
import { fetchFixture } from './support/fixtures.ts';
import { vendorOf } from './support/providers.ts';
import { type Recorder, startRecorder } from './support/recorder.ts';

const linkupFetch = vendorOf('linkup');
const fixture = fetchFixture('linkup');

let recorder: Recorder;
let client: LinkupClient;
beforeAll(async () => {
  recorder = await startRecorder(fixture.full as object);
  client = new LinkupClient({ apiKey: 'test-key', baseUrl: `${recorder.url}/v1` });
});
afterAll(() => recorder.stop());

const PAGE = 'https://harbour.example.org/a?b=1';
const WHOLE = { includeRawContent: true, extractImages: true };

test.each<[Tier, object]>([
  ['minimalist', {}],
  ['default', {}],
  ['extended', WHOLE],
  ['max', WHOLE],
])('2.9 sends what linkup-sdk sends at %s', async (tier, options) => {
  // its types lack the newer name, which it passes on untouched
  const params = { url: PAGE, renderJs: true, ...options };
  const sent = await recorder.sentBy(() => client.fetch(params));
  const call = linkupFetch.request(fetchPlan(PAGE, tier));
  expect([sent.method, sent.path, sent.body]).toEqual([call.method, call.path, call.body]);
  expect(sent.headers).toMatchObject({
    authorization: 'Bearer test-key',
    'content-type': 'application/json',
  });
});

test('the client accepts the same answer body as our declaration', async () => {
  const answer = await client.fetch({ url: PAGE, renderJs: true });
  expect(answer).toEqual(fixture.full);
  expect(answer.markdown).not.toBe('');
});

test.each(['FETCH_ERROR', 'FETCH_RESPONSE_TOO_LARGE', 'FETCH_URL_IS_FILE'])(
  '%s is a verdict on the page, so the target was reached',
  (code) => {
    const answer = { status: 400, body: { error: { code } }, headers: {} };
    const reading = linkupFetch.readFailedAnswer?.(answer, fetchPlan(PAGE, 'default'));
    expect(reading).toMatchObject({
      kind: 'verdict',
      verdict: { reason: `${code} 400`, httpStatus: null },
    });
  },
);
