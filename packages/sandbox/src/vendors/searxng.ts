import { type Page, pagesFor, sentencesOf, topicOf } from '../content.ts';
import { PLACES } from '../content-words.ts';
import { gatewayPage, type Incoming, jsonReply, type Reply } from '../http.ts';
import type { JsonObject } from '../json.ts';
import { finishRows, rowCount } from '../rows.ts';
import { diceFor } from '../seed.ts';
import type { Vendor, VendorRequest } from '../vendor.ts';
import { refusalOf } from './searxng/parameters.ts';
import { ROW_MEMBERS, rowOf } from './searxng/rows.ts';

/**
 * One SearXNG instance that offers HTML and JSON, https://docs.searxng.org/dev/search_api.html. It knows no keys:
 * a key that comes is ignored.
 */
export const searxng: Vendor = {
  slug: 'searxng',
  docsUrl: 'https://docs.searxng.org/dev/search_api.html',
  readKey: () => undefined,
  readText: (request) => parametersOf(request).get('q') ?? '',
  routes: [
    { method: 'GET', path: '/search', answer: search },
    { method: 'POST', path: '/search', answer: search },
  ],
  fail: (_request, status) => {
    const message = FAILURES[status];
    return message === undefined ? gatewayPage(status) : jsonReply(status, { error: message });
  },
};

/** What the search itself answers; everything else is a page of the framework. */
const FAILURES: Readonly<Record<number, string>> = { 400: 'No query', 500: 'search error' };

const ROWS_PER_PAGE = 24;
const URL_HABITS = { tracking: 0.1, slash: 0.1, www: 0.1 };

/** A GET has them in its query string, a POST in a form. */
function parametersOf({ method, query, body }: Incoming): URLSearchParams {
  return method === 'POST' ? new URLSearchParams(body) : query;
}

function search(request: VendorRequest): Reply {
  const parameters = parametersOf(request);
  const format = parameters.get('format') ?? 'html';
  if (format === 'csv' || format === 'rss') return searxng.fail(request, 403);
  if (format !== 'json') return htmlPage();
  const refusal = refusalOf(parameters);
  return refusal === undefined
    ? jsonReply(200, found(request, parameters))
    : jsonReply(400, { error: refusal });
}

function htmlPage(): Reply {
  const body = '<!DOCTYPE html>\n<html><head><title>SearXNG</title></head><body></body></html>\n';
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

function found(request: VendorRequest, parameters: URLSearchParams): JsonObject {
  const query = parameters.get('q') ?? '';
  const category = parameters.get('categories')?.split(',')[0]?.trim() ?? 'general';
  const pages = pagesFor({
    vendor: 'searxng',
    query,
    start: (Number(parameters.get('pageno') ?? 1) - 1) * ROWS_PER_PAGE,
    count: rowCount(request, ROWS_PER_PAGE),
    habits: URL_HABITS,
    ...(category === 'news' ? { kind: 'news' as const } : {}),
  });
  const rows = pages.map((page, index) => rowOf(page, index, category));
  const [first] = pages;
  const dice = diceFor('searxng engines', topicOf(query));
  return {
    query,
    number_of_results: 0,
    results: finishRows(request, rows, ROW_MEMBERS),
    answers: first ? answersTo(query, first) : [],
    corrections: [],
    infoboxes: first ? [infoboxOf(first)] : [],
    suggestions: first ? suggestionsFor(query) : [],
    unresponsive_engines: first && dice.chance(0.4) ? [['kite', 'timeout']] : [],
  };
}

/** Where a place is named; the first form is that of older releases. */
function answersTo(query: string, page: Page): readonly unknown[] {
  const place = PLACES.find((name) => query.includes(name));
  if (place === undefined) return [];
  return [
    `${place} lies by the sea.`,
    {
      url: page.url,
      engine: 'pond',
      parsed_url: null,
      template: 'answer/legacy.html',
      answer: sentencesOf(page, 'answer', 1).join(''),
    },
  ];
}

function infoboxOf(page: Page): JsonObject {
  const url = `https://atlas.example.org/wiki/${encodeURIComponent(page.topic)}`;
  return {
    infobox: page.topic,
    id: url,
    content: sentencesOf(page, 'infobox', 2).join(' '),
    img_src: null,
    urls: [{ title: 'Open Atlas', url }],
    attributes: [{ label: 'Known since', value: page.published.slice(0, 4), entity: 'P571' }],
    engine: 'open index',
    engines: ['open index'],
    positions: [1],
    template: 'infobox.html',
  };
}

function suggestionsFor(query: string): readonly string[] {
  const topic = topicOf(query);
  return [`${topic} explained`, `history of ${topic}`, `${topic} costs`];
}
