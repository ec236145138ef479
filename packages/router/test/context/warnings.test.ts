import type { InteractionResponse, Warning } from '@trawl/contract';
import { expect, test } from 'vitest';
import { contextWarnings } from '../../src/context/warnings.ts';

test('remarks on options that the caller sent stay, those on fields of rows do not', () => {
  const gap = (message: string): Warning => ({ code: 'capability_gap', message });
  const age = gap('max_age_seconds: jina cannot limit the age of its copies');
  const count = gap('num_results: mojeek returned 10 of 20 rows');
  const warnings = [gap('summary: brave has none'), age, count, age];
  const run = { error: null, output_payload: { results: [], warnings } };
  const search = { preprocessor_runs: [run] } as unknown as InteractionResponse;
  const context = { text: '', tokens: 0, sources: [], left_out: [] };
  expect(contextWarnings(search, null, context)).toEqual([age, count]);
});
