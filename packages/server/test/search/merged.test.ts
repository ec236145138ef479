import { merged } from '@trawl/client';
import { expect, test } from 'vitest';
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
