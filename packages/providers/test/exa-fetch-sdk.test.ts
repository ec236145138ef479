import { Exa } from 'exa-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FetchPlan } from '../src/index.ts';
import { fetchPlan } from './support/fetch-plan.ts';
import { fetchFixture } from './support/fixtures.ts';
import { vendorOf } from './support/providers.ts';
import { type Recorder, startRecorder } from './support/recorder.ts';

const exaFetch = vendorOf('exa');
const fixture = fetchFixture('exa');

/** Compares what the vendor's own client sends and reads with the declaration. */
let recorder: Recorder;
let client: Exa;
beforeAll(async () => {
  recorder = await startRecorder(Object(fixture.full));
  client = new Exa('test-key', recorder.url);
});
afterAll(() => recorder.stop());

const { url } = fixture;
const EVERYTHING = {
  text: true,
  highlights: true,
  summary: {},
  extras: { links: 100, imageLinks: 100 },
} as const;

test.each<[string, FetchPlan, object]>([
  ['minimalist', fetchPlan(url, 'minimalist'), { text: true }],
  ['extended', fetchPlan(url, 'extended'), { text: true }],
  ['max', fetchPlan(url, 'max'), EVERYTHING],
  ['max, fresh', fetchPlan(url, 'max', { noCache: true }), { ...EVERYTHING, maxAgeHours: 0 }],
  ['two hours', fetchPlan(url, 'default', { maxAgeSeconds: 7200 }), { text: true, maxAgeHours: 2 }],
])('sends what exa-js sends: %s', async (_title, plan, options) => {
  const sent = await recorder.sentBy(() => client.getContents([url], options));
  const call = exaFetch.request(plan);
  expect([sent.method, sent.path, sent.body]).toEqual([call.method, call.path, call.body]);
  expect(sent.headers).toMatchObject({
    'x-api-key': 'test-key',
    'content-type': 'application/json',
  });
  expect(exaFetch.authentication).toEqual({ in: 'header', name: 'x-api-key' });
});

test('exa-js reads the answer of the fixture', async () => {
  const { results, statuses } = await client.getContents([url], { text: true, summary: {} });
  const { parsed } = fixture;
  if (parsed.kind !== 'page') throw new Error('the fixture is not a page');
  expect(results.map(({ text }) => text)).toEqual([parsed.page.content]);
  expect(statuses?.map(({ id, status }) => [id, status])).toEqual([[url, 'success']]);
});
