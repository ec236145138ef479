import { DryRun, openApiDocument } from '@trawl/contract';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const PAGE = 'https://www.example.com/guides/solar-kilns';
const OTHER = 'https://www.example.com/guides/tide-mills';

describe('a dry run', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ env: { SERPAPI_API_KEY: undefined } });
  });
  afterAll(() => server.stop());
  beforeEach(() => server.sandbox.clearCalls());

  const dry = async (path: string, body: unknown, key?: string) => {
    const answer = await server.call('POST', `${path}?dry_run=true`, {
      body,
      ...(key === undefined ? {} : { key }),
    });
    expect(server.sandbox.calls).toEqual([]);
    return answer;
  };
  const dryFetch = async (urls: readonly string[], options: object = {}) => {
    const answer = await dry('/v1/fetch', { urls, options });
    expect(answer.status, answer.text).toBe(200);
    return DryRun.strict().parse(answer.json);
  };
  const usage = async () => (await server.call('GET', '/v1/usage?group_by=provider')).json.rows;

  it('of a search lists each run in order with its price, and does nothing', async () => {
    const before = [await usage(), (await server.call('GET', '/v1/sessions')).text];
    const answer = await dry('/v1/search', {
      user_input: [{ query: 'kilns' }, { query: 'mills' }],
      search: { providers: { include: ['tinyfish', 'exa', 'you', 'serpapi'] }, tier: 'max' },
    });
    expect(answer.status).toBe(200);
    const { calls, total_usd } = DryRun.strict().parse(answer.json);
    const ofOne = [
      { provider: 'tinyfish', cost_usd: 0, cost_kind: 'known' },
      { provider: 'exa', cost_usd: 0.012, cost_kind: 'estimated' },
      { provider: 'you', cost_usd: 0.01, cost_kind: 'estimated' },
      // without a key nothing would be sent
      { provider: 'serpapi', cost_usd: 0, cost_kind: 'known' },
    ];
    const expected = [0, 1].flatMap((index) => ofOne.map((c) => ({ ...c, batch_index: index })));
    expect(calls).toMatchObject(expected);
    expect(calls.slice(0, 4).map(({ data_use }) => data_use?.training)).toEqual([
      ...['yes', 'yes', 'unknown', 'unknown'],
    ]);
    expect(total_usd).toBe(0.044);
    expect([await usage(), (await server.call('GET', '/v1/sessions')).text]).toEqual(before);
  });

  it('4.2 of an interaction lists its runs too, and records and sends nothing', async () => {
    const before = [await usage(), (await server.call('GET', '/v1/sessions')).text];
    const body = {
      user_input: { query: 'kilns' },
      user_id: 'ada',
      preprocessor_names: ['brave', 'exa'],
      postprocessor_names: ['rank_fusion'],
    };
    const answer = await dry('/v1/interactions', body);
    expect(answer.status, answer.text).toBe(200);
    expect(DryRun.strict().parse(answer.json)).toMatchObject({
      calls: [{ provider: 'brave' }, { provider: 'exa' }],
      total_usd: 0.012,
    });
    const step = await dry('/v1/interactions', { metadata: { step: 1 } });
    expect(step.json).toEqual({ dry_run: true, calls: [], total_usd: 0 });
    expect([await usage(), (await server.call('GET', '/v1/sessions')).text]).toEqual(before);
  });

  it('gives the price that a search of known price is billed', async () => {
    const body = { user_input: { query: 'kilns' }, search: { providers: { include: ['brave'] } } };
    const { json } = await dry('/v1/search', body);
    expect(json.calls).toMatchObject([
      { provider: 'brave', batch_index: 0, cost_usd: 0.005, cost_kind: 'known' },
    ]);
    const { json: done } = await server.search(body);
    const rows = await server.server.store.reader.ledger(server.projectId, done.interaction_id);
    expect(rows.map(({ costMicros }) => costMicros)).toEqual([1e6 * json.total_usd]);
  });

  it('of a fetch names the first provider; others may follow, so the price is an estimate', async () => {
    expect(await dryFetch([PAGE, OTHER], { providers: ['exa', 'linkup'] })).toMatchObject({
      dry_run: true,
      calls: [PAGE, OTHER].map((url) => ({
        provider: 'exa',
        url,
        cost_usd: 0.001,
        cost_kind: 'estimated',
      })),
      total_usd: 0.002,
    });
    const alone = await dryFetch([PAGE], { providers: ['exa'] });
    expect(alone.calls).toMatchObject([{ cost_usd: 0.001, cost_kind: 'known' }]);
    const own = await dryFetch([PAGE], { providers: ['direct'] });
    const data_use = {
      training: 'no',
      retention: 'none outside of this server',
      region: 'your own',
    };
    expect(own.calls).toEqual([
      { provider: 'direct', url: PAGE, cost_usd: 0, cost_kind: 'known', data_use },
    ]);
  });

  it('skips a provider that does not accept the page', async () => {
    const profile = 'https://www.linkedin.com/company/example-works';
    const { calls } = await dryFetch([PAGE, profile], { providers: ['brightdata', 'linkup'] });
    expect(calls).toMatchObject([
      { provider: 'linkup', cost_usd: 0.005, cost_kind: 'known' },
      { provider: 'brightdata', cost_usd: 0.002, cost_kind: 'estimated' },
    ]);
  });

  it('of a cached page, or of an address that is never fetched, costs nothing', async () => {
    const first = await server.fetch({ urls: [OTHER] });
    const [row] = first.json.preprocessor_runs[0].output_payload.fetched_results;
    expect(row.status).toBe('succeeded');
    server.sandbox.clearCalls();
    const { calls, total_usd } = await dryFetch([OTHER, 'http://10.0.0.1/admin']);
    const free = { cost_usd: 0, cost_kind: 'known' };
    expect(calls).toEqual([
      { provider: row.provider, url: OTHER, ...free },
      { provider: 'web_fetch', url: 'http://10.0.0.1/admin', ...free },
    ]);
    expect(total_usd).toBe(0);
  });

  it('is refused where the plain call would be', async () => {
    const foreign = await server.makeKey('elsewhere');
    const { json } = await server.search({ user_input: { query: 'q' } });
    server.sandbox.clearCalls();
    const query = { user_input: { query: 'q' } };
    const refused = [
      await dry('/v1/search', { user_input: { query: ' ' } }),
      await dry('/v1/search', { ...query, search: { providers: { include: ['unknown'] } } }),
      await dry('/v1/search', { ...query, session_id: json.session_id }, foreign.key),
      await dry('/v1/fetch', { urls: [] }),
      await dry('/v1/fetch', { urls: [PAGE], session_id: json.session_id }, foreign.key),
    ];
    expect(refused.map(({ status }) => status)).toEqual([422, 400, 404, 422, 404]);
  });

  it.each([
    ['/v1/search', { user_input: { query: 'q' } }],
    ['/v1/fetch', { urls: [PAGE] }],
  ])('of %s accepts only true and false, and false is a normal call', async (path, body) => {
    const wrong = await server.call('POST', `${path}?dry_run=perhaps`, { body });
    expect(wrong.status).toBe(422);
    const place = path === '/v1/search' ? wrong.json.detail[0].loc : wrong.json.error.param;
    expect(place).toEqual(path === '/v1/search' ? ['query', 'dry_run'] : 'dry_run');
    const plain = await server.call('POST', `${path}?dry_run=false`, { body });
    expect([plain.status, plain.json.status]).toEqual([200, 'succeeded']);
  });

  it('is in the API description next to the normal answer', async () => {
    const document = await openApiDocument('0');
    const paths = document.paths as Record<string, { post: object }>;
    for (const path of ['/v1/search', '/v1/fetch']) {
      const text = JSON.stringify(paths[path]?.post);
      expect(text).toContain('#/components/schemas/InteractionOrDryRun');
      expect(text).toMatch(/"name":"dry_run"[^{}]*\{[^{}]*"type":"boolean"/);
    }
    expect(document.components).toMatchObject({
      schemas: {
        InteractionOrDryRun: {
          oneOf: [
            { $ref: '#/components/schemas/InteractionResponse' },
            { $ref: '#/components/schemas/DryRun' },
          ],
        },
      },
    });
  });
});
