import { defineVendor, unsupported } from '../../shell/declaration.ts';
import { filterOf, sitesIn } from '../../shell/filters.ts';
import { finishRows, pagesFound } from '../../shell/rows.ts';
import { type VendorRequest, withEchoedKey } from '../../shell/vendor.ts';
import type { JsonObject } from '../../util/json.ts';
import { diceFor, digest } from '../../util/seed.ts';
import { filled, thinned } from '../../util/templates.ts';
import {
  DAY_MS,
  imageOf,
  linksOf,
  type Page,
  pagesFor,
  SANDBOX_NOW,
  sentencesOf,
  topicOf,
} from '../../web/pages.ts';
import { serpDate } from '../../web/serp.ts';
import answer from './answer.json' with { type: 'json' };
import api from './api.json' with { type: 'json' };

/**
 * Rows (https://serpapi.com/organic-results) and blocks, each described on a page of
 * https://serpapi.com
 */

/** A row of `organic_results`: only its first members are always present. */
function organicRow(page: Page, position: number): JsonObject {
  const values = valuesOf(page);
  const words = String(values.snippet).split(' ').slice(0, 2);
  const sitelinks = linksOf(page, 2).map((link, index) => ({ title: `Part ${index + 1}`, link }));
  const row = filled(answer.row, { ...values, position, words, sitelinks });
  return thinned(row, answer.shares, diceFor('serpapi row', page.topic, page.id));
}

/** The blocks before and after the web results. */
function blocksOf(query: string): { before: JsonObject; after: JsonObject } {
  const topic = topicOf(query);
  const pages = (kind: string, count: number) =>
    pagesFor({ vendor: 'serpapi', query, start: 0, count, kind }).map(valuesOf);
  const values = {
    name: `${topic.charAt(0).toUpperCase()}${topic.slice(1)}`,
    reference: pages('reference', 1)[0],
    video: pages('video', 1)[0],
    forum: pages('forum', 1)[0],
    questions: pages('forum', 2).map((page) => filled(answer.question, page)),
    stories: pages('news', 3).map((page) => filled(answer.story, page)),
    related: ['cost', 'history', 'in practice'].map((word) => {
      const words = `${topic} ${word}`;
      return filled(answer.related, { words, encoded: encodeURIComponent(words) });
    }),
  };
  return { before: filled(answer.before, values), after: filled(answer.after, values) };
}

/** The values of a page for the templates. Images are in the vendor's archive. */
function valuesOf(page: Page): JsonObject {
  const archive = `https://serpapi.example.com/searches/${digest(page.id).slice(0, 24)}/images`;
  const picture = (name: string) => `${archive}/${digest(imageOf(page, name)).slice(0, 40)}.png`;
  return {
    ...page,
    shown: `https://${page.site.host} › ${page.site.folder.split('/')[0]}`,
    date: serpDate(page),
    pictures: Object.fromEntries(api.pictures.map((name) => [name, picture(name)])),
    snippet: sentencesOf(page, 'snippet', 1)[0],
    answer: sentencesOf(page, 'answer', 2).join(' '),
    graph: sentencesOf(page, 'graph', 1)[0],
    question: sentencesOf(page, 'question', 1)[0],
  };
}

/** The rows on one page of Google; no parameter changes this. */

/** The first day of `as_qdr`: `d10` is the past ten days. Other units are not understood. */
function firstDayOf(quickRange: string | null): string | undefined {
  const days = /^d(\d{1,5})$/.exec(quickRange ?? '')?.[1];
  if (days === undefined) return undefined;
  return new Date(Date.parse(`${SANDBOX_NOW}Z`) - Number(days) * DAY_MS).toISOString().slice(0, 10);
}

function search(request: VendorRequest): JsonObject {
  const { query } = request;
  if (query.get('output') === 'html' || query.get('async') === 'true') {
    return unsupported('serpapi: the sandbox does not support output=html and async=true');
  }
  if (query.has('tbm') || query.has('json_restrictor')) {
    return unsupported('serpapi: the sandbox does not support tbm and json_restrictor');
  }
  const q = query.get('q') ?? '';
  const start = Number(query.get('start') ?? 0);
  if (request.faults.rows === 'empty') {
    const error = withEchoedKey(request, api.nothingFound);
    return { ...headOf(request, query), error };
  }
  const filter = filterOf({ ...sitesIn(q), after: firstDayOf(query.get('as_qdr')) });
  const found = { query: q, start, count: api.pageRows, habits: api.habits, filter };
  const pages = pagesFound(request, found);
  const rows = pages.map((page, index) => organicRow(page, index + 1));
  const { before, after } = blocksOf(q);
  return {
    ...headOf(request, query, api.total),
    ...before,
    organic_results: finishRows(request, rows, api.members),
    ...after,
    serpapi_pagination: { current: start / api.pageRows + 1, next: nextPage(q, start) },
  };
}

function headOf(request: VendorRequest, query: URLSearchParams, total?: number): JsonObject {
  const id = request.fingerprint.slice(0, 24);
  const q = query.get('q') ?? '';
  return filled(answer.head, {
    ...answer.defaults,
    ...Object.fromEntries(query),
    id,
    archive: `https://serpapi.example.com/searches/${request.fingerprint.slice(24, 40)}/${id}`,
    encoded: encodeURIComponent(q),
    q,
    total,
    state: total === undefined ? 'Fully empty' : 'Results for exact spelling',
  });
}

function nextPage(q: string, start: number): string {
  const query = new URLSearchParams({ engine: 'google', q, start: String(start + api.pageRows) });
  return `https://serpapi.example.com/search.json?${query}`;
}

/** SerpApi with the engine google. Message texts that nothing depends on are ours. */
export const serpapi = defineVendor({
  api,
  readKey: ({ query }) => query.get('api_key') ?? undefined,
  readText: ({ query }) => query.get('q') ?? '',
  routes: ['/search', '/search.json'].map((path) => ({ ...api.search, path, answer: search })),
  // a missing query is reported before all other problems
  refusal: ({ query }) => (query.get('q')?.trim() ? undefined : api.noQuery),
});
