import { describe, expect, test } from 'vitest';
import {
  applyOverrides,
  capCounts,
  countsIn,
  deepMerge,
  isCountKey,
  ownCount,
  refusedKeys,
  requestVolume,
} from '../src/index.ts';

const parsed = (json: string): Record<string, unknown> => JSON.parse(json);

describe('count-type keys', () => {
  test.each([
    'num_results',
    'numResults',
    'NUM-RESULTS',
    'max_results',
    'maxResults',
    'count',
    'num',
    'limit',
    'top_k',
    'topK',
    'n_results',
    'result_count',
    ...['n', 'k', 'Max', 'size', 'page_size', 'pageSize', 'per_page', 'perPage', 'max_count'],
    ...['max_result_count', 'rows', 'hits', 'max_documents', 'maxSubpages', 'pages', 'max-num'],
  ])('%s counts', (key) => {
    expect(isCountKey(key)).toBe(true);
  });

  test.each([
    ...['numbers', 'limits', 'discount', 'maxcharacters', 'maxCharacters', 'maximum', 'resize'],
    ...[
      'token_limit',
      'max_tokens_per_page',
      'charLimit',
      'word_count',
      'time_limit',
      'price_limit',
    ],
    ...['timeoutCount', 'max_age', 'resultsPage', 'country', 'countries', ''],
  ])('%s does not', (key) => {
    expect(isCountKey(key)).toBe(false);
  });

  test('are found and lowered at any depth, in arrays, as numbers and as digits', () => {
    const block = {
      count: 50,
      a: [{ limit: '30' }, { topK: 7 }],
      b: { c: { num: 20 } },
      maxChars: 99,
    };
    expect(countsIn(block)).toEqual([50, 30, 7, 20]);
    const capped = capCounts(block, 20);
    expect(capped.block).toEqual({
      count: 20,
      a: [{ limit: '20' }, { topK: 7 }],
      b: { c: { num: 20 } },
      maxChars: 99,
    });
    expect(capped.lowered).toEqual([
      { key: 'count', from: 50 },
      { key: 'limit', from: 30 },
    ]);
  });

  test('of other types are left to the provider', () => {
    const block = { count: null, limit: 'many', num: true, topk: { limit: 3 }, size: ' ' };
    expect(capCounts(block, 20)).toEqual({ block, lowered: [] });
    expect(countsIn(block)).toEqual([3]);
  });

  test.each([' 50', '50.0', '+50', '1e2', '0050'])('are texts that read as numbers: %j', (text) => {
    expect(capCounts({ limit: text }, 20).block).toEqual({ limit: '20' });
  });

  test('are whole numbers beyond 2^53 too', () => {
    expect(capCounts({ limit: 99999999999999999999n }, 20).block).toEqual({ limit: 20 });
    expect(countsIn({ limit: 99999999999999999999n })).toEqual([1e20]);
  });

  test('an object below a count is looked into', () => {
    expect(capCounts({ limit: { max: 50 } }, 20).block).toEqual({ limit: { max: 20 } });
  });

  test("the provider's own parameter is distinguished from any other count", () => {
    expect(ownCount({ numResults: 3, limit: 2 }, 'numResults')).toBe(3);
    expect(ownCount({ options: { num: 4 }, limit: 2 }, 'options.num')).toBe(4);
    expect(ownCount({ options: [{ num: 4 }] }, 'options.num')).toBeUndefined();
    expect(ownCount({ numResults: 0 }, 'numResults')).toBeUndefined();
    expect(ownCount({ limit: 2 }, undefined)).toBeUndefined();
  });

  test('a parameter of any name and depth is capped in its place', () => {
    const capped = capCounts({ options: { top: 500 }, top: 90 }, 20, 'options.top');
    expect(capped.block).toEqual({ options: { top: 20 }, top: 90 });
    expect(capped.lowered).toEqual([{ key: 'top', from: 500 }]);
    expect(capCounts({ parts: [{ top: 500 }] }, 20, 'parts.0.top').block).toEqual({
      parts: [{ top: 20 }],
    });
    expect(capCounts({ 'page.top': [500] }, 20, 'page.top').block).toEqual({ 'page.top': [20] });
  });

  test('volume is queries times the largest count, each override capped at 20', () => {
    expect(requestVolume(8, 20, [])).toBe(160);
    expect(requestVolume(8, 5, [{ block: { numResults: 1_000 } }])).toBe(160);
    expect(requestVolume(2, 5, [{ block: { numResults: 3 } }])).toBe(10);
  });

  test('pages below each row multiply it', () => {
    const block = { numResults: 4, contents: { subpages: '3' } };
    const multiplier = 'contents.subpages';
    expect(requestVolume(2, 1, [{ block, multiplier }])).toBe(24);
    expect(requestVolume(1, 5, [{ block: { contents: { subpages: 100 } }, multiplier }])).toBe(100);
    expect(requestVolume(1, 5, [{ block: { contents: { subpages: 0 } }, multiplier }])).toBe(5);
    expect(requestVolume(1, 5, [{ block: { contents: { subpages: 100 } } }])).toBe(20);
  });
});

describe('merging', () => {
  test('merges objects; everything else replaces, null and lists included', () => {
    const base = { a: { b: 1, c: 2 }, list: [1, 2], d: 4 };
    expect(deepMerge(base, { a: { c: null, e: [] }, list: [3], d: { f: 1 } })).toEqual({
      a: { b: 1, c: null, e: [] },
      list: [3],
      d: { f: 1 },
    });
    expect(base).toEqual({ a: { b: 1, c: 2 }, list: [1, 2], d: 4 });
  });

  test('a key called __proto__ stays an ordinary key and changes no prototype', () => {
    const merged = deepMerge(
      { a: 1 },
      parsed('{"__proto__":{"polluted":true},"constructor":{"prototype":1}}'),
    );
    expect(Object.keys(merged).sort()).toEqual(['__proto__', 'a', 'constructor']);
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(JSON.stringify(capCounts(parsed('{"__proto__":{"count":30}}'), 20).block)).toBe(
      '{"__proto__":{"count":20}}',
    );
  });

  test('goes into the body of a POST', () => {
    const call = {
      method: 'POST',
      path: '/s',
      body: { q: 'x', contents: { text: true } },
    } as const;
    expect(applyOverrides(call, { contents: { highlights: false } }).body).toEqual({
      q: 'x',
      contents: { text: true, highlights: false },
    });
  });

  test('goes into the query of a GET: lists by comma or repeated, null leaves a parameter out', () => {
    const call = { method: 'GET', path: '/s', query: { q: 'x', filter: 'web' } } as const;
    const over = {
      filter: null,
      types: ['a', 'b'],
      goggles: ['g1', 'g2'],
      flag: false,
      o: { a: 1 },
    };
    expect(applyOverrides(call, over, ['goggles']).query).toEqual({
      q: 'x',
      types: 'a,b',
      goggles: ['g1', 'g2'],
      flag: false,
      o: '{"a":1}',
    });
  });
});

test('a provider may refuse keys of its own', () => {
  expect(refusedKeys({ format: 'csv', language: 'de' }, ['format'])).toEqual(['format']);
});

test.each(['api_key', 'apiKey', 'API-KEY', 'stream', 'authorization', 'base_url', 'webhookUrl'])(
  'the key %s cannot be overridden',
  (key) => {
    expect(refusedKeys({ [key]: 1, category: 'news' })).toEqual([key]);
  },
);
