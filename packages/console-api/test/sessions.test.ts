import { randomUUID } from 'node:crypto';
import {
  type Browser,
  type ConsoleServer,
  startConsoleServer,
} from '@trawl/test-support/console-server';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { afterAll, beforeAll, expect, it } from 'vitest';

describeOnDatabases('sessions over the console’s API', (database) => {
  let server: ConsoleServer;
  let viewer: Browser;
  let foreign: { key: string; projectId: string };
  let searched: { session_id: string; interaction_id: string };
  let fetched: { session_id: string; interaction_id: string };
  let others: { session_id: string; interaction_id: string };

  beforeAll(async () => {
    server = await startConsoleServer({ database });
    viewer = await server.person('viewer');
    foreign = await server.makeKey('another');
    const include = ['exa', 'brave'];
    searched = (
      await server.search({
        user_input: { query: 'harbour cranes' },
        search: { providers: { include } },
        metadata: { customer: 'acme' },
      })
    ).json;
    fetched = (await server.fetch({ urls: ['https://example.com/cranes'] })).json;
    others = (
      await server.search(
        { user_input: { query: 'harbour secrets' }, search: { providers: { include } } },
        { key: foreign.key },
      )
    ).json;
  });
  afterAll(() => server.stop());

  const list = async (query: string, by = viewer) =>
    by.call('GET', server.path(`/sessions${query}`));
  const idsOf = (answer: { json: { sessions: readonly { id: string }[] } }) =>
    answer.json.sessions.map(({ id }) => id);

  it('lists to a viewer what was recorded, with its cost and providers', async () => {
    const answer = await list('');
    expect(answer.status).toBe(200);
    expect(idsOf(answer)).toStrictEqual([fetched.session_id, searched.session_id]);
    const [, row] = answer.json.sessions;
    expect(row).toMatchObject({
      input: 'harbour cranes',
      kind: 'search',
      outcomes: { succeeded: 1, partial: 0, failed: 0 },
      keys: [{ id: server.keyId, name: 'main' }],
      metadata_keys: ['customer'],
      calls: 2,
    });
    expect(row.providers.map(({ name }: { name: string }) => name)).toStrictEqual(['brave', 'exa']);
    expect(row.cost_usd + row.unpriced_calls).toBeGreaterThan(0);
    expect(answer.json).toMatchObject({ next: null, total: 2, examined_until: null });
  });

  it.each([
    ['?provider=exa', true, false],
    ['?text=CRANES', true, true],
    ['?text=harbour', true, false],
    ['?metadata=customer%3Dacme', true, false],
    ['?outcome=failed', false, false],
    ['?key_id=nothing', false, false],
    ['?min_cost_usd=1000', false, false],
    ['?from=2020-01-01T00:00:00%2B02:00&to=2999-01-01T00:00:00Z', true, true],
    ['?to=2020-01-01T00:00:00Z', false, false],
  ])('filters on the server: %s', async (query, hasSearch, hasFetch) => {
    const ids = idsOf(await list(query));
    expect(ids.includes(searched.session_id)).toBe(hasSearch);
    expect(ids.includes(fetched.session_id)).toBe(hasFetch);
  });

  it.each([
    ['?metadata=acme', 'metadata', 'key=value'],
    ['?min_cost_usd=much', 'min_cost_usd', 'a number'],
    ['?min_duration_ms=-1', 'min_duration_ms', '0'],
    ['?after=nothing', 'after', 'next'],
    ['?from=yesterday', 'from', ''],
    ['?outcome=odd', 'outcome', 'failed'],
    [`?text=${'x'.repeat(301)}`, 'text', '300'],
  ])('refuses a filter that it cannot read: %s', async (query, name, text) => {
    const answer = await list(query);
    expect(answer.status).toBe(422);
    expect(answer.json.detail[0].loc).toStrictEqual(['query', name]);
    expect(JSON.stringify(answer.json.detail[0])).toContain(text);
  });

  it('reports as new only what the filter lets through, and nothing of another project', async () => {
    const { newest } = (await list('')).json;
    const include = ['exa'];
    const body = (query: string) => ({ user_input: { query }, search: { providers: { include } } });
    await server.search(body('late heron'), { key: foreign.key });
    const quiet = await list(`?newer_than=${newest}`);
    expect(idsOf(quiet)).toStrictEqual([]);
    const heron = (await server.search(body('late heron'))).json;
    await server.search(body('late gull'));
    const live = await list(`?newer_than=${quiet.json.newest}&text=heron`);
    expect(idsOf(live)).toStrictEqual([heron.session_id]);
  });

  it('reads an interaction with what it cost, and its session as turns', async () => {
    const path = server.path(`/interactions/${searched.interaction_id}`);
    const { status, json } = await viewer.call('GET', path);
    expect(status).toBe(200);
    const query = `session_id=${searched.session_id}&interaction_id=${searched.interaction_id}`;
    const recorded = await server.call('GET', `/v1/interactions?${query}`);
    expect(json.interaction).toStrictEqual(recorded.json);
    expect(json.facts).toMatchObject({
      key: { id: server.keyId, name: 'main' },
      user_id: null,
      previous_id: null,
      next_id: null,
    });
    const runs = recorded.json.preprocessor_runs.map(({ id }: { id: string }) => id);
    expect(json.facts.calls.map(({ run_id }: { run_id: string }) => run_id).sort()).toStrictEqual(
      runs.toSorted(),
    );
    const turns = await viewer.call('GET', server.path(`/sessions/${fetched.session_id}/turns`));
    expect(turns.json).toMatchObject({
      next_after: null,
      turns: [
        {
          id: fetched.interaction_id,
          kind: 'fetch',
          input: 'https://example.com/cranes',
          input_count: 1,
        },
      ],
    });
  });

  it('shows and finds a fetch by how its pages ended', async () => {
    const urls = ['https://news.example.com/a-page', 'https://news.example.com/missing'];
    const [, missing = ''] = urls;
    const partial = (await server.fetch({ urls })).json;
    const lost = (await server.fetch({ urls: [missing] })).json;
    expect([partial.status, lost.status]).toStrictEqual(['succeeded', 'succeeded']);
    const found = async (outcome: string) => idsOf(await list(`?outcome=${outcome}`));
    expect(await found('failed')).toStrictEqual([lost.session_id]);
    expect(await found('partial')).toStrictEqual([partial.session_id]);
    expect(await found('succeeded')).not.toContain(lost.session_id);
    const [row] = (await list('?outcome=failed')).json.sessions;
    expect(row.outcomes).toStrictEqual({ succeeded: 0, partial: 0, failed: 1 });
    const turns = await viewer.call('GET', server.path(`/sessions/${lost.session_id}/turns`));
    expect(turns.json.turns).toMatchObject([{ outcome: 'failed' }]);
    const one = await viewer.call('GET', server.path(`/interactions/${lost.interaction_id}`));
    expect(one.json.facts.outcome).toBe('failed');
    const query = `/v1/sessions?include=summary&session_id=${partial.session_id}`;
    const { json } = await server.call('GET', query);
    expect(json.sessions[0].summary.outcomes).toStrictEqual({
      succeeded: 0,
      partial: 1,
      failed: 0,
    });
  });

  it('offers what was used to filter by', async () => {
    const { json } = await viewer.call('GET', server.path('/session-filters'));
    expect(json.providers).toContain('exa');
    expect(json.keys).toStrictEqual([{ id: server.keyId, name: 'main' }]);
  });

  it('shows nothing to a stranger, of another project, or of what does not exist', async () => {
    const rests = (own: typeof others) => [
      `/sessions/${own.session_id}`,
      `/sessions/${own.session_id}/turns`,
      `/interactions/${own.interaction_id}`,
    ];
    const missing = { session_id: randomUUID(), interaction_id: randomUUID() };
    for (const rest of [...rests(others), ...rests(missing)]) {
      const answer = await viewer.call('GET', server.path(rest));
      expect([rest, answer.status]).toStrictEqual([rest, 404]);
    }
    for (const rest of ['/sessions', '/session-filters', ...rests(others)]) {
      const path = server.path(rest, foreign.projectId);
      expect([path, (await viewer.call('GET', path)).status]).toStrictEqual([path, 404]);
      const stranger = await server.browser().call('GET', server.path(rest));
      expect([rest, stranger.status]).toStrictEqual([rest, 401]);
    }
    const cursor = server.path(
      `/sessions/${searched.session_id}/turns?after=${others.interaction_id}`,
    );
    expect((await viewer.call('GET', cursor)).status).toBe(404);
  });

  it('lets an admin delete a session, and no one below', async () => {
    const made = (await server.fetch({ urls: ['https://example.com/gone'] })).json;
    const path = server.path(`/v1/sessions/${made.session_id}`);
    const member = await server.person('member');
    expect((await member.call('DELETE', path)).status).toBe(403);
    const admin = await server.person('admin');
    expect((await admin.call('DELETE', path)).status).toBe(204);
    expect((await list(`?text=${made.session_id}`)).json.sessions).toStrictEqual([]);
  });
});
