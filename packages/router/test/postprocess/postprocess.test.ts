import { describe, expect, test } from 'vitest';
import type { NormalizedRun, UsableRow } from '../../src/search/normalize.ts';
import { runPostprocessors } from '../../src/search/postprocess/index.ts';

const reported: string[] = [];
const tools = {
  clock: { now: () => 5, newId: () => 'post-1' },
  reportFault: (_cause: unknown, what: string) => void reported.push(what),
};

/** A provider's run with rows `[url, title, summary]`, with the fields that postprocessors read. */
function run(
  provider: string,
  batchIndex: number,
  rows: readonly [string, (string | null)?, string?][],
) {
  return {
    run: {
      value: {
        id: `${provider}-${batchIndex}`,
        preprocessor_name: provider,
        batch_index: batchIndex,
      },
    },
    rows: rows.map(
      ([path, title, summary]): Partial<UsableRow> => ({
        url: `https://example.org/${path}`,
        title: title === undefined ? path : title,
        summary: summary ?? null,
        excerpt: null,
        publish_date: `2026-01-0${provider.length}`,
        domain: 'example.org',
        author: provider,
      }),
    ),
  } as unknown as NormalizedRun;
}

const RUNS = [
  run('one', 0, [['a', null, 'Text of a'], ['b'], ['a']]),
  run('two', 0, [['c'], ['b', 'B title', 'Text of b']]),
  run('one', 1, [['z']]),
];

const output = (name: string, batchIndex = 0) =>
  runPostprocessors([name], ['q0', 'q1'], RUNS, tools)[batchIndex]?.output_payload;

describe('rank_fusion', () => {
  test('puts results of several providers first, with their rank in each', () => {
    expect(output('rank_fusion')).toEqual({
      k: 60,
      results: [
        {
          rank: 1,
          url: 'https://example.org/b',
          title: 'b',
          summary: null,
          excerpt: null,
          publish_date: '2026-01-03',
          source: { domain: 'example.org', author: 'one' },
          score: 2 / 62,
          sources: [
            { provider: 'one', rank: 2, run_id: 'one-0' },
            { provider: 'two', rank: 2, run_id: 'two-0' },
          ],
        },
        {
          rank: 2,
          url: 'https://example.org/a',
          title: null,
          summary: 'Text of a',
          excerpt: null,
          publish_date: '2026-01-03',
          source: { domain: 'example.org', author: 'one' },
          score: 1 / 61,
          sources: [{ provider: 'one', rank: 1, run_id: 'one-0' }],
        },
        {
          rank: 3,
          url: 'https://example.org/c',
          title: 'c',
          summary: null,
          excerpt: null,
          publish_date: '2026-01-03',
          source: { domain: 'example.org', author: 'two' },
          score: 1 / 61,
          sources: [{ provider: 'two', rank: 1, run_id: 'two-0' }],
        },
      ],
    });
  });

  test('the texts are those of the best placed row alone', () => {
    const runs = [run('one', 0, [['x'], ['a', 'A', 'worse']]), run('two', 0, [['a'], ['x']])];
    const [fused] = runPostprocessors(['rank_fusion'], ['q0'], runs, tools);
    expect(fused?.output_payload.results).toMatchObject([
      { url: 'https://example.org/x', summary: null, source: { author: 'one' } },
      { url: 'https://example.org/a', summary: null, source: { author: 'two' } },
    ]);
  });

  test('a title is that of the best placed row that has one, whichever run came first', () => {
    const runs = [
      run('one', 0, [['x'], ['y'], ['a', 'third', 'of third']]),
      run('two', 0, [['x'], ['a', 'second', 'of second']]),
      run('three', 0, [['a', null]]),
    ];
    const post = (name: string) =>
      runPostprocessors([name], ['q0'], runs, tools)[0]?.output_payload ?? {};
    expect(post('rank_fusion').results).toMatchObject([
      { url: 'https://example.org/a', title: 'second', sources: [{ rank: 3 }, { rank: 2 }, {}] },
      ...[{}, {}],
    ]);
    expect(post('citations').sources).toMatchObject([
      { title: 'second', snippet: 'of second', providers: ['one', 'two', 'three'] },
      ...[{}, {}],
    ]);
  });

  test('stays within its query', () => {
    expect(output('rank_fusion', 1)).toMatchObject({ results: [{ url: 'https://example.org/z' }] });
  });
});

describe('citations', () => {
  test('numbers each URL once and gives text for a prompt', () => {
    expect(output('citations')).toEqual({
      sources: [
        {
          index: 1,
          url: 'https://example.org/b',
          title: 'b',
          snippet: 'Text of b',
          providers: ['one', 'two'],
        },
        {
          index: 2,
          url: 'https://example.org/a',
          title: null,
          snippet: 'Text of a',
          providers: ['one'],
        },
        { index: 3, url: 'https://example.org/c', title: 'c', snippet: null, providers: ['two'] },
      ],
      text: '[1] b\nhttps://example.org/b\nText of b\n\n[2] https://example.org/a\nText of a\n\n[3] c\nhttps://example.org/c',
    });
  });
});

test('one run per query and name, in batch order', () => {
  const runs = runPostprocessors(['citations', 'rank_fusion'], ['q0', 'q1'], RUNS, tools);
  expect(runs.map((one) => [one.batch_index, one.query, one.postprocessor_name])).toEqual([
    [0, 'q0', 'citations'],
    [0, 'q0', 'rank_fusion'],
    [1, 'q1', 'citations'],
    [1, 'q1', 'rank_fusion'],
  ]);
  expect(runs[0]?.preprocessor_run_ids).toEqual(['one-0', 'two-0']);
});

test('a failing one has an empty output and an error, and the others run', () => {
  const known = new Map([
    [
      'broken',
      () => {
        throw new Error('secret detail');
      },
    ],
    ['fine', () => ({ ok: true })],
  ]);
  const runs = runPostprocessors(['broken', 'fine'], ['q0'], RUNS, { ...tools, known });
  expect(runs.map(({ status, output_payload }) => [status, output_payload])).toEqual([
    ['failed', {}],
    ['succeeded', { ok: true }],
  ]);
  expect(JSON.stringify(runs)).not.toContain('secret detail');
  expect(runs[0]?.error).toMatchObject({ code: 'internal_error' });
  expect(reported).toEqual(['postprocessor broken failed']);
});

test('without rows the result is empty', () => {
  const [fusion, cited] = runPostprocessors(['rank_fusion', 'citations'], ['q0'], [], tools);
  expect(fusion?.output_payload).toEqual({ results: [], k: 60 });
  expect(cited?.output_payload).toEqual({ sources: [], text: '' });
});
