/** https://docs.searxng.org/dev/search_api.html */
import { isJsonObject, type JsonObject } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer, FailureReading } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import { checked, type FilterRules, native, takes, unsupported } from '../declaration/filters.ts';
import { defineSearch, never, recordCapabilities, supplied } from '../declaration/search.ts';
import { rowReader } from '../parsed/rows.ts';
import { joinedNames, wholeUrl } from '../parsed/table.ts';
import { dated } from '../values/dates.ts';
import { list, object, objects } from '../values/json.ts';
import { limitedTitle, plainText, text, texts, titleText } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';

const SAFE_SEARCH = { off: 0, moderate: 1, strict: 2 } as const;

const site = checked('passes operators on, and not every engine understands them');
const day = checked('filters by day, month or year back from now only; it returns some dates');

const filters: FilterRules = {
  include_domains: site,
  exclude_domains: site,
  published_after: day,
  published_before: day,
  country: unsupported('documents no country filter'),
  language: takes('a language', 'language', 'language'),
  safe_search: native('takes 0, 1 and 2 in safesearch', ({ safe_search = 'off' }) => ({
    safesearch: SAFE_SEARCH[safe_search],
  })),
};

const rowsIn = rowReader({
  url: 'url',
  title: 'title',
  summary: 'content',
  date: 'publishedDate',
  dropped: ['thumbnail', 'author'],
  more: (row) => ({
    date: dated(row.publishedDate, row.pubdate),
    // relative addresses stay as they are: the instance uses them for its own image proxy
    thumbnail: wholeUrl(row.thumbnail) ?? wholeUrl(row.thumbnail_src) ?? wholeUrl(row.img_src),
    author: limitedTitle(row.author) ?? joinedNames(row.authors),
  }),
});

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

const search = defineSearch({
  description:
    'Metasearch of your own: one SearXNG instance that asks many engines, without a key.',
  docsUrl: 'https://docs.searxng.org/dev/search_api.html',
  // the number of rows on a page depends on the engines of the instance
  count: { control: 'trim', max: 20 },
  capabilities: recordCapabilities({
    excerpt: never('returns one snippet per result, which is the summary'),
    thumbnail: supplied,
    answer: supplied,
    entities: supplied,
    related: supplied,
    verticals: never('returns the results of all categories as one list'),
  }),
  filters,
  timeoutMs: 15_000,
  concurrency: 10,
  refusedOverrides: ['format'],
  request: ({ query }) => ({ method: 'GET', path: '/search', query: { q: query, format: 'json' } }),
  response: z.looseObject({ results: z.array(z.unknown()) }).refine((body) => !isOutage(body)),
  parse: (body) => ({
    rows: rowsIn(body.results),
    answer: answer(body.answers),
    entities: entities(body.infoboxes),
    related: texts(body.suggestions),
  }),
  readFailure,
});

export const searxng = defineProvider({
  slug: 'searxng',
  name: 'SearXNG',
  baseUrl: null,
  authentication: { in: 'none' },
  credentialVariables: [],
  prices: { asOf: '2026-11-21', usd: { search: 0 } },
  dataUse: {
    training: 'no',
    retention: 'as your instance is set up',
    region: 'your own',
    source: 'https://docs.searxng.org/own-instance.html',
    checked: '2026-11-23',
    note: 'Self-hosted. The engines that your instance asks see the queries, without who asked; their own terms apply to them.',
  },
  search,
});
