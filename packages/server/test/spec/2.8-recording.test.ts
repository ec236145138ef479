import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { fetchPages, ledgerOf, pageAt, type Row, readBack, UUID } from './support/fetch-tables.ts';
import { useServer } from './support/search-runs.ts';

const server = useServer();
const get = async (path: string) => (await server().call('GET', path)).json;

describe('2.8 session and metadata', () => {
  test('2.8 session_id: without one each fetch gets its own session', async () => {
    const first = await fetchPages(server(), pageAt());
    const second = await fetchPages(server(), pageAt());
    expect(first.answer.session_id).toMatch(UUID);
    expect(first.answer.session_id).not.toBe(second.answer.session_id);
  });

  test('2.8 session_id: an unknown one starts a session, and the next request joins it', async () => {
    const session_id = randomUUID();
    const first = await fetchPages(server(), pageAt(), {}, { session_id });
    const second = await fetchPages(
      server(),
      pageAt(),
      {},
      { session_id: session_id.toUpperCase() },
    );
    expect([first.answer.session_id, second.answer.session_id]).toEqual([session_id, session_id]);
    const { sessions } = await get('/v1/sessions');
    expect(sessions.find(({ id }: Row) => id === session_id)).toMatchObject({
      interaction_count: 2,
      created_at: first.answer.created_at,
      updated_at: second.answer.completed_at,
      latest_interaction_at: second.answer.created_at,
    });
  });

  test('2.8 session_id: a search and a fetch may share a session', async () => {
    const searched = await server().search({ user_input: { query: 'tides' } });
    const { session_id } = searched.json;
    const { answer } = await fetchPages(server(), pageAt(), {}, { session_id });
    expect(answer.session_id).toBe(session_id);
    const { interactions } = await get(`/v1/sessions/${session_id}/history`);
    expect(interactions.map(({ id }: Row) => id)).toEqual([
      searched.json.interaction_id,
      answer.interaction_id,
    ]);
  });

  test('2.8 metadata is read back as it was sent; without it, it is {}', async () => {
    const metadata = { a: [1, { b: null }], é: 'x', nested: { deep: [[]] } };
    const { answer } = await fetchPages(server(), pageAt(), {}, { metadata });
    expect((await readBack(server(), answer)).json.metadata).toEqual(metadata);
    const bare = await fetchPages(server(), pageAt());
    expect((await readBack(server(), bare.answer)).json.metadata).toEqual({});
  });

  test('2.8 metadata sets the trajectory', async () => {
    const metadata = {
      trajectory_id: randomUUID(),
      parent_trajectory_id: randomUUID(),
      trajectory_goal: 'compare mills',
    };
    const { answer } = await fetchPages(server(), pageAt(), {}, { metadata });
    expect(answer).toMatchObject(metadata);
  });

  test('2.8 metadata of another form is only stored', async () => {
    const metadata = { trajectory_id: 'mine', parent_trajectory_id: 5, trajectory_goal: [] };
    const { json, answer } = await fetchPages(server(), pageAt(), {}, { metadata });
    expect(json.trajectory_id).toMatch(UUID);
    expect(json).not.toHaveProperty('parent_trajectory_id');
    expect(json).not.toHaveProperty('trajectory_goal');
    expect((await readBack(server(), answer)).json.metadata).toEqual(metadata);
  });
});

describe('4.3 records', () => {
  test('4.3 GET answers what POST did, value for value, with user_input {urls}', async () => {
    const urls = [`${pageAt('A')}?utm_source=x#y`, pageAt('missing'), pageAt('blocked')];
    const { json, answer } = await fetchPages(server(), urls, { tier: 'max' });
    const { json: read } = await readBack(server(), answer);
    expect(read).toEqual({ ...json, user_input: { urls }, metadata: {} });
  });

  test('4.6 history shows the fetch; full has its run', async () => {
    const { json, answer } = await fetchPages(server(), pageAt(), {}, { metadata: { a: 1 } });
    const { session_id, interaction_id, created_at, completed_at } = answer;
    const short = await get(`/v1/sessions/${session_id}/history`);
    const item = {
      id: interaction_id,
      session_id,
      user_input: { urls: [json.preprocessor_runs[0].request_payload.urls[0]] },
      status: 'succeeded',
      outcome: 'succeeded',
      created_at,
      completed_at,
    };
    expect(short.interactions).toEqual([item]);
    const full = await get(`/v1/sessions/${session_id}/history?type=full`);
    expect(full.interactions).toMatchObject([
      { ...item, metadata: { a: 1 }, preprocessor_runs: json.preprocessor_runs },
    ]);
  });

  test('4.7 trajectory: below the run a document for each URL, in the order sent', async () => {
    const urls = [pageAt(), pageAt('missing'), pageAt()];
    const { answer, rows, run } = await fetchPages(server(), urls);
    const { trajectory } = await get(`/v1/sessions/${answer.session_id}/trajectory`);
    expect(trajectory.node_type).toBe('session');
    const [interaction] = trajectory.children;
    expect([interaction.node_id, interaction.children.length]).toEqual([
      `interaction:${answer.interaction_id}`,
      1,
    ]);
    const [node] = interaction.children;
    expect([node.node_id, node.node_type]).toEqual([`run:${run.id}`, 'preprocessor_run']);
    expect(
      node.children.map((one: Row) => [one.node_id, one.node_type, one.data.url, one.data.status]),
    ).toEqual(
      rows.map(({ url, status }, index) => [`${run.id}:${index}`, 'document', url, status]),
    );
    expect(node.children[0].label).toBe(rows[0].title);
  });

  test('4.3 the ledger has a row for every provider that was asked', async () => {
    const url = pageAt('', '[[tinyfish:status=503]] [[firecrawl:status=429]]');
    const { answer } = await fetchPages(server(), url);
    expect(await ledgerOf(server(), answer.interaction_id)).toEqual([
      'tinyfish 1 failed',
      'firecrawl 1 failed',
      'parallel 1 succeeded',
    ]);
  });

  test('4.3 the cost in usage is the cost in the ledger', async () => {
    for (const name of ['exa', 'firecrawl', 'parallel']) {
      const options = { tier: 'max', providers: [name] } as const;
      const { row, answer } = await fetchPages(server(), pageAt(), options);
      const { reader } = server().server.store;
      const [booked] = await reader.ledger(server().projectId, answer.interaction_id);
      expect(row.usage.cost_usd).toBeGreaterThan(0);
      expect(booked).toMatchObject({
        provider: name,
        costMicros: Math.round(row.usage.cost_usd * 1e6),
        costSource: row.usage.cost_source,
      });
    }
  });

  test('4.3 a deleted session is gone; its ledger rows stay', async () => {
    const { answer } = await fetchPages(server(), pageAt());
    await server().call('DELETE', `/v1/sessions/${answer.session_id}`);
    expect((await readBack(server(), answer)).status).toBe(404);
    expect(await ledgerOf(server(), answer.interaction_id)).toEqual(['tinyfish 1 succeeded']);
  });

  test('4.3 another project cannot read it', async () => {
    const { answer } = await fetchPages(server(), pageAt());
    const { key } = await server().makeKey('elsewhere');
    expect((await readBack(server(), answer, { key })).status).toBe(404);
  });
});

describe('3: states of a fetch', () => {
  test.each([
    ['all pages were read', ['', ''], 2],
    ['one of them was not', ['', 'missing'], 1],
    ['none came', ['missing', 'gone'], 0],
  ])(
    '3 rule 4: %s: run and interaction have succeeded, rows show the failures',
    async (_, words, count) => {
      const urls = words.map((word) => pageAt(word));
      const { answer, run, output } = await fetchPages(server(), urls);
      expect([answer.status, run.status]).toEqual(['succeeded', 'succeeded']);
      expect([output.succeeded_count, output.failed_count]).toEqual([count, 2 - count]);
    },
  );

  test('2.9 output_payload has the rows, the counts and the warnings of the whole call', async () => {
    const { output } = await fetchPages(server(), [pageAt(), pageAt('missing')]);
    expect(Object.keys(output).sort()).toEqual([
      'failed_count',
      'fetched_results',
      'succeeded_count',
      'warnings',
    ]);
    expect(output.warnings).toEqual([]);
  });

  test('9.2 normalized_schema_version is null on a fetch, in the answer and read back', async () => {
    const { answer } = await fetchPages(server(), pageAt());
    expect(answer.normalized_schema_version).toBeNull();
    expect((await readBack(server(), answer)).json.normalized_schema_version).toBeNull();
  });
});

describe('2.9 rule 1', () => {
  test('2.9 rule 1: one row for each URL in the order sent, not in the order in which they end', async () => {
    const urls = [
      pageAt('', '[[tinyfish:latency=300]]'),
      pageAt('missing'),
      pageAt(),
      'http://localhost/',
      pageAt('', '[[tinyfish:latency=150]]'),
    ];
    const { rows } = await fetchPages(server(), urls);
    expect(rows.map(({ url, status }) => [url, status])).toEqual(
      urls.map((url, index) => [url, [1, 3].includes(index) ? 'failed' : 'succeeded']),
    );
  });

  test('4.3 the URLs of a batch are fetched at once', async () => {
    const urls = Array.from({ length: 8 }, () => pageAt('', '[[tinyfish:latency=400]]'));
    const { run, rows } = await fetchPages(server(), urls);
    expect(rows.every(({ provider }) => provider === 'tinyfish')).toBe(true);
    for (const row of rows) expect(row.latency_ms).toBeGreaterThanOrEqual(390);
    const oneAfterAnother = 8 * 400;
    expect(run.latency_ms).toBeLessThan(oneAfterAnother);
  });
});
