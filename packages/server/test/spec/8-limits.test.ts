import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  atLeast,
  atMost,
  batchOf,
  codesOf,
  QUERY,
  type Run,
  runOf,
  type SpecServer,
  sentTo,
  slugsOf,
  startSpecServer,
  tooLong,
  tooShort,
  valueWords,
} from './support/server.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startSpecServer();
});
afterAll(() => server.stop());

const paths = ['/v1/search', '/v1/interactions'] as const;
const search = (queries: number, num_results?: number, more: object = {}) => ({
  user_input: batchOf(queries),
  search: { num_results, ...more },
});

describe('8 num_results', () => {
  test.each(paths)('8: num_results on %s: 1 to 20 pass', async (path) => {
    for (const num_results of [1, 2, 10, 11, 19, 20]) {
      const answer = await server.call('POST', path, { body: search(1, num_results) });
      const rows = answer.json.preprocessor_runs.map(
        (run: Run) => run.output_payload.results.length,
      );
      expect(rows).toEqual([Math.min(num_results, 10), num_results]);
    }
  });

  test.each(paths)('8: num_results on %s: 0 and 21 are refused', async (path) => {
    const loc = ['body', 'search', 'num_results'];
    await server.expectRefusal(path, search(1, 0), 422, [{ loc, input: 0, ...atLeast(1) }]);
    await server.expectRefusal(path, search(1, 21), 422, [{ loc, input: 21, ...atMost(20) }]);
  });

  test('8: num_results is 5 by default, for each provider', async () => {
    const answer = await server.search(search(1));
    for (const run of answer.json.preprocessor_runs) {
      expect(run.output_payload.results).toHaveLength(5);
    }
    expect(sentTo(server, 'exa').numResults).toBe(5);
    expect(Object.fromEntries(sentTo(server, 'brave')).count).toBe('5');
  });

  test('8: exa is clamped to 10 with a count_clamped warning', async () => {
    const answer = await server.search(search(1, 20));
    expect(sentTo(server, 'exa').numResults).toBe(10);
    const [warning] = runOf(answer, 'exa').output_payload.warnings;
    expect(warning).toEqual({
      code: 'count_clamped',
      message: 'num_results: exa takes at most 10; 20 was lowered to 10',
    });
    expect(codesOf(runOf(answer, 'brave'))).toEqual([]);
  });
});

describe('8 queries per batch', () => {
  test.each(paths)('8: queries per batch on %s: 32 pass, 33 are refused', async (path) => {
    const before = server.sandbox.calls.length;
    const answer = await server.call('POST', path, { body: search(32) });
    expect(answer.status, answer.text).toBe(200);
    const indices = answer.json.preprocessor_runs.map((run: Run) => run.batch_index);
    expect(indices).toEqual(batchOf(32).flatMap((_, index) => [index, index]));
    expect(server.sandbox.calls.length - before).toBe(64);
    const body = search(33, 1);
    await server.expectRefusal(path, body, 422, [
      { loc: ['body', 'user_input'], input: body.user_input, ...tooLong(32, 33) },
    ]);
  });

  test.each(paths)('8: queries per batch on %s: 1 passes, 0 are refused', async (path) => {
    expect((await server.call('POST', path, { body: search(1) })).status).toBe(200);
    await server.expectRefusal(path, search(0), 422, [
      { loc: ['body', 'user_input'], input: [], ...tooShort(0) },
    ]);
  });
});

describe('8 volume budget', () => {
  test.each([
    [8, 20],
    [10, 16],
    [16, 10],
    [32, 5],
    [32, undefined],
  ])('8: volume budget: %i queries x %j results pass', async (queries, num_results) => {
    const answer = await server.search(search(queries, num_results));
    expect(answer.status, answer.text).toBe(200);
  });

  test.each([
    [9, 18],
    [9, 20],
    [11, 15],
    [18, 9],
    [27, 6],
    [32, 6],
    [32, 20],
  ])('8: volume budget: %i queries x %i results are refused', async (queries, num_results) => {
    const error = `${queries} queries x ${num_results} results = ${queries * num_results}, over the volume budget of 160 per request; send fewer queries or lower num_results`;
    const issue = { loc: ['body', 'search', 'num_results'], input: num_results };
    for (const path of paths) {
      await server.expectRefusal(path, search(queries, num_results), 422, [
        { ...issue, ...valueWords(error) },
      ]);
    }
  });

  test('8: volume budget: applies to every search, even with one provider or a clamped count', async () => {
    const only = { providers: { include: ['exa'] } };
    const answer = await server.refused('POST', '/v1/search', { body: search(9, 18, only) });
    expect(answer.json.detail[0].msg).toContain('9 queries x 18 results = 162');
    expect((await server.search(search(8, 20, only))).status).toBe(200);
  });

  test('8: volume budget: counts each query, not each provider', async () => {
    const answer = await server.search(search(8, 20));
    expect(answer.json.preprocessor_runs).toHaveLength(16);
  });
});

describe('8 overrides', () => {
  /** A block of this many bytes as compact JSON. */
  const block = (bytes: number) => {
    const frame = Buffer.byteLength('{"exa":{"systemPrompt":""}}');
    return { exa: { systemPrompt: 'x'.repeat(bytes - frame) } };
  };

  test.each(paths)(
    '8: provider_overrides on %s: 16,384 bytes pass, 16,385 do not',
    async (path) => {
      const body = (bytes: number) => search(1, 1, { provider_overrides: block(bytes) });
      expect((await server.call('POST', path, { body: body(16_384) })).status).toBe(200);
      const answer = await server.refused('POST', path, { body: body(16_385) });
      expect(answer.status).toBe(422);
      expect(answer.json.detail).toMatchObject([
        { type: 'value_error', loc: ['body', 'search', 'provider_overrides'] },
      ]);
    },
  );

  test('8: provider_overrides: the whole block counts, not each provider', async () => {
    const half = {
      exa: { systemPrompt: 'x'.repeat(9_000) },
      brave: { goggles: 'x'.repeat(9_000) },
    };
    const body = search(1, 1, { provider_overrides: half });
    expect((await server.refused('POST', '/v1/search', { body })).status).toBe(422);
  });

  test('8: count-type keys are capped at 20 and still counted in the volume budget', async () => {
    const overrides = { provider_overrides: { brave: { count: 1_000 } } };
    expect((await server.search(search(8, 1, overrides))).status).toBe(200);
    expect(Object.fromEntries(sentTo(server, 'brave')).count).toBe('20');
    const answer = await server.refused('POST', '/v1/search', { body: search(9, 1, overrides) });
    expect(answer.json.detail[0].msg).toContain('9 queries x 20 results = 180');
  });
});

describe('8 the whole request', () => {
  /** A valid search of exactly this many bytes. */
  const sized = (bytes: number, unit: string) => {
    const frame = Buffer.byteLength('{"user_input":{"query":"q"},"metadata":{"a":""}}');
    const left = bytes - frame;
    const count = Math.floor(left / Buffer.byteLength(unit));
    const text = unit.repeat(count) + 'x'.repeat(left - count * Buffer.byteLength(unit));
    return `{"user_input":{"query":"q"},"metadata":{"a":"${text}"}}`;
  };
  const headers = () => ({ authorization: `Bearer ${server.key}` });
  const detail = 'The request body is larger than 1048576 bytes';

  test.each(['x', 'é', '😀'])('8: body of %s: 1 MiB passes, a byte more is a 413', async (unit) => {
    const most = sized(1_048_576, unit);
    expect(Buffer.byteLength(most)).toBe(1_048_576);
    expect((await server.call('POST', '/v1/search', { rawBody: most })).status).toBe(200);
    const answer = await server.refused('POST', '/v1/search', { rawBody: sized(1_048_577, unit) });
    expect([answer.status, answer.json]).toEqual([413, { detail }]);
  });

  test('8: body in chunks without a length: the same', async () => {
    const chunks = (text: string) => text.match(/.{1,65536}/gs) ?? [];
    const send = (text: string) =>
      server.raw('/v1/search', { headers: headers(), body: chunks(text) });
    expect((await send(sized(1_048_576, 'x'))).status).toBe(200);
    const answer = await send(sized(1_048_577, 'x'));
    expect([answer.status, JSON.parse(answer.text)]).toEqual([413, { detail }]);
  });

  test.each(paths)('8: nesting on %s: 64 levels pass, 65 are refused', async (path) => {
    const nested = (levels: number) =>
      `{"user_input":{"query":"q"},"metadata":${'{"a":'.repeat(levels - 2)}[]${'}'.repeat(levels - 2)}}`;
    expect((await server.call('POST', path, { rawBody: nested(64) })).status).toBe(200);
    const answer = await server.refused('POST', path, { rawBody: nested(65) });
    expect([answer.status, answer.json]).toEqual([
      422,
      {
        detail: [
          {
            type: 'json_invalid',
            loc: ['body'],
            msg: 'JSON decode error',
            input: {},
            ctx: { error: 'Nesting deeper than 64 levels' },
          },
        ],
      },
    ]);
  });

  test('8: shape caps are checked before billing, even if other parts could run', async () => {
    const user_input = [...batchOf(8), { query: ' ' }];
    const answer = await server.refused('POST', '/v1/search', { body: { user_input } });
    expect(answer.status).toBe(422);
  });

  test('8: responses wait on the slowest provider', async () => {
    const started = performance.now();
    const query = 'q [[brave:latency=250]]';
    const answer = await server.search({ user_input: [QUERY, { query }] });
    expect(performance.now() - started).toBeGreaterThanOrEqual(250);
    expect(answer.json.status).toBe('succeeded');
    expect(answer.json.preprocessor_runs).toHaveLength(4);
  });

  test('8: each provider named is one paid call, per query', async () => {
    for (const [include, queries] of [
      [['exa'], 1],
      [['brave', 'exa'], 1],
      [['exa', 'brave'], 3],
    ] as const) {
      const before = server.sandbox.calls.length;
      const answer = await server.search(search(queries, 5, { providers: { include } }));
      expect(server.sandbox.calls.length - before).toBe(include.length * queries);
      const ledger = await server.server.store.reader.ledger(
        server.projectId,
        answer.json.interaction_id,
      );
      expect(ledger.map(({ provider }) => provider).sort()).toEqual(slugsOf(answer).sort());
      expect(ledger.map(({ calls }) => calls)).toEqual(ledger.map(() => 1));
    }
  });

  test('8: cost rises with tier and content options', async () => {
    const cost = async (block: object) => {
      const answer = await server.search(
        search(1, 5, { providers: { include: ['exa'] }, ...block }),
      );
      const { interaction_id } = answer.json;
      const [row] = await server.server.store.reader.ledger(server.projectId, interaction_id);
      return row?.costMicros ?? 0;
    };
    expect(await cost({ tier: 'max' })).toBeGreaterThan(await cost({ tier: 'default' }));
  });
});
