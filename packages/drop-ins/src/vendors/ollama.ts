/** https://docs.ollama.com/capabilities/web-search, and the same paths of a local server. */
import { LIMITS } from '@trawl/contract';
import { z } from 'zod';
import { contentOf, plainFault, unreadText } from '../answers/texts.ts';
import {
  type DropIn,
  type DropInAnswer,
  type Fetched,
  type FoundPage,
  fetchRoute,
  queryText,
  searchRoute,
} from '../declaration/declaration.ts';
import { clampedCount } from '../declaration/values.ts';

const search = (path: string) =>
  searchRoute({
    path,
    input: z.object({ query: queryText, max_results: clampedCount.optional() }),
    mapped: {
      query: '`user_input.query`',
      max_results: `\`search.num_results\`, cut to ${LIMITS.resultsMax}; 5 when absent`,
    },
    names: { 'user_input.query': 'query', 'search.num_results': 'max_results' },
    ask: ({ query, max_results = 5 }, own) => ({
      query,
      numResults: max_results,
      fields: ['excerpt', 'full_content'],
      filters: {},
      own,
    }),
    answer: ({ pages }) => ({ body: { results: pages.map(rowOf) } }),
  });

const rowOf = (page: FoundPage) => ({
  title: page.title ?? '',
  url: page.url,
  content: contentOf(page),
});

const fetch = (path: string) =>
  fetchRoute({
    path,
    input: z.object({ url: z.string().min(1, 'must not be empty') }),
    mapped: { url: '`urls`; a bare host gets `https://`' },
    names: { urls: 'url' },
    ask: ({ url }) => ({
      urls: [/^[a-z][a-z0-9+.-]{0,20}:/i.test(url) ? url : `https://${url}`],
      tier: 'extended',
      contentFormat: 'markdown',
    }),
    answer: (fetched) => pageOf(fetched),
  });

function pageOf(fetched: Fetched): DropInAnswer {
  const unread = unreadText(fetched);
  if (unread !== undefined) return { status: 502, body: { error: unread } };
  const { title, content, links = [] } = fetched.rows[0] ?? {};
  return { body: { title: title ?? '', content: content ?? '', links } };
}

export const ollamaDropIn: DropIn = {
  slug: 'ollama',
  name: 'Ollama',
  keys: [{ in: 'bearer' }],
  routes: ['/api', '/api/experimental'].flatMap((base) => [
    search(`${base}/web_search`),
    fetch(`${base}/web_fetch`),
  ]),
  fault: plainFault,
};
