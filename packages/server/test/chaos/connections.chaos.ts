import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  figure,
  hasProc,
  itInFull,
  load,
  NEEDS_PROC,
  patient,
  peakRssMb,
  percentile,
  resetPeak,
  rssMb,
  type Stub,
  sized,
  startProbe,
  startStub,
  startTrawl,
  type Trawl,
  tally,
} from './support.ts';

const SEARCH = { user_input: { query: 'tidal power' } };
/** The answer of a search while its upstream hangs: it ends after its own limit. */
const UPSTREAM_LIMIT_MS = sized({ short: 5_000, full: 10_000 });
/** `MAX_ACTIVE_REQUESTS`: its default in the full form. */
const PLACES = sized({ short: 32, full: 256 });

let stub: Stub;
let server: Trawl;
beforeAll(async () => {
  stub = await startStub();
  const limits = {
    EXA_TIMEOUT_MS: String(UPSTREAM_LIMIT_MS),
    BRAVE_TIMEOUT_MS: String(UPSTREAM_LIMIT_MS),
    MAX_ACTIVE_REQUESTS: String(PLACES),
    BREAKER: 'off',
  };
  server = await startTrawl({ settings: { ...stub.settings, ...limits } });
});
afterAll(async () => {
  await server.stop();
  await stub.stop();
});

describe('many connections', () => {
  const CLIENTS = sized({ short: 60, full: 500 });
  const SEARCHES = sized({ short: 240, full: 6_000 });

  it('are served, or refused with 503, in bounded memory', async ({ skip }) => {
    skip(!hasProc, NEEDS_PROC);
    await stub.behave({ delayMs: 50 });
    resetPeak(server.pid);
    const probe = await startProbe(server.url);
    const answers = await load({ clients: CLIENTS, turns: SEARCHES }, () => server.search(SEARCH));
    const health = await probe.stop();
    const row = 'connections-500';
    const served = answers.filter(({ status }) => status === 200);
    figure(row, 'clients', CLIENTS);
    figure(row, 'statuses', JSON.stringify(tally(answers.map(({ status }) => status))));
    figure(
      row,
      'p50 of those served',
      percentile(
        served.map(({ ms }) => ms),
        0.5,
      ),
      'ms',
    );
    figure(row, 'healthz p50', health.p50, 'ms');
    figure(row, 'healthz p99', health.p99, 'ms');
    figure(row, 'peak RSS', peakRssMb(server.pid), 'MB');
    expect(served.length).toBeGreaterThan(0);
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
    expect(health.failed).toBe(0);
    expect(peakRssMb(server.pid)).toBeLessThan(500);
  });
});

describe('more requests than there are places, while the providers hang', () => {
  const REQUESTS = sized({ short: 100, full: 1_500 });

  it('are refused with 503 at once, and the others end with their providers', async ({ skip }) => {
    skip(!hasProc, NEEDS_PROC);
    await stub.behave({ hangs: true });
    await stub.clear();
    resetPeak(server.pid);
    const probe = await startProbe(server.url);
    const answers = await load({ clients: REQUESTS, turns: REQUESTS }, () => server.search(SEARCH));
    const health = await probe.stop();
    const row = 'hanging-1500';
    const refused = answers.filter(({ status }) => status === 503);
    const served = answers.filter(({ status }) => status === 200);
    figure(row, 'requests', REQUESTS);
    figure(row, 'statuses', JSON.stringify(tally(answers.map(({ status }) => status))));
    figure(
      row,
      'longest refusal',
      percentile(
        refused.map(({ ms }) => ms),
        1,
      ),
      'ms',
    );
    figure(
      row,
      'longest answer',
      percentile(
        served.map(({ ms }) => ms),
        1,
      ),
      'ms',
    );
    figure(row, 'healthz p99', health.p99, 'ms');
    figure(row, 'peak RSS', peakRssMb(server.pid), 'MB');
    expect(served.length).toBeGreaterThanOrEqual(PLACES);
    expect(served.length + refused.length).toBe(REQUESTS);
    expect(refused.length).toBeGreaterThan(0);
    expect((await stub.counts()).calls).toBe(served.length * 2);
    expect(health.failed).toBe(0);
    expect(peakRssMb(server.pid)).toBeLessThan(500);
  });
});

describe('clients that leave', () => {
  const CLIENTS = sized({ short: 10, full: 60 });

  /** Sends searches, and leaves once all their calls have reached the upstream. */
  async function leave(accept: string): Promise<number> {
    await stub.clear();
    const leaving = new AbortController();
    const searches = Array.from({ length: CLIENTS }, () =>
      fetch(`${server.url}/v1/search`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${server.key}`,
          'content-type': 'application/json',
          accept,
        },
        body: JSON.stringify(SEARCH),
        signal: leaving.signal,
      }).then((response) => response.text()),
    );
    const ended = Promise.allSettled(searches);
    await expect.poll(async () => (await stub.counts()).openMax).toBeGreaterThanOrEqual(CLIENTS);
    const leftAt = performance.now();
    leaving.abort();
    await ended;
    await expect.poll(async () => (await stub.counts()).open).toBe(0);
    return performance.now() - leftAt;
  }

  it.each([
    ['JSON', 'application/json'],
    ['SSE', 'text/event-stream'],
  ])('take their calls with them (%s)', async (name, accept) => {
    await stub.behave({ hangs: true });
    const ms = await leave(accept);
    const counts = await stub.counts();
    figure('clients-leave', `${name}: upstream calls`, counts.calls);
    figure('clients-leave', `${name}: ended by us`, counts.aborted);
    figure('clients-leave', `${name}: all gone after`, ms, 'ms');
    expect(counts).toMatchObject({ open: 0, aborted: counts.calls });
  });
});

const SOCKETS = 300;
const HEAD = 'POST /v1/search HTTP/1.1\r\nhost: 127.0.0.1\r\n';
const BODY_HEAD = `${HEAD}content-type: application/json\r\ncontent-length: 900\r\n`;

/** Opens connections that send only this. Returns when the last one was closed, and the answers. */
async function sendAndWait(text: string) {
  const { hostname, port } = new URL(server.url);
  const startedAt = performance.now();
  const statuses = await Promise.all(
    Array.from({ length: SOCKETS }, async () => {
      const socket = net.connect(Number(port), hostname);
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.on('error', () => {});
      socket.on('connect', () => socket.write(text));
      await once(socket, 'close');
      return answer.split(' ')[1] ?? 'none';
    }),
  );
  return { seconds: (performance.now() - startedAt) / 1000, statuses: tally(statuses) };
}

itInFull('slow senders are closed by the limits of time', async ({ skip }) => {
  skip(!hasProc, NEEDS_PROC);
  const row = 'slowloris';
  const probe = await startProbe(server.url);
  const [idle, half, body] = await Promise.all([
    sendAndWait(''),
    sendAndWait(HEAD),
    sendAndWait(`${BODY_HEAD}authorization: Bearer ${server.key}\r\n\r\n{"user_input":`),
  ]);
  const health = await probe.stop();
  for (const [name, { seconds, statuses }] of Object.entries({ idle, half, body })) {
    figure(row, `${name}: closed after`, seconds, 's');
    figure(row, `${name}: answers`, JSON.stringify(statuses));
    expect(seconds).toBeLessThan(patient(70));
  }
  figure(row, 'healthz p99', health.p99, 'ms');
  figure(row, 'RSS', rssMb(server.pid), 'MB');
  expect(health.failed).toBe(0);
});
