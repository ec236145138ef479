import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    env: {
      DEFAULT_SEARCH_PROVIDERS: 'brave,exa,seltz',
      FETCH_CHAIN: 'tavily,firecrawl,direct',
      FETCH_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
    },
  });
});
afterEach(() => {
  server.sandbox.clearFaults();
  server.sandbox.clearCalls();
});
afterAll(() => server.stop());

const asked = () => server.sandbox.calls.map(({ vendor }) => vendor).toSorted();

interface Run {
  readonly preprocessor_name: string;
  readonly output_payload: { readonly warnings: readonly { code: string; message: string }[] };
}

describe('search.max_cost_usd', () => {
  const body = (search: object, queries = ['tides']) => ({
    user_input: queries.map((query) => ({ query })),
    search,
  });
  const warnings = ({ output_payload: { warnings: all } }: Run, code: string) =>
    all.filter((warning) => warning.code === code).map(({ message }) => message);

  // brave and seltz $0.005 each, exa $0.007
  it('leaves out the dearest of the default set first, and names them in each run', async () => {
    const { status, json } = await server.search(body({ max_cost_usd: 0.012 }));
    expect([status, asked()]).toEqual([200, ['brave', 'seltz']]);
    for (const run of json.preprocessor_runs) {
      expect(warnings(run, 'left_out_by_cost')).toEqual([
        'max_cost_usd: exa was left out, since the search may cost $0.012 at most',
      ]);
    }
  });

  it('leaves out the same for all queries of a batch', async () => {
    const { json } = await server.search(body({ max_cost_usd: 0.012 }, ['tides', 'moons']));
    const runs = json.preprocessor_runs.map(
      (run: Run & { batch_index: number }) => `${run.batch_index} ${run.preprocessor_name}`,
    );
    expect(runs).toEqual(['0 brave', '1 brave']);
  });

  it.each([
    [
      'named providers',
      { providers: { include: ['exa', 'seltz'] }, max_cost_usd: 0.008 },
      '$0.012',
    ],
    ['a default set of which nothing fits', { max_cost_usd: 0.001 }, '$0.017'],
    ['a cap of 0', { max_cost_usd: 0 }, '$0.017'],
  ])('refuses %s before anything is sent or recorded', async (_, search, price) => {
    const refused = await server.search(body(search));
    expect(refused.status).toBe(402);
    expect(refused.json).toMatchObject({ code: 'max_cost_exceeded' });
    expect(refused.json.detail).toContain(`search.max_cost_usd: this would cost ${price}`);
    const dry = await server.call('POST', '/v1/search?dry_run=true', { body: body(search) });
    expect([dry.status, dry.json]).toEqual([402, refused.json]);
    expect(asked()).toEqual([]);
  });

  it('is kept with recorded answers, which cost nothing', async () => {
    const cached = { max_age_seconds: 60, providers: { include: ['exa'] } };
    await server.search(body(cached, ['a recorded one']));
    server.sandbox.clearCalls();
    const { status } = await server.search(
      body({ max_age_seconds: 60, max_cost_usd: 0.01 }, ['a recorded one']),
    );
    expect([status, asked()]).toEqual([200, ['brave', 'seltz']]);
    const free = await server.search(body({ ...cached, max_cost_usd: 0 }, ['a recorded one']));
    expect(free.status).toBe(200);
  });

  it('makes no second try that does not fit', async () => {
    server.sandbox.inject('seltz', 'status=503');
    const only = { providers: { include: ['seltz'] } };
    await server.search(body({ ...only, max_cost_usd: 0.006 }));
    expect(asked()).toEqual(['seltz']);
    server.sandbox.clearCalls();
    await server.search(body({ ...only, max_cost_usd: 0.01 }));
    expect(asked()).toEqual(['seltz', 'seltz']);
  });

  it('leaves out what may follow, and never refuses for it', async () => {
    server.sandbox.inject('seltz', 'status=400');
    const search = { providers: { include: ['seltz'] }, fallback: ['exa', 'brave'] };
    const { status, json } = await server.search(body({ ...search, max_cost_usd: 0.01 }));
    expect([status, asked()]).toEqual([200, ['brave', 'seltz']]);
    expect(warnings(json.preprocessor_runs[1], 'left_out_by_cost')).toEqual([]);
    expect(json.preprocessor_runs[0].error.warnings).toContainEqual({
      code: 'left_out_by_cost',
      message: 'max_cost_usd: exa was left out, since the search may cost $0.01 at most',
    });
  });

  it('of the profile of a key holds for clients of vendors too, in their form', async () => {
    const made = await server.makeKey('main');
    const profile = { search: { max_cost_usd: 0.001, max_age_seconds: 60 } };
    const post = (query: string) =>
      server.call('POST', '/compat/exa/search', { body: { query }, key: made.key });
    expect((await post('a compatible one')).status).toBe(200);
    await server.server.store.changing(({ keys }) => keys.changeKey(made.id, { profile }));
    // each time another one: what was asked before the change holds is on record
    let asking = 0;
    await expect
      .poll(async () => {
        asking += 1;
        const { status, json } = await post(`a dear one, ${asking}`);
        return [status, json.tag];
      })
      .toEqual([402, 'API_KEY_BUDGET_EXCEEDED']);
    server.sandbox.clearCalls();
    // asked before, so it costs nothing now
    expect((await post('a compatible one')).status).toBe(200);
    expect(asked()).toEqual([]);
  });
});

describe('options.max_cost_usd', () => {
  const url = 'https://www.example.com/guides/solar-kilns';
  const ask = async (options: object, urls = [url]) => server.fetch({ urls, options });

  it('passes over what does not fit in the default chain', async () => {
    const { status, json } = await ask({ max_cost_usd: 0.0005, no_cache: true, tier: 'extended' });
    expect(status).toBe(200);
    const [row] = json.preprocessor_runs[0].output_payload.fetched_results;
    const steps = row.provider_chain.map(
      ({ provider, code }: { provider: string; code: string | null }) => `${provider} ${code}`,
    );
    expect(steps.slice(0, 2)).toEqual(['tavily over_cost', 'firecrawl over_cost']);
    expect(asked()).toEqual([]);
    expect(row.warnings).toContainEqual({
      code: 'left_out_by_cost',
      message:
        'max_cost_usd: tavily, firecrawl were left out, since the pages may cost $0.0005 at most',
    });
  });

  it('refuses pinned providers that do not fit, before anything is sent', async () => {
    const { status, json } = await ask({ max_cost_usd: 0.0005, providers: ['firecrawl'] });
    expect(status).toBe(402);
    expect(json.error).toMatchObject({
      code: 'max_cost_exceeded',
      param: 'options.max_cost_usd',
    });
    expect(asked()).toEqual([]);
  });

  it('asks the next provider only while the whole stays within', async () => {
    const price = await server.call('POST', '/v1/fetch?dry_run=true', {
      body: { urls: [url], options: { no_cache: true } },
    });
    const first = price.json.total_usd;
    expect(price.json.max_total_usd).toBeGreaterThan(first);
    server.sandbox.inject('tavily', 'status=400');
    await ask({ max_cost_usd: first, no_cache: true });
    expect(asked()).toEqual(['tavily']);
  });
});
