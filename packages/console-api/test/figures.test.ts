import { randomUUID } from 'node:crypto';
import {
  CONSOLE_ROUTES,
  type ConsoleAnswer,
  type ConsoleProvider,
  type ConsoleRouteId,
} from '@trawl/contract/console';
import type { LedgerRecord } from '@trawl/router';
import {
  type Browser,
  type ConsoleServer,
  startConsoleServer,
} from '@trawl/test-support/console-server';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { countAnswers } from '@trawl/test-support/health-answers';
import { ledgerRecord } from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, it } from 'vitest';

const HOUR = 3_600_000;
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR).toISOString();

interface TestKey {
  readonly id: string;
  readonly projectId: string;
}

describeOnDatabases('figures of the console', (database) => {
  let server: ConsoleServer;
  let other: TestKey;
  const people = new Map<string, Browser>();
  beforeAll(async () => {
    const env = { SERPAPI_API_KEY: undefined };
    server = await startConsoleServer({ database, env, healthPauseMs: 100 });
    other = await server.makeKey('another project');
    people.set('operator', await server.operator());
    people.set('viewer', await server.person('viewer'));
    people.set('member', await server.person('member'));
  });
  afterAll(() => server.stop());

  const as = (role: string): Browser => people.get(role) ?? server.browser();

  async function ask<K extends ConsoleRouteId>(
    id: K,
    { role = 'viewer', query = '', body, project = server.projectId }: Asked = {},
  ): Promise<{ status: number; text: string; json: ConsoleAnswer<K> }> {
    const route = CONSOLE_ROUTES[id];
    const path = route.path.replace('{project_id}', project);
    const answer = await as(role).call(route.method, path + query, { body });
    if (answer.status === 200) expect(route.response.parse(answer.json)).toEqual(answer.json);
    return answer;
  }

  interface Asked {
    readonly role?: 'viewer' | 'member' | 'operator';
    readonly query?: string;
    readonly body?: unknown;
    readonly project?: string;
  }

  const book = (...rows: readonly Partial<LedgerRecord>[]) =>
    server.server.store.recorder.recordLedger(
      rows.map((row) => ({
        ...ledgerRecord({
          projectId: server.projectId,
          sessionId: randomUUID(),
          id: randomUUID(),
        }),
        createdAt: hoursAgo(1),
        ...row,
      })),
    );
  const providerOf = async (slug: string, operation: string, query = '') => {
    const { json } = await ask('listProviders', { query });
    const isMeant = (one: ConsoleProvider) => one.slug === slug && one.operation === operation;
    const found = json.providers.find(isMeant);
    if (!found) throw new Error(`${slug} is not in the list`);
    return found;
  };

  it('lists what each provider supplies, by field and tier', async () => {
    const { json } = await ask('listProviders');
    const exa = await providerOf('exa', 'search');
    expect(exa.supply.find(({ field }) => field === 'url')).toMatchObject({
      kind: 'always',
      tiers: ['minimalist', 'default', 'extended', 'max'],
    });
    expect(exa.supply.find(({ field }) => field === 'full_content')).toMatchObject({
      kind: 'on_condition',
      tiers: ['max'],
      reason: expect.any(String),
    });
    expect(exa.supply.find(({ field }) => field === 'entities')).toMatchObject({
      kind: 'never',
      tiers: [],
    });
    expect(exa.filters.find(({ filter }) => filter === 'language')).toEqual({
      filter: 'language',
      method: 'unsupported',
      reason: 'has no language filter',
    });
    const fetches = json.providers.filter(({ operation }) => operation === 'fetch');
    expect(fetches.map(({ slug }) => slug)).toContain('direct');
    expect(fetches.find(({ slug }) => slug === 'direct')).toMatchObject({
      circuit: null,
      filters: [],
    });
  });

  it('says whether a credential is set, missing or refused, and never shows it', async () => {
    const { text } = await ask('listProviders');
    expect(text).not.toContain('planted-');
    expect(await providerOf('serpapi', 'search')).toMatchObject({
      credential: 'missing',
      setting: 'SERPAPI_API_KEY',
    });
    expect((await providerOf('brave', 'search')).credential).toBe('set');
    expect((await providerOf('direct', 'fetch')).credential).toBe('not_needed');
    const refused = {
      provider: 'you',
      outcome: 'failed',
      errorCode: 'invalid_credential',
    } as const;
    await book({ ...refused, createdAt: hoursAgo(2) });
    expect((await providerOf('you', 'search')).credential).toBe('refused');
    await book({ provider: 'you', createdAt: hoursAgo(1) });
    expect((await providerOf('you', 'search')).credential).toBe('set');
  });

  it('says how good the answers of search providers are', async () => {
    await countAnswers(server, 'exa', { good: 130, empty: 70 });
    await countAnswers(server, 'brave', { good: 200, empty: 0 });
    const answersOf = async (slug: string, operation = 'search') =>
      (await providerOf(slug, operation)).answers?.state;
    await expect.poll(() => answersOf('exa')).toBe('ill');
    await expect.poll(() => answersOf('brave')).toBe('well');
    expect(await answersOf('tavily')).toBe('unknown');
    expect((await providerOf('tavily', 'fetch')).answers).toBeNull();
  });

  it('counts failures of the provider, of the page and calls that were not sent apart', async () => {
    const failed = { provider: 'tavily', outcome: 'failed', costMicros: null } as const;
    const place = { sessionId: randomUUID(), interactionId: randomUUID() };
    await book(
      ...Array.from({ length: 8 }, (_, index) => ({
        provider: 'tavily',
        latencyMs: (index + 1) * 100,
        resultCount: index === 0 ? 0 : 5,
        costMicros: 8_000,
      })),
      { provider: 'tavily', latencyMs: 900, resultCount: null, costMicros: 8_000 },
      { ...failed, errorCode: 'timeout', createdAt: hoursAgo(3) },
      { ...failed, errorCode: 'timeout', createdAt: hoursAgo(2), ...place },
      { ...failed, errorCode: 'network_error', calls: 0, costMicros: 0, latencyMs: null },
      { ...failed, errorCode: 'circuit_open', calls: 0, costMicros: 0, latencyMs: null },
      { ...failed, errorCode: 'not_found', batchIndex: null },
    );
    const search = (await providerOf('tavily', 'search')).figures;
    expect(search).toMatchObject({
      asked: 12,
      failed: 3,
      page_failures: 0,
      not_sent: 1,
      empty: 1,
      counted: 8,
      latency_ms: { p50: 500, p80: 800, p95: 900 },
      calls: 11,
      unpriced_calls: 2,
      cost_usd: 0.072,
    });
    expect(search.failures).toMatchObject([
      {
        code: 'timeout',
        kind: 'provider',
        runs: 2,
        latest: { session_id: place.sessionId, interaction_id: place.interactionId },
      },
      { code: 'circuit_open', kind: 'not_sent', runs: 1 },
      { code: 'network_error', kind: 'provider', runs: 1 },
    ]);
    const fetch = (await providerOf('tavily', 'fetch')).figures;
    expect(fetch).toMatchObject({ asked: 1, failed: 0, page_failures: 1, latency_ms: null });
  });

  it('counts the rows that a search of this server brought', async () => {
    await server.search({
      user_input: { query: 'tides' },
      search: { providers: { include: ['linkup'] } },
    });
    const { figures } = await providerOf('linkup', 'search');
    expect(figures).toMatchObject({ asked: 1, counted: 1, empty: 0 });
  });

  it('lists the keys and addresses of a provider, each with its state', async () => {
    const closed = { state: 'closed', cause: null, retry_after_ms: null };
    expect((await providerOf('brave', 'search')).accesses).toEqual([
      { key_tail: 'q=&x', address: null, circuit: closed },
    ]);
    const [own] = (await providerOf('searxng', 'search')).accesses;
    expect(own).toEqual({
      key_tail: null,
      address: expect.stringContaining('/searxng'),
      circuit: closed,
    });
    expect((await providerOf('serpapi', 'search')).accesses).toEqual([]);
    expect((await providerOf('direct', 'fetch')).accesses).toEqual([]);
  });

  it('shows the time that was asked for, of the own project only', async () => {
    await book({ provider: 'seltz', createdAt: hoursAgo(30) });
    await book({ provider: 'seltz', projectId: other.projectId });
    expect((await providerOf('seltz', 'search')).figures.asked).toBe(0);
    const query = `?from=${hoursAgo(48)}&to=${hoursAgo(24)}`;
    expect((await providerOf('seltz', 'search', query)).figures.asked).toBe(1);
    const turned = await ask('listProviders', { query: `?from=${hoursAgo(1)}&to=${hoursAgo(2)}` });
    expect([turned.status, turned.text]).toEqual([400, expect.stringContaining('from must be')]);
    const long = await ask('listProviders', { query: `?from=${hoursAgo(24 * 40)}` });
    expect([long.status, long.text]).toEqual([400, expect.stringContaining('at most 31 days')]);
  });

  it('names the keys of the month’s spending, deleted ones and the console’s own included', async () => {
    const { keys } = server.server.store;
    const gone = await server.makeKey('main');
    await keys.changeKey(gone.id, { monthlyBudgetMicros: 2_000_000 });
    await keys.limitProject('main', { monthlyBudgetMicros: 50_000_000 });
    await book({ keyId: gone.id, costMicros: 500_000, createdAt: new Date().toISOString() });
    await keys.deleteKey(gone.id, new Date().toISOString());
    await as('viewer').call('GET', server.path('/v1/usage'));
    const { json } = await ask('readSpending');
    expect(json.budget_usd).toBe(50);
    expect(json.spent_usd).toBeGreaterThanOrEqual(0.5);
    expect(json.projected_usd).toBeGreaterThanOrEqual(json.spent_usd);
    expect(json.keys.find(({ key_id }) => key_id === gone.id)).toMatchObject({
      name: 'main',
      state: 'deleted',
      budget_usd: 2,
      spent_usd: 0.5,
    });
    expect(json.keys.map(({ state }) => state)).toContain('console');
    await keys.limitProject('main', { monthlyBudgetMicros: null });
  });

  it('shows a viewer the usage of the project, though the console’s key made no call', async () => {
    await book({ provider: 'ceramic' });
    const { json } = await as('viewer').call('GET', server.path('/v1/usage?group_by=provider'));
    expect(json.rows.map(({ provider }: { provider: string }) => provider)).toContain('ceramic');
  });

  it('adds up the projects of a person, and no other', async () => {
    await book({ provider: 'ceramic', projectId: other.projectId, costMicros: 1_000_000 });
    const own = await ask('listProjectUsage');
    expect(own.json.rows.map(({ name }) => name)).toEqual(['main']);
    const all = await ask('listProjectUsage', { role: 'operator' });
    expect(all.json.rows.map(({ name }) => name)).toEqual(['another project', 'main']);
    expect(all.json.rows[0]?.cost_usd).toBeGreaterThanOrEqual(1);
  });

  it('shows the ranking, and what it would do with a query and why', async () => {
    server.sandbox.clearCalls();
    const { json: ranking } = await ask('readRanking');
    const news = ranking.topics.find(({ topic }) => topic === 'news');
    expect(news?.routed).toBe(true);
    expect(news?.places[0]).toMatchObject({ place: 1, reason: expect.any(String) });
    expect(news?.places[0]?.source).toMatch(/^https:/);
    expect(ranking.topics.find(({ topic }) => topic === 'general')?.routed).toBe(false);
  });

  it('reports searches by topic with their intervals', async () => {
    await server.search({
      user_input: { query: 'latest news about the election' },
      search: { auto_routing: 'accuracy' },
    });
    const { json } = await ask('readRoutingReport', { query: '?days=2' });
    const news = json.topics.find(({ topic }) => topic === 'news');
    expect(news?.runs).toBe(3);
    expect(news?.providers[0]).toMatchObject({
      place: 1,
      failed: { mean: 0, low: 0, high: expect.any(Number) },
    });
    expect((await ask('readRoutingReport', { query: '?days=400' })).status).toBe(422);
  });

  it.each([
    ['listProviders', { query: '?from=yesterday' }, 422],
    ['listProviders', { project: randomUUID() }, 404],
  ] as const)('%s refuses %j with %i', async (id, asked, status) => {
    expect((await ask(id, asked)).status).toBe(status);
  });
});
