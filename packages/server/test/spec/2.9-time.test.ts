import { describe, expect, test } from 'vitest';
import { fetchPage, PAGE, pageOf } from './support/fetched-pages.ts';
import { callsTo, useServer } from './support/search-runs.ts';

/** Vendors with their own time parameter, read from the request to them, in milliseconds. */
const READERS: Readonly<Record<string, (call: { json(): unknown; headers: Headers }) => number>> = {
  firecrawl: ({ json }) => (json() as { timeout: number }).timeout,
  tinyfish: ({ json }) => (json() as { per_url_timeout_ms: number }).per_url_timeout_ms,
  jina: ({ headers }) => Number(headers['x-timeout']) * 1_000,
  you: ({ json }) => (json() as { crawl_timeout: number }).crawl_timeout * 1_000,
};
type Headers = Readonly<Record<string, string>>;
const TIMED = Object.keys(READERS);

function sentTo(server: Parameters<typeof callsTo>[0], provider: string): number[] {
  const read = READERS[provider];
  if (!read) throw new Error(`${provider} lacks a time parameter`);
  return callsTo(server, provider).map((call) => read(call));
}

describe('2.9: a vendor’s own time parameter', () => {
  const alone = useServer({
    env: Object.fromEntries(TIMED.map((name) => [`${name.toUpperCase()}_TIMEOUT_MS`, '9000'])),
  });
  test.each(TIMED)(
    '2.9 %s: as the only pinned provider it is 2 s below the provider’s limit',
    async (provider) => {
      await pageOf(alone(), provider);
      expect(sentTo(alone(), provider)).toEqual([7_000]);
    },
  );

  const chained = useServer({ env: { CHAIN_ATTEMPT_TIMEOUT_MS: '12000' } });
  test.each(TIMED)(
    '2.9 %s: in a chain of several it is 2 s below an attempt’s limit',
    async (provider) => {
      await fetchPage(chained(), PAGE, { providers: [provider, 'tavily'] });
      expect(sentTo(chained(), provider)).toEqual([10_000]);
    },
  );

  test.each(TIMED)(
    '2.9 %s: last in a chain the limit of an attempt does not apply',
    async (provider) => {
      chained().sandbox.inject('tavily', 'status=503');
      await fetchPage(chained(), PAGE, { providers: ['tavily', provider] });
      const [sent] = sentTo(chained(), provider);
      expect(sent).toBeGreaterThan(10_000);
    },
  );

  const hurried = useServer({ env: { REQUEST_DEADLINE_MS: '8000' } });
  test.each(TIMED)('2.9 %s: it ends before the request’s deadline', async (provider) => {
    await pageOf(hurried(), provider);
    const [sent] = sentTo(hurried(), provider);
    expect(sent).toBeLessThanOrEqual(6_000);
    expect(sent).toBeGreaterThanOrEqual(4_000);
  });

  test.each(['exa', 'linkup', 'parallel', 'tavily'])(
    '2.9 %s: no time parameter is documented, and none is sent',
    async (provider) => {
      await pageOf(chained(), provider);
      const sent = JSON.stringify(callsTo(chained(), provider)[0]?.json());
      expect(sent).not.toMatch(/time/i);
    },
  );
});
