import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { OPEN_SETS, readOpenSet } from '../src/measure/open-sets.ts';
import { readSetFile, sampled } from '../src/measure/query-set.ts';
import { starterSet } from '../src/measure/starter-set.ts';

describe('a set of queries', () => {
  test('as JSON lines', () => {
    const text =
      '{"query": " tidal power ", "id": "t", "topic": "news", "gold_urls": ["https://example.com/a"], "expected_answer": "yes", "filters": {"country": "de"}}\n\n{"query": "owls"}\n';
    expect(readSetFile(text)).toEqual([
      {
        ...{ id: 't', query: 'tidal power', topic: 'news', expectedAnswer: 'yes' },
        ...{ goldUrls: ['https://example.com/a'], filters: { country: 'DE' } },
      },
      { id: '2', query: 'owls', topic: null, goldUrls: [], expectedAnswer: null, filters: null },
    ]);
  });

  test('as comma-separated values, with marks, commas and line ends in cells', () => {
    const text =
      '\ufeffid,query,gold_urls,filters\r\na,"power, ""tidal""",https://example.com/a https://example.com/b,"{""safe_search"": ""strict""}"\r\nb,"two\nlines",,\r\n';
    expect(readSetFile(text)).toMatchObject([
      {
        ...{ id: 'a', query: 'power, "tidal"', filters: { safe_search: 'strict' } },
        goldUrls: ['https://example.com/a', 'https://example.com/b'],
      },
      { id: 'b', query: 'two\nlines', goldUrls: [], filters: null },
    ]);
  });

  test.each([
    ['', 'it has no queries'],
    ['query,query\nx,y', 'line 1, query: the column is there twice'],
    ['id,topic\n1,news', 'line 1 lacks the column query'],
    ['query,id\na,b,c', 'line 2 has 3 cells for 2 columns'],
    ['query\n"a', 'line 2 has a quotation mark that is never closed'],
    ['query\n"a" b', 'line 2 has text behind a closing quotation mark'],
    ['query,topic\na,sports', 'line 2, topic: "sports" is unknown'],
    ['query,gold_urls\na,example.com', 'line 2, gold_urls: "example.com" is not an http(s) URL'],
    ['query,filters\na,"{""country"": ""UK""}"', 'line 2, filters.country: '],
    ['query,filters\na,x', 'line 2, filters: is not JSON'],
    ['query\na\na', 'line 3, query: line 2 asks the same'],
    ['{"query": 7}', 'line 1, query: it is not a text'],
    ['{"query": " "}', 'line 1, query: it is empty'],
    ['{"query": "a", "gold": []}', 'line 1 has an unknown column "gold"'],
    ['{"query": "a"}\n{', 'line 2 is not JSON'],
    ['{"query": "a", "gold_urls": "https://example.com"}', 'line 1, gold_urls: write a list'],
  ])('%j is refused with its place', (text, message) => {
    expect(() => readSetFile(text)).toThrow(message);
  });

  test('a sample is the same for the same seed, and in the order of the set', () => {
    const { queries } = starterSet();
    const drawn = sampled(queries, 7, 3);
    expect(drawn).toHaveLength(7);
    expect(sampled(queries, 7, 3)).toEqual(drawn);
    expect(sampled(queries, 7, 4)).not.toEqual(drawn);
    const places = drawn.map((query) => queries.indexOf(query));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
});

test.each(OPEN_SETS)('$name is in the table of the docs as it is in the code', (set) => {
  const docs = readFileSync(new URL('../../../docs/evaluate.md', import.meta.url), 'utf8');
  const row = docs.split('\n').find((line) => line.startsWith(`| \`${set.name}\``)) ?? '';
  for (const fact of [set.licence, String(set.bytes), set.sha256, set.has]) {
    expect(row).toContain(fact);
  }
  expect(row.replace(',', '')).toContain(`| ${set.queries} |`);
});

test.each(OPEN_SETS)('$name is used only with the pinned text, from a fixed commit', (set) => {
  expect(set.url).toMatch(/^https:\/\/raw\.githubusercontent\.com\/[\w-]+\/[\w-]+\/[0-9a-f]{40}\//);
  expect(() => readOpenSet(set, 'other')).toThrow(`not ${set.sha256}; it was changed`);
});
