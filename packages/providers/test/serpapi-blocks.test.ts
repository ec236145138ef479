import { fieldsOfTier } from '@trawl/contract';
import { expect, test } from 'vitest';
import { answered, searchOf } from './support/providers.ts';

const serpapi = searchOf('serpapi');

const story = (name: string) => ({ title: name, link: `https://news.example.com/${name}` });
const wanted = {
  tier: 'max',
  fields: new Set(fieldsOfTier('max')),
  fullContent: false,
  overrides: {},
} as const;
const verticalsOf = (blocks: object) =>
  serpapi.parse({ organic_results: [], ...blocks }, answered(wanted)).verticals;

test('2.5 two blocks of one kind become one list, and both are kept', () => {
  expect(
    verticalsOf({
      top_stories: [story('a'), story('b')],
      news_results: [story('c')],
      inline_videos: [story('v')],
      video_results: [story('w')],
    }),
  ).toEqual({
    news: [story('a'), story('b'), story('c')],
    videos: [story('v'), story('w')],
  });
});

test('2.5 a block that cannot be joined to another of its kind keeps its own name', () => {
  const stories = { more: story('x') };
  expect(verticalsOf({ top_stories: [story('a')], news_results: stories })).toEqual({
    news: [story('a')],
    news_results: stories,
  });
});

test.each<[string, object, string | undefined, unknown]>([
  ['the answer of a box', { answer_box: { answer: '1856', snippet: 'x' } }, '1856', []],
  [
    'a box in a list',
    { answer_box: [{ result: '42', link: 'https://a.example.org/' }] },
    '42',
    [{ url: 'https://a.example.org/', title: null }],
  ],
  [
    'an overview where the box is without text',
    {
      answer_box: { type: 'weather_result', temperature: '12' },
      ai_overview: {
        text_blocks: [
          { snippet: 'One.' },
          { type: 'list', list: [{ title: 'B', snippet: 'Then.' }] },
          { snippet: 'Two.' },
        ],
        references: [{ title: 'A', link: 'https://a.example.org/', index: 0 }],
      },
    },
    'One.\n\nThen.\n\nTwo.',
    [{ url: 'https://a.example.org/', title: 'A' }],
  ],
  ['no answer from a token', { ai_overview: { page_token: 'x' } }, undefined, undefined],
])('reads %s', (_title, blocks, text, citations) => {
  const body = serpapi.response.parse({ organic_results: [], ...blocks });
  const { answer } = serpapi.parse(body, answered(wanted));
  expect([answer?.text, answer?.citations]).toEqual([text, citations]);
});
