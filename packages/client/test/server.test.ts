import { ADMIN_ROUTES, ROUTES, type RouteId } from '@trawl/contract';
import { answers } from '@trawl/test-support/client-stub';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  failuresOf,
  isAuthError,
  isProviderUnavailable,
  isValidationError,
  pagesOf,
  rowsOf,
  type SearchEvent,
  Trawl,
  type TrawlAdmin,
} from '../src/index.ts';
import { clientOf, collect, failureOf } from './support/client-of.ts';

let server: TestServer;
let client: Trawl;
beforeAll(async () => {
  // no watch runs: each test counts its own calls
  server = await startTestServer({ watchTimes: { lookMs: 3_600_000 } });
  client = new Trawl({ baseUrl: server.url, apiKey: server.key });
});
afterAll(() => server.stop());
beforeEach(() => server.sandbox.clearCalls());

const PAIR = { providers: { include: ['exa', 'brave'] } };
const PAGE = 'https://news.example.com/a-page';

/** The client method of every route; a route without one does not compile. */
const METHODS: Readonly<
  Record<Exclude<RouteId, AdminRouteId>, keyof Trawl> & Record<AdminRouteId, keyof TrawlAdmin>
> = {
  search: 'search',
  fetch: 'fetch',
  createInteraction: 'createInteraction',
  context: 'context',
  readInteraction: 'readInteraction',
  replay: 'replay',
  diff: 'diff',
  verify: 'verify',
  giveFeedback: 'giveFeedback',
  readFeedback: 'readFeedback',
  listSessions: 'listSessions',
  sessionHistory: 'sessionHistory',
  sessionTrajectory: 'sessionTrajectory',
  deleteSession: 'deleteSession',
  usage: 'usage',
  preprocessors: 'preprocessors',
  fetchProviders: 'fetchProviders',
  probe: 'probe',
  providerHealth: 'providerHealth',
  resetProviderHealth: 'resetProviderHealth',
  createWatch: 'createWatch',
  listWatches: 'listWatches',
  readWatch: 'readWatch',
  changeWatch: 'changeWatch',
  deleteWatch: 'deleteWatch',
  runWatch: 'runWatch',
  watchNews: 'watchNews',
  health: 'health',
  readiness: 'readiness',
  openapi: 'openapi',
  listProjects: 'listProjects',
  createProject: 'createProject',
  readProject: 'readProject',
  changeProject: 'changeProject',
  deleteProject: 'deleteProject',
  listKeys: 'listKeys',
  createKey: 'createKey',
  readKey: 'readKey',
  changeKey: 'changeKey',
  deleteKey: 'deleteKey',
  rotateKey: 'rotateKey',
  listMembers: 'listMembers',
};
type AdminRouteId = keyof typeof ADMIN_ROUTES;

describe('every route', () => {
  test.each(Object.keys(ROUTES) as RouteId[])('%s has a method', (id) => {
    const methods: object = Object.hasOwn(ADMIN_ROUTES, id) ? client.admin : client;
    expect(methods).toHaveProperty(METHODS[id], expect.any(Function));
  });

  test('4.1 search, and the interaction read back', async () => {
    const answer = await client.search({ user_input: { query: 'tidal power' }, search: PAIR });
    expect(answer.status).toBe('succeeded');
    expect(answer.preprocessor_runs.map((run) => run.preprocessor_name)).toEqual(['exa', 'brave']);
    const { session_id, interaction_id } = answer;
    expect(await client.readInteraction({ session_id, interaction_id })).toMatchObject(answer);
  });

  test('feedback on a result, read back', async () => {
    const answer = await client.search({ user_input: { query: 'tidal power' }, search: PAIR });
    const id = answer.interaction_id;
    const results = [{ provider: 'exa', rank: 2, verdict: 'right' }] as const;
    const kept = await client.giveFeedback(id, { results, note: 'checked' });
    expect(kept.results).toMatchObject([{ provider: 'exa', rank: 2, note: 'checked' }]);
    expect(await client.readFeedback(id)).toEqual(kept);
  });

  test('4.2 an interaction with a postprocessor', async () => {
    const answer = await client.createInteraction({
      user_id: 'u1',
      user_input: { query: 'tidal power' },
      postprocessor_names: ['rank_fusion'],
      search: PAIR,
    });
    expect(answer.postprocessor_runs).toHaveLength(1);
  });

  test('4.3 fetch', async () => {
    const answer = await client.fetch({ urls: [PAGE, 'https://news.example.com/missing'] });
    expect(pagesOf(answer).map(({ url, status }) => [url, status])).toEqual([
      [PAGE, 'succeeded'],
      ['https://news.example.com/missing', 'failed'],
    ]);
    expect(failuresOf(answer)).toMatchObject([
      { code: 'not_found', url: 'https://news.example.com/missing' },
    ]);
  });

  test('4.5 to 4.7 sessions, history, trajectory, and deleting', async () => {
    const { session_id, interaction_id } = await client.createInteraction({});
    const { sessions } = await client.listSessions({ limit: 1 });
    expect(sessions.map(({ id }) => id)).toEqual([session_id]);
    const short = await client.sessionHistory(session_id);
    expect(short.interactions.map(({ id }) => id)).toEqual([interaction_id]);
    const full = await client.sessionHistory(session_id, { type: 'full' });
    expect(full.interactions[0]?.metadata).toEqual({});
    const { trajectory } = await client.sessionTrajectory(session_id);
    expect(trajectory.children[0]?.entity_id).toBe(interaction_id);
    expect(await client.deleteSession(session_id)).toBeUndefined();
    expect((await failureOf(client.sessionHistory(session_id))).status).toBe(404);
  });

  test('watches: made, listed, read, changed, with their news, and deleted', async () => {
    const search = { user_input: { query: 'tidal power' }, search: PAIR };
    const made = await client.createWatch({ interval_minutes: 60, search });
    expect(made).toMatchObject({ state: 'active', search });
    expect((await client.listWatches()).watches).toEqual([made]);
    expect(await client.readWatch(made.id)).toEqual(made);
    const paused = await client.changeWatch(made.id, { state: 'paused' });
    expect(paused).toEqual({ ...made, state: 'paused', next_run_at: null });
    expect(await client.watchNews(made.id, { after: '0', limit: 1 })).toEqual({
      watch_id: made.id,
      news: [],
    });
    expect(await client.deleteWatch(made.id)).toBeUndefined();
    expect((await failureOf(client.readWatch(made.id))).status).toBe(404);
  });

  test('rosters, usage, health, readiness and the OpenAPI document, without a key where none is needed', async () => {
    const open = new Trawl({ baseUrl: server.url });
    expect((await open.preprocessors()).preprocessors.map(({ slug }) => slug)).toContain('exa');
    expect((await open.fetchProviders()).fetch_providers.length).toBeGreaterThan(5);
    expect(await open.health()).toEqual({ status: 'ok' });
    expect(await open.readiness()).toEqual({ status: 'ok' });
    expect((await open.openapi()).openapi).toBe('3.1.0');
    await client.search({ user_input: { query: 'wave power' }, search: PAIR });
    const { rows } = await client.usage({ group_by: 'provider' });
    expect(rows.map(({ provider }) => provider)).toContain('exa');
  });

  test('dry runs return the price, and call no provider', async () => {
    const search = await client.searchDryRun({ user_input: { query: 'x' }, search: PAIR });
    const fetched = await client.fetchDryRun({ urls: [PAGE] });
    expect(search.calls.map(({ provider }) => provider)).toEqual(['exa', 'brave']);
    expect([search.dry_run, fetched.calls[0]?.url]).toEqual([true, PAGE]);
    expect(server.sandbox.calls).toEqual([]);
  });
});

describe('errors', () => {
  test('7.2 an invalid request', async () => {
    const wrong = { user_input: { query: 'x' }, search: { num_results: 99 } };
    const error = await failureOf(client.search(wrong));
    expect(isValidationError(error)).toBe(true);
    expect(error.issues[0]?.loc).toEqual(['body', 'search', 'num_results']);
    expect(error.requestId).toMatch(/./);
  });

  test('7.1 an invalid fetch', async () => {
    const error = await failureOf(client.fetch({ urls: [PAGE, 'no url'] }));
    expect(error).toMatchObject({ status: 422, code: 'invalid_url', param: 'urls[1]', issues: [] });
  });

  test('5 a wrong key, in both families', async () => {
    const stranger = new Trawl({ baseUrl: server.url, apiKey: 'tk_unknown' });
    const detail = await failureOf(stranger.usage());
    const typed = await failureOf(stranger.fetch({ urls: [PAGE] }));
    expect([isAuthError(detail), isAuthError(typed)]).toEqual([true, true]);
    expect([detail.code, typed.code]).toEqual(['unauthorized', 'unauthorized']);
  });

  test('7.1 a pinned fetch that reaches no page is billed once and says where it is recorded', async () => {
    server.sandbox.inject('tavily', 'status=500');
    const error = await failureOf(
      client.fetch({ urls: [PAGE], options: { providers: ['tavily'] } }),
    );
    server.sandbox.clearFaults();
    expect(isProviderUnavailable(error)).toBe(true);
    const { sessionId, interactionId } = error;
    const stored = await client.readInteraction({
      session_id: sessionId ?? '',
      interaction_id: interactionId ?? '',
    });
    expect(stored.status).toBe('failed');
    expect((await client.sessionHistory(sessionId ?? '')).interactions).toHaveLength(1);
  });
});

describe('idempotency', () => {
  test('a lost answer is requested again and paid once', async () => {
    let tries = 0;
    const replayed: (string | null)[] = [];
    const lossy = new Trawl({
      baseUrl: server.url,
      apiKey: server.key,
      retryDelayMs: 1,
      fetch: async (...request) => {
        const response = await globalThis.fetch(...request);
        tries += 1;
        if (tries > 1) return response;
        await response.text();
        throw new TypeError('fetch failed');
      },
    });
    const answer = await lossy.search(
      { user_input: { query: 'tidal power' }, search: PAIR },
      { onResponse: ({ headers }) => replayed.push(headers.get('idempotency-replayed')) },
    );
    expect([tries, replayed]).toEqual([2, ['true']]);
    expect(server.sandbox.calls).toHaveLength(2);
    expect((await client.sessionHistory(answer.session_id)).interactions).toHaveLength(1);
  });
});

describe('streams', () => {
  test('runs arrive one by one, the answer last', async () => {
    const query = 'tidal power [[exa:latency=300]] [[tavily:status=400]]';
    const include = ['exa', 'brave', 'tavily'];
    const events = await collect(
      client.searchStream({ user_input: { query }, search: { providers: { include } } }),
    );
    const named = events.map((event) =>
      event.type === 'run' ? event.run.preprocessor_name : event.type,
    );
    expect(named.slice(-2)).toEqual(['exa', 'done']);
    expect(named.slice(0, 2).sort()).toEqual(['brave', 'tavily']);
    const done = events.at(-1);
    if (done?.type !== 'done') throw new Error('the last event is not the answer');
    expect(failuresOf(done.answer).map(({ provider }) => provider)).toEqual(['tavily']);
    expect(rowsOf(done.answer).length).toBeGreaterThan(0);
  });

  test('pages arrive one by one, and so do the runs of an interaction', async () => {
    const pages = await collect(client.fetchStream({ urls: [PAGE, `${PAGE}/two`] }));
    expect(pages.map(({ type }) => type)).toEqual(['page', 'page', 'done']);
    const runs = await collect(
      client.createInteractionStream({ user_input: { query: 'x' }, search: PAIR }),
    );
    expect(runs.map(({ type }) => type)).toEqual(['run', 'run', 'done']);
  });

  test('a request with a key that the caller leaves is finished, and the key returns its answer', async () => {
    const request = { user_input: { query: 'wind [[exa:latency=200]]' }, search: PAIR };
    const options = { idempotencyKey: 'left-early' };
    const seen: SearchEvent[] = [];
    for await (const event of client.searchStream(request, options)) {
      seen.push(event);
      break;
    }
    expect(seen).toMatchObject([{ type: 'run', run: { preprocessor_name: 'brave' } }]);
    const answer = await client.search(request, options);
    expect(answer.preprocessor_runs.map(({ status }) => status)).toEqual([
      'succeeded',
      'succeeded',
    ]);
    expect(server.sandbox.calls).toHaveLength(2);
  });
});

describe('the operator API', () => {
  test('projects and keys are made, listed, changed, rotated and deleted', async () => {
    const { key: apiKey } = await server.makeKey('operators', ['admin']);
    const { admin } = new Trawl({ baseUrl: server.url, apiKey });
    const project = await admin.createProject({ name: 'bots', monthly_budget_usd: 5 });
    expect(await admin.readProject(project.id)).toEqual(project);
    const limited = await admin.changeProject(project.id, { monthly_budget_usd: null });
    expect(limited).toEqual({ ...project, monthly_budget_usd: null });
    const made: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const wanted = { project_id: project.id, name: `bot ${n}`, permissions: ['search'] as const };
      made.push((await admin.createKey(wanted)).id);
    }
    const own = { project_id: project.id };
    for (const limit of [1, 2, 3, 50]) {
      const keys = await collect(admin.keys({ ...own, limit }));
      expect(keys.map(({ id }) => id)).toEqual(made);
    }
    const [first = '', second = '', third = ''] = made;
    expect((await admin.changeKey(first, { disabled: true })).disabled).toBe(true);
    expect((await admin.readKey(first)).disabled).toBe(true);
    const next = await admin.rotateKey(second, { grace: 'now' });
    const user = new Trawl({ baseUrl: server.url, apiKey: next.secret });
    expect((await user.search('tidal power')).status).toBe('succeeded');
    await admin.deleteKey(third);
    expect((await admin.listKeys({ ...own, name: 'bot 2' })).keys).toEqual([]);
    expect((await collect(admin.projects({ name: 'bots' }))).map(({ id }) => id)).toEqual([
      project.id,
    ]);
    expect(await collect(admin.members())).toEqual([]);
    const refused = await failureOf(admin.deleteProject(project.id));
    expect(refused).toMatchObject({ status: 400 });
    const stranger = await failureOf(client.admin.listProjects());
    expect(isAuthError(stranger)).toBe(true);
  });

  test('a call that makes something is not repeated after a lost answer', async () => {
    const { client: lossy, server: stub } = await clientOf(
      { maxRetries: 3 },
      answers(503, { detail: 'unavailable' }),
      answers(200, {}),
    );
    const project_id = '0190a0a0-0000-7000-8000-000000000001';
    const wanted = { project_id, name: 'bot', permissions: ['search'] as const };
    expect(await failureOf(lossy.admin.createKey(wanted))).toMatchObject({ status: 503 });
    expect(stub.received).toHaveLength(1);
  });
});

describe('paging', () => {
  test('sessions of any number, each once, newest first', async () => {
    const { key } = await server.makeKey('paging');
    const own = new Trawl({ baseUrl: server.url, apiKey: key });
    expect(await collect(own.sessions())).toEqual([]);
    const made: string[] = [];
    for (let n = 0; n < 7; n += 1) made.unshift((await own.createInteraction({})).session_id);
    for (const limit of [1, 2, 3, 7, 50]) {
      const sessions = await collect(own.sessions({ limit }));
      expect(sessions.map(({ id }) => id).sort()).toEqual([...made].sort());
      const times = sessions.map((session) => session.latest_interaction_at);
      expect(times).toEqual([...times].sort().reverse());
    }
  });

  test('sessions of the same moment are ordered by id', async () => {
    const at = '2026-01-01T00:00:00.000Z';
    const session = (id: string) => ({ id, latest_interaction_at: at });
    const { client: paging, server: stub } = await clientOf(
      {},
      answers(200, { sessions: [session('a'), session('b')] }),
      answers(200, { sessions: [session('c')] }),
    );
    expect((await collect(paging.sessions({ limit: 2 }))).map(({ id }) => id)).toEqual([
      'a',
      'b',
      'c',
    ]);
    const sent = new URL(stub.received[1]?.path ?? '', stub.url).searchParams;
    expect(Object.fromEntries(sent)).toEqual({ limit: '2', before: at, before_id: 'b' });
  });

  test('every page of sessions is asked for with the same filters', async () => {
    const page = { sessions: [{ id: 'a', latest_interaction_at: '2026-01-01T00:00:00.000Z' }] };
    const { client: paging, server: stub } = await clientOf(
      {},
      answers(200, page),
      answers(200, { sessions: [] }),
    );
    await collect(paging.sessions({ limit: 1, include: 'summary', session_id: 'a' }));
    const asked = stub.received.map(({ path = '' }) => new URL(path, stub.url).searchParams);
    expect(asked.map((sent) => [sent.get('include'), sent.get('session_id')])).toEqual([
      ['summary', 'a'],
      ['summary', 'a'],
    ]);
  });

  test('a session’s interactions, oldest first, in full on request', async () => {
    const { session_id } = await client.createInteraction({ metadata: { n: 0 } });
    for (let n = 1; n < 5; n += 1) await client.createInteraction({ session_id, metadata: { n } });
    for (const limit of [1, 2, 5, 100]) {
      const all = await collect(client.history(session_id, { type: 'full', limit }));
      expect(all.map(({ metadata }) => metadata?.n)).toEqual([0, 1, 2, 3, 4]);
    }
  });

  test('pages are read when they are needed', async () => {
    const { session_id } = await client.createInteraction({});
    await client.createInteraction({ session_id });
    let requests = 0;
    const options = {
      onResponse: () => {
        requests += 1;
      },
    };
    for await (const _ of client.history(session_id, { limit: 1 }, options)) break;
    expect(requests).toBe(1);
  });
});
