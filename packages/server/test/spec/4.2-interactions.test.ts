import { InteractionResponse } from '@trawl/contract';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const post = (body: unknown) => server.call('POST', '/v1/interactions', { body });
const BATCH = [{ query: 'tidal power' }, { query: 'wave power' }];

describe('4.2 POST /v1/interactions', () => {
  test('4.2 request: the full interaction request is accepted, and answered with 200 and an interaction', async () => {
    const answer = await post({
      user_id: 'ada',
      user_input: { query: 'tidal power' },
      preprocessor_names: ['brave'],
      postprocessor_names: ['citations'],
      metadata: { a: 1 },
      search: { tier: 'minimalist' },
    });
    expect(answer.status).toBe(200);
    expect(InteractionResponse.safeParse(answer.json).error).toBeUndefined();
    expect(answer.json.status).toBe('succeeded');
  });

  test('4.2 preprocessor_names is the same as providers.include', async () => {
    const answer = await post({
      user_input: { query: 'x' },
      preprocessor_names: ['brave', 'brave'],
    });
    const names = answer.json.preprocessor_runs.map(
      (run: { preprocessor_name: string }) => run.preprocessor_name,
    );
    expect(names).toEqual(['brave']);
  });

  test.each([
    [
      'preprocessor_names with include',
      { preprocessor_names: ['exa'], search: { providers: { include: ['exa'] } } },
      'preprocessor_names',
    ],
    ['an unknown preprocessor', { preprocessor_names: ['nope'] }, 'preprocessor_names'],
    ['an unknown postprocessor', { postprocessor_names: ['nope'] }, 'rank_fusion, citations'],
  ])('4.2 %s is a 400 that names the field', async (_title, more, words) => {
    const callsBefore = server.sandbox.calls.length;
    const answer = await post({ user_input: { query: 'x' }, ...more });
    expect(answer.status).toBe(400);
    expect(answer.json.detail).toContain(words);
    expect(server.sandbox.calls.length).toBe(callsBefore);
  });

  test('4.2 empty names count as absent', async () => {
    const answer = await post({
      user_input: { query: 'x' },
      preprocessor_names: [],
      postprocessor_names: [],
    });
    expect([answer.status, answer.json.postprocessor_runs]).toEqual([200, []]);
  });

  test('4.2 postprocessor_names: one run per query and name, over the runs of that query, and read back the same', async () => {
    const answer = await post({
      user_input: BATCH,
      postprocessor_names: ['rank_fusion', 'citations'],
    });
    const { preprocessor_runs, postprocessor_runs } = answer.json;
    expect(
      postprocessor_runs.map(
        (run: { postprocessor_name: string; batch_index: number; query: string }) => [
          run.batch_index,
          run.query,
          run.postprocessor_name,
        ],
      ),
    ).toEqual([
      [0, 'tidal power', 'rank_fusion'],
      [0, 'tidal power', 'citations'],
      [1, 'wave power', 'rank_fusion'],
      [1, 'wave power', 'citations'],
    ]);
    for (const run of postprocessor_runs) {
      const own = preprocessor_runs.filter(
        (pre: { batch_index: number }) => pre.batch_index === run.batch_index,
      );
      expect(run.preprocessor_run_ids).toEqual(own.map((pre: { id: string }) => pre.id));
      expect([run.status, run.error]).toEqual(['succeeded', null]);
    }
    const [fusion, cited] = postprocessor_runs;
    const urls = new Set(
      preprocessor_runs
        .filter((run: { batch_index: number }) => run.batch_index === 0)
        .flatMap((run: { output_payload: { results: { url: string }[] } }) =>
          run.output_payload.results.map(({ url }) => url),
        ),
    );
    expect(new Set(fusion.output_payload.results.map(({ url }: { url: string }) => url))).toEqual(
      urls,
    );
    expect(fusion.output_payload.k).toBe(60);
    expect(cited.output_payload.sources).toHaveLength(urls.size);
    const path = `/v1/interactions?session_id=${answer.json.session_id}&interaction_id=${answer.json.interaction_id}`;
    expect((await server.call('GET', path)).json).toMatchObject(answer.json);
  });

  test('4.2 postprocessors read full rows and do not change the runs', async () => {
    const body = { user_input: { query: 'tidal power' }, search: { tier: 'minimalist' } };
    const plain = await post(body);
    const cited = await post({ ...body, postprocessor_names: ['citations'] });
    const results = (answer: typeof plain) =>
      answer.json.preprocessor_runs.map(
        (run: { output_payload: { results: unknown } }) => run.output_payload.results,
      );
    expect(results(cited)).toEqual(results(plain));
    const [{ output_payload }] = cited.json.postprocessor_runs;
    expect(
      output_payload.sources.some(({ snippet }: { snippet: string | null }) => snippet !== null),
    ).toBe(true);
  });

  test('4.2 postprocessors use the rows of the runs that succeeded', async () => {
    const answer = await post({
      user_input: { query: 'tidal [[*:status=503]]' },
      postprocessor_names: ['rank_fusion'],
    });
    expect(answer.json.status).toBe('failed');
    expect(answer.json.postprocessor_runs[0].output_payload).toEqual({ results: [], k: 60 });
  });

  test('4.2 without user_input: an interaction without runs, a step of a trajectory', async () => {
    const answer = await post({
      postprocessor_names: ['citations'],
      metadata: { trajectory_goal: 'compare' },
    });
    expect(answer.json).toMatchObject({
      status: 'succeeded',
      preprocessor_runs: [],
      postprocessor_runs: [],
      normalized_schema_version: 2,
      routing: null,
      trajectory_goal: 'compare',
    });
  });

  test('4.2 a validation error is the 422 body of 7.2', async () => {
    const answer = await post({ user_id: 5, preprocessor_names: 'exa' });
    expect(answer.status).toBe(422);
    expect(
      answer.json.detail.map(({ loc, type }: { loc: unknown; type: string }) => [loc, type]),
    ).toEqual([
      [['body', 'user_id'], 'string_type'],
      [['body', 'preprocessor_names'], 'list_type'],
    ]);
  });
});
