import { fieldsOfTier } from '@trawl/contract';
import { describe, expect, test } from 'vitest';
import { withoutImages } from '../src/values/images.ts';

import { answered, searchOf } from './support/providers.ts';

const TODAY = '2026-03-31';
const wanted = {
  tier: 'max',
  fields: new Set(fieldsOfTier('max')),
  fullContent: false,
  overrides: {},
} as const;

function parametersOf(slug: string, name: 'published_after' | 'language', filters: object) {
  const rule = searchOf(slug).filters[name];
  if (rule.kind !== 'native') throw new Error(`${name} of ${slug} is not native`);
  return rule.parameters(filters, { today: TODAY, overrides: {}, strict: false });
}

describe('filters of services that read Google', () => {
  test.each([
    ['2026-03-31', { tbs: 'qdr:d' }],
    ['2026-03-30', { tbs: 'qdr:w' }],
    ['2026-03-25', { tbs: 'qdr:w' }],
    ['2026-03-24', { tbs: 'qdr:m' }],
    ['2026-03-04', { tbs: 'qdr:m' }],
    ['2026-03-03', { tbs: 'qdr:y' }],
    ['2025-04-01', { tbs: 'qdr:y' }],
    ['2025-03-31', null],
    ['2026-04-02', { tbs: 'qdr:d' }],
  ])('serper asks for the shortest span that holds all days since %s', (day, expected) => {
    expect(parametersOf('serper', 'published_after', { published_after: day })).toEqual(expected);
  });

  test.each([
    [{ language: 'de' }, { lr: 'lang_de', hl: 'de' }],
    [{ language: 'he' }, { lr: 'lang_iw', hl: 'iw' }],
    [
      { language: 'zh', country: 'TW' },
      { lr: 'lang_zh-CN|lang_zh-TW', hl: 'zh-tw' },
    ],
    [{ language: 'zh' }, { lr: 'lang_zh-CN|lang_zh-TW', hl: 'zh-cn' }],
    [{ language: 'ga' }, null],
  ])('searchapi writes the language of %j as Google does', (filters, expected) => {
    expect(parametersOf('searchapi', 'language', filters)).toEqual(expected);
  });
});

describe('an answer without the images in it', () => {
  test('keeps everything else, lists of lists and nulls too', () => {
    const image = 'data:image/png;base64,iVBORw0';
    const value = { a: [image, [1, image], null, { b: image, c: 'data' }], d: image, e: 0 };
    expect(withoutImages(value)).toEqual({ a: [[1], null, { c: 'data' }], e: 0 });
    expect(withoutImages(image)).toBeUndefined();
  });

  test('survives an answer that is nested very deeply', () => {
    const text = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    expect(Array.isArray(withoutImages(JSON.parse(text)))).toBe(true);
  });
});

test.each(['searchapi', 'serpapi'])('%s restricts to both codes of the United Kingdom', (slug) => {
  const { country: rule } = searchOf(slug).filters;
  if (rule.kind !== 'native') throw new Error(`country of ${slug} is not native`);
  const context = { today: TODAY, overrides: {}, strict: true };
  expect(rule.parameters({ country: 'GB' }, context)).toMatchObject({
    cr: 'countryGB|countryUK',
  });
});

test('searchapi reads the overview, lists in lists too', () => {
  const ai_overview = {
    text_blocks: [
      { type: 'paragraph', answer: 'It moves heat.' },
      {
        type: 'unordered_list',
        items: [
          { type: 'paragraph', answer: 'From air.' },
          { type: 'unordered_list', items: [{ answer: 'From cold air too.' }] },
        ],
      },
    ],
    reference_links: [{ title: 'Basics', link: 'https://example.net/basics' }],
  };
  const { answer } = searchOf('searchapi').parse({ ai_overview }, answered(wanted));
  expect(answer).toEqual({
    text: 'It moves heat.\n\nFrom air.\n\nFrom cold air too.',
    citations: [{ url: 'https://example.net/basics', title: 'Basics' }],
  });
});
