import { describe, expect, test } from 'vitest';
import {
  calledBy,
  callsTo,
  codesOf,
  DEFAULT_CHAIN,
  fetchPages,
  ledgerOf,
  pageAt,
  saidOf,
  stepsOf,
} from './support/fetch-tables.ts';
import { useServer } from './support/search-runs.ts';

const server = useServer();
const keyless = useServer({ env: { TINYFISH_API_KEY: undefined, PARALLEL_API_KEY: undefined } });
const breaking = useServer({ env: { BREAKER: 'on', FETCH_CHAIN: 'you,exa' } });
const poor = useServer({
  env: { FETCH_CHAIN: 'tavily,exa', TAVILY_API_KEY: undefined, EXA_API_KEY: undefined },
});

const EXTENDED = { tier: 'extended' } as const;

describe('4.3 the chain', () => {
  test('4.3 the first that answers wins, and no other provider is asked', async () => {
    const { row } = await fetchPages(server(), pageAt(), EXTENDED);
    expect(row.provider).toBe('tinyfish');
    expect(stepsOf(row)).toEqual(['tinyfish answered']);
    expect(calledBy(server())).toEqual(['tinyfish']);
  });

  test('4.3 all are asked in the order of the default chain, each once', async () => {
    const url = pageAt('', '[[*:status=503]]');
    const { row } = await fetchPages(server(), url, EXTENDED);
    expect(row.provider_chain.map(({ provider }: { provider: string }) => provider)).toEqual(
      DEFAULT_CHAIN,
    );
    expect(calledBy(server())).toEqual(DEFAULT_CHAIN.slice(0, -1));
    expect(stepsOf(row).slice(0, 2)).toEqual([
      'tinyfish failed upstream_error',
      'firecrawl failed upstream_error',
    ]);
    expect(row.error.attempts).toBe(9);
  });

  test('4.3 each provider may be the one that answers', async () => {
    for (const [index, name] of DEFAULT_CHAIN.slice(0, -1).entries()) {
      const earlier = DEFAULT_CHAIN.slice(0, index);
      const url = pageAt('', earlier.map((slug) => `[[${slug}:status=503]]`).join(''));
      const { row } = await fetchPages(server(), url, EXTENDED);
      expect([row.status, row.provider]).toEqual(['succeeded', name]);
      expect(stepsOf(row)).toEqual([
        ...earlier.map((slug) => `${slug} failed upstream_error`),
        `${name} answered`,
      ]);
    }
  });

  test('4.3 pinned: only these providers, in this order', async () => {
    const url = pageAt('', '[[you:status=503]] [[exa:status=429]]');
    const { row } = await fetchPages(server(), url, {
      ...EXTENDED,
      providers: ['you', 'exa', 'firecrawl'],
    });
    expect(stepsOf(row)).toEqual([
      'you failed upstream_error',
      'exa failed rate_limited',
      'firecrawl answered',
    ]);
    expect(calledBy(server())).toEqual(['you', 'exa', 'firecrawl']);
  });

  test('4.3 FETCH_CHAIN sets the default chain', async () => {
    const { row, run } = await fetchPages(breaking(), pageAt('', '[[you:status=503]]'), EXTENDED);
    expect(stepsOf(row)).toEqual(['you failed upstream_error', 'exa answered']);
    expect(run.request_payload.options.providers).toEqual(['you', 'exa']);
  });

  test('4.3 a provider without a credential is skipped in the default chain', async () => {
    const { row } = await fetchPages(keyless(), pageAt('', '[[firecrawl:status=503]]'), EXTENDED);
    expect(stepsOf(row)).toEqual([
      'tinyfish skipped missing_credential',
      'firecrawl failed upstream_error',
      'parallel skipped missing_credential',
      'tavily answered',
    ]);
    expect(row.provider_chain[0].latency_ms).toBeNull();
    expect(saidOf(row, 'provider_error')).toHaveLength(1);
    expect(calledBy(keyless())).toEqual(['firecrawl', 'tavily']);
  });

  test('4.3 a pinned provider without a credential counts as an attempt', async () => {
    const options = { ...EXTENDED, providers: ['tinyfish', 'exa'] };
    const { row } = await fetchPages(keyless(), pageAt(), options);
    expect(row.provider).toBe('exa');
    const [first] = row.provider_chain;
    expect([first.provider, first.code]).toEqual(['tinyfish', 'missing_credential']);
    expect(saidOf(row, 'provider_error')).toEqual([
      expect.stringMatching(/tinyfish.*missing_cred/),
    ]);
    expect(callsTo(keyless(), 'tinyfish')).toHaveLength(0);
  });

  test('4.3 a chain without any credential: a failed row of a 200', async () => {
    const { row } = await fetchPages(poor(), pageAt(), EXTENDED);
    expect(row.error).toMatchObject({ code: 'missing_credential', attempts: 0 });
    expect(stepsOf(row)).toEqual([
      'tavily skipped missing_credential',
      'exa skipped missing_credential',
    ]);
  });

  test('4.3 a provider with an open circuit is skipped', async () => {
    breaking().sandbox.inject('you', 'status=401', { times: 1 });
    await fetchPages(breaking(), pageAt());
    const { row, answer } = await fetchPages(breaking(), pageAt(), EXTENDED);
    expect(stepsOf(row)).toEqual(['you skipped circuit_open', 'exa answered']);
    expect(row.provider_chain[0].latency_ms).toBeNull();
    expect(callsTo(breaking(), 'you')).toHaveLength(1);
    expect(await ledgerOf(breaking(), answer.interaction_id)).toEqual(['exa 1 succeeded']);
  });

  test('4.3 verdicts on pages do not open a circuit', async () => {
    const options = { providers: ['exa', 'brightdata'] };
    for (let nth = 0; nth < 8; nth += 1)
      await fetchPages(breaking(), pageAt(nth % 2 ? 'blocked' : 'unknown-host'), options);
    const { row } = await fetchPages(breaking(), pageAt(), options);
    expect(row.status).toBe('succeeded');
  });

  test('4.3 a provider that does not accept the URL has declined', async () => {
    const options = { ...EXTENDED, providers: ['brightdata', 'exa'] };
    const { row } = await fetchPages(server(), pageAt(), options);
    expect(stepsOf(row)).toEqual(['brightdata declined declined', 'exa answered']);
    expect(codesOf(row)).not.toContain('provider_error');
    expect(calledBy(server())).toEqual(['exa']);
  });

  test('4.3 brightdata is never asked by default', async () => {
    const url = 'https://www.linkedin.com/company/tide-works';
    const { row } = await fetchPages(server(), url, EXTENDED);
    expect(stepsOf(row).join()).not.toContain('brightdata');
    expect(calledBy(server())).not.toContain('brightdata');
  });
});

describe('2.9 warnings of a chain', () => {
  const FAILING = '[[tinyfish:status=503]] [[firecrawl:status=401]] [[parallel:status=429]]';

  test('2.9 rule 4: every failed attempt is reported with provider, code and status, even on a row that succeeded', async () => {
    const { row } = await fetchPages(server(), pageAt('', FAILING));
    expect([row.status, row.provider]).toEqual(['succeeded', 'tavily']);
    const said = saidOf(row, 'provider_error');
    expect(said).toHaveLength(3);
    for (const [index, words] of [
      ['tinyfish', 'upstream_error', '503'],
      ['firecrawl', 'invalid_credential', '401'],
      ['parallel', 'rate_limited', '429'],
    ].entries())
      for (const word of words) expect(said[index]).toContain(word);
    expect(row.warning).toBe(said.join('; '));
  });

  test('2.9 rule 4: the warnings of a failed row are those of its attempts, in order', async () => {
    const options = { providers: ['exa', 'tavily', 'you'] };
    const { row } = await fetchPages(server(), pageAt('error', '[[tavily:status=503]]'), options);
    expect(saidOf(row, 'provider_error').map((text) => text.split(/\W/)[0])).toEqual(
      options.providers,
    );
  });

  test('2.9 rule 4: texts of a vendor are not quoted in full, and keys never', async () => {
    const { row } = await fetchPages(server(), pageAt('', '[[*:status=401,echo-key]]'));
    expect(JSON.stringify(row)).not.toContain('5fJ2');
  });

  test('2.9 rule 4: latency_ms is that of the whole chain', async () => {
    const directive = '[[tinyfish:status=503,latency=200]] [[firecrawl:latency=200]]';
    const { row } = await fetchPages(server(), pageAt('', directive), EXTENDED);
    const [first, second] = row.provider_chain;
    for (const { latency_ms } of [first, second]) expect(latency_ms).toBeGreaterThanOrEqual(195);
    expect(row.latency_ms).toBeGreaterThanOrEqual(395);
  });
});
