import { randomUUID } from 'node:crypto';
import { FeedbackResponse, type ResultFeedback, type ResultVerdict } from '@trawl/contract';
import { openDatabase } from '@trawl/database';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { type Answer, startTestServer, type TestServer } from '@trawl/test-support/harness';
import { runRecord } from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answered, newProject, recordAll, refused, TIME, UNKNOWN } from '../support/recorded.ts';

const PAIR = { providers: { include: ['exa', 'brave'] } };
const SHARED = 'https://shared.example.com/a-page';
const PAGE = 'https://news.example.com/a-page';
const MISSING = 'https://news.example.com/missing';

describeOnDatabases('feedback on results', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database });
  });
  afterAll(() => server.stop());

  const search = async (more: object = {}) =>
    answered(
      'search',
      await server.search({ user_input: { query: 'tidal power' }, search: PAIR, ...more }),
    );
  const pathOf = (id: string) => `/v1/interactions/${id}/feedback`;
  const post = (id: string, body: unknown, key = server.key): Promise<Answer> =>
    server.call('POST', pathOf(id), { body, key });
  const give = async (id: string, results: readonly object[], more: object = {}) =>
    FeedbackResponse.parse(answered('giveFeedback', await post(id, { results, ...more }))).results;
  const read = async (id: string, key = server.key): Promise<readonly ResultFeedback[]> =>
    answered('readFeedback', await server.call('GET', pathOf(id), { key })).results;
  const placesOf = (results: readonly ResultFeedback[]) =>
    results.map((one) => `${one.provider} ${one.batch_index} ${one.rank} ${one.verdict}`);
  // biome-ignore lint/suspicious/noExplicitAny: a run of an answer, by the contract's names
  const urlOf = (answer: any, provider: string, rank: number, batchIndex = 0): string =>
    answer.preprocessor_runs.find(
      // biome-ignore lint/suspicious/noExplicitAny: the same
      (run: any) => run.preprocessor_name === provider && run.batch_index === batchIndex,
    ).output_payload.results[rank - 1].url;

  it('a URL and a verdict suffice; the answer shows what is kept, and it can be read back', async () => {
    const posted = await search();
    const url = urlOf(posted, 'brave', 2);
    const kept = await give(posted.interaction_id, [{ url, verdict: 'used' }]);
    expect(kept).toEqual([
      {
        run_id: posted.preprocessor_runs[1].id,
        batch_index: 0,
        provider: 'brave',
        rank: 2,
        url,
        verdict: 'used',
        user_id: null,
        note: null,
        created_at: expect.stringMatching(TIME),
      },
    ]);
    expect(await read(posted.interaction_id)).toEqual(kept);
  });

  it('asks no provider, costs nothing and does not change the interaction', async () => {
    const posted = await search();
    const { session_id, interaction_id } = posted;
    const usage = async () => (await server.call('GET', '/v1/usage')).json.rows;
    const before = await usage();
    server.sandbox.clearCalls();
    await give(interaction_id, [{ url: urlOf(posted, 'exa', 1), verdict: 'right' }]);
    expect([server.sandbox.calls, await usage()]).toEqual([[], before]);
    const path = `/v1/interactions?session_id=${session_id}&interaction_id=${interaction_id}`;
    expect(answered('readInteraction', await server.call('GET', path))).toMatchObject(posted);
  });

  it('feedback on the same result again replaces verdict, label and note; other results keep theirs', async () => {
    const posted = await search();
    const url = urlOf(posted, 'exa', 1);
    const id = posted.interaction_id;
    await give(id, [{ url, provider: 'exa', verdict: 'used' }], { user_id: 'ada', note: 'cited' });
    await give(id, [{ provider: 'brave', rank: 3, verdict: 'wrong' }]);
    const [again] = await give(id, [{ url, provider: 'exa', verdict: 'wrong' }], {
      user_id: 'bob',
    });
    expect(again).toMatchObject({ verdict: 'wrong', user_id: 'bob', note: null });
    expect(placesOf(await read(id))).toEqual(['exa 0 1 wrong', 'brave 0 3 wrong']);
  });

  it('a URL means the result in every run that found it; provider, query and run narrow it', async () => {
    const places = [0, 1].flatMap((query) =>
      ['exa', 'brave'].map((name) => [name, query] as const),
    );
    const runs = places.map(([name, batch_index], position) => {
      // some runs have it twice, which is one result
      const output_payload = { results: [{ url: SHARED }, { url: SHARED }] };
      const run = { id: randomUUID(), preprocessor_name: name, batch_index, output_payload };
      return runRecord(JSON.stringify(run), { id: run.id, name, position });
    });
    const id = randomUUID();
    await recordAll(server, [{ id, runs }]);
    const all = await give(id, [{ url: SHARED, verdict: 'used' }]);
    expect(placesOf(all)).toEqual([
      'exa 0 1 used',
      'brave 0 1 used',
      'exa 1 1 used',
      'brave 1 1 used',
    ]);
    const runId = runs[3]?.id ?? '';
    const named: [Partial<ResultVerdict>, string[]][] = [
      [{ provider: 'exa' }, ['exa 0 1 wrong', 'exa 1 1 wrong']],
      [{ batch_index: 1 }, ['exa 1 1 wrong', 'brave 1 1 wrong']],
      [{ provider: 'brave', batch_index: 0 }, ['brave 0 1 wrong']],
      [{ run_id: runId.toUpperCase() }, ['brave 1 1 wrong']],
    ];
    for (const [narrowed, places] of named) {
      const kept = await give(id, [{ url: SHARED, ...narrowed, verdict: 'wrong' }]);
      expect(placesOf(kept)).toEqual(places);
    }
  });

  it('different spellings of one URL are the same', async () => {
    const posted = await search();
    const url = new URL(urlOf(posted, 'exa', 1));
    const spelled = `HTTPS://${url.host.toUpperCase()}:443${url.pathname}?utm_source=x#part`;
    const kept = await give(posted.interaction_id, [{ url: spelled, verdict: 'right' }]);
    expect(kept.map((one) => one.url)).toContain(url.href);
  });

  it('rows without URLs are named by their rank', async () => {
    const fields = ['title'];
    const posted = await search({ search: { providers: { include: ['exa'] }, fields } });
    const id = posted.interaction_id;
    const kept = await give(id, [{ rank: 2, verdict: 'used' }]);
    expect(kept).toMatchObject([{ provider: 'exa', rank: 2, url: null }]);
    const [issue] = refused(await post(id, { results: [{ url: SHARED, verdict: 'used' }] }));
    expect([issue.loc, issue.msg]).toEqual([
      ['body', 'results', 0, 'url'],
      expect.stringContaining('one without a URL'),
    ]);
  });

  it('pages of a fetch are named by URL, under the provider that read them; failed pages are not results', async () => {
    const fetched = answered('fetch', await server.fetch({ urls: [PAGE, MISSING] }));
    const id = fetched.interaction_id;
    const [page] = fetched.preprocessor_runs[0].output_payload.fetched_results;
    const kept = await give(id, [{ url: PAGE, verdict: 'used' }]);
    expect(kept).toMatchObject([{ provider: page.provider, rank: 1, batch_index: 0, url: PAGE }]);
    const [issue] = refused(await post(id, { results: [{ url: MISSING, verdict: 'used' }] }));
    expect(issue.msg).toBe(
      `Value error, no result of the interaction has this url; what is there: ${PAGE}`,
    );
  });

  it.each<[string, object, (string | number)[], RegExp]>([
    ['an unknown URL', { url: 'https://nowhere.example/' }, ['url'], /what is there: https:/],
    ['another provider', { provider: 'you', rank: 1 }, ['provider'], /there: exa, brave$/],
    ['a rank beyond the last', { provider: 'exa', rank: 9 }, ['rank'], /there: 1, 2, 3, 4, 5$/],
    ['a query beyond the last', { batch_index: 7, rank: 1 }, ['batch_index'], /there: 0$/],
    [
      'a run of another interaction',
      { run_id: UNKNOWN, rank: 1 },
      ['run_id'],
      /\(exa\), .*\(brave\)$/,
    ],
    ['a rank of two runs', { rank: 1 }, ['rank'], /matches 2 results .*add url, provider/],
  ])('%s is a 422 that lists the valid values', async (_name, named, field, message) => {
    const { interaction_id: id } = await search();
    const answer = await post(id, { results: [{ ...named, verdict: 'used' }] });
    const [issue] = refused(answer);
    expect(issue).toMatchObject({ type: 'value_error', loc: ['body', 'results', 0, ...field] });
    expect(issue.msg).toMatch(message);
    expect(await read(id)).toEqual([]);
  });

  it('two verdicts on one result in one request are refused, and nothing of the request is kept', async () => {
    const posted = await search();
    const url = urlOf(posted, 'exa', 1);
    const results = [
      { url, verdict: 'used' },
      { provider: 'exa', rank: 1, verdict: 'wrong' },
    ];
    const [issue] = refused(await post(posted.interaction_id, { results }));
    expect(issue).toMatchObject({ loc: ['body', 'results', 1, 'verdict'], input: 'wrong' });
    expect(issue.msg).toMatch(/rank 1 of exa .*used in results\[0\]/);
    expect(await read(posted.interaction_id)).toEqual([]);
  });

  it('an interaction without results takes no feedback', async () => {
    const step = answered(
      'createInteraction',
      await server.call('POST', '/v1/interactions', { body: {} }),
    );
    const failed = await search({ user_input: { query: 'x [[*:status=400]]' } });
    for (const { interaction_id: id } of [step, failed]) {
      const [issue] = refused(await post(id, { results: [{ url: SHARED, verdict: 'used' }] }));
      expect(issue.msg).toMatch(/has no results/);
      expect(await read(id)).toEqual([]);
    }
  });

  it.each<[string, unknown, (string | number)[], string]>([
    ['no results', {}, ['results'], 'missing'],
    ['an empty list', { results: [] }, ['results'], 'too_short'],
    ['no word', { results: [{ url: SHARED }] }, ['results', 0, 'verdict'], 'missing'],
    [
      'another word',
      { results: [{ url: SHARED, verdict: 'good' }] },
      ['results', 0, 'verdict'],
      'literal_error',
    ],
    [
      'neither URL nor rank',
      { results: [{ provider: 'exa', verdict: 'used' }] },
      ['results', 0, 'url'],
      'value_error',
    ],
    [
      'rank 0',
      { results: [{ rank: 0, verdict: 'used' }] },
      ['results', 0, 'rank'],
      'greater_than_equal',
    ],
    [
      'an unknown key',
      { results: [{ url: SHARED, verdict: 'used', score: 1 }] },
      ['results', 0, 'score'],
      'extra_forbidden',
    ],
    [
      'an unknown key next to the results',
      { results: [{ url: SHARED, verdict: 'used' }], stars: 5 },
      ['stars'],
      'extra_forbidden',
    ],
    [
      'a long note',
      { results: [{ url: SHARED, verdict: 'used' }], note: 'x'.repeat(1_001) },
      ['note'],
      'value_error',
    ],
    [
      '101 results',
      { results: Array(101).fill({ url: SHARED, verdict: 'used' }) },
      ['results'],
      'too_long',
    ],
  ])('%s is a 422 that names its place', async (_name, body, loc, type) => {
    const { interaction_id: id } = await search();
    const [issue] = refused(await post(id, body));
    expect([issue.loc, issue.type]).toEqual([
      ['body', ...loc],
      type === 'value_error' && loc[0] === 'note' ? issue.type : type,
    ]);
  });

  it('null counts as absent', async () => {
    const posted = await search();
    const nothing = { rank: null, batch_index: null, run_id: null };
    const url = urlOf(posted, 'exa', 1);
    const results = [{ url, provider: 'exa', verdict: 'used', ...nothing }];
    const kept = await give(posted.interaction_id, results, { user_id: null, note: null });
    expect(kept).toHaveLength(1);
  });

  it('unknown interactions and those of another project are the same 404', async () => {
    const { key } = await newProject(server);
    const { interaction_id: mine } = await search();
    const body = { results: [{ url: SHARED, verdict: 'used' }] };
    const answers = await Promise.all([
      post(UNKNOWN, body),
      post(mine, body, key),
      server.call('GET', pathOf(UNKNOWN)),
      server.call('GET', pathOf(mine), { key }),
    ]);
    for (const { status, json } of answers) {
      expect([status, json]).toEqual([404, { detail: 'Interaction not found' }]);
    }
    expect(refused(await post('x', body))[0].loc).toEqual(['path', 'interaction_id']);
  });

  it('giving needs the permission search, reading the permission read', async () => {
    const posted = await search();
    const id = posted.interaction_id;
    const results = [{ provider: 'exa', rank: 1, verdict: 'used' }];
    const searcher = (await server.makeKey('main', ['search'])).key;
    const reader = (await server.makeKey('main', ['read', 'fetch', 'manage'])).key;
    expect((await post(id, { results }, searcher)).status).toBe(200);
    expect((await post(id, { results }, reader)).status).toBe(403);
    expect(await read(id, reader)).toHaveLength(1);
    expect((await server.call('GET', pathOf(id), { key: searcher })).status).toBe(403);
    expect((await server.call('POST', pathOf(id), { body: { results }, key: null })).status).toBe(
      401,
    );
  });

  it('is deleted with the session, and survives a restart of the store', async () => {
    const posted = await search();
    const id = posted.interaction_id;
    await give(id, [{ url: urlOf(posted, 'exa', 1), verdict: 'used' }]);
    const { status } = await server.call('DELETE', `/v1/sessions/${posted.session_id}`);
    expect(status).toBe(204);
    expect((await server.call('GET', pathOf(id))).status).toBe(404);
    expect(await server.server.store.reader.feedback(id)).toEqual([]);
  });

  it('a store that cannot be read or written is a 503, and earlier feedback stays', async () => {
    const { interaction_id: id } = await search();
    const said = { provider: 'exa', rank: 1 };
    const kept = await give(id, [{ ...said, verdict: 'used' }]);
    const { db } = openDatabase(server.database.location, { connections: 1 });
    await db.schema.alterTable('feedback').renameTo('elsewhere').execute();
    const refusals = [
      await post(id, { results: [{ ...said, verdict: 'wrong' }] }),
      await server.call('GET', pathOf(id)),
    ];
    await db.schema.alterTable('elsewhere').renameTo('feedback').execute();
    await db.destroy();
    expect(refusals.map(({ status }) => status)).toEqual([503, 503]);
    expect(await read(id)).toEqual(kept);
  });

  it('many requests at once on one interaction leave one verdict on each result', async () => {
    const posted = await search();
    const id = posted.interaction_id;
    const words = ['used', 'right', 'wrong'] as const;
    const rounds = Array.from({ length: 24 }, (_, index) => index);
    await Promise.all(
      rounds.map((index) =>
        give(id, [{ provider: 'exa', rank: (index % 4) + 1, verdict: words[index % 3] }]),
      ),
    );
    expect((await read(id)).map(({ rank }) => rank)).toEqual([1, 2, 3, 4]);
  });
});
