import { describe, expect, test } from 'vitest';
import { useStubFor } from './support/fetched-pages.ts';
import { search, useServer } from './support/search-runs.ts';

const server = useServer();

const at = (slug: string, overrides: object, more: object = {}) => ({
  providers: { include: [slug] },
  provider_overrides: { [slug]: overrides },
  ...more,
});

async function bookedFor(found: Awaited<ReturnType<typeof search>>, of = server()) {
  const { interaction_id } = found.answer;
  const rows = await of.server.store.reader.ledger(of.projectId, interaction_id);
  return rows.map(({ costMicros }) => costMicros);
}

async function estimateOf(block: object) {
  const { json } = await server().call('POST', '/v1/search?dry_run=true', {
    body: { user_input: { query: 'tides' }, search: block },
  });
  const [{ cost_usd, cost_kind }] = json.calls;
  return [cost_usd, cost_kind];
}

describe('2.11 type lite of exa', () => {
  test('2.11 exa: lite answers at tier max, and says what it lacks', async () => {
    const found = await search(server(), 'tides', at('exa', { type: 'lite' }, { tier: 'max' }));
    expect(found.warnings('exa')).toEqual(
      expect.arrayContaining([
        'capability_gap summary: exa writes none with type lite; it is the highlights',
        'capability_gap enrichments: exa sends no links and image links with type lite',
      ]),
    );
    const [row] = found.rows('exa');
    expect([row?.summary, row?.full_content]).toEqual([
      expect.stringMatching(/\S/),
      expect.stringMatching(/\S/),
    ]);
  });

  test('2.11 exa: lite answers with enrichments by name', async () => {
    const block = at('exa', { type: 'lite' }, { fields: ['url', 'enrichments'] });
    const found = await search(server(), 'tides', block);
    expect(found.rows('exa').length).toBeGreaterThan(0);
    expect(found.warnings('exa')).toEqual([
      'capability_gap enrichments: exa sends no links and image links with type lite',
    ]);
  });

  test('2.11 exa: a search of type lite is planned at its own price, without summaries', async () => {
    expect(await estimateOf(at('exa', { type: 'lite' }, { tier: 'max' }))).toEqual([
      0.004,
      'known',
    ]);
  });
});

test('2.11 exa: deep-lite is planned at the price that exa then reports', async () => {
  const block = at('exa', { type: 'deep-lite' });
  expect(await estimateOf(block)).toEqual([0.012, 'known']);
  expect(await bookedFor(await search(server(), 'tides', block))).toEqual([12_000]);
});

describe('2.7 what a provider remarks on a search', () => {
  const stub = useStubFor('exa');

  test('2.7 exa: its warnings and notices are passed on', async () => {
    const found = await search(
      server(),
      'tides site:nowhere.example',
      at('exa', { startCrawlDate: '2025-01-01T00:00:00.000Z' }),
    );
    expect(found.warnings('exa')).toEqual([
      'upstream_warning exa: This has no effect',
      'upstream_warning exa: No page matched the site: operator in the query, so the search ran without it',
    ]);
  });

  test('2.7 exa: remarks in any form are read, and a few of many are shown', async () => {
    const results = [{ url: 'https://a.example/', title: 'Tides' }];
    const warnings = ['in words\nand lines', { note: 'no message' }, null, 'left out'];
    stub().respond(() => ({ body: { results, warnings, notices: 'nothing' } }));
    const found = await search(stub(), 'tides', { providers: { include: ['exa'] } });
    expect(found.warnings('exa')).toEqual(['upstream_warning exa: in words and lines']);
  });
});

describe('2.3 what a provider says it billed', () => {
  const parallel = useStubFor('parallel');

  test.each([
    ['12 results', [{ name: 'sku_search_additional_results', count: 2 }], 7_000],
    ['ten results', [], 5_000],
  ])('2.3 parallel: 20 asked and %s billed are booked as such', async (_title, more, micros) => {
    const results = [{ url: 'https://a.example/', title: 'Tides', excerpts: ['Tides rise.'] }];
    const usage = [{ name: 'sku_search', count: 1 }, ...more];
    parallel().respond(() => ({ body: { results, usage } }));
    const block = { providers: { include: ['parallel'] }, num_results: 20 };
    const found = await search(parallel(), 'tides', block);
    expect(await bookedFor(found, parallel())).toEqual([micros]);
  });

  test('2.3 parallel: without its counters the price list is booked', async () => {
    parallel().respond(() => ({ body: { results: [], usage: null } }));
    const block = { providers: { include: ['parallel'] }, num_results: 20 };
    expect(await bookedFor(await search(parallel(), 'tides', block), parallel())).toEqual([15_000]);
  });

  test('2.3 tavily: where it chooses the depth, the price is estimated and its credits are booked', async () => {
    const block = at('tavily', { auto_parameters: true, search_depth: null }, { tier: 'default' });
    expect(await estimateOf(block)).toEqual([0.008, 'estimated']);
    expect(await bookedFor(await search(server(), 'tides', block))).toEqual([16_000]);
  });
});
