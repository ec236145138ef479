import type { InteractionResponse } from '@trawl/contract';
import { describe, expect, it } from 'vitest';
import { faultText } from '../src/answers/faults.ts';
import { fetchedOf, foundOf, noMoreRows } from '../src/answers/found.ts';
import { contentOf, plainFault, unreadText } from '../src/answers/texts.ts';

const usage = (cost_usd: number | null, units: object = {}) => ({ cost_usd, units });
const run = (id: string, provider: string, output: object | null, error: object | null = null) => ({
  id,
  preprocessor_name: provider,
  query: 'tides',
  error,
  output_payload: output,
});
const interaction = (runs: readonly object[], fused: readonly object[] = []) =>
  ({
    interaction_id: 'i1',
    created_at: '2026-01-01T00:00:00.000Z',
    completed_at: '2026-01-01T00:00:02.500Z',
    preprocessor_runs: runs,
    postprocessor_runs: [{ output_payload: { results: fused } }],
  }) as unknown as InteractionResponse;
const url = 'https://example.com/';
const source = (provider: string, rank: number) => ({
  provider,
  rank,
  run_id: `run of ${provider}`,
});
const fusedRow = (...sources: object[]) => ({ url, title: 'Fused', score: 0.05, sources });

describe('the rows of a search', () => {
  const first = {
    results: [
      { url: 'https://other.example/', summary: 'of another page' },
      { url, summary: 'exa says', excerpt: null, enrichments: { score: 3 }, publish_date: null },
    ],
    usage: usage(0.007, { credits: 2 }),
    related: ['a', 'b'],
    verticals: { images: ['exa.png'] },
  };
  const second = {
    results: [
      { url, summary: 'brave says', excerpt: 'brave’s excerpt', publish_date: '2026-01-01' },
    ],
    answer: { text: 'in words' },
    usage: usage(0.005),
    related: ['b', 'c'],
    verticals: { images: ['brave.png'] },
  };
  const third = {
    results: [{ url, favicon: 'icon', source: { author: 'Ada' }, thumbnail: 'thumb' }],
    usage: usage(0.0001),
  };
  const runs = [
    run('run of exa', 'exa', first),
    run('run of brave', 'brave', second),
    run('run of you', 'you', third),
    run('run of tavily', 'tavily', null, { code: 'timeout' }),
  ];
  const answer = interaction(runs, [
    fusedRow(source('you', 3), source('exa', 2), source('brave', 1)),
  ]);

  it('have each text of the best of their sources that has it', () => {
    expect(foundOf(answer, 'exa').pages).toEqual([
      {
        url,
        title: 'Fused',
        summary: 'brave says',
        excerpt: 'brave’s excerpt',
        full_content: null,
        publish_date: '2026-01-01',
        thumbnail: 'thumb',
        favicon: 'icon',
        author: 'Ada',
        enrichments: {},
        score: 0.05,
        finds: [
          { provider: 'you', rank: 3 },
          { provider: 'exa', rank: 2 },
          { provider: 'brave', rank: 1 },
        ],
      },
    ]);
    const own = interaction(runs, [fusedRow(source('exa', 1), source('brave', 2))]);
    expect(foundOf(own, 'exa').pages[0]).toMatchObject({
      ...{ summary: 'exa says', excerpt: 'brave’s excerpt', enrichments: { score: 3 } },
    });
  });

  it('come with what else the runs brought, and what is the vendor’s own', () => {
    const { pages: _, ...rest } = foundOf(answer, 'exa');
    expect(rest).toEqual({
      id: 'i1',
      completedAt: '2026-01-01T00:00:02.500Z',
      seconds: 2.5,
      costUsd: 0.0121,
      query: 'tides',
      held: 1,
      answer: 'in words',
      related: ['a', 'b', 'c'],
      images: ['exa.png'],
      ownUnits: { credits: 2 },
      failed: [{ provider: 'tavily', code: 'timeout' }],
    });
    expect(foundOf(answer, 'tavily')).toMatchObject({ images: [], ownUnits: {} });
  });

  it('have no cost where a part of it is not known', () => {
    const costOf = (...costs: (number | null)[]) =>
      foundOf(
        interaction(costs.map((cost) => run('r', 'exa', { results: [], usage: usage(cost) }))),
        'exa',
      ).costUsd;
    expect([costOf(0.1, 0.2), costOf(0.1, null), costOf(0), costOf()]).toEqual([
      0.3,
      null,
      0,
      null,
    ]);
  });

  it('of a later page of others are none', () => {
    expect(noMoreRows('tides')).toMatchObject({
      query: 'tides',
      pages: [],
      costUsd: null,
      seconds: 0,
    });
  });
});

describe('the pages of a fetch', () => {
  const page = (name: string, cost: number | null, error: object | null = null) => ({
    ...{ url: name, usage: usage(cost), error },
  });
  it('are those of its run, with the sum of their costs', () => {
    const rows = [page('a', 0.001), page('b', 0.0025)];
    const fetched = fetchedOf(interaction([run('r', 'web_fetch', { fetched_results: rows })]));
    expect(fetched).toMatchObject({ id: 'i1', seconds: 2.5, costUsd: 0.0035, rows });
    expect(fetchedOf(interaction([run('r', 'web_fetch', null)])).rows).toEqual([]);
  });

  it('say why one was not read', () => {
    const of = (...rows: object[]) => unreadText({ rows } as never);
    expect([
      of(page('a', 0)),
      of(),
      of(page('a', 0, { code: 'not_found', message: 'gone' })),
    ]).toEqual([undefined, 'the page was not read', 'not_found: gone']);
  });
});

describe('a fault', () => {
  const names = { 'search.num_results': 'max_results', 'search.filters.country': 'country' };
  it('names the parameter of the vendor', () => {
    const detail = [
      { loc: ['body', 'search', 'num_results'], msg: 'too many', type: 'x', input: 1 },
      { loc: ['body', 'search', 'filters', 'country', 0], msg: 'wrong', type: 'x', input: 1 },
      { loc: ['body', 'search', 'filters', 'countryside'], msg: 'odd', type: 'x', input: 1 },
    ];
    expect(faultText({ detail } as never, names)).toBe(
      'max_results: too many; country.0: wrong; search.filters.countryside: odd',
    );
    expect(faultText({ detail: 'no budget', hint: 'wait' } as never, names)).toBe(
      'no budget; wait',
    );
    expect(faultText({ detail: 'no budget' }, names)).toBe('no budget');
    expect(faultText({ error: { message: 'typed' } } as never, names)).toBe('typed');
  });

  it('in plain words is a 400 where the vendor has no 422', () => {
    const plain = (status: number) => plainFault({ status, message: 'm', requestId: 'r' });
    expect([plain(422), plain(429)]).toEqual([
      { status: 400, body: { error: 'm' } },
      { status: 429, body: { error: 'm' } },
    ]);
  });
});

it('the content of a row is its whole page, else its excerpt, else its summary', () => {
  const content = (given: object) =>
    contentOf({ full_content: null, excerpt: null, summary: null, ...given } as never);
  expect([
    content({ full_content: 'f', excerpt: 'e', summary: 's' }),
    content({ excerpt: 'e', summary: 's' }),
    content({ summary: 's' }),
    content({}),
  ]).toEqual(['f', 'e', 's', '']);
});
