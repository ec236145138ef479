/** https://docs.searxng.org/dev/search_api.html */

import { given, LIMITS } from '@trawl/contract';
import { z } from 'zod';
import { plainFault } from '../answers/texts.ts';
import { type DropIn, type FoundPage, queryText, searchRoute } from '../declaration/declaration.ts';
import {
  countryOf,
  languageOf,
  orAbsent,
  rowCount,
  startOf,
  wholeNumber,
} from '../declaration/values.ts';

const SAFE_SEARCH = { 0: 'off', 1: 'moderate', 2: 'strict' } as const;

/** Words for no language in particular. */
const ANY_LANGUAGE = new Set(['all', 'auto']);

const LOOKS = 'a setting of its pages';
const OF_LANGCHAIN = "SearXNG lacks it; LangChain's client sends it";

/** As many as are returned where a request does not say it. */
const ROWS = 10;

const OWN = {
  categories: z.string(),
  engines: z.string(),
  enabled_engines: z.string(),
  disabled_engines: z.string(),
};

const routeOf = (method: 'GET' | 'POST', path: string) =>
  searchRoute({
    path,
    method,
    place: 'query',
    input: z.object({
      q: queryText,
      format: z.literal('json', 'trawl answers format=json only'),
      pageno: orAbsent(wholeNumber.pipe(z.int().min(1))).optional(),
      language: orAbsent(z.string().max(20)).optional(),
      time_range: orAbsent(z.enum(['day', 'week', 'month', 'year'])).optional(),
      safesearch: orAbsent(z.enum(['0', '1', '2'])).optional(),
      numResults: orAbsent(rowCount).optional(),
    }),
    mapped: {
      q: '`user_input.query`',
      format: '`json`; other formats are refused',
      pageno: 'other pages than the first on your own instance only; elsewhere they have no rows',
      language:
        '`search.filters.language`, and `country` where it names one, such as `en-US`; `all` and `auto` mean any language',
      time_range: '`search.filters.published_after`, counted back from today',
      safesearch: '`search.filters.safe_search`',
      numResults: `\`search.num_results\`, at most ${LIMITS.resultsMax}; ${ROWS} when absent. ${OF_LANGCHAIN}`,
    },
    own: OWN,
    ignored: {
      theme: LOOKS,
      image_proxy: LOOKS,
      results_on_new_tab: LOOKS,
      autocomplete: LOOKS,
      enabled_plugins: LOOKS,
      disabled_plugins: LOOKS,
      imageProxy: OF_LANGCHAIN,
      pageNumber: OF_LANGCHAIN,
    },
    names: {
      'user_input.query': 'q',
      'search.num_results': 'numResults',
      'search.filters.language': 'language',
      'search.filters.country': 'language',
    },
    ask: ({ q, pageno = 1, language = 'all', numResults = ROWS, ...asked }, own, today) => ({
      query: q,
      numResults,
      fields: ['publish_date', 'thumbnail'],
      ownFields: ['related'],
      filters: given({
        language: ANY_LANGUAGE.has(language) ? undefined : languageOf(language),
        country: countryOf(language),
        published_after: asked.time_range && startOf(asked.time_range, today),
        safe_search: asked.safesearch && SAFE_SEARCH[asked.safesearch],
      } as const),
      own: pageno > 1 ? { ...own, pageno } : own,
      isLaterPage: pageno > 1,
    }),
    answer: (found) => ({
      body: {
        query: found.query,
        number_of_results: found.pages.length,
        results: found.pages.map(resultOf),
        answers: found.answer === null ? [] : [found.answer],
        corrections: [],
        infoboxes: [],
        suggestions: found.related,
        unresponsive_engines: found.failed.map(({ provider, code }) => [provider, code]),
      },
    }),
  });

/** Our providers are what engines are there. */
const resultOf = (page: FoundPage) => ({
  url: page.url,
  title: page.title ?? '',
  content: page.summary ?? page.excerpt ?? '',
  thumbnail: page.thumbnail,
  publishedDate: page.publish_date,
  engine: page.finds[0]?.provider,
  engines: page.finds.map(({ provider }) => provider),
  positions: page.finds.map(({ rank }) => rank),
  score: page.score,
  category: 'general',
  template: 'default.html',
});

export const searxngDropIn: DropIn = {
  slug: 'searxng',
  name: 'SearXNG',
  keys: [{ in: 'bearer' }],
  isKeyless: true,
  routes: [
    routeOf('GET', '/search'),
    routeOf('POST', '/search'),
    // its clients use both paths
    routeOf('GET', '/'),
    routeOf('POST', '/'),
  ],
  fault: plainFault,
};
