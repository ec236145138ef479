import { providerKey } from '@trawl/test-support/harness';
import { describe, expect, test } from 'vitest';
import { callsTo, NO_KEYS, type Run, search, TIERS, useServer } from './support/search-runs.ts';

const server = useServer();
const keyless = useServer({ env: NO_KEYS });
const SLUGS = ['exa', 'brave'];
const KEY_HEADERS: Record<string, string> = { exa: 'x-api-key', brave: 'x-subscription-token' };

/** Sends a run's request_payload to the sandbox, with the key added. */
async function sendAgain({ preprocessor_name: slug, request_payload }: Run): Promise<unknown> {
  const { method, url, headers, body } = request_payload as {
    method: string;
    url: string;
    headers: Record<string, string>;
    body: unknown;
  };
  const key = { [KEY_HEADERS[slug] ?? '']: providerKey(slug) };
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...key },
    body: body === null ? null : JSON.stringify(body),
  });
  return answer.json();
}

describe('2.4 request_payload', () => {
  test.each(TIERS)('2.4 request_payload is the request as sent, at tier %s', async (tier) => {
    const { run } = await search(server(), 'tidal & wave "energy"', { tier });
    for (const slug of SLUGS) {
      const { method, url, headers, body } = run(slug).request_payload;
      const [call, ...more] = callsTo(server(), slug);
      expect(more).toEqual([]);
      expect(method).toBe(call?.method);
      const sent = new URL(String(url));
      expect(`${sent.origin}${sent.pathname}`).toBe(
        `${server().sandbox.baseUrl(slug)}${call?.path}`,
      );
      expect([...sent.searchParams]).toEqual(call?.query);
      expect(call?.headers).toMatchObject(headers as object);
      expect(body).toEqual(call?.body === '' ? null : call?.json());
    }
  });

  test('2.4 request_payload holds no secret, in no header, URL or body', async () => {
    const { run, text } = await search(server(), 'tidal energy', {
      tier: 'max',
      include_raw: true,
    });
    for (const slug of SLUGS) {
      expect(callsTo(server(), slug)[0]?.key).toBe(providerKey(slug));
      const names = Object.keys(run(slug).request_payload.headers as object);
      expect(names).not.toContain(KEY_HEADERS[slug]);
      expect(names).not.toContain('authorization');
    }
    expect(text).not.toContain('planted');
    expect(text).not.toContain(server().key);
  });

  test('2.4 request_payload is the request that would have been sent when none was', async () => {
    const sent = await search(server(), 'tidal energy', { tier: 'max' });
    const unsent = await search(keyless(), 'tidal energy', { tier: 'max' });
    expect(keyless().sandbox.calls).toEqual([]);
    for (const slug of SLUGS) {
      const { url, ...same } = unsent.run(slug).request_payload;
      const { origin } = new URL(server().sandbox.url);
      expect({
        ...same,
        url: String(url).replace(new URL(keyless().sandbox.url).origin, origin),
      }).toEqual(sent.run(slug).request_payload);
    }
  });

  test('2.4 request_payload of a failed run is also as sent', async () => {
    const { run } = await search(server(), 'tides [[*:status=400]]');
    expect(run('exa').request_payload.body).toMatchObject({ query: 'tides [[*:status=400]]' });
    expect(run('brave').request_payload).toMatchObject({ method: 'GET', body: null });
  });
});

describe('2.4 raw_payload', () => {
  test.each(TIERS)('2.4 raw_payload is the original answer, at tier %s', async (tier) => {
    const { runs } = await search(server(), 'tidal energy', { tier, include_raw: true });
    for (const run of runs) expect(run.raw_payload).toEqual(await sendAgain(run));
  });

  test.each([{}, { include_raw: false }, { include_raw: null }])(
    '2.4 raw_payload is null without include_raw: %j',
    async (block) => {
      const { runs } = await search(server(), ['tides', 'tides [[*:status=400]]'], block);
      expect(runs.map((run) => run.raw_payload)).toEqual([null, null, null, null]);
    },
  );

  test('2.4 raw_payload has all rows, including those that were cut or dropped', async () => {
    const query = 'tides [[*:odd-rows]]';
    const { run, rows } = await search(server(), query, { num_results: 2, include_raw: true });
    expect([rows('exa').length, rows('brave').length]).toEqual([2, 2]);
    expect(run('exa').raw_payload?.results).toHaveLength(20);
    expect(run('brave').raw_payload).toMatchObject({ web: { results: { length: 20 } } });
  });

  const ANSWERED: readonly (readonly [string, string, unknown])[] = [
    [
      'exa',
      'status=401',
      { requestId: expect.any(String), error: expect.any(String), tag: 'INVALID_API_KEY' },
    ],
    [
      'brave',
      'status=422',
      { type: 'ErrorResponse', error: expect.any(Object), time: expect.any(Number) },
    ],
    [
      'brave',
      'status=400',
      { type: 'ErrorResponse', error: expect.any(Object), time: expect.any(Number) },
    ],
    ['exa', 'status=404,not-json', { body: expect.stringMatching(/^<!DOCTYPE html>/) }],
    ['exa', 'not-json', { body: expect.stringMatching(/^<!DOCTYPE html>/) }],
    ['brave', 'not-json', { body: expect.stringMatching(/^<!DOCTYPE html>/) }],
    ['exa', 'broken-json', { body: expect.stringMatching(/^\{"requestId":/) }],
    ['exa', 'wrong-shape=array', { body: [] }],
    ['exa', 'wrong-shape=object', {}],
    ['brave', 'wrong-shape=string', { body: 'ok' }],
    ['brave', 'wrong-shape=null', { body: null }],
    ['exa', 'reset', null],
    ['exa', 'cut', null],
    ['brave', 'reset', null],
    ['exa', 'too-large', null],
    ['brave', 'bad-gzip', null],
  ];

  test('2.4 raw_payload of a failed run is its answer, null without one', async () => {
    const batch = ANSWERED.map(([slug, fault]) => `tides [[${slug}:${fault}]]`);
    const { run } = await search(server(), batch, { include_raw: true });
    for (const [index, [slug, fault, raw]] of ANSWERED.entries()) {
      expect(run(slug, index).status, fault).toBe('failed');
      expect(run(slug, index).raw_payload, fault).toEqual(raw);
    }
  });

  test('2.4 raw_payload of a run that was not sent is null', async () => {
    const { runs } = await search(keyless(), 'tides', { include_raw: true });
    expect(runs.map((run) => run.raw_payload)).toEqual([null, null]);
  });

  test('2.4 raw_payload does not repeat a key that the provider echoes', async () => {
    const batch = ['tides [[*:echo-key]]', 'tides [[*:echo-key,status=400]]'];
    const { run, text } = await search(server(), batch, { tier: 'max', include_raw: true });
    expect(text).not.toContain('planted');
    expect(run('exa').raw_payload).toMatchObject({
      results: expect.arrayContaining([expect.objectContaining({ debug: { key: '[redacted]' } })]),
    });
    expect(run('exa', 1).raw_payload?.error).toContain('[redacted]');
  });
});

describe('2.4 latency_ms', () => {
  test('2.4 latency_ms of a run equals that of its envelope and is the wall time of its provider', async () => {
    const { run, output } = await search(server(), 'tides [[exa:latency=120]]');
    expect(run('exa').latency_ms).toBe(output('exa').latency_ms);
    expect(run('exa').latency_ms).toBeGreaterThanOrEqual(119);
    expect(run('brave').latency_ms).toBe(output('brave').latency_ms);
  });

  test('2.4 latency_ms includes the waits and the retry', async () => {
    const { run, output } = await search(server(), 'tides [[exa:fail-first=1,latency=50]]');
    expect(callsTo(server(), 'exa')).toHaveLength(2);
    // the shortest pause before a retry is half a second
    expect(run('exa').latency_ms).toBeGreaterThanOrEqual(595);
    expect(output('exa').latency_ms).toBe(run('exa').latency_ms);
  });

  test('2.4 latency_ms of a failed run is the time of its attempt', async () => {
    const { run } = await search(server(), 'tides [[exa:status=400,latency=60]]');
    expect(run('exa').latency_ms).toBeGreaterThanOrEqual(59);
  });

  test('2.4 latency_ms is null when nothing was attempted', async () => {
    const { runs } = await search(keyless(), 'tides');
    expect(runs.map((run) => [run.latency_ms, run.error?.code])).toEqual([
      [null, 'missing_credential'],
      [null, 'missing_credential'],
    ]);
  });
});
