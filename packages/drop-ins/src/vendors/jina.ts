/** https://jina.ai/reader: the search of s.jina.ai. Its reader is the drop-in `reader`. */

import { given, LIMITS } from '@trawl/contract';
import { z } from 'zod';
import { contentOf } from '../answers/texts.ts';
import {
  type DropIn,
  type DropInFault,
  type FoundPage,
  queryText,
  searchRoute,
} from '../declaration/declaration.ts';
import { clampedCount, hostOf, languageOf, shortList } from '../declaration/values.ts';

const OWN_WAY = 'each provider searches in its own way';

/** A host or address, a list of them, or several between commas. */
const sites = z
  .union([z.string(), shortList(z.array(z.string()))])
  .transform((sent) =>
    [sent]
      .flat()
      .flatMap((text) => text.split(','))
      .map((text) => hostOf(text.trim())),
  )
  .transform((hosts) => hosts.filter((host) => host !== ''));

const routeOf = (method: 'GET' | 'POST') =>
  searchRoute({
    path: method === 'GET' ? '/*' : '/',
    method,
    place: method === 'GET' ? 'query' : 'form',
    readsHeaders: true,
    rest: 'path',
    input: z.object({
      q: queryText.optional(),
      path: z.string().optional(),
      num: clampedCount.optional(),
      count: clampedCount.optional(),
      gl: z.string().optional(),
      hl: z.string().max(20).optional(),
      site: sites.optional(),
      'x-site': sites.optional(),
      type: z.literal('web', 'trawl searches the web only').optional(),
      accept: z.string().optional(),
      'x-respond-with': z.string().optional(),
    }),
    mapped: {
      q: '`user_input.query`',
      path: '`user_input.query`, where `q` is absent: the rest of the address, percent-encoded',
      num: `\`search.num_results\`, cut to ${LIMITS.resultsMax}; 5 when absent`,
      count: 'as `num`',
      gl: '`search.filters.country`',
      hl: '`search.filters.language`, without its variant',
      site: '`search.filters.include_domains`',
      'x-site': 'as `site`',
      type: '`web`; others are refused',
      accept: '`application/json`: an object with `data`; otherwise text',
      'x-respond-with': '`no-content`: rows without the text of their pages',
    },
    ignored: { page: 'trawl has the first page only', provider: OWN_WAY },
    names: {
      'user_input.query': 'q',
      'search.num_results': 'num',
      'search.filters.country': 'gl',
      'search.filters.language': 'hl',
      'search.filters.include_domains': 'site',
    },
    ask: (input, own) => ({
      query: input.q ?? decoded(input.path ?? ''),
      numResults: input.num ?? input.count ?? 5,
      fields: input['x-respond-with'] === 'no-content' ? ['excerpt'] : ['excerpt', 'full_content'],
      filters: given({
        country: input.gl,
        language: input.hl && languageOf(input.hl),
        include_domains: input.site ?? input['x-site'],
      }),
      own,
    }),
    answer: ({ pages }, { accept = '' }) =>
      accept.includes('application/json')
        ? { body: { code: 200, status: 20_000, data: pages.map(rowOf), meta: {} } }
        : { body: pages.map(blockOf).join('\n\n'), type: 'text/plain; charset=utf-8' },
  });

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

const rowOf = (page: FoundPage) => ({
  title: page.title ?? '',
  url: page.url,
  description: page.summary ?? page.excerpt ?? '',
  content: contentOf(page),
  ...(page.publish_date === null ? {} : { date: page.publish_date }),
});

function blockOf(page: FoundPage, index: number): string {
  const mark = `[${index + 1}]`;
  const description = page.summary ?? page.excerpt;
  const lines = [
    `${mark} Title: ${page.title ?? ''}`,
    `${mark} URL Source: ${page.url}`,
    ...(description === null ? [] : [`${mark} Description: ${description}`]),
    ...(page.publish_date === null ? [] : [`${mark} Date: ${page.publish_date}`]),
    ...(page.full_content === null ? [] : ['', page.full_content]),
  ];
  return lines.join('\n');
}

const NAMES: Readonly<Record<number, string>> = {
  401: 'AuthenticationFailedError',
  402: 'InsufficientBalanceError',
  422: 'ParamValidationError',
  429: 'RateLimitTriggeredError',
};

export const jinaDropIn: DropIn = {
  slug: 'jina',
  name: 'Jina',
  keys: [{ in: 'bearer' }],
  routes: [routeOf('GET'), routeOf('POST')],
  fault: ({ status: ours, message }: DropInFault) => {
    const status = ours === 400 ? 422 : ours;
    const name = NAMES[status] ?? 'ApplicationError';
    return {
      status,
      body: {
        data: null,
        code: status,
        name,
        status: status * 100,
        message,
        readableMessage: `${name}: ${message}`,
      },
    };
  },
};
