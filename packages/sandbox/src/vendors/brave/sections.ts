import { imageOf, type Page, pagesFor, sentencesOf, topicOf } from '../../content.ts';
import type { JsonObject } from '../../json.ts';
import { diceFor, digest } from '../../seed.ts';
import type { BraveQuery } from './query.ts';
import { ageOf, proxied, resultOf } from './rows.ts';

/** The sections beside `web`: https://api-dashboard.search.brave.com/app/documentation/web-search/responses */
export const SECTION_NAMES = [
  'news',
  'videos',
  'discussions',
  'faq',
  'infobox',
  'locations',
] as const;
export type SectionName = (typeof SECTION_NAMES)[number];

type SectionMaker = (pages: readonly Page[], asked: BraveQuery) => JsonObject;

const MAKERS: Readonly<Record<SectionName, SectionMaker>> = {
  news: (pages, asked) => ({
    type: 'news',
    results: pages.map((page) => newsRow(page, asked)),
    mutated_by_goggles: false,
  }),
  videos: (pages, asked) => ({
    type: 'videos',
    results: pages.map((page, index) => videoRow(page, asked, index)),
    mutated_by_goggles: false,
  }),
  discussions: (pages, asked) => ({
    type: 'search',
    results: pages.map((page) => discussionRow(page, asked)),
    mutated_by_goggles: false,
  }),
  faq: (pages) => ({ type: 'faq', results: pages.map(faqRow) }),
  infobox: (pages, asked) => ({
    type: 'graph',
    results: pages.slice(0, 1).map((page) => infoboxRow(page, asked)),
  }),
  locations: (pages, asked) => ({
    type: 'locations',
    results: pages.map((page) => locationRow(page, asked)),
  }),
};

const SITE_KINDS: Readonly<Partial<Record<SectionName, Page['site']['kind']>>> = {
  news: 'news',
  videos: 'video',
  discussions: 'forum',
  infobox: 'reference',
};

/** Sections come and go with the query; one that the filter names is always there. */
export function sectionsOf(asked: BraveQuery): ReadonlyMap<SectionName, JsonObject> {
  const topic = topicOf(asked.q);
  const present = SECTION_NAMES.filter((name) => {
    if (asked.filter) return asked.filter.has(name);
    return name === 'locations'
      ? /\bnear\b/i.test(topic)
      : diceFor('section', name, topic).chance(0.8);
  });
  return new Map(
    present.map((name) => {
      const count = 2 + diceFor('section size', name, topic).below(4);
      const kind = SITE_KINDS[name];
      const pages = pagesFor({
        vendor: `brave ${name}`,
        query: asked.q,
        start: 0,
        count,
        ...(kind === undefined ? {} : { kind }),
      });
      return [name, MAKERS[name](pages, asked)];
    }),
  );
}

/** How a page would interleave the sections; an entry for a whole section has no index. */
export function mixedOf(webRows: number, sections: Iterable<SectionName>): JsonObject {
  const names = [...sections];
  const main: JsonObject[] = Array.from({ length: webRows }, (_, index) => ({
    type: 'web',
    index,
    all: false,
  }));
  const inMain = names.filter((name) => name !== 'infobox');
  for (const [order, type] of inMain.entries()) main.splice(2 + order * 3, 0, { type, all: true });
  const side = names.filter((name) => name === 'infobox').map((type) => ({ type, all: true }));
  return { type: 'mixed', main, top: [], side };
}

function newsRow(page: Page, asked: BraveQuery): JsonObject {
  return {
    ...resultOf(page, asked),
    type: 'news_result',
    source: page.site.name,
    breaking: false,
    is_live: false,
    thumbnail: { src: proxied('200', page.url) },
    ...(asked.extraSnippets ? { extra_snippets: sentencesOf(page, 'extra', 2) } : {}),
  };
}

function videoRow(page: Page, asked: BraveQuery, index: number): JsonObject {
  const dice = diceFor('video', page.topic, page.id);
  const video = {
    duration: `${String(1 + dice.below(58)).padStart(2, '0')}:${String(dice.below(60)).padStart(2, '0')}`,
    views: dice.below(900_000),
    creator: page.author,
    publisher: page.site.name,
    requires_subscription: false,
    tags: page.topic.split(' ').slice(0, 2),
    author: { name: page.author, url: `https://${page.site.host}/@maker` },
  };
  return {
    ...resultOf(page, asked),
    type: 'video_result',
    video: index === 1 ? {} : video,
    thumbnail: { src: proxied('200', page.url), original: imageOf(page, 'frame') },
  };
}

function discussionRow(page: Page, asked: BraveQuery): JsonObject {
  const dice = diceFor('discussion', page.topic, page.id);
  return {
    ...resultOf(page, asked),
    type: 'discussion',
    subtype: 'generic',
    is_live: false,
    data: {
      forum_name: page.site.name,
      num_answers: dice.below(40),
      score: String(dice.below(300)),
      title: page.title,
      question: sentencesOf(page, 'question', 1)[0],
      top_comment: sentencesOf(page, 'comment', 2).join(' '),
    },
  };
}

function faqRow(page: Page, index: number): JsonObject {
  const questions = ['What is', 'Who uses', 'How do people start with', 'Is it worth learning'];
  return {
    question: `${questions[index % questions.length]} ${page.topic}?`,
    answer: sentencesOf(page, 'answer', 2).join(' '),
    title: page.title,
    url: page.url,
  };
}

function infoboxRow(page: Page, asked: BraveQuery): JsonObject {
  return {
    ...resultOf(page, asked),
    type: 'infobox',
    subtype: 'generic',
    position: 0,
    label: 'Subject',
    category: 'general',
    title: page.topic,
    long_desc: sentencesOf(page, 'long', 4).join(' '),
    thumbnail: { src: proxied('200', page.url), original: imageOf(page, 'portrait') },
    attributes: [
      ['Field', page.topic],
      ['Described by', page.author],
      ['Last review', ageOf(page)],
    ],
    profiles: [{ name: page.site.name, url: page.url, long_name: page.site.host }],
    website_url: `https://${page.site.host}/`,
  };
}

function locationRow(page: Page, asked: BraveQuery): JsonObject {
  const dice = diceFor('location', page.topic, page.id);
  return {
    ...resultOf(page, asked),
    type: 'location_result',
    id: digest('location', page.url).slice(0, 24),
    coordinates: [40 + dice.below(1_000) / 100, -70 - dice.below(1_000) / 100],
    postal_address: { displayAddress: `${1 + dice.below(90)} Example Street`, country: 'US' },
  };
}
