/** The external search engine and page loader of Open WebUI: https://docs.openwebui.com */
import { LIMITS } from '@trawl/contract';
import { z } from 'zod';
import { plainFault } from '../answers/texts.ts';
import {
  type DropIn,
  type Fetched,
  type FoundPage,
  fetchRoute,
  queryText,
  searchRoute,
} from '../declaration/declaration.ts';
import { clampedCount, shortList } from '../declaration/values.ts';

const search = searchRoute({
  path: '/search',
  input: z.object({ query: queryText, count: clampedCount.optional() }),
  mapped: {
    query: '`user_input.query`',
    count: `\`search.num_results\`, cut to ${LIMITS.resultsMax}; 10 when absent`,
  },
  names: { 'user_input.query': 'query', 'search.num_results': 'count' },
  ask: ({ query, count = 10 }, own) => ({
    query,
    numResults: count,
    fields: ['excerpt'],
    filters: {},
    own,
  }),
  answer: ({ pages }) => ({ body: pages.map(rowOf) }),
});

const rowOf = ({ url, title, excerpt, summary }: FoundPage) => ({
  link: url,
  title: title ?? '',
  snippet: excerpt ?? summary ?? '',
});

/** As many pages as it asks for at once. */
const PAGES_MAX = 20;

const load = fetchRoute({
  path: '/load',
  input: z.object({
    urls: shortList(z.array(z.string()).min(1).max(PAGES_MAX, `at most ${PAGES_MAX} in a request`)),
  }),
  mapped: { urls: '`urls`' },
  ask: ({ urls }) => ({
    urls: [...new Set(urls)],
    tier: 'extended',
    contentFormat: 'markdown',
  }),
  answer: (fetched) => ({ body: documentsOf(fetched) }),
});

/** Pages that were read; it takes the others for failed. */
const documentsOf = ({ rows }: Fetched) =>
  rows
    .filter(({ status }) => status === 'succeeded')
    .map(({ url, canonical_url, title, description, language, content }) => ({
      page_content: content ?? '',
      metadata: Object.fromEntries(
        Object.entries({ source: canonical_url ?? url, title, description, language }).filter(
          ([, value]) => typeof value === 'string',
        ),
      ),
    }));

export const openWebuiDropIn: DropIn = {
  slug: 'open-webui',
  name: 'Open WebUI',
  keys: [{ in: 'bearer' }],
  routes: [search, load],
  fault: plainFault,
};
