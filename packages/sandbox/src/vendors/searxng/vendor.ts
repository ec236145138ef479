import { defineVendor, refuse } from '../../shell/declaration.ts';
import { finishRows, pagesFound } from '../../shell/rows.ts';
import { queryProblems } from '../../shell/schema.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { gatewayPage, type Incoming, jsonReply, type Reply } from '../../util/http.ts';
import type { JsonObject } from '../../util/json.ts';
import { type Dice, diceFor } from '../../util/seed.ts';
import { imageOf, type Page, sentencesOf, topicOf } from '../../web/pages.ts';
import { PLACES } from '../../web/words.ts';
import api from './api.json' with { type: 'json' };

const ROWS_PER_PAGE = 24;
const HABITS = { tracking: 0.1, slash: 0.1, www: 0.1 };
/** Engines of this instance; the names are made up. */
const ENGINES = ['north search', 'open index', 'pond', 'kite'];
const ROW = {
  title: 'title',
  url: 'url',
  date: 'publishedDate',
  image: { name: 'thumbnail' },
  snippets: [{ name: 'content' }],
};

/** A GET has them in its query string, a POST in a form. */
function parametersOf({ method, query, body }: Incoming): URLSearchParams {
  return method === 'POST' ? new URLSearchParams(body) : query;
}

function search(request: VendorRequest): Reply {
  const parameters = parametersOf(request);
  const format = parameters.get('format') ?? 'html';
  if (format === 'csv' || format === 'rss') return refuse({ status: 403 });
  if (format !== 'json') return htmlPage();
  const message = refusalOf(parameters);
  return message === undefined
    ? jsonReply(200, found(request, parameters))
    : jsonReply(400, { error: message });
}

function htmlPage(): Reply {
  const body = '<!DOCTYPE html>\n<html><head><title>SearXNG</title></head><body></body></html>\n';
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

/** The instance itself refuses some parameters only; the rest is our strictness. */
function refusalOf(parameters: URLSearchParams): string | undefined {
  if (!parameters.get('q')) return 'No query';
  const [problem] = queryProblems(api.search, parameters);
  if (!problem) return undefined;
  const name = String(problem.path[0]);
  if (problem.kind === 'unknown') return `Unknown parameter ${name}`;
  return problem.kind === 'repeated'
    ? `Repeated parameter ${name}`
    : `Invalid value "${parameters.get(name)}" for parameter ${name}`;
}

function found(request: VendorRequest, parameters: URLSearchParams): JsonObject {
  const query = parameters.get('q') ?? '';
  const category = parameters.get('categories')?.split(',')[0]?.trim() ?? 'general';
  const pages = pagesFound(request, {
    query,
    start: (Number(parameters.get('pageno') ?? 1) - 1) * ROWS_PER_PAGE,
    count: ROWS_PER_PAGE,
    habits: HABITS,
    kind: category === 'news' ? 'news' : undefined,
  });
  const rows = pages.map((page, index) => rowOf(page, index, category));
  const [first] = pages;
  const topic = topicOf(query);
  const isSilent = diceFor('searxng engines', topic).chance(0.4);
  return {
    query,
    number_of_results: 0,
    results: finishRows(request, rows, ROW),
    answers: first ? answersTo(query, first) : [],
    corrections: [],
    infoboxes: first ? [infoboxOf(first)] : [],
    suggestions: first ? [`${topic} explained`, `history of ${topic}`, `${topic} costs`] : [],
    unresponsive_engines: first && isSilent ? [['kite', 'timeout']] : [],
  };
}

/** A row merged from all engines that found the page. */
function rowOf(page: Page, index: number, category: string): JsonObject {
  const dice = diceFor('searxng row', page.topic, page.id);
  const engines = enginesOf(dice);
  const positions = engines.map(() => index + 1 + dice.below(3));
  const { protocol, host, pathname, search: query } = new URL(page.url);
  const hasDate = dice.chance(0.35);
  const isVideo = page.site.kind === 'video';
  return {
    url: page.url,
    title: page.title,
    content: sentencesOf(page, 'content', 2).join(' '),
    publishedDate: hasDate ? page.published : null,
    pubdate: hasDate ? page.published.replace('T', ' ') : undefined,
    thumbnail: dice.chance(0.3) ? imageOf(page, 'thumb') : dice.chance(0.5) ? null : '',
    engine: engines[0],
    template: isVideo ? 'videos.html' : 'default.html',
    parsed_url: [protocol.slice(0, -1), host, pathname, '', query.slice(1), ''],
    img_src: '',
    priority: '',
    author: isVideo ? page.author : undefined,
    length: isVideo ? '12:34' : undefined,
    iframe_src: isVideo ? `https://${page.site.host}/embed` : undefined,
    engines,
    positions,
    score: positions.reduce((sum, position) => sum + engines.length / position, 0),
    category,
  };
}

function enginesOf(dice: Dice): readonly string[] {
  const chosen = ENGINES.filter(() => dice.chance(0.5));
  return chosen.length > 0 ? chosen : [dice.pick(ENGINES)];
}

/** Where a place is named; the first form is that of older releases. */
function answersTo(query: string, page: Page): readonly unknown[] {
  const place = PLACES.find((name) => query.includes(name));
  if (place === undefined) return [];
  const answer = sentencesOf(page, 'answer', 1).join('');
  const template = 'answer/legacy.html';
  return [
    `${place} lies by the sea.`,
    { url: page.url, engine: 'pond', parsed_url: null, template, answer },
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

/** One SearXNG instance that offers HTML and JSON. It knows no keys: a key that comes is ignored. */
export const searxng = defineVendor({
  slug: 'searxng',
  api,
  readKey: () => undefined,
  readText: (request) => parametersOf(request).get('q') ?? '',
  routes: [
    { method: 'GET', path: '/search', reply: search },
    { method: 'POST', path: '/search', reply: search },
  ],
  // the search's own errors are JSON, all others a page of the framework
  write: ({ status, message, code }) =>
    code === 'search' ? jsonReply(status, { error: message }) : gatewayPage(status),
});
