import { openDatabase } from '@trawl/database';
import { createRetention } from '@trawl/store';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, it } from 'vitest';

const PAGE = 'https://www.example.com/guides/rope-walks';
const UNKNOWN = '01a21ddb-2f1d-779c-94fb-2f086c1956e6';

describeOnDatabases('quotes', (database) => {
  let server: TestServer;
  let session: string;
  let content: string;
  let sha256: string;
  beforeAll(async () => {
    server = await startTestServer({ database });
    const { json } = await server.search({
      user_input: { query: 'rope walks' },
      search: { providers: { include: ['exa', 'brave'] }, tier: 'extended' },
    });
    session = json.session_id;
    const fetched = await server.fetch({ session_id: session, urls: [PAGE] });
    const [row] = fetched.json.preprocessor_runs[0].output_payload.fetched_results;
    content = row.content;
    sha256 = row.content_sha256;
    server.sandbox.clearCalls();
  });
  afterAll(() => server.stop());

  const verify = (quotes: readonly object[], more: object = {}) =>
    server.call('POST', '/v1/verify', { body: { session_id: session, quotes }, ...more });

  it('are found with their place, time and hash, and nothing is asked for it', async () => {
    const start = content.indexOf(' ', 300) + 1;
    const text = content.slice(start, content.indexOf(' ', start + 120));
    const { status, json } = await verify([
      { text },
      { text: text.replaceAll(' ', '\n') },
      { text: text.replace(/[aeiou]/, 'x'), url: PAGE.replace('www.example', 'WWW.Example') },
      { text: 'nobody ever wrote this down about the walks of the moon' },
      { text, url: 'https://elsewhere.example/' },
    ]);
    expect(status).toBe(200);
    expect(json).toMatchObject({ session_id: session, interactions: 2 });
    expect(json.texts).toBeGreaterThan(5);
    const place = { url: PAGE, field: 'content', row: 1, offset: start, content_sha256: sha256 };
    expect(json.quotes[0]).toMatchObject({ ...place, status: 'exact', distance: 0, passage: text });
    expect(json.quotes[1]).toMatchObject({ ...place, status: 'normalized' });
    expect(json.quotes[2]).toMatchObject({ url: PAGE, status: 'near', distance: 1 });
    for (const one of [json.quotes[3], json.quotes[4]]) {
      expect(one).toMatchObject({ status: 'not_found', distance: null, interaction_id: null });
    }
    expect(server.sandbox.calls).toEqual([]);
    const { json: history } = await server.call('GET', `/v1/sessions/${session}/history`);
    const [, fetched] = history.interactions;
    expect(json.quotes[0]).toMatchObject({
      interaction_id: fetched.id,
      retrieved_at: fetched.completed_at,
    });
    expect(history.interactions).toHaveLength(2);
  });

  it('are found in rows of a search', async () => {
    const { json: history } = await server.call('GET', `/v1/sessions/${session}/history?type=full`);
    const [run] = history.interactions[0].preprocessor_runs;
    const { summary, url } = run.output_payload.results[1];
    const { json } = await verify([{ text: summary, url }]);
    expect(json.quotes[0]).toMatchObject({ status: 'exact', url, run_id: run.id, row: 2 });
  });

  it('are limited in number and length', async () => {
    const many = await verify(Array.from({ length: 101 }, () => ({ text: 'a' })));
    expect([many.status, many.json.detail[0].loc]).toEqual([422, ['body', 'quotes']]);
    const long = await verify([{ text: 'a'.repeat(2_001) }]);
    expect([long.status, long.json.detail[0].loc]).toEqual([422, ['body', 'quotes', 0, 'text']]);
    const none = await verify([]);
    expect(none.status).toBe(422);
    const huge = await verify([{ text: 'a'.repeat(1_048_577) }]);
    expect(huge.status).toBe(413);
  });

  it('need a session of the project, and a key that may read', async () => {
    const quotes = [{ text: 'rope' }];
    const unknown = await verify(quotes, { body: { session_id: UNKNOWN, quotes } });
    expect([unknown.status, unknown.json.detail]).toEqual([404, 'Session not found']);
    const { key } = await server.makeKey('other');
    expect((await verify(quotes, { key })).status).toBe(404);
    const { key: searching } = await server.makeKey('main', ['search']);
    expect((await verify(quotes, { key: searching })).status).toBe(403);
  });

  it('say how much of the session was deleted for its age', async () => {
    const { json } = await server.fetch({ urls: [PAGE] });
    const { session_id, interaction_id } = json;
    await server.search({ session_id, user_input: { query: 'heat pumps' } });
    const quotes = [{ text: content.slice(300, 400).trim() }];
    const before = await verify(quotes, { body: { session_id, quotes } });
    expect(before.json).toMatchObject({ interactions: 2, deleted_interactions: 0 });
    expect(before.json.quotes[0].status).not.toBe('not_found');
    const { db } = openDatabase(server.database.location, { connections: 1 });
    const old = { created_at: '2020-01-01T00:00:00.000Z' };
    await db.updateTable('interactions').set(old).where('id', '=', interaction_id).execute();
    await db.updateTable('sessions').set(old).where('id', '=', session_id).execute();
    await db.destroy();
    const { sweeps } = server.server.store;
    const log = { info: () => {}, error: () => {} };
    expect(await createRetention({ sweeps, days: 365, now: Date.now, log }).sweep()).toBe(1);
    const after = await verify(quotes, { body: { session_id, quotes } });
    expect(after.json).toMatchObject({ interactions: 1, deleted_interactions: 1 });
    expect(after.json.quotes[0].status).toBe('not_found');
  });

  it('are not found where what had them was deleted', async () => {
    const { json } = await server.fetch({ urls: [PAGE], options: { inline_content: false } });
    const quotes = [{ text: content.slice(300, 400) }];
    const found = await verify(quotes, { body: { session_id: json.session_id, quotes } });
    expect(found.json.quotes[0].status).toBe('not_found');
    await server.call('DELETE', `/v1/sessions/${json.session_id}`);
    const gone = await verify(quotes, { body: { session_id: json.session_id, quotes } });
    expect(gone.status).toBe(404);
  });
});
