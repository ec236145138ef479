import { defineVendor, refusalOf, refuse } from '../../shell/declaration.ts';
import { finishRows, pagesFound } from '../../shell/rows.ts';
import { queryProblems } from '../../shell/schema.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { gatewayPage, type Incoming, jsonReply, type VendorReply } from '../../util/http.ts';
import type { JsonObject } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { filled } from '../../util/templates.ts';
import { imageOf, type Page, sentencesOf, topicOf } from '../../web/pages.ts';
import lists from '../../web/words.json' with { type: 'json' };
import answer from './answer.json' with { type: 'json' };
import api from './api.json' with { type: 'json' };

/** The parameters of a GET are in its query string, those of a POST in a form. */
function parametersOf({ method, query, body }: Incoming): URLSearchParams {
  return method === 'POST' ? new URLSearchParams(body) : query;
}

function search(request: VendorRequest): VendorReply {
  const parameters = parametersOf(request);
  const format = parameters.get('format') ?? 'html';
  if (format === 'csv' || format === 'rss') return refuse({ status: 403 });
  if (format !== 'json') return htmlPage();
  if (!parameters.get('q')) return refuse({ status: 400 });
  // the instance itself only refuses some parameters; the sandbox is stricter
  const problems = queryProblems(api.search.parameters, parameters);
  if (problems.length > 0) return refuse(refusalOf(api, problems, parameters));
  return jsonReply(200, searchAnswer(request, parameters));
}

function htmlPage(): VendorReply {
  const body = '<!DOCTYPE html>\n<html><head><title>SearXNG</title></head><body></body></html>\n';
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

function searchAnswer(request: VendorRequest, parameters: URLSearchParams): JsonObject {
  const query = parameters.get('q') ?? '';
  const category = parameters.get('categories')?.split(',')[0]?.trim() ?? 'general';
  const pages = pagesFound(request, {
    query,
    start: (Number(parameters.get('pageno') ?? 1) - 1) * api.pageRows,
    count: api.pageRows,
    habits: api.habits,
    kind: category === 'news' ? 'news' : undefined,
  });
  const [first] = pages;
  if (!first) return filled(answer.nothing, { query });
  const rows = pages.map((page, index) => rowOf(page, index, category));
  const topic = topicOf(query);
  const place = lists.places.find((name) => query.includes(name));
  const values = {
    ...first,
    query,
    topic,
    place,
    results: finishRows(request, rows, api.members),
    answer: sentencesOf(first, 'answer', 1).join(''),
    infobox: sentencesOf(first, 'infobox', 2).join(' '),
    address: `https://atlas.example.org/wiki/${encodeURIComponent(topic)}`,
    year: first.published.slice(0, 4),
    silent: diceFor('searxng engines', topic).chance(0.4) ? [['kite', 'timeout']] : [],
  };
  const { infobox, answers } = filled({ infobox: answer.infobox, answers: answer.answers }, values);
  // an answer is added if the query names a place; its first form is that of older releases
  return filled(answer.found, { ...values, infobox, answers: place === undefined ? [] : answers });
}

/** A row merged from all engines that found the page. */
function rowOf(page: Page, index: number, category: string): JsonObject {
  const dice = diceFor('searxng row', page.topic, page.id);
  const chosen = api.engines.filter(() => dice.chance(0.5));
  const engines = chosen.length > 0 ? chosen : [dice.pick(api.engines)];
  const positions = engines.map(() => index + 1 + dice.below(3));
  const { protocol, host, pathname, search: query } = new URL(page.url);
  const hasDate = dice.chance(0.35);
  const isVideo = page.site.kind === 'video';
  const frame = `https://${page.site.host}/embed`;
  return filled(answer.row, {
    ...page,
    content: sentencesOf(page, 'content', 2).join(' '),
    publishedDate: hasDate ? page.published : null,
    pubdate: hasDate ? page.published.replace('T', ' ') : undefined,
    thumbnail: dice.chance(0.3) ? imageOf(page, 'thumb') : dice.chance(0.5) ? null : '',
    engine: engines[0],
    template: isVideo ? 'videos.html' : 'default.html',
    scheme: protocol.slice(0, -1),
    host,
    pathname,
    search: query.slice(1),
    video: isVideo ? { author: page.author, length: '12:34', frame } : undefined,
    engines,
    positions,
    score: positions.reduce((sum, position) => sum + engines.length / position, 0),
    category,
  });
}

/**
 * One SearXNG instance that offers HTML and JSON, with made-up engines. It does not use keys: a
 * received key is ignored.
 */
export const searxng = defineVendor({
  api,
  readKey: () => undefined,
  readText: (request) => parametersOf(request).get('q') ?? '',
  routes: ['GET', 'POST'].map((method) => ({ ...api.search, method, reply: search })),
  // errors of the search are JSON, all others an HTML page of the framework
  write: ({ status, message, code }) =>
    code === 'search' ? jsonReply(status, { error: message }) : gatewayPage(status),
});
