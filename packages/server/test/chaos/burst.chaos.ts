import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  FORM,
  figure,
  load,
  patient,
  percentile,
  type Stub,
  sized,
  startProbe,
  startStub,
  startTrawl,
  type Trawl,
  tally,
} from './support.ts';

const UPSTREAM_MS = 250;
const REQUESTS = sized({ short: 8, full: 50 });
const QUERIES = 32;
const SINGLES = sized({ short: 2, full: 10 });

interface Run {
  readonly preprocessor_name: string;
  readonly status: string;
  readonly error: { readonly code: string } | null;
}

let stub: Stub;
let server: Trawl;
beforeAll(async () => {
  stub = await startStub({ delayMs: UPSTREAM_MS });
  server = await startTrawl({ settings: stub.settings });
});
afterAll(async () => {
  await server.stop();
  await stub.stop();
});

const runsOf = (text: string): readonly Run[] => JSON.parse(text).preprocessor_runs;
const endings = (texts: readonly string[]) =>
  tally(texts.flatMap(runsOf).map(({ status, error }) => error?.code ?? status));

it('one key’s burst opens no circuit and delays another key’s search by a turn', async () => {
  let isOver = false;
  const otherKey = await server.makeKey('other');
  const single = async () => {
    const answer = await server.search({ user_input: { query: 'the other key' } }, otherKey);
    expect(answer.status, answer.text).toBe(200);
    return { ...answer, isInBurst: !isOver };
  };
  const alone = await single();
  await stub.clear();

  const probe = await startProbe(server.url);
  const batch = Array.from({ length: QUERIES }, (_, index) => ({ query: `tides ${index}` }));
  const startedAt = performance.now();
  const burst = load({ clients: REQUESTS, turns: REQUESTS }, () =>
    server.search({ user_input: batch }),
  ).finally(() => {
    isOver = true;
  });
  // once the queue is there
  await expect.poll(async () => (await stub.counts()).calls).toBeGreaterThan(64);
  const singles = await load({ clients: 1, turns: SINGLES, until: () => isOver }, single);
  const answers = await burst;
  const burstMs = performance.now() - startedAt;
  const health = await probe.stop();

  const ofBurst = endings(answers.map(({ text }) => text));
  const times = singles.map(({ ms }) => ms);
  figure('burst', 'searches of the burst', answers.length);
  figure('burst', 'burst', burstMs, 'ms');
  figure('burst', 'runs of the burst', JSON.stringify(ofBurst));
  figure('burst', 'other key alone', alone.ms, 'ms');
  figure('burst', 'other key in the burst', singles.length);
  figure('burst', 'other key p50', percentile(times, 0.5), 'ms');
  figure('burst', 'other key max', Math.max(...times), 'ms');
  figure('burst', 'healthz p99', health.p99, 'ms');
  // the search of the other key does not wait for the end of the burst
  expect(singles[0]?.isInBurst).toBe(true);
  expect(answers.map(({ status }) => status)).toEqual(Array(REQUESTS).fill(200));
  expect(ofBurst).toEqual({ succeeded: REQUESTS * QUERIES * 2 });
  expect(endings(singles.map(({ text }) => text))).toEqual({ succeeded: singles.length * 2 });
  expect(server.stdout()).not.toContain('cools down');
  if (FORM === 'full') expect(Math.max(...times)).toBeLessThan(patient(UPSTREAM_MS + 1_000));
});
