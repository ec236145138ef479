/** https://docs.searxng.org/dev/search_api.html */
import { isJsonObject, type JsonObject } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer, FailureReading } from '../declaration/call.ts';
import { defineSearch, never, supplied } from '../declaration/search.ts';
import { readRows } from '../parsed/search.ts';
import { dated } from '../values/dates.ts';
import { list, object, objects } from '../values/json.ts';
import { leftOver } from '../values/left-over.ts';
import {
  joinedTexts,
  limitedText,
  limitedTitle,
  limitedTitles,
  plainText,
  text,
  texts,
  titleText,
} from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';
import { searxngFilters } from './filters.ts';

const CONSUMED = new Set(['url', 'title', 'content', 'publishedDate', 'thumbnail', 'author']);

/** Relative addresses stay as they are: the instance uses them for its own image proxy. */
const imageUrl = (value: unknown): string | null => absoluteUrl(value, undefined);

function readRow(row: JsonObject) {
  return {
    url: text(row.url),
    title: limitedTitle(row.title),
    summary: limitedText(row.content),
    date: dated(row.publishedDate, row.pubdate),
    thumbnail: imageUrl(row.thumbnail) ?? imageUrl(row.thumbnail_src) ?? imageUrl(row.img_src),
    author: limitedTitle(row.author) ?? joinedTexts(limitedTitles(row.authors), ', '),
    enrichments: leftOver(row, CONSUMED, 'publishedDate'),
  };
}

/** Pairs of name and reason; names alone in some releases. */
const enginesIn = (unresponsive: unknown): readonly string[] =>
  list(unresponsive).flatMap((item) => titleText(Array.isArray(item) ? item[0] : item) ?? []);

/**
 * Without rows, and with engines that did not answer, it is unknown whether something was found.
 */
const isOutage = (body: JsonObject): boolean =>
  list(body.results).length === 0 && list(body.unresponsive_engines).length > 0;

const ENGINES_NAMED = 8;
const PLAIN_NAME = /^[\w .:+-]{1,40}$/;

function readFailure({ status, body }: FailedAnswer): FailureReading | undefined {
  if (status === 403) {
    return {
      code: 'bad_request',
      happened: 'refused the request, probably because this instance does not offer JSON',
      remedy: 'add json to search.formats in the settings.yml of the instance',
    };
  }
  if (!isJsonObject(body) || !isOutage(body)) return undefined;
  const names = enginesIn(body.unresponsive_engines).filter((name) => PLAIN_NAME.test(name));
  const more = names.length > ENGINES_NAMED ? ' and others' : '';
  const named = names.length > 0 ? `: ${names.slice(0, ENGINES_NAMED).join(', ')}${more}` : '';
  return {
    code: 'upstream_error',
    happened: `found nothing while engines of the instance did not answer${named}`,
    remedy: 'try again later, or check these engines on the instance',
  };
}

/** Plain texts in older releases, objects with a text and a source in newer ones. */
function answer(answers: unknown) {
  const said = list(answers).flatMap((item) => {
    const words = plainText(object(item).answer ?? item);
    return words === null ? [] : [{ words, url: absoluteUrl(object(item).url, undefined) }];
  });
  if (said.length === 0) return null;
  return {
    text: said.map(({ words }) => words).join('\n\n'),
    citations: said.flatMap(({ url }) => (url === null ? [] : [{ url, title: null }])),
  };
}

/**
 * The address of an infobox: its official site, its own address where that is a URL, else the first
 * link.
 */
function entities(infoboxes: unknown) {
  return objects(infoboxes).flatMap((box) => {
    const name = titleText(box.infobox);
    if (name === null) return [];
    const links = objects(box.urls);
    const official = links.find((link) => link.official === true);
    // an id that is not an address comes with a scheme and without a host
    const id = text(box.id)?.startsWith('http:///') ? null : box.id;
    const addresses = [official?.url, id, links[0]?.url];
    return {
      name,
      type: null,
      description: plainText(box.content),
      url: addresses.flatMap((address) => absoluteUrl(address, undefined) ?? [])[0] ?? null,
    };
  });
}

export const searxngSearch = defineSearch({
  description:
    'Metasearch of your own: one SearXNG instance that asks many engines, without a key.',
  docsUrl: 'https://docs.searxng.org/dev/search_api.html',
  autoRoutable: true,
  // the number of rows on a page depends on the engines of the instance
  count: { control: 'trim', max: 20 },
  capabilities: {
    url: supplied,
    title: supplied,
    rank: supplied,
    summary: supplied,
    excerpt: never('returns one snippet per result, which is the summary'),
    full_content: never('returns no page text'),
    publish_date: supplied,
    thumbnail: supplied,
    favicon: never('returns no favicons'),
    source: supplied,
    enrichments: supplied,
    fetch_meta: never('does not say when or how a page was read'),
    usage: never('costs nothing and does not report units'),
    answer: supplied,
    entities: supplied,
    related: supplied,
    verticals: never('returns the results of all categories as one list'),
  },
  filters: searxngFilters,
  queryLimit: {},
  timeoutMs: 15_000,
  concurrency: 10,
  price: (_plan, rates) => ({ usd: rates.search ?? 0, kind: 'known' }),
  refusedOverrides: ['format'],
  request: ({ query }) => ({ method: 'GET', path: '/search', query: { q: query, format: 'json' } }),
  response: z.looseObject({ results: z.array(z.unknown()) }).refine((body) => !isOutage(body)),
  parse: (body) => ({
    rows: readRows(body.results, readRow),
    answer: answer(body.answers),
    entities: entities(body.infoboxes),
    related: texts(body.suggestions),
  }),
  readFailure,
});
