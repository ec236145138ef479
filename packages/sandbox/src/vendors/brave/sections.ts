import type { JsonObject } from '../../util/json.ts';
import { diceFor, digest } from '../../util/seed.ts';
import { imageOf, type Page, pagesFor, sentencesOf, topicOf } from '../../web/pages.ts';
import type { BraveQuery } from './query.ts';
import { ageOf, proxied, resultOf } from './rows.ts';

/** The sections in addition to `web`: https://api-dashboard.search.brave.com/app/documentation/web-search/responses */
const SECTIONS: Readonly<Record<string, Section>> = {
  news: { type: 'news', kind: 'news', isRanked: true, row: newsRow },
  videos: { type: 'videos', kind: 'video', isRanked: true, row: videoRow },
  discussions: { type: 'search', kind: 'forum', isRanked: true, row: discussionRow },
  faq: { type: 'faq', row: faqRow },
  infobox: { type: 'graph', kind: 'reference', rowsMax: 1, row: infoboxRow },
  locations: { type: 'locations', row: locationRow },
};

interface Section {
  readonly type: string;
  /** Only pages of such sites. */
  readonly kind?: string;
  /** Goggles could change its order. */
  readonly isRanked?: true;
  readonly rowsMax?: number;
  readonly row: (page: Page, asked: BraveQuery, index: number) => JsonObject;
}

/** Sections come and go with the query; one that the filter names is always there. */
export function sectionsOf(asked: BraveQuery): ReadonlyMap<string, JsonObject> {
  const topic = topicOf(asked.q);
  const sections = new Map<string, JsonObject>();
  for (const [name, { type, kind, isRanked, rowsMax, row }] of Object.entries(SECTIONS)) {
    if (!hasSection(name, asked, topic)) continue;
    const count = 2 + diceFor('section size', name, topic).below(4);
    const vendor = `brave ${name}`;
    const pages = pagesFor({ vendor, query: asked.q, start: 0, count, kind }).slice(0, rowsMax);
    const results = pages.map((page, index) => row(page, asked, index));
    sections.set(name, { type, results, mutated_by_goggles: isRanked ? false : undefined });
  }
  return sections;
}

function hasSection(name: string, asked: BraveQuery, topic: string): boolean {
  if (asked.filter) return asked.filter.has(name);
  if (name === 'locations') return /\bnear\b/i.test(topic);
  return diceFor('section', name, topic).chance(0.8);
}

/** How a page would interleave the sections; an entry for a whole section has no index. */
export function mixedOf(webRows: number, sections: Iterable<string>): JsonObject {
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
    extra_snippets: asked.extraSnippets ? sentencesOf(page, 'extra', 2) : undefined,
  };
}

function videoRow(page: Page, asked: BraveQuery, index: number): JsonObject {
  const dice = diceFor('video', page.topic, page.id);
  const video = {
    duration: `${twoDigits(1 + dice.below(58))}:${twoDigits(dice.below(60))}`,
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

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
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

function faqRow(page: Page, _asked: BraveQuery, index: number): JsonObject {
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
