import { RUN_ERRORS, type RunErrorCode } from '@trawl/contract';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { callsTo, type Run, type Search, search, useServer } from './support/search-runs.ts';

const server = useServer();
const TIMEOUT_MS = 400;
const hasty = useServer({
  env: { EXA_TIMEOUT_MS: `${TIMEOUT_MS}`, BRAVE_TIMEOUT_MS: `${TIMEOUT_MS}` },
});

type Kind = readonly [
  fault: string,
  code: RunErrorCode,
  httpStatus: number | null,
  words: RegExp,
  calls: number,
];
const credential = /refused its credential/;
const KINDS: readonly Kind[] = [
  ['status=400', 'bad_request', 400, /refused the request/, 1],
  ['status=401', 'invalid_credential', 401, credential, 1],
  ['status=402', 'quota_exhausted', 402, /no quota or credit/, 1],
  ['status=404', 'bad_request', 404, /refused the request/, 1],
  ['status=422', 'bad_request', 422, /refused the request/, 1],
  ['status=429', 'rate_limited', 429, /limits the rate/, 2],
  ['status=500', 'upstream_error', 500, /failed/, 2],
  ['status=501', 'upstream_error', 501, /failed/, 1],
  ['status=502', 'upstream_error', 502, /failed/, 2],
  ['status=503', 'upstream_error', 503, /failed/, 2],
  ['status=504', 'upstream_error', 504, /failed/, 2],
  ['status=503,not-json', 'upstream_error', 503, /failed/, 2],
  ['cut', 'network_error', 200, /broke off/, 1],
  ['reset', 'network_error', null, /dropped the connection/, 1],
  ['not-json', 'bad_response', 200, /other than JSON/, 1],
  ['broken-json', 'bad_response', 200, /other than JSON/, 1],
  ['wrong-shape=array', 'bad_response', 200, /not its documented answer/, 1],
  ['wrong-shape=object', 'bad_response', 200, /not its documented answer/, 1],
  ['wrong-shape=string', 'bad_response', 200, /not its documented answer/, 1],
  ['wrong-shape=null', 'bad_response', 200, /not its documented answer/, 1],
  ['too-large', 'bad_response', 200, /larger than 16 MiB/, 1],
  ['bad-gzip', 'bad_response', 200, /compression is damaged/, 1],
];

/** Texts in the errors of the sandbox, for both vendors. */
const UPSTREAM_TEXT = [
  ...[
    'The request is not valid',
    'INVALID_',
    'NO_MORE',
    'FETCH_DOCUMENT',
    'INTERNAL',
    'DEFAULT_ERROR',
  ],
  ...[
    'SUBSCRIPTION',
    'OPTION_NOT',
    'RATE_LIMITED',
    'VALIDATION',
    'subscription token',
    'credits left',
  ],
  ...['The server failed', 'ErrorResponse', 'requestId', '<', 'DOCTYPE', 'could not be processed'],
  ...['10 requests per second', 'The quota of the plan', 'ACCESS_DENIED', 'component'],
];

const queryOf = (slug: string, fault: string) => `tides [[${slug}:${fault}]]`;
const searches = new Map<string, Search>();
// all kinds of both providers at once: a retry takes a second
beforeAll(async () => {
  const searched = ['exa', 'brave'].map(async (slug) => {
    const batch = KINDS.map(([fault]) => queryOf(slug, fault));
    searches.set(slug, await search(server(), batch));
    callsByQuery.set(slug, countQueries(slug));
  });
  await Promise.all(searched);
});

/** How often a provider got each query. */
const callsByQuery = new Map<string, ReadonlyMap<string, number>>();
function countQueries(slug: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const call of callsTo(server(), slug)) {
    const { query = '', q = query } = {
      ...(call.json() as { query?: string } | undefined),
      ...Object.fromEntries(call.query),
    } as Record<string, string>;
    counts.set(q, (counts.get(q) ?? 0) + 1);
  }
  return counts;
}

describe.each([
  ['exa', 'brave'],
  ['brave', 'exa'],
])('4.1 a failing call of %s', (slug, other) => {
  const found = () => {
    const done = searches.get(slug);
    if (!done) throw new Error('the searches ran before');
    return done;
  };

  test.each(KINDS.map((kind, index) => [...kind, index] as const))(
    `4.1 ${slug} %s is its own failed run: %s`,
    (fault, code, httpStatus, words, sent, index) => {
      const run = found().run(slug, index);
      expect(run).toMatchObject({
        status: 'failed',
        output_payload: null,
        query: queryOf(slug, fault),
      });
      const isRateOfBrave = slug === 'brave' && code === 'rate_limited';
      expect(run.error).toEqual({
        code,
        message: expect.stringMatching(words),
        provider: slug,
        http_status: httpStatus,
        retryable: RUN_ERRORS[code].retryable,
        // brave reports when its window ends, exa does not
        retry_after_ms: isRateOfBrave ? 1_000 : null,
        warnings: [],
      });
      const { message } = found().error(slug, index);
      expect(message.startsWith(`${slug} `)).toBe(true);
      expect(message.endsWith(`: ${RUN_ERRORS[code].remedy}`)).toBe(true);
      for (const text of UPSTREAM_TEXT) expect(message).not.toContain(text);
      expect(callsByQuery.get(slug)?.get(queryOf(slug, fault))).toBe(sent);
      expect(run.latency_ms).toBeGreaterThanOrEqual(sent === 2 ? 499 : 0);
    },
  );

  test(`4.1 the rows of ${other} still arrive`, () => {
    for (const index of KINDS.keys()) expect(found().rows(other, index)).toHaveLength(5);
    expect(found().answer.status).toBe('partially_succeeded');
  });
});

test.each([
  ['exa', 'brave'],
  ['brave', 'exa'],
])('4.1 %s hangs: a timeout after its setting, the rows of %s arrive', async (slug, other) => {
  const { answer, run, error, rows } = await search(hasty(), `tides [[${slug}:hang]]`);
  expect(answer.status).toBe('partially_succeeded');
  expect(run(slug)).toMatchObject({ status: 'failed', output_payload: null });
  expect(error(slug)).toEqual({
    code: 'timeout',
    message: expect.stringMatching(/did not answer completely within its timeout of 400 ms: \w/),
    provider: slug,
    http_status: null,
    retryable: true,
    retry_after_ms: null,
    warnings: [],
  });
  // one call: it may have been paid
  expect(callsTo(hasty(), slug)).toHaveLength(1);
  expect(run(slug).latency_ms).toBeGreaterThanOrEqual(TIMEOUT_MS - 1);
  expect(rows(other)).toHaveLength(5);
});

test.each(['gzip', 'br', 'deflate'])('4.1 an answer packed with %s is read', async (encoding) => {
  const { rows } = await search(server(), [`tides [[*:${encoding}]]`, 'tides']);
  for (const slug of ['exa', 'brave']) {
    expect(rows(slug, 0)).toEqual(rows(slug, 1));
    expect(rows(slug, 0)).toHaveLength(5);
  }
});

test('4.1 a search without results is a succeeded run with no rows', async () => {
  const { answer, output } = await search(server(), 'tides [[*:empty]] and more');
  expect(answer.status).toBe('succeeded');
  expect([output('exa').results, output('brave').results]).toEqual([[], []]);
});

/** One search on a server with these settings. */
async function searchWith(
  env: Record<string, string | undefined>,
  run: (s: TestServer) => unknown,
) {
  const own = await startTestServer({ env });
  try {
    await run(own);
  } finally {
    await own.stop();
  }
}
const short = ({ error, latency_ms, status }: Run) => [
  status,
  error?.code,
  error?.http_status,
  latency_ms,
];

test('4.1 a missing credential is a failed run without a call; the other provider answers', async () => {
  await searchWith({ EXA_API_KEY: undefined }, async (own) => {
    const block = { include_raw: true, providers: { include: ['exa', 'brave'] } };
    const { answer, run, rows } = await search(own, 'tides', block);
    expect(answer.status).toBe('partially_succeeded');
    expect(short(run('exa'))).toEqual(['failed', 'missing_credential', null, null]);
    expect(run('exa')).toMatchObject({ raw_payload: null, output_payload: null });
    expect(run('exa').error?.message).toContain('EXA_API_KEY');
    expect(run('exa').error?.retryable).toBe(false);
    expect(callsTo(own, 'exa')).toEqual([]);
    expect(rows('brave')).toHaveLength(5);
  });
});

test('4.1 an invalid credential is a failed run, and the answer does not contain its text', async () => {
  const keys = { EXA_API_KEY: 'bad-key-7Qm4', BRAVE_API_KEY: 'bad-key-9Rn5' };
  await searchWith(keys, async (own) => {
    const query = 'tides [[*:echo-key]]';
    const { answer, run, text } = await search(own, query, { include_raw: true });
    expect(answer.status).toBe('failed');
    expect(run('exa').error).toMatchObject({ code: 'invalid_credential', http_status: 401 });
    // a bad key is a 422 at brave
    expect(run('brave').error).toMatchObject({ code: 'invalid_credential', http_status: 422 });
    for (const key of Object.values(keys)) expect(text).not.toContain(key);
  });
});

test('4.1 a used-up account is quota_exhausted and not tried again, even as a 429', async () => {
  await searchWith({ EXA_API_KEY: 'quota-key-1', BRAVE_API_KEY: 'quota-key-2' }, async (own) => {
    const { run } = await search(own, 'tides');
    expect(run('exa').error).toMatchObject({ code: 'quota_exhausted', http_status: 402 });
    expect(run('brave').error).toMatchObject({ code: 'quota_exhausted', http_status: 429 });
    expect([callsTo(own, 'exa').length, callsTo(own, 'brave').length]).toEqual([1, 1]);
  });
});

test('4.1 a provider that cools down is circuit_open: no call, no latency, and a time to try again', async () => {
  await searchWith({ EXA_API_KEY: 'bad-key-7Qm4', BREAKER: 'on' }, async (own) => {
    await search(own, 'tides');
    const { run, rows } = await search(own, 'tides', { include_raw: true });
    expect(short(run('exa'))).toEqual(['failed', 'circuit_open', null, null]);
    expect(run('exa').error?.retry_after_ms).toBeGreaterThan(0);
    expect(run('exa').raw_payload).toBeNull();
    expect(callsTo(own, 'exa')).toHaveLength(1);
    expect(rows('brave')).toHaveLength(5);
  });
});

test('4.1 a provider that cannot be reached is a network_error, tried once more', async () => {
  // port 1 on loopback: no server listens there
  await searchWith({ BRAVE_BASE_URL: 'http://127.0.0.1:1' }, async (own) => {
    const { run, rows } = await search(own, 'tides', { include_raw: true });
    expect(run('brave')).toMatchObject({ status: 'failed', raw_payload: null });
    expect(run('brave').error).toMatchObject({
      code: 'network_error',
      http_status: null,
      message: expect.stringMatching(/^brave could not be reached \(ECONNREFUSED\): /),
    });
    expect(run('brave').latency_ms).toBeGreaterThanOrEqual(499);
    expect(rows('exa')).toHaveLength(5);
  });
});

test('4.1 when the caller leaves, runs in progress end as cancelled, which can be read back', async () => {
  const session_id = '00000000-aaaa-4bbb-8ccc-dddddddddddd';
  const leaving = new AbortController();
  const body = { session_id, user_input: { query: 'tides [[exa:hang]]' } };
  const asked = server().search(body, { signal: leaving.signal });
  await vi.waitUntil(() => server().sandbox.calls.length === 2, { interval: 5 });
  leaving.abort();
  await expect(asked).rejects.toThrow();
  const history = `/v1/sessions/${session_id}/history?type=full`;
  const recorded = await vi.waitUntil(
    async () => {
      const { status, json } = await server().call('GET', history);
      return status === 200 && json.interactions[0];
    },
    { interval: 10, timeout: 20_000 },
  );
  const [exa] = recorded.preprocessor_runs;
  expect(exa).toMatchObject({
    preprocessor_name: 'exa',
    status: 'failed',
    output_payload: null,
    error: { code: 'cancelled', message: expect.stringMatching(/^exa .+: \w/), retryable: true },
  });
});
