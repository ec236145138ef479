import { describe, expect, test } from 'vitest';
import { requestOfRecord } from '../../src/requests/record.ts';

type Recorded = Parameters<typeof requestOfRecord>[0];
type Run = Recorded['preprocessor_runs'][number];

const run = (parts: Partial<Run>): Run => ({
  id: '0192f0c0-0000-7000-8000-000000000001',
  preprocessor_name: 'one',
  status: 'succeeded',
  batch_index: 0,
  query: 'tides',
  request_payload: {},
  output_payload: null,
  raw_payload: null,
  error: null,
  latency_ms: 1,
  ...parts,
});
const output = { schema_version: 2, results: [], latency_ms: 1, warnings: [] } as const;
const record = (parts: Partial<Recorded>): Recorded => ({
  user_input: { query: 'tides' },
  metadata: {},
  preprocessor_runs: [],
  postprocessor_runs: [],
  routing: null,
  ...parts,
});

describe('the request that repeats a record', () => {
  test('of a search has its queries, tier and providers', () => {
    const found = { ...output, tier: 'extended', fields: ['url', 'title'] } as const;
    expect(
      requestOfRecord(
        record({
          user_input: { queries: [{ query: 'tides', lang: 'en' }, { query: 'dams' }] },
          metadata: {
            team: 'a',
            trajectory_id: 'x',
            parent_trajectory_id: 'y',
            trajectory_goal: 'z',
          },
          preprocessor_runs: [
            run({
              output_payload: { ...found, fields: [...found.fields], results: [], warnings: [] },
            }),
            run({ preprocessor_name: 'two', status: 'failed', raw_payload: { a: 1 } }),
            run({ batch_index: 1 }),
          ],
        }),
      ),
    ).toEqual({
      mode: 'search',
      body: {
        user_input: [{ query: 'tides', lang: 'en' }, { query: 'dams' }],
        search: { tier: 'extended', providers: { include: ['one', 'two'] }, include_raw: true },
        metadata: { team: 'a' },
      },
    });
  });

  test('of a search that fell back has the first providers, and the others as its fallback', () => {
    const warnings = [{ code: 'fallback_used' as const, message: '' }];
    const found = { ...output, tier: 'default' as const, fields: [], results: [], warnings };
    const repeated = requestOfRecord(
      record({
        preprocessor_runs: [
          run({ status: 'failed' }),
          run({ preprocessor_name: 'two', output_payload: found }),
        ],
      }),
    );
    expect(repeated?.body.search).toEqual({
      tier: 'default',
      providers: { include: ['one'] },
      fallback: ['two'],
    });
  });

  test('of a search by fields names the fields', () => {
    const found = { ...output, tier: null, fields: ['url' as const], results: [], warnings: [] };
    const routing = [{ topic: null, score: null, providers: ['one'] }];
    const repeated = requestOfRecord(
      record({ preprocessor_runs: [run({ output_payload: found })], routing }),
    );
    expect(repeated?.body.search).toEqual({ fields: ['url'], auto_routing: 'accuracy' });
  });

  test('of a fetch has its URLs and options', () => {
    const options = { tier: 'max', content_format: 'text' };
    const urls = ['https://example.com/'];
    const fetched = run({ preprocessor_name: 'web_fetch', request_payload: { urls, options } });
    expect(requestOfRecord(record({ user_input: { urls }, preprocessor_runs: [fetched] }))).toEqual(
      {
        mode: 'fetch',
        body: { urls, options },
      },
    );
  });

  test('of a step without input does not exist', () => {
    expect(requestOfRecord(record({ user_input: null }))).toBeNull();
  });
});
