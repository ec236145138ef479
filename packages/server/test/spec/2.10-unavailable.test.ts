import type { Trouble } from '@trawl/test-support/embeddings-stub';
import { describe, expect, test } from 'vitest';
import { routed, useRoutedServer, warningCodes } from './support/routed-server.ts';
import { type Run, slugsOf } from './support/server.ts';

const UNDETERMINED = { topic: null, score: null };
const TROUBLES: readonly Trouble[] = ['status', 'no-json', 'short', 'sizes', 'hang'];

describe.each(TROUBLES)('2.10 when the embeddings endpoint fails (%s)', (trouble) => {
  const KEY = 'planted-embeddings-key-7Q';
  const server = useRoutedServer({}, { TOPIC_EMBEDDINGS_API_KEY: KEY });

  test('2.10 every query runs on the default providers, and each run says so', async () => {
    server().embeddings.fail(trouble);
    const answer = await routed(server(), ['news one', 'news two [[brave:status=400]]']);
    expect(answer.json.routing).toEqual(
      Array(2).fill({ ...UNDETERMINED, providers: ['exa', 'brave'] }),
    );
    expect(slugsOf(answer)).toEqual(['exa', 'brave', 'exa', 'brave']);
    expect(answer.json.preprocessor_runs.map((run: Run) => run.status)).toEqual([
      'succeeded',
      'succeeded',
      'succeeded',
      'failed',
    ]);
    expect(warningCodes(answer)).toEqual(Array(4).fill(['routing_unavailable']));
    expect(server().logged()).toContain('topics could not be determined');
    expect(server().logged()).not.toContain(KEY);
  });

  test('2.10 the next search does not wait', async () => {
    const asked = server().embeddings.calls.length;
    const answer = await routed(server(), 'companies');
    expect(answer.json.routing).toEqual([{ ...UNDETERMINED, providers: ['exa', 'brave'] }]);
    expect(server().embeddings.calls.length).toBe(asked);
  });
});

describe('2.10 with an endpoint that cannot be reached', () => {
  const server = useRoutedServer({}, { TOPIC_EMBEDDINGS_URL: 'http://127.0.0.1:9/v1/embeddings' });

  test.each([
    [
      'include without the default set',
      { include: ['seltz', 'serpapi', 'you', 'tavily'] },
      ['tavily', 'you', 'serpapi'],
    ],
    ['include with one of it', { include: ['seltz', 'brave', 'you'] }, ['brave']],
    ['exclude', { exclude: ['brave'] }, ['exa']],
    ['exclude of the default set', { exclude: ['exa', 'brave'] }, ['tavily', 'parallel', 'you']],
  ])(
    '2.10 %s: on those of the default set that are left, else on the first three',
    async (_list, providers, ran) => {
      const answer = await routed(server(), 'news', { providers });
      expect(answer.json.routing).toEqual([{ ...UNDETERMINED, providers: ran }]);
      expect(slugsOf(answer)).toEqual(ran);
      expect(warningCodes(answer)).toEqual(
        ran.map(() => expect.arrayContaining(['routing_unavailable'])),
      );
    },
  );

  test('2.10 a search without auto-routing has no such warning', async () => {
    const answer = await server().search({ user_input: { query: 'news' } });
    expect(warningCodes(answer)).toEqual([[], []]);
  });

  test('2.10 GET answers what POST answered', async () => {
    const { json } = await routed(server(), 'news');
    const path = `/v1/interactions?session_id=${json.session_id}&interaction_id=${json.interaction_id}`;
    expect((await server().call('GET', path)).json).toMatchObject({
      routing: json.routing,
      preprocessor_runs: json.preprocessor_runs,
    });
  });
});
