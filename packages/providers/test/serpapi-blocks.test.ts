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
