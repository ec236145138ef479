import { describe, expect, test } from 'vitest';
import { search, useServer } from './support/search-runs.ts';

const server = useServer();
const QUERY = 'tidal energy';
const PAGES = ['serpapi', 'ceramic'];

describe('2.3 providers without a count parameter', () => {
  test('2.3 rows are cut to num_results, and nothing about it is sent', async () => {
    const block = { providers: { include: PAGES }, num_results: 3 };
    const { rows, warnings } = await search(server(), QUERY, block);
    for (const slug of PAGES) {
      expect([rows(slug).length, warnings(slug)]).toEqual([3, []]);
    }
    for (const { query, body } of server().sandbox.calls) {
      expect([Object.fromEntries(query).num, body]).toEqual([
        undefined,
        expect.not.stringMatching(/max/),
      ]);
    }
  });

  test('2.3 a request for more than one page is a gap, and the rows of the page are returned', async () => {
    const block = { providers: { include: PAGES }, num_results: 12 };
    const { rows, warnings } = await search(server(), QUERY, block);
    for (const slug of PAGES) {
      expect(rows(slug)).toHaveLength(10);
      const hint = slug === 'ceramic' ? '; maxResults in provider_overrides asks for more' : '';
      expect(warnings(slug)).toEqual([
        `capability_gap num_results: ${slug} returns one page of 10 results${hint}`,
      ]);
    }
  });

  test('2.3 an override of its own count removes the gap, one of another name changes nothing', async () => {
    const provider_overrides = { serpapi: { num: 15 }, ceramic: { maxResults: 15 } };
    const block = { providers: { include: PAGES }, num_results: 12, provider_overrides };
    const { rows, warnings } = await search(server(), QUERY, block);
    expect([rows('ceramic').length, warnings('ceramic')]).toEqual([15, []]);
    expect([rows('serpapi').length, warnings('serpapi').length]).toEqual([10, 1]);
  });
});

test('2.11 an override that makes a provider answer fills answer from the same call', async () => {
  const structuredOutputSchema = '{"type":"object","properties":{"year":{"type":"number"}}}';
  const overridden = (linkup: object) =>
    search(server(), QUERY, {
      tier: 'max',
      providers: { include: ['linkup'] },
      provider_overrides: { linkup },
    });
  const written = await overridden({ outputType: 'sourcedAnswer' });
  const filled = await overridden({ outputType: 'structured', structuredOutputSchema });
  for (const { output, warnings } of [written, filled]) {
    const { answer, results } = output('linkup');
    expect(answer?.citations.map(({ title }) => title)).toEqual(results.map(({ title }) => title));
    expect(warnings('linkup').filter((text) => text.includes('answer'))).toEqual([]);
  }
  expect(JSON.parse(filled.output('linkup').answer?.text ?? '')).toEqual({
    year: expect.any(Number),
  });
});
