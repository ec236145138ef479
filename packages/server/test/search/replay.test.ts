import { openDatabase } from '@trawl/database';
import { createRetention } from '@trawl/store';
import { describeMainlyOn } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

const UNKNOWN = '01a21ddb-2f1d-779c-94fb-2f086c1956e6';
/** More digits than a number of JavaScript has. */
const LONG_SEED = '"seed":12345678901234567890';
const PAGE = 'https://www.example.com/guides/rope-walks';

describeMainlyOn('SQLite', 'replays', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database });
  });
  afterAll(() => server.stop());
  beforeEach(() => server.sandbox.clearCalls());

  const WHOLE = {
    user_input: [{ query: 'tidal power' }, { query: 'rope walks' }],
    search: {
      providers: { include: ['exa', 'brave'] },
      tier: 'extended',
      num_results: 3,
      filters: { include_domains: ['example.com'], language: 'en' },
      provider_overrides: { exa: { seed: 7 } },
    },
    postprocessor_names: ['rank_fusion'],
    metadata: { step: 'first' },
  };
  const WHOLE_TEXT = JSON.stringify(WHOLE).replace('"seed":7', LONG_SEED);
  const interaction = async (rawBody: string) => {
    const answer = await server.call('POST', '/v1/interactions', { rawBody });
    expect([answer.status, answer.json.detail]).toEqual([200, undefined]);
    return answer.json;
  };
  const replay = (id: string, request: Parameters<typeof server.call>[2] = {}, query = '') =>
    server.call('POST', `/v1/interactions/${id}/replay${query}`, request);
  const sent = () =>
    server.sandbox.calls.map(({ vendor, body, query }) => ({ vendor, body, query }));

  it('take no options: a body with any is refused, and nothing is paid', async () => {
    const { interaction_id: id } = await interaction(WHOLE_TEXT);
    server.sandbox.clearCalls();
    const refused = async (request: object) => {
      const { status, json } = await replay(id, request);
      const [issue] = json.detail;
      return [status, issue.type ?? json.detail, issue.loc, issue.hint];
    };
    expect(await refused({ body: { dry_run: true } })).toEqual([
      ...[422, 'extra_forbidden', ['body', 'dry_run']],
      'dry_run is a query parameter: ?dry_run=…',
    ]);
    const search = { num_results: 1 };
    expect(await refused({ body: { search } })).toEqual([
      ...[422, 'extra_forbidden', ['body', 'search'], undefined],
    ]);
    expect((await refused({ rawBody: '{bad' })).slice(0, 2)).toEqual([422, 'json_invalid']);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await replay(id, { rawBody: 'dry_run=true', headers })).status).toBe(415);
    expect((await replay(id, {}, '?dryrun=true')).status).toBe(422);
    expect(server.sandbox.calls).toEqual([]);
    expect((await replay(id, { body: {} })).status).toBe(200);
  });

  it('send the same calls again, in the same session', async () => {
    const first = await interaction(WHOLE_TEXT);
    const before = sent();
    server.sandbox.clearCalls();
    const again = await replay(first.interaction_id);
    expect(again.status).toBe(200);
    expect(sent()).toEqual(before);
    expect(again.json).toMatchObject({
      session_id: first.session_id,
      status: first.status,
      postprocessor_runs: [{}, {}],
    });
    expect(again.json.interaction_id).not.toBe(first.interaction_id);
    const back = await server.call(
      'GET',
      `/v1/interactions?session_id=${first.session_id}&interaction_id=${again.json.interaction_id}`,
    );
    expect(back.json).toMatchObject({
      user_input: { queries: WHOLE.user_input },
      metadata: { step: 'first', replay_of: first.interaction_id },
    });
  });

  it('show their price first, and send, record and bill nothing for it', async () => {
    const { interaction_id: id, session_id } = await interaction(WHOLE_TEXT);
    server.sandbox.clearCalls();
    const { json } = await replay(id, {}, '?dry_run=true');
    expect(json).toMatchObject({ dry_run: true });
    expect(json.calls).toHaveLength(4);
    expect(sent()).toEqual([]);
    const { json: history } = await server.call('GET', `/v1/sessions/${session_id}/history`);
    expect(history.interactions).toHaveLength(1);
  });

  it('are paid once for an Idempotency-Key', async () => {
    const { interaction_id: id } = await interaction(WHOLE_TEXT);
    server.sandbox.clearCalls();
    const headers = { 'idempotency-key': `replay-of-${id}` };
    const first = await replay(id, { headers });
    const second = await replay(id, { headers });
    expect(second.json).toEqual(first.json);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(sent()).toHaveLength(4);
  });

  it('can be streamed', async () => {
    const { interaction_id: id } = await interaction(WHOLE_TEXT);
    const { text } = await replay(id, { headers: { accept: 'text/event-stream' } });
    expect(text.match(/^event: run$/gm)).toHaveLength(4);
    expect(text).toMatch(/^event: done$/m);
  });

  it('need a key that may search and read', async () => {
    const { interaction_id: id } = await interaction(WHOLE_TEXT);
    for (const [permissions, missing] of [
      [['search'], 'read'],
      [['read'], 'search'],
    ] as const) {
      const { key } = await server.makeKey('main', permissions);
      const refused = await replay(id, { key });
      expect([refused.status, refused.json.detail]).toMatchObject([
        403,
        expect.stringContaining(`it lacks the permission "${missing}"`),
      ]);
    }
    expect(
      (await replay(id, { key: (await server.makeKey('main', ['search', 'read'])).key })).status,
    ).toBe(200);
  });

  it('are refused for what is no search, not there, or of another project', async () => {
    const fetched = await server.fetch({ urls: [PAGE] });
    const plain = await interaction(JSON.stringify({ metadata: { step: 'plain' } }));
    const { interaction_id: id } = await interaction(WHOLE_TEXT);
    const { key } = await server.makeKey('another');
    server.sandbox.clearCalls();
    const refusals = [
      [await replay(fetched.json.interaction_id), 422, /is a fetch: only searches/],
      [await replay(plain.interaction_id), 422, /has no input: only searches/],
      [await replay(UNKNOWN), 404, /not found/],
      [await replay(id, { key }), 404, /not found/],
      [await replay('no-id'), 422, undefined],
    ] as const;
    for (const [{ status, json }, expected, detail] of refusals) {
      expect(status).toBe(expected);
      if (detail) expect(json.detail[0]?.msg ?? json.detail).toMatch(detail);
    }
    expect(sent()).toEqual([]);
  });

  it('are refused for a search whose request was not kept', async () => {
    const { interaction_id: id } = await interaction(WHOLE_TEXT);
    const { db } = openDatabase(server.database.location, { connections: 1 });
    await db.updateTable('interactions').set({ request: null }).where('id', '=', id).execute();
    await db.destroy();
    const refused = await replay(id);
    expect([refused.status, refused.json.detail]).toMatchObject([
      409,
      expect.stringMatching(/^The request of this search was not kept/),
    ]);
  });

  it('and comparisons say that a search was deleted, by a caller or for its age', async () => {
    const first = await interaction(WHOLE_TEXT);
    const kept = await interaction(WHOLE_TEXT);
    const usage = (await server.call('GET', '/v1/usage')).json.rows;
    await server.call('DELETE', `/v1/sessions/${first.session_id}`);
    const aged = await interaction(WHOLE_TEXT);
    const { db } = openDatabase(server.database.location, { connections: 1 });
    const old = { created_at: '2020-01-01T00:00:00.000Z' };
    for (const [table, id] of [
      ['interactions', aged.interaction_id],
      ['sessions', aged.session_id],
    ] as const) {
      await db.updateTable(table).set(old).where('id', '=', id).execute();
    }
    await db.destroy();
    server.sandbox.clearCalls();
    const { sweeps } = server.server.store;
    const log = { info: () => {}, error: () => {} };
    expect(await createRetention({ sweeps, days: 365, now: Date.now, log }).sweep()).toBe(1);
    const { key } = await server.makeKey('elsewhere');
    for (const { interaction_id: id } of [first, aged]) {
      const diff = (before: string, after: string) =>
        `/v1/interactions/${before}/diff?with=${after}`;
      for (const { status, json } of [
        await replay(id),
        await replay(id, {}, '?dry_run=true'),
        await server.call('GET', diff(id, kept.interaction_id)),
        await server.call('GET', diff(kept.interaction_id, id)),
      ]) {
        expect(status).toBe(404);
        expect(json.detail).toBe(
          `Interaction ${id} was deleted, by a caller or for its age: only its costs are left, in the usage`,
        );
      }
      // another project does not learn of it
      const strange = await replay(id, { key });
      expect(strange.json.detail).toBe(`Interaction ${id} not found`);
    }
    expect(sent()).toEqual([]);
    expect(usage.length).toBeGreaterThan(0);
  });

  it('are compared with the first by query and provider', async () => {
    const first = await interaction(WHOLE_TEXT);
    const again = await replay(first.interaction_id);
    const path = (id: string, other: string) => `/v1/interactions/${id}/diff?with=${other}`;
    const same = await server.call('GET', path(first.interaction_id, again.json.interaction_id));
    expect(same.json.queries).toMatchObject([
      { batch_index: 0, before: 'tidal power', after: 'tidal power' },
      { batch_index: 1, before: 'rope walks', after: 'rope walks' },
    ]);
    for (const { runs } of same.json.queries) {
      for (const run of runs) {
        const { rows } = run.before;
        expect(run).toMatchObject({ added: [], gone: [], moved: [], changed: [], same: rows });
        expect(run.before.cost_usd).toBe(run.after.cost_usd);
      }
    }

    const other = await interaction(
      JSON.stringify({
        user_input: { query: 'heat pumps' },
        search: { providers: { include: ['exa', 'tavily'] }, num_results: 2 },
      }),
    );
    const { json } = await server.call('GET', path(first.interaction_id, other.interaction_id));
    const [query, missing] = json.queries;
    expect(query).toMatchObject({ before: 'tidal power', after: 'heat pumps' });
    const byProvider = Object.fromEntries(
      query.runs.map((run: { provider: string }) => [run.provider, run]),
    );
    expect(byProvider.exa.gone.length + byProvider.exa.added.length).toBeGreaterThan(0);
    expect(byProvider.brave).toMatchObject({ after: null, added: [] });
    expect(byProvider.tavily).toMatchObject({ before: null, gone: [] });
    expect(missing).toMatchObject({ before: 'rope walks', after: null });

    const fetched = await server.fetch({ urls: [PAGE] });
    const wrong = await server.call('GET', path(first.interaction_id, fetched.json.interaction_id));
    expect([wrong.status, wrong.json.detail]).toMatchObject([
      422,
      [{ loc: ['query', 'with'], msg: expect.stringContaining('only searches can be compared') }],
    ]);
    expect((await server.call('GET', path(first.interaction_id, UNKNOWN))).status).toBe(404);
  });
});
