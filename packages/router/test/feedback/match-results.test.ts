import type { ResultVerdict } from '@trawl/contract';
import { describe, expect, it } from 'vitest';
import { heldResults } from '../../src/feedback/held-results.ts';
import { matchResults } from '../../src/feedback/match-results.ts';
import { fetched, found, storedInteraction } from '../support/stored.ts';

const row = (name: string) => ({ url: `https://example.com/${name}` });
const page = (url: string, more: object = {}) => ({
  url,
  status: 'succeeded',
  provider: 'jina',
  ...more,
});
const HELD = heldResults(
  storedInteraction({
    runs: [
      { id: 'r0', preprocessor_name: 'exa', output_payload: found([row('a'), row('b'), row('a')]) },
      { id: 'r1', preprocessor_name: 'brave', output_payload: null },
      {
        id: 'r2',
        preprocessor_name: 'brave',
        batch_index: 1,
        output_payload: found([{}, row('a')]),
      },
      {
        id: 'r3',
        preprocessor_name: 'web_fetch',
        output_payload: fetched([
          page('https://example.org/x', { status: 'failed' }),
          page('https://example.org/y', { canonical_url: 'https://example.org/z' }),
          page('https://example.org/w', { provider: null }),
        ]),
      },
    ],
  }).preprocessorRuns,
);

type Named = Partial<ResultVerdict> & { verdict: ResultVerdict['verdict'] };
const matchIn = (held: typeof HELD, ...named: Named[]) => {
  const { judged, problems } = matchResults(named as ResultVerdict[], held);
  const places = judged.map(({ result, verdict }) => `${result.runId}#${result.rank} ${verdict}`);
  return { places, problems: problems.map(({ index, field }) => `${index} ${field}`) };
};
const match = (...named: Named[]) => matchIn(HELD, ...named);
const right = { verdict: 'right' } as const;

describe('the results of an interaction', () => {
  it('are its rows and the pages that were read, with the places that their runs have', () => {
    expect(
      HELD.map(({ runPosition, runId, batchIndex, provider, rank, url }) => [
        runPosition,
        runId,
        batchIndex,
        provider,
        rank,
        url?.slice(8),
      ]),
    ).toEqual([
      [0, 'r0', 0, 'exa', 1, 'example.com/a'],
      [0, 'r0', 0, 'exa', 2, 'example.com/b'],
      [0, 'r0', 0, 'exa', 3, 'example.com/a'],
      [2, 'r2', 1, 'brave', 1, undefined],
      [2, 'r2', 1, 'brave', 2, 'example.com/a'],
      [3, 'r3', 0, 'jina', 2, 'example.org/y'],
      [3, 'r3', 0, 'web_fetch', 3, 'example.org/w'],
    ]);
  });

  it('are found by URL once in each run, in whatever form', () => {
    expect(match({ ...right, url: 'https://EXAMPLE.com/a#b' }).places).toEqual([
      'r0#1 right',
      'r2#2 right',
    ]);
    expect(match({ ...right, url: 'https://example.org/z' }).places).toEqual(['r3#2 right']);
    expect(match({ ...right, url: 'https://example.com/a', rank: 3 }).places).toEqual([
      'r0#3 right',
    ]);
  });

  it('are found by URL at each of the providers that were asked the same query', () => {
    const outputs = {
      exa: found([row('a')]),
      brave: found([row('b'), row('a')]),
      you: found([row('a'), row('a')]),
    };
    const runs = [0, 1].flatMap((batch_index) =>
      Object.entries(outputs).map(([name, output_payload]) => ({
        ...{ id: `q${batch_index} ${name}`, preprocessor_name: name },
        ...{ batch_index, output_payload },
      })),
    );
    const held = heldResults(storedInteraction({ runs }).preprocessorRuns);
    const places = (named: Partial<ResultVerdict>) =>
      matchIn(held, { ...right, url: row('a').url, ...named }).places;
    const ofQuery = (query: string) => [
      `${query} exa#1 right`,
      `${query} brave#2 right`,
      `${query} you#1 right`,
    ];
    expect(places({})).toEqual([...ofQuery('q0'), ...ofQuery('q1')]);
    expect(places({ batch_index: 1 })).toEqual(ofQuery('q1'));
    expect(places({ provider: 'you' })).toEqual(['q0 you#1 right', 'q1 you#1 right']);
    expect(places({ rank: 2, batch_index: 0 })).toEqual(['q0 brave#2 right', 'q0 you#2 right']);
  });

  it('are found by run, provider, query and rank together', () => {
    expect(match({ ...right, run_id: 'r0', rank: 2 }).places).toEqual(['r0#2 right']);
    expect(match({ ...right, provider: 'brave', rank: 2 }).places).toEqual(['r2#2 right']);
    expect(match({ ...right, batch_index: 1, rank: 1 }).places).toEqual(['r2#1 right']);
    expect(match({ ...right, rank: 1 }).problems).toEqual(['0 rank']);
    expect(match({ ...right, provider: 'you', rank: 1 }).problems).toEqual(['0 provider']);
    expect(match({ ...right, provider: 'brave', rank: 9 }).problems).toEqual(['0 rank']);
  });

  it('have one verdict each, in the order of their runs, and the third that contradicts is named', () => {
    const wrong = { verdict: 'wrong', run_id: 'r2', rank: 2 } as const;
    const both = match(
      { ...right, run_id: 'r3', rank: 2 },
      { ...right, url: 'https://example.com/b' },
      { ...right, url: 'https://example.com/b' },
    );
    expect(both).toEqual({ places: ['r0#2 right', 'r3#2 right'], problems: [] });
    const contradiction = match({ ...right, run_id: 'r0', rank: 2 }, wrong, {
      ...right,
      url: row('a').url,
    });
    expect(contradiction.problems).toEqual(['2 verdict']);
  });
});
