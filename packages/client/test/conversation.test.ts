import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createConversation, isProviderUnavailable, Trawl } from '../src/index.ts';

let server: TestServer;
let client: Trawl;
beforeAll(async () => {
  server = await startTestServer();
  client = new Trawl({ baseUrl: server.url, apiKey: server.key });
});
afterAll(() => server.stop());
beforeEach(() => server.sandbox.clearCalls());

const SEARCH = {
  user_input: { query: 'tidal power' },
  search: { providers: { include: ['exa', 'brave'] } },
};

/** The recorded lineage of every interaction of a session. */
async function lineages(sessionId: string) {
  const { interactions } = await client.sessionHistory(sessionId, { type: 'full' });
  return interactions.map(({ metadata }) => metadata?.conversation);
}

const turn = (index: number, role: string, content: string) => ({ index, role, content });

describe('decisions 1: conversation lineage', () => {
  test('the first request carries all turns, later ones those that are new in the session', async () => {
    const conversation = createConversation({ id: 'c1' });
    conversation.add('user', 'How do tides make power?');
    expect(conversation.add('assistant', 'Let me look.')).toBe(1);
    const first = await client.search(SEARCH, { conversation });
    conversation.add('user', 'And waves?');
    const second = await client.search(SEARCH, { conversation });
    const third = await client.search(SEARCH, { conversation });
    expect([second.session_id, third.session_id]).toEqual([first.session_id, first.session_id]);
    expect(await lineages(first.session_id)).toEqual([
      {
        id: 'c1',
        from: 0,
        turns: [turn(0, 'user', 'How do tides make power?'), turn(1, 'assistant', 'Let me look.')],
      },
      { id: 'c1', from: 2, turns: [turn(2, 'user', 'And waves?')] },
      { id: 'c1', from: 3, turns: [] },
    ]);
  });

  test('another session gets all turns', async () => {
    const conversation = createConversation({ id: 'c2' });
    conversation.add('user', 'one');
    const first = await client.search(SEARCH, { conversation });
    const other = '5b1f7a52-7a0e-4c0e-9d0e-3f6a1c2b4d5e';
    await client.search({ ...SEARCH, session_id: other.toUpperCase() }, { conversation });
    conversation.add('user', 'two');
    await client.search({ ...SEARCH, session_id: first.session_id }, { conversation });
    expect(await lineages(other)).toEqual([{ id: 'c2', from: 0, turns: [turn(0, 'user', 'one')] }]);
    expect((await lineages(first.session_id))[1]).toEqual({
      id: 'c2',
      from: 1,
      turns: [turn(1, 'user', 'two')],
    });
  });

  test('SERVICE_INCREMENTAL=off: every request carries all turns', async () => {
    const conversation = createConversation({ id: 'c3', incremental: false });
    conversation.add('user', 'one');
    const { session_id } = await client.search(SEARCH, { conversation });
    conversation.add('user', 'two');
    await client.search(SEARCH, { conversation });
    const all = [turn(0, 'user', 'one'), turn(1, 'user', 'two')];
    expect(await lineages(session_id)).toEqual([
      { id: 'c3', from: 0, turns: all.slice(0, 1) },
      { id: 'c3', from: 0, turns: all },
    ]);
  });

  test('turns of a refused request do not count as sent', async () => {
    const conversation = createConversation({ id: 'c4' });
    conversation.add('user', 'one');
    const refused = client.search({ ...SEARCH, search: { num_results: 99 } }, { conversation });
    await expect(refused).rejects.toMatchObject({ status: 422 });
    expect(conversation.sessionId).toBeNull();
    const { session_id } = await client.search(SEARCH, { conversation });
    expect(await lineages(session_id)).toMatchObject([{ from: 0, turns: [{ content: 'one' }] }]);
  });

  test('a fetch, a stream and a recorded provider_unavailable count as sent', async () => {
    const conversation = createConversation({ id: 'c5' });
    conversation.add('user', 'one');
    server.sandbox.inject('tavily', 'status=500');
    const urls = ['https://news.example.com/a-page'];
    const failed = await client
      .fetch({ urls, options: { providers: ['tavily'] } }, { conversation })
      .catch((error: unknown) => error);
    server.sandbox.clearFaults();
    expect(isProviderUnavailable(failed)).toBe(true);
    conversation.add('user', 'two');
    for await (const _ of client.fetchStream({ urls }, { conversation }));
    conversation.add('user', 'three');
    await client.createInteraction({}, { conversation });
    const sent = await lineages(conversation.sessionId ?? '');
    expect(sent).toMatchObject([
      { from: 0 },
      { from: 1 },
      { from: 2, turns: [turn(2, 'user', 'three')] },
    ]);
  });

  test('turns added during a request go with the next one', async () => {
    const conversation = createConversation({ id: 'c6' });
    conversation.add('user', 'one');
    const underWay = client.search(SEARCH, { conversation });
    conversation.add('user', 'two');
    const { session_id } = await underWay;
    await client.search(SEARCH, { conversation });
    expect((await lineages(session_id))[1]).toMatchObject({ from: 1, turns: [{ content: 'two' }] });
  });

  test('a late answer of two concurrent requests does not reset the count', () => {
    const conversation = createConversation({ id: 'c10' });
    for (const content of ['one', 'two', 'three']) conversation.add('user', content);
    conversation.recorded('s', 2);
    conversation.recorded('s', 1);
    expect(conversation.attach({ session_id: 's' }).metadata).toMatchObject({
      conversation: { from: 2, turns: [turn(2, 'user', 'three')] },
    });
  });

  test('it is never sent to a provider', async () => {
    const secret = 'what-the-user-said-before';
    const conversation = createConversation({ id: `conversation-${secret}` });
    conversation.add('user', secret);
    const { preprocessors } = await client.preprocessors();
    const include = preprocessors.map(({ slug }) => slug);
    await client.search({ ...SEARCH, search: { providers: { include } } }, { conversation });
    await client.fetch({ urls: ['https://news.example.com/a-page'] }, { conversation });
    await client.createInteraction(SEARCH, { conversation });
    expect(server.sandbox.calls.length).toBeGreaterThan(include.length);
    const sent = server.sandbox.calls.map(({ path, query, headers, body }) =>
      JSON.stringify({ path, query, headers, body }),
    );
    expect(sent.join('\n')).toContain('tidal power');
    expect(sent.join('\n')).not.toContain(secret);
    expect(sent.join('\n')).not.toContain('conversation');
  });

  test('other metadata is kept; a conversation in it is refused', async () => {
    const conversation = createConversation({ id: 'c7' });
    const { session_id, interaction_id } = await client.createInteraction(
      { metadata: { agent: 7 } },
      { conversation },
    );
    const { metadata } = await client.readInteraction({ session_id, interaction_id });
    expect(metadata).toEqual({ agent: 7, conversation: { id: 'c7', from: 0, turns: [] } });
    const doubled = client.createInteraction({ metadata: { conversation: 1 } }, { conversation });
    await expect(doubled).rejects.toMatchObject({ kind: 'usage' });
  });

  test('it can continue in another process', async () => {
    const before = createConversation({ id: 'c8' });
    before.add('user', 'one');
    const { session_id } = await client.createInteraction({}, { conversation: before });
    const after = createConversation(JSON.parse(JSON.stringify(before)));
    after.add('user', 'two');
    await client.createInteraction({}, { conversation: after });
    expect((await lineages(session_id))[1]).toMatchObject({ from: 1, turns: [{ content: 'two' }] });
  });

  test('4.7 the trajectory shows the turns of an interaction, not their text', async () => {
    const conversation = createConversation({ id: 'c9' });
    conversation.add('user', 'a private sentence');
    const { session_id } = await client.createInteraction({}, { conversation });
    conversation.add('assistant', 'another one');
    conversation.add('user', 'a third one');
    await client.createInteraction({ session_id }, { conversation });
    await client.createInteraction({ session_id, metadata: { conversation: 'of another form' } });
    await client.createInteraction({ session_id });
    const { trajectory } = await client.sessionTrajectory(session_id);
    const shown = trajectory.children.map(({ data }) => data.conversation);
    expect(shown).toEqual([
      { id: 'c9', from: 0, turn_count: 1 },
      { id: 'c9', from: 1, turn_count: 2 },
      undefined,
      undefined,
    ]);
    expect(JSON.stringify(trajectory)).not.toContain('private');
  });
});
