import type { JsonObject } from '../../util/json.ts';
import { type Page, pagesFor, sentencesOf, topicOf } from '../../web/pages.ts';
import { dateOf, displayedLink, picture } from './rows.ts';

/** Blocks in addition to the web results, each described on a page of https://serpapi.com */

const GOOGLE = 'https://www.google.example.com/search';

/** What comes before the web results, and what comes after them. */
export function blocksOf(query: string): { before: JsonObject; after: JsonObject } {
  const topic = topicOf(query);
  const pages = (kind: string, count: number) =>
    pagesFor({ vendor: 'serpapi', query, start: 0, count, kind });
  const [reference] = pages('reference', 1);
  if (!reference) return { before: {}, after: {} };
  return {
    before: {
      answer_box: answerBox(reference),
      knowledge_graph: knowledgeGraph(topic, reference),
      related_questions: pages('forum', 2).map(relatedQuestion),
      ai_overview: { page_token: 'c2FuZGJveA', serpapi_link: 'https://serpapi.example.com/search' },
    },
    after: {
      top_stories: pages('news', 3).map(topStory),
      inline_videos: pages('video', 1).map(({ title, url: link }) => ({ title, link })),
      discussions_and_forums: pages('forum', 1).map(({ title, url: link, site }) => ({
        title,
        link,
        source: site.name,
      })),
      related_searches: ['cost', 'history', 'in practice'].map((word) => ({
        block_position: 1,
        query: `${topic} ${word}`,
        link: `${GOOGLE}?q=${encodeURIComponent(`${topic} ${word}`)}`,
      })),
    },
  };
}

function answerBox(page: Page): JsonObject {
  return {
    type: 'organic_result',
    title: page.title,
    link: page.url,
    displayed_link: displayedLink(page),
    snippet: sentencesOf(page, 'answer', 2).join(' '),
  };
}

function knowledgeGraph(topic: string, page: Page): JsonObject {
  return {
    title: `${topic.charAt(0).toUpperCase()}${topic.slice(1)}`,
    type: 'Topic',
    kgmid: '/m/0example',
    description: sentencesOf(page, 'graph', 1)[0] ?? '',
    source: { name: page.site.name, link: page.url },
    image: picture(page, 'graph'),
  };
}

function relatedQuestion(page: Page): JsonObject {
  return {
    question: `${page.title}?`,
    snippet: sentencesOf(page, 'question', 1)[0] ?? '',
    title: page.title,
    link: `${page.url}#:~:text=answer`,
    displayed_link: displayedLink(page),
    source_logo: picture(page, 'logo'),
    next_page_token: 'c2FuZGJveA',
  };
}

function topStory(page: Page): JsonObject {
  return {
    title: page.title,
    link: page.url,
    source: page.site.name,
    date: dateOf(page),
    thumbnail: picture(page, 'story'),
  };
}
