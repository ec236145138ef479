import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  batchOf,
  codesOf,
  runOf,
  type SpecServer,
  sentTo,
  startSpecServer,
  valueWords,
} from './support/server.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startSpecServer();
});
afterAll(() => server.stop());

/** Vendors return more rows than requested, so cutting is visible. */
const MANY = { query: 'bees [[*:rows=40]]' };
const search = (block: object, user_input: object = MANY) =>
  server.search({ user_input, search: block });
const rowsOf = (run: { output_payload: { results: unknown[] } }) => run.output_payload.results;
const braveCount = () => Object.fromEntries(sentTo(server, 'brave')).count;

describe('2.11 rule 3: count-type keys are capped at 20', () => {
  test.each([
    ['1', 1],
    ['20', 20],
    ['21', 20],
    ['1000', 20],
    ['1e9', 20],
    ['1e999', 20],
    ['20.5', 20],
    ['"3"', '3'],
    ['"20"', '20'],
    ['"21"', '20'],
    ['"0099"', '20'],
    [`"${'9'.repeat(400)}"`, '20'],
    ['[50]', '20'],
    ['["50"]', '20'],
  ])('2.11 rule 3: brave count %s is sent as %j', async (value, sent) => {
    const overrides = `{"brave":{"count":${value}}}`;
    const rawBody = `{"user_input":{"query":"q"},"search":{"provider_overrides":${overrides}}}`;
    const answer = await server.call('POST', '/v1/search', { rawBody });
    expect(braveCount()).toBe(String(sent));
    const isLowered = !['1', '20', '"3"', '"20"'].includes(value);
    expect(codesOf(runOf(answer, 'brave'))).toEqual(isLowered ? ['count_clamped'] : []);
  });

  test.each([
    [1, 1],
    [10, 10],
    [11, 10],
    [20, 10],
    [1_000, 10],
  ])('2.11 rule 3: counts of exa are lowered to 10: %i is sent as %i', async (value, sent) => {
    const answer = await search({ provider_overrides: { exa: { numResults: value } } });
    expect(sentTo(server, 'exa').numResults).toBe(sent);
    const run = runOf(answer, 'exa');
    expect(run.request_payload.body.numResults).toBe(sent);
    expect(rowsOf(run)).toHaveLength(sent);
    expect(codesOf(run)).toEqual(value > 10 ? ['count_clamped'] : []);
  });

  test('2.11 rule 3: the warning names the key, the value given and the value used', async () => {
    const overrides = { exa: { numResults: 15 }, brave: { count: '30' } };
    const answer = await search({ provider_overrides: overrides });
    expect(runOf(answer, 'exa').output_payload.warnings).toEqual([
      {
        code: 'count_clamped',
        message:
          'num_results: exa takes at most 10; numResults 15 of provider_overrides was lowered to 10',
      },
    ]);
    expect(runOf(answer, 'brave').output_payload.warnings).toEqual([
      {
        code: 'count_clamped',
        message:
          'num_results: brave takes at most 20; count 30 of provider_overrides was lowered to 20',
      },
    ]);
  });

  test.each([
    ...['num_results', 'numResults', 'NUM-RESULTS', 'max_results', 'maxResults', 'count', 'Count'],
    ...['num', 'limit', 'top_k', 'topK', 'n_results', 'result_count', 'resultCount', '__limit__'],
    ...['n', 'k', 'max', 'size', 'page_size', 'perPage', 'rows', 'hits', 'maxDocuments', 'pages'],
  ])('2.11 rule 3: %s is a count-type key, at any depth and in arrays', async (key) => {
    const block = {
      [key]: 21,
      contents: { subpage: { [key]: '1000' }, list: [[{ [key]: 99 }], { keep: 99 }, 99] },
    };
    await search({ provider_overrides: { exa: block } });
    const { contents, ...top } = sentTo(server, 'exa');
    expect(top[key]).toBe(10);
    expect(contents).toEqual({
      highlights: true,
      subpage: { [key]: '10' },
      list: [[{ [key]: 10 }], { keep: 99 }, 99],
    });
  });

  test.each(['counts', 'discount', 'limits', 'numbers', 'maxCharacters', 'links', 'tokenLimit'])(
    '2.11 rule 3: %s is not a count-type key',
    async (key) => {
      await search({ provider_overrides: { exa: { [key]: 99 } } });
      expect(sentTo(server, 'exa')[key]).toBe(99);
    },
  );

  test.each([null, true, 'many', '5.5', '-5', '', { a: 1 }])(
    '2.11 rule 3: %j is not a count and is left to the provider',
    async (value) => {
      await search({ provider_overrides: { exa: { numResults: value } } });
      expect(sentTo(server, 'exa').numResults).toEqual(value);
    },
  );
});

describe('2.11 rule 3: rows are cut to the override', () => {
  test.each([
    ['exa', 'numResults', 1],
    ['exa', 'numResults', 3],
    ['exa', 'numResults', 10],
    ['brave', 'count', 3],
    ['brave', 'count', '4'],
    ['brave', 'count', 20],
  ])('2.11 rule 3: %s %s %j, above and below num_results', async (slug, key, value) => {
    for (const num_results of [2, 5, 20]) {
      const block = { num_results, provider_overrides: { [slug]: { [key]: value } } };
      const answer = await search(block, { query: `bees [[*:rows=40]] ${num_results}` });
      const run = runOf(answer, slug);
      expect(rowsOf(run)).toHaveLength(Number(value));
      expect(codesOf(run)).toEqual([]);
      const other = runOf(answer, slug === 'exa' ? 'brave' : 'exa');
      expect(rowsOf(other)).toHaveLength(
        slug === 'brave' ? Math.min(num_results, 10) : num_results,
      );
    }
  });
});

describe('2.11 rule 3: count-type keys still count toward the volume budget', () => {
  const volume = (queries: number, provider_overrides: object, num_results?: number) => {
    const user_input = batchOf(queries);
    const body = { user_input, search: { num_results, provider_overrides } };
    return { body, user_input };
  };

  test.each<[queries: number, overrides: object, numResults: number | undefined]>([
    [8, { brave: { count: 20 } }, undefined],
    [8, { brave: { count: 1_000 } }, undefined],
    [8, { exa: { numResults: 1_000 }, brave: { count: '500' } }, 20],
    [32, { brave: { count: 5 } }, 5],
    [32, { brave: { extra: [{ limit: 5 }] } }, 1],
    [16, { brave: { count: 10 } }, 1],
  ])('2.11 rule 3: %i queries with %j, num_results %j: within 160', async (...given) => {
    const { body, user_input } = volume(...given);
    const before = server.sandbox.calls.length;
    const answer = await server.search(body);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json.preprocessor_runs).toHaveLength(user_input.length * 2);
    expect(server.sandbox.calls.length - before).toBe(user_input.length * 2);
  });

  test.each<[queries: number, overrides: object, numResults: number | undefined, each: number]>([
    [9, { brave: { count: 20 } }, undefined, 20],
    [9, { brave: { count: 1_000_000 } }, undefined, 20],
    [9, { exa: { numResults: 18 } }, 1, 18],
    [9, { exa: { numResults: '1000' } }, 1, 20],
    [9, { exa: { contents: { list: [{ topK: '20' }] } } }, undefined, 20],
    [9, { brave: { count: ['20'] } }, undefined, 20],
    [2, { exa: { contents: { subpages: 20 } } }, 5, 100],
    [16, { exa: { contents: { subpages: 100 } } }, 10, 200],
    [1, { exa: { numResults: 20, contents: { subpages: ' 9 ' } } }, 1, 180],
    [32, { brave: { count: 6 } }, 5, 6],
    [32, { brave: { count: 5.03125 } }, 5, 5.03125],
    [9, { exa: { numResults: 1 }, brave: { count: 1 } }, 18, 18],
  ])('2.11 rule 3: %i queries with %j, num_results %j: over it', async (...given) => {
    const [queries, overrides, numResults, each] = given;
    const { body } = volume(queries, overrides, numResults);
    const cause = each === numResults ? 'num_results' : 'the counts in search.provider_overrides';
    const error = `${queries} queries x ${each} results = ${queries * each}, over the volume budget of 160 per request; send fewer queries or lower ${cause}`;
    await server.expectRefusal('/v1/search', body, 422, [
      { loc: ['body', 'search', 'num_results'], input: numResults ?? 5, ...valueWords(error) },
    ]);
  });
});

describe('2.11 rule 2: the whole block is at most 16 KB', () => {
  /** Overrides whose compact JSON has this many bytes in UTF-8, filled with `unit`. */
  const sized = (bytes: number, unit: string) => {
    const frame = Buffer.byteLength('{"exa":{"systemPrompt":""},"brave":{"country":"DE"}}');
    const left = bytes - frame;
    const units = Math.floor(left / Buffer.byteLength(unit));
    const text = unit.repeat(units) + 'x'.repeat(left - units * Buffer.byteLength(unit));
    return { exa: { systemPrompt: text }, brave: { country: 'DE' } };
  };
  const tooBig = (bytes: number) =>
    valueWords(`provider_overrides is ${bytes} bytes as compact JSON; at most 16384 are allowed`);
  const loc = ['body', 'search', 'provider_overrides'];

  test.each(['x', 'é', '€', '😀'])('2.11 rule 2: 16,384 bytes of %s pass', async (unit) => {
    const provider_overrides = sized(16_384, unit);
    expect(Buffer.byteLength(JSON.stringify(provider_overrides))).toBe(16_384);
    const answer = await search({ provider_overrides });
    expect(runOf(answer, 'exa').status).toBe('succeeded');
    expect(sentTo(server, 'exa').systemPrompt).toBe(provider_overrides.exa.systemPrompt);
  });

  test.each(['x', 'é', '€', '😀'])('2.11 rule 2: 16,385 bytes of %s are refused', async (unit) => {
    const provider_overrides = sized(16_385, unit);
    const body = { user_input: MANY, search: { provider_overrides } };
    const answer = await server.refused('POST', '/v1/search', { body });
    expect(answer.status).toBe(422);
    const [{ input, ...issue }, ...more] = answer.json.detail;
    expect(issue).toEqual({ loc, ...tooBig(16_385) });
    expect(input).toMatch(/^\{"exa":\{"systemPrompt":".*… \(cut, \d+ characters in all\)$/s);
    expect(more).toEqual([]);
  });

  test('2.11 rule 2: blanks and escapes of the request are not counted', async () => {
    const text = 'é'.repeat(8_000);
    const escaped = '\\u00e9'.repeat(8_000);
    const block = `{ "exa" : ${' '.repeat(20_000)} {"systemPrompt": "${escaped}"} }`;
    const rawBody = `{"user_input":{"query":"q"},"search":{"provider_overrides":${block}}}`;
    const answer = await server.call('POST', '/v1/search', { rawBody });
    expect(answer.status, answer.text).toBe(200);
    expect(sentTo(server, 'exa').systemPrompt).toBe(text);
  });
});
