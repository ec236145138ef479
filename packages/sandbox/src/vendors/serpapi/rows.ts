import { filled, thinned } from '../../shell/templates.ts';
import type { JsonObject } from '../../util/json.ts';
import { diceFor, digest } from '../../util/seed.ts';
import {
  agoText,
  imageOf,
  linksOf,
  type Page,
  pagesFor,
  sentencesOf,
  topicOf,
} from '../../web/pages.ts';
import answer from './answer.json' with { type: 'json' };

/** Rows (https://serpapi.com/organic-results) and blocks, each described on a page of https://serpapi.com */

const SHORT_DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const PICTURES = ['thumbnail', 'favicon', 'graph', 'logo', 'story'];

export const ROW = {
  title: 'title',
  url: 'link',
  date: 'date',
  image: { name: 'thumbnail' },
  snippets: [{ name: 'snippet' }],
};

/** A row of `organic_results`: all but its first members come and go. */
export function organicRow(page: Page, position: number): JsonObject {
  const values = valuesOf(page);
  const words = String(values.snippet).split(' ').slice(0, 2);
  const sitelinks = linksOf(page, 2).map((link, index) => ({ title: `Part ${index + 1}`, link }));
  const row = filled(answer.row, { ...values, position, words, sitelinks });
  return thinned(row, answer.shares, diceFor('serpapi row', page.topic, page.id));
}

/** What comes before the web results, and what comes after them. */
export function blocksOf(query: string): { before: JsonObject; after: JsonObject } {
  const topic = topicOf(query);
  const pages = (kind: string, count: number) =>
    pagesFor({ vendor: 'serpapi', query, start: 0, count, kind }).map(valuesOf);
  const values = {
    name: `${topic.charAt(0).toUpperCase()}${topic.slice(1)}`,
    reference: pages('reference', 1)[0],
    video: pages('video', 1)[0],
    forum: pages('forum', 1)[0],
    questions: pages('forum', 2).map((page) => filled(answer.question, page)),
    stories: pages('news', 3).map((page) => filled(answer.story, page)),
    related: ['cost', 'history', 'in practice'].map((word) => {
      const words = `${topic} ${word}`;
      return filled(answer.related, { words, encoded: encodeURIComponent(words) });
    }),
  };
  return { before: filled(answer.before, values), after: filled(answer.after, values) };
}

/** What the templates say of a page. Pictures are in the vendor's archive. */
function valuesOf(page: Page): JsonObject {
  const archive = `https://serpapi.example.com/searches/${digest(page.id).slice(0, 24)}/images`;
  const picture = (name: string) => `${archive}/${digest(imageOf(page, name)).slice(0, 40)}.png`;
  return {
    ...page,
    shown: `https://${page.site.host} › ${page.site.folder.split('/')[0]}`,
    date: agoText(page, { days: 7, hours: '5 hours ago', date: SHORT_DATE }),
    pictures: Object.fromEntries(PICTURES.map((name) => [name, picture(name)])),
    snippet: sentencesOf(page, 'snippet', 1)[0],
    answer: sentencesOf(page, 'answer', 2).join(' '),
    graph: sentencesOf(page, 'graph', 1)[0],
    question: sentencesOf(page, 'question', 1)[0],
  };
}
