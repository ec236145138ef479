import { describeOnDatabases } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answered } from '../support/recorded.ts';

describeOnDatabases('the ledger records the outcome', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database });
  });
  afterAll(() => server.stop());

  /** Rows of an interaction, in the order of provider and query. */
  const ledgerOf = async ({ interaction_id: id }: { readonly interaction_id: string }) => {
    const rows = await server.server.store.reader.ledger(server.projectId, id);
    return rows
      .map(({ provider, batchIndex, latencyMs, errorCode }) => ({
        ...{ provider, batchIndex, latencyMs, errorCode },
      }))
      .sort((a, b) => `${a.provider}${a.batchIndex}`.localeCompare(`${b.provider}${b.batchIndex}`));
  };

  it('of a search: query, duration, and the reason of a failure', async () => {
    const body = {
      user_input: [{ query: 'one' }, { query: 'two [[brave:status=400]]' }],
      search: { providers: { include: ['exa', 'brave'] } },
    };
    const answer = answered('search', await server.search(body));
    const latencyMs = expect.any(Number);
    expect(await ledgerOf(answer)).toEqual([
      { provider: 'brave', batchIndex: 0, latencyMs, errorCode: null },
      { provider: 'brave', batchIndex: 1, latencyMs, errorCode: 'bad_request' },
      { provider: 'exa', batchIndex: 0, latencyMs, errorCode: null },
      { provider: 'exa', batchIndex: 1, latencyMs, errorCode: null },
    ]);
    const [run] = answer.preprocessor_runs;
    const [, , exa] = await ledgerOf(answer);
    expect(exa?.latencyMs).toBe(run.latency_ms);
  });

  it('of a fetch: each provider of the chain that was asked', async () => {
    server.sandbox.inject('firecrawl', 'status=500');
    const urls = ['https://news.example.com/a-page'];
    const options = { providers: ['firecrawl', 'jina'] };
    const answer = answered('fetch', await server.fetch({ urls, options }));
    server.sandbox.clearFaults();
    const latencyMs = expect.any(Number);
    expect(await ledgerOf(answer)).toEqual([
      { provider: 'firecrawl', batchIndex: null, latencyMs, errorCode: 'upstream_error' },
      { provider: 'jina', batchIndex: null, latencyMs, errorCode: null },
    ]);
  });
});
