import { describe, expect, test } from 'vitest';
import { search, useServer } from './support/search-runs.ts';

const server = useServer();
const OK = 'tides';
const EXA_FAILS = 'tides [[exa:status=400]]';
const BRAVE_FAILS = 'tides [[brave:status=400]]';
const BOTH_FAIL = 'tides [[*:status=400]]';
const EMPTY = 'tides [[*:empty]]';

const ALL: readonly (readonly [string, readonly string[], string])[] = [
  ['both succeed', [OK], 'succeeded'],
  ['both succeed with no rows', [EMPTY], 'succeeded'],
  ['one with rows, one with none', ['tides [[exa:empty]]'], 'succeeded'],
  ['exa fails', [EXA_FAILS], 'partially_succeeded'],
  ['brave fails', [BRAVE_FAILS], 'partially_succeeded'],
  [
    'one fails, the other finds nothing',
    ['tides [[exa:status=400]] [[brave:empty]]'],
    'partially_succeeded',
  ],
  ['both fail', [BOTH_FAIL], 'failed'],
  ['all of a batch succeed', [OK, EMPTY, OK], 'succeeded'],
  ['all runs of one query of a batch fail', [OK, BOTH_FAIL], 'partially_succeeded'],
  ['each query fails with another provider', [EXA_FAILS, BRAVE_FAILS], 'partially_succeeded'],
  ['one run of many fails', [OK, OK, BRAVE_FAILS, OK], 'partially_succeeded'],
  ['one run of many succeeds', [BOTH_FAIL, BRAVE_FAILS, BOTH_FAIL], 'partially_succeeded'],
  ['all of a batch fail', [BOTH_FAIL, BOTH_FAIL], 'failed'],
];

test.each(ALL)('3: %s', async (_name, batch, status) => {
  // `search` expects HTTP 200 of each
  expect((await search(server(), batch)).answer.status).toBe(status);
});

test('3: with one provider its run decides', async () => {
  const providers = { include: ['brave'] };
  expect((await search(server(), OK, { providers })).answer.status).toBe('succeeded');
  expect((await search(server(), BRAVE_FAILS, { providers })).answer.status).toBe('failed');
});

test('3 rule 1: when every run succeeds, the interaction is succeeded', async () => {
  const { answer, runs } = await search(server(), [OK, EMPTY]);
  expect(runs.map((run) => run.status)).toEqual(Array(4).fill('succeeded'));
  expect(answer.status).toBe('succeeded');
});

test('3 rule 2: some runs failed, others succeeded: partially_succeeded, and HTTP 200', async () => {
  const body = { user_input: { query: EXA_FAILS } };
  const { status, json } = await server().search(body);
  expect(status).toBe(200);
  expect(json.status).toBe('partially_succeeded');
  const statuses = json.preprocessor_runs.map((run: { status: string }) => run.status);
  expect(statuses).toEqual(['failed', 'succeeded']);
});

describe('3 rule 3: a failed run has status failed, a populated error and output_payload null', () => {
  const FAULTS = ['status=400', 'status=401', 'status=402', 'reset', 'not-json', 'wrong-shape'];
  test.each(FAULTS)('3 rule 3: %s', async (fault) => {
    const { runs, rows } = await search(server(), [`tides [[exa:${fault}]]`, OK]);
    const [failed, ...succeeded] = runs;
    expect(failed).toMatchObject({
      preprocessor_name: 'exa',
      status: 'failed',
      output_payload: null,
      error: {
        code: expect.stringMatching(/^[a-z_]+$/),
        message: expect.stringMatching(/^exa .+: .+/),
        provider: 'exa',
        retryable: expect.any(Boolean),
        retry_after_ms: null,
        warnings: [],
      },
    });
    for (const run of succeeded) {
      expect(run).toMatchObject({ status: 'succeeded', error: null });
      expect(run.output_payload).not.toBeNull();
    }
    expect(rows('exa', 1)).toHaveLength(5);
  });
});

test('3 rule 4: a 200 does not prove success: all providers may have failed', async () => {
  const { status, json } = await server().search({ user_input: { query: BOTH_FAIL } });
  expect(status).toBe(200);
  expect(json.status).toBe('failed');
  for (const run of json.preprocessor_runs)
    expect(run).toMatchObject({ status: 'failed', output_payload: null });
});
