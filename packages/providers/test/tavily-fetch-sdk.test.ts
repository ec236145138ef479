import { tavily as sdk } from '@tavily/core';
import { TIERS } from '@trawl/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchPlan } from './support/fetch-plan.ts';
import { fetchFixture } from './support/fixtures.ts';
import { vendorOf } from './support/providers.ts';
import { type Recorder, startRecorder } from './support/recorder.ts';

const tavilyFetch = vendorOf('tavily');
const fixture = fetchFixture('tavily');

/** Compares what the vendor's own client sends and reads with the declaration. */
let recorder: Recorder;
beforeAll(async () => {
  recorder = await startRecorder(Object(fixture.full));
});
afterAll(() => recorder.stop());

const { url } = fixture;
const clientOf = () => sdk({ apiKey: 'test-key', apiBaseURL: recorder.url });
const PLAIN = { extractDepth: 'basic', format: 'markdown' } as const;
const EVERYTHING = { ...PLAIN, includeImages: true, includeFavicon: true, includeUsage: true };
const OPTIONS = {
  minimalist: PLAIN,
  default: PLAIN,
  extended: EVERYTHING,
  max: EVERYTHING,
} as const;

test.each(TIERS)('sends what @tavily/core sends at %s', async (tier) => {
  const sent = await recorder.sentBy(() => clientOf().extract([url], OPTIONS[tier]));
  const call = tavilyFetch.request(fetchPlan(url, tier));
  // the client puts its own timeout into the body
  const { timeout: _timeout, ...body } = Object(sent.body);
  expect([sent.method, sent.path, body]).toEqual([call.method, call.path, call.body]);
  expect(sent.headers).toMatchObject({
    authorization: 'Bearer test-key',
    'content-type': 'application/json',
  });
  expect(tavilyFetch.authentication).toEqual({
    in: 'header',
    name: 'authorization',
    prefix: 'Bearer ',
  });
});

test('@tavily/core reads the answer of the fixture', async () => {
  const { results, failedResults } = await clientOf().extract([url], EVERYTHING);
  const { parsed } = fixture;
  if (parsed.kind !== 'page') throw new Error('the fixture is not a page');
  expect(results.map(({ rawContent }) => rawContent)).toEqual([parsed.page.content]);
  expect(failedResults).toEqual([]);
});
