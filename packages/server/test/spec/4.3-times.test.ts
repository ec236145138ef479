import { randomUUID } from 'node:crypto';
import type { RecordedCall } from '@trawl/sandbox';
import type { TestServer } from '@trawl/test-support/harness';
import { describe, expect, test, vi } from 'vitest';
import { fetchPages, ledgerOf, pageAt, readBack, saidOf, stepsOf } from './support/fetch-tables.ts';
import { useUnclearedServer } from './support/search-runs.ts';

const plain = useUnclearedServer({
  env: { TAVILY_TIMEOUT_MS: '2000', BRIGHTDATA_TIMEOUT_MS: '2000' },
});
/** Only calls that hang, or that have another limit, take this long. */
const short = useUnclearedServer({ env: { CHAIN_ATTEMPT_TIMEOUT_MS: '400' } });
/**
 * An attempt is long enough for any simulated provider that answers, even for the first request on
 * a busy machine.
 */
const bounded = useUnclearedServer({
  env: { CHAIN_ATTEMPT_TIMEOUT_MS: '3000', REQUEST_DEADLINE_MS: '6000' },
});
const breaking = useUnclearedServer({
  env: { BREAKER: 'on', CHAIN_ATTEMPT_TIMEOUT_MS: '3000', TAVILY_TIMEOUT_MS: '3000' },
});
const EXTENDED = { tier: 'extended' } as const;

/** The calls for a page, which no other test asks for. */
const callsFor = (server: TestServer, url: string): RecordedCall[] =>
  server.sandbox.calls.filter(({ body }) => body.includes(JSON.stringify(url)));
/** The vendors that were asked for a page, in order. */
const askedFor = (server: TestServer, url: string): string[] =>
  callsFor(server, url).map(({ vendor }) => vendor);

// most of them wait for a provider that hangs
describe.concurrent('4.3 bounded time', () => {
  test('4.3 REQUEST_DEADLINE_MS: a page that is not done by then is a failed row, the others are returned', async () => {
    const urls = [pageAt('', '[[*:hang]]'), pageAt(), pageAt('missing')];
    const { rows } = await fetchPages(bounded(), urls, EXTENDED);
    expect(rows.map(({ status, error }) => [status, error?.code])).toEqual([
      ['failed', 'timeout'],
      ['succeeded', undefined],
      ['failed', 'not_found'],
    ]);
    expect(rows[0].error.attempts).toBeLessThan(4);
  });

  test('4.3 a provider that hangs is cancelled after CHAIN_ATTEMPT_TIMEOUT_MS, and the next one answers', async () => {
    const url = pageAt('', '[[tinyfish:hang]]');
    const { row } = await fetchPages(bounded(), url, EXTENDED);
    expect(stepsOf(row)).toEqual(['tinyfish failed timeout', 'firecrawl answered']);
    expect(row.provider_chain[0].latency_ms).toBeGreaterThanOrEqual(2_999);
    expect(saidOf(row, 'provider_error')).toEqual([expect.stringMatching(/tinyfish.*timeout/)]);
  });

  test('4.3 pages that take longer than an attempt in a chain do not stop the provider for others', async () => {
    const slow = Array.from({ length: 6 }, () => pageAt('', '[[tinyfish:hang]]'));
    const { rows } = await fetchPages(breaking(), slow, EXTENDED);
    for (const row of rows) {
      expect(stepsOf(row)).toEqual(['tinyfish failed timeout', 'firecrawl answered']);
    }
    const { row } = await fetchPages(breaking(), pageAt(), EXTENDED);
    expect(stepsOf(row)).toEqual(['tinyfish answered']);
  });

  test('4.3 pages that take longer than the limit of the provider do', async () => {
    const slow = Array.from({ length: 6 }, () => pageAt('', '[[tavily:hang]]'));
    await fetchPages(breaking(), slow, { ...EXTENDED, providers: ['tavily', 'exa'] });
    const { row } = await fetchPages(breaking(), pageAt(), {
      ...EXTENDED,
      providers: ['tavily', 'exa'],
    });
    expect(stepsOf(row)).toEqual(['tavily skipped circuit_open', 'exa answered']);
  });

  test('4.3 the last of a chain gets the remaining time', async () => {
    const url = pageAt('', '[[tinyfish:hang]] [[exa:latency=900]]');
    const { row } = await fetchPages(short(), url, { ...EXTENDED, providers: ['tinyfish', 'exa'] });
    expect(stepsOf(row)).toEqual(['tinyfish failed timeout', 'exa answered']);
  });

  test('4.3 a provider counts as the last if none after it accepts the URL', async () => {
    const url = pageAt('', '[[exa:latency=900]]');
    const { row } = await fetchPages(short(), url, { providers: ['exa', 'brightdata'] });
    expect([row.status, row.provider]).toEqual(['succeeded', 'exa']);
  });

  test('4.3 brightdata collects a record: it gets its own limit, even if others follow', async () => {
    const url = 'https://www.linkedin.com/company/harbour-lights';
    short().sandbox.inject('brightdata', 'latency=1200', { times: 1 });
    const providers = ['brightdata', 'jina'];
    const { row } = await fetchPages(short(), url, { ...EXTENDED, providers });
    expect(stepsOf(row)).toEqual(['brightdata answered']);
    expect([row.status, row.provider]).toEqual(['succeeded', 'brightdata']);
  });

  test('4.3 a timeout of brightdata is the diagnosis of its kind of page, even if others follow', async () => {
    const url = 'https://www.linkedin.com/company/harbour-cranes';
    plain().sandbox.inject('brightdata', 'hang', { times: 1 });
    const providers = ['brightdata', 'jina'];
    const { row } = await fetchPages(plain(), url, { ...EXTENDED, providers });
    expect(stepsOf(row)).toEqual(['brightdata failed timeout', 'jina failed dns_error']);
    expect([row.provider, row.error.code]).toEqual(['brightdata', 'timeout']);
    expect(row.error.message).toContain('brightdata did not answer completely');
    expect(saidOf(row, 'provider_error')).toHaveLength(2);
  });

  test('4.3 with one pinned provider the limit of a chain does not apply', async () => {
    const url = pageAt('', '[[exa:latency=900]]');
    const { row } = await fetchPages(short(), url, { providers: ['exa'] });
    expect(row.status).toBe('succeeded');
  });

  test('4.3 a provider’s own limit applies if it is smaller', async () => {
    const url = pageAt('', '[[tavily:hang]]');
    const { row } = await fetchPages(plain(), url, {
      ...EXTENDED,
      providers: ['tavily', 'exa'],
    });
    expect(stepsOf(row)).toEqual(['tavily failed timeout', 'exa answered']);
    expect(row.provider_chain[0].latency_ms).toBeLessThan(10_000);
  });

  test('7.1 provider_unavailable: our own timeout on a provider does not count as reached', async () => {
    const url = pageAt('', '[[tavily:hang]]');
    const { status, json } = await plain().fetch({
      urls: [url],
      options: { providers: ['tavily'] },
    });
    expect([status, json.error.code]).toEqual([502, 'provider_unavailable']);
    const { json: read } = await readBack(plain(), json.error);
    expect(read.preprocessor_runs[0].error.rows[0].error.code).toBe('timeout');
    expect(askedFor(plain(), url)).toEqual(['tavily']);
  });

  test('4.3 vendors with a time parameter get 2 s less than the attempt has', async () => {
    const url = pageAt('', '[[*:status=503]]');
    await fetchPages(plain(), url);
    const calls = callsFor(plain(), url);
    const sent = (vendor: string) => calls.find((call) => call.vendor === vendor);
    expect(sent('firecrawl')?.json()).toMatchObject({ timeout: 23_000 });
    expect(sent('tinyfish')?.json()).toMatchObject({ per_url_timeout_ms: 23_000 });
    expect(sent('you')?.json()).toMatchObject({ crawl_timeout: 23 });
    expect(sent('jina')?.headers['x-timeout']).toBe('23');
  });
});

// a retry waits
describe.concurrent('4.3 retries', () => {
  test('4.3 no retry in a chain: the next provider is asked instead', async () => {
    const url = pageAt('', '[[tinyfish:status=503,fail-first=1]]');
    const { row } = await fetchPages(plain(), url);
    expect(row.provider).toBe('firecrawl');
    expect(askedFor(plain(), url)).toEqual(['tinyfish', 'firecrawl']);
  });

  test('4.3 no retry in a pinned chain of two', async () => {
    const url = pageAt('', '[[*:status=503,fail-first=1]]');
    const answer = await plain().fetch({ urls: [url], options: { providers: ['exa', 'tavily'] } });
    expect(answer.status).toBe(502);
    expect(askedFor(plain(), url)).toEqual(['exa', 'tavily']);
  });

  test.each([429, 500, 502, 503, 504])(
    '4.3 one retry after a %i where a single provider is pinned; both calls are booked',
    async (status) => {
      const url = pageAt('', `[[tavily:status=${status},fail-first=1]]`);
      const { row, answer } = await fetchPages(plain(), url, { providers: ['tavily'] });
      expect(row.status).toBe('succeeded');
      expect(askedFor(plain(), url)).toEqual(['tavily', 'tavily']);
      expect(await ledgerOf(plain(), answer.interaction_id)).toEqual(['tavily 2 succeeded']);
    },
  );

  test('4.3 a second failure is final, and both calls are booked', async () => {
    const url = pageAt('', '[[tavily:status=503]]');
    const { json } = await plain().fetch({ urls: [url], options: { providers: ['tavily'] } });
    expect(askedFor(plain(), url)).toEqual(['tavily', 'tavily']);
    expect(await ledgerOf(plain(), json.error.interaction_id)).toEqual(['tavily 2 failed']);
  });

  test.each(['status=401', 'status=400', 'reset', 'cut', 'broken-json'])(
    '4.3 no retry after %s',
    async (fault) => {
      const url = pageAt('', `[[tavily:${fault},fail-first=1]]`);
      const body = { urls: [url], options: { providers: ['tavily'] } };
      expect((await plain().fetch(body)).status).toBe(502);
      expect(askedFor(plain(), url)).toEqual(['tavily']);
    },
  );

  test('4.3 no retry after a verdict on the page', async () => {
    const url = pageAt('error');
    await fetchPages(plain(), url, { providers: ['tinyfish'] });
    expect(askedFor(plain(), url)).toEqual(['tinyfish']);
  });

  test('4.3 brightdata is never asked twice', async () => {
    // the other tests with a fault of brightdata have other servers
    bounded().sandbox.inject('brightdata', 'status=503', { times: 1 });
    const url = 'https://www.linkedin.com/company/tide-works';
    const answer = await bounded().fetch({ urls: [url], options: { providers: ['brightdata'] } });
    expect(answer.status).toBe(502);
    expect(askedFor(bounded(), url)).toEqual(['brightdata']);
  });
});

describe('4.3 a client that leaves', () => {
  test('4.3 calls until then are recorded and billed, and no other provider is asked', async () => {
    const server = plain();
    const session_id = randomUUID();
    const leaving = new AbortController();
    const url = pageAt('', '[[tinyfish:hang]]');
    const fetching = server.fetch({ urls: [url], session_id }, { signal: leaving.signal });
    fetching.catch(() => {});
    await vi.waitFor(() => expect(askedFor(server, url)).toEqual(['tinyfish']), 20_000);
    leaving.abort();
    await expect(fetching).rejects.toThrow();
    const history = await vi.waitFor(async () => {
      const found = await server.call('GET', `/v1/sessions/${session_id}/history?type=full`);
      expect(found.status).toBe(200);
      return found.json;
    }, 20_000);
    const [interaction] = history.interactions;
    const [row] = interaction.preprocessor_runs[0].output_payload.fetched_results;
    expect(row).toMatchObject({ url, status: 'failed', error: { code: 'cancelled' } });
    expect(await ledgerOf(server, interaction.id)).toEqual(['tinyfish 1 failed']);
    expect(askedFor(server, url)).toEqual(['tinyfish']);
  });
});
