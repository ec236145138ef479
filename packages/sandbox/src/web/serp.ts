import { agoText, type Page, pagesFor, sentencesOf, topicOf } from './pages.ts';

const SHORT_DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** The date of a result as Google writes it: the time since then, or the day. */
export const serpDate = (page: Page): string =>
  agoText(page, { days: 7, hours: '5 hours ago', date: SHORT_DATE });

/** A picture inside of an answer. */
export const SERP_IMAGE = 'data:image/png;base64,iVBORw0KGgo=';

/** What a page of Google has next to its results. Vendors that read it have shapes of their own. */
export interface SerpBlocks {
  readonly topic: string;
  /** The topic as the name of a thing. */
  readonly name: string;
  /** Of the answer box and the knowledge graph. */
  readonly reference: Page & { readonly answer: string; readonly description: string };
  readonly stories: readonly Page[];
  readonly videos: readonly Page[];
  readonly questions: readonly (Page & { readonly question: string; readonly answer: string })[];
  readonly related: readonly string[];
}

export function serpBlocks(vendor: string, query: string): SerpBlocks {
  const topic = topicOf(query);
  const pages = (kind: string, count: number) => pagesFor({ vendor, query, start: 0, count, kind });
  const [reference] = pages('reference', 1);
  if (!reference) throw new RangeError('there is no page of reference');
  const answer = sentencesOf(reference, 'answer', 2).join(' ');
  const description = sentencesOf(reference, 'graph', 1).join('');
  return {
    topic,
    name: `${topic.charAt(0).toUpperCase()}${topic.slice(1)}`,
    reference: { ...reference, answer, description },
    stories: pages('news', 3),
    videos: pages('video', 2),
    questions: pages('forum', 2).map((page) => ({
      ...page,
      question: `${sentencesOf(page, 'question', 1).join('').replace(/\.$/, '')}?`,
      answer: sentencesOf(page, 'reply', 1).join(''),
    })),
    related: ['cost', 'history', 'in practice'].map((word) => `${topic} ${word}`),
  };
}
