import { merged } from '@trawl/client';
import { describe, expect, test } from 'vitest';
import { useServer } from '../spec/support/search-runs.ts';
import { batchOf } from '../spec/support/server.ts';

const server = useServer();

interface Fused {
  readonly output_payload: { readonly results: readonly object[] };
  readonly batch_index: number;
  readonly query: string;
}

async function fusedAndMerged(search: object) {
  const body = {
    user_input: batchOf(2),
    search: { providers: { include: ['exa', 'tavily', 'brave'] }, num_results: 10, ...search },
    postprocessor_names: ['rank_fusion'],
  };
  const { status, json, text } = await server().call('POST', '/v1/interactions', { body });
  expect(status, text).toBe(200);
  const fused: Record<string, unknown>[] = json.postprocessor_runs.flatMap(
    ({ output_payload, batch_index, query }: Fused) =>
      output_payload.results.map((row) => ({
        query,
        batch_index,
        ...row,
      })),
  );
  return { answer: json, fused };
}

test('the list of the SDK is the one of rank_fusion, where the rows have all fields', async () => {
  const { answer, fused } = await fusedAndMerged({ tier: 'max' });
  expect(fused.length).toBeGreaterThan(20);
  expect(fused.some(({ sources }) => (sources as unknown[]).length > 1)).toBe(true);
  expect(merged(answer)).toEqual(fused);
});

test('rank_fusion has the texts of the best placed row, in its run', async () => {
  const { answer, fused } = await fusedAndMerged({ tier: 'max' });
  for (const row of fused) {
    const places = row.sources as { rank: number; run_id: string }[];
    const best = places.toSorted((a, b) => a.rank - b.rank)[0];
    const run = answer.preprocessor_runs.find(({ id }: { id: string }) => id === best?.run_id);
    const own = run.output_payload.results[(best?.rank ?? 0) - 1];
    const { url, summary, excerpt, publish_date, source } = own;
    expect(row).toMatchObject({ url, summary, excerpt, publish_date, source });
  }
});

test('rows without URLs are not merged', async () => {
  const { answer } = await fusedAndMerged({ fields: ['title'] });
  const rows = merged(answer);
  expect(rows).toHaveLength(2 * 3 * 10);
  expect(rows[0]).toMatchObject({ url: null, summary: null, source: null, rank: 1 });
});

describe('search.merge', () => {
  const search = { providers: { include: ['exa', 'brave'] }, merge: true };
  const body = { user_input: batchOf(2), search };

  test('adds the list of rank_fusion for each query, and leaves the runs as they are', async () => {
    const asked = { ...body, postprocessor_names: ['rank_fusion'] };
    const { json } = await server().call('POST', '/v1/interactions', { body: asked });
    expect(json.merged).toEqual(
      json.postprocessor_runs.map(({ batch_index, output_payload }: Fused) => ({
        batch_index,
        rows: output_payload.results,
      })),
    );
    expect(json.preprocessor_runs).toHaveLength(4);
  });

  test('is recorded: read back, repeated and streamed it is the same', async () => {
    const headers = { 'idempotency-key': 'merged-once' };
    const first = await server().call('POST', '/v1/search', { body, headers });
    expect(first.json.merged).toHaveLength(2);
    const { session_id: session, interaction_id: id } = first.json;
    const path = `/v1/interactions?session_id=${session}&interaction_id=${id}`;
    expect((await server().call('GET', path)).json.merged).toEqual(first.json.merged);
    const again = await server().call('POST', '/v1/search', { body, headers });
    expect(again.text).toBe(first.text);
    const streamed = await server().call('POST', '/v1/search', {
      body,
      headers: { accept: 'text/event-stream' },
    });
    expect(streamed.text).toContain('"merged":[{"batch_index":0,"rows":[');
  });

  test.each([{}, { merge: false }])('without it there is none: %j', async (given) => {
    const { json } = await server().call('POST', '/v1/search', {
      body: { ...body, search: { ...search, merge: undefined, ...given } },
    });
    expect('merged' in json).toBe(false);
  });
});
