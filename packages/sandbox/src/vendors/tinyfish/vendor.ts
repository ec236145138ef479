import { defineVendor, type Operation } from '../../shell/declaration.ts';
import { finishRows, pagesFound } from '../../shell/rows.ts';
import { combination, type Problem } from '../../shell/schema.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { jsonReply } from '../../util/http.ts';
import type { JsonObject } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { agoText, type Page, sentencesOf } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };
import { fetch } from './fetch.ts';

const PAGE_ROWS = 10;
const HABITS = { www: 0.15, tracking: 0.05 };
const ROW = { title: 'title', url: 'url', date: 'date', snippets: [{ name: 'snippet' }] };
const SHORT_DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

const search: Omit<Operation, 'path'> = {
  method: 'GET',
  parameters: api.search,
  check: (_asked, { query }) => combinations(query),
  checksAlways: true,
  answer: found,
};

function combinations(query: URLSearchParams): readonly Problem[] {
  const isPaper = query.get('domain_type') === 'research_paper';
  const isRecent = query.has('recency_minutes');
  const isBounded = query.has('after_date') || query.has('before_date');
  const [after, before] = [query.get('after_date'), query.get('before_date')];
  const rules: readonly (readonly [isBroken: boolean, name: string, message: string])[] = [
    [isRecent && isBounded, 'recency_minutes', 'not together with date bounds'],
    [!!after && !!before && after > before, 'after_date', 'after_date is after before_date'],
    [isPaper && (isRecent || isBounded), 'domain_type', 'papers take no dates'],
    [!isPaper && query.has('pub_year_min'), 'pub_year_min', 'for papers only'],
  ];
  return rules.flatMap(([isBroken, name, text]) => (isBroken ? [combination(text, name)] : []));
}

/** One page of ten, whatever is asked. */
function found(request: VendorRequest): JsonObject {
  const query = request.query.get('query') ?? '';
  const page = Number(request.query.get('page') ?? 0);
  const domainType = request.query.get('domain_type') ?? 'web';
  const pages = pagesFound(request, {
    query,
    start: page * PAGE_ROWS,
    count: PAGE_ROWS,
    habits: HABITS,
    kind: domainType === 'news' ? 'news' : undefined,
  });
  const rows = pages.map((item, index) => rowOf(item, index + 1, domainType));
  const results = finishRows(request, rows, ROW);
  return { query, results, total_results: results.length, page };
}

/** News rows and some web rows have a date; papers have members of their own. */
function rowOf(page: Page, position: number, domainType: string): JsonObject {
  const isNews = domainType === 'news';
  const hasDate = diceFor('tinyfish row', page.topic, page.id).chance(0.35);
  const isDated = isNews || (hasDate && domainType === 'web');
  const date = { days: 7, hours: '3 hours ago', date: SHORT_DATE };
  return {
    position,
    site_name: page.site.host,
    title: page.title,
    snippet: `${sentencesOf(page, 'snippet', 2).join(' ')} ...`,
    url: page.url,
    date: isDated ? agoText(page, date) : undefined,
    publisher: isNews ? page.site.name : undefined,
    ...(domainType === 'research_paper' ? paperOf(page) : {}),
  };
}

/** The names of these members are a guess: the document says only that there are such members. */
function paperOf(page: Page): JsonObject {
  return {
    authors: [page.author],
    venue: page.site.name,
    year: Number(page.published.slice(0, 4)),
    citation_count: diceFor('tinyfish citations', page.topic, page.id).below(400),
  };
}

/**
 * TinyFish. Search and fetch have hosts of their own, where the path is `/`; a third host has them at `/v1/search` and
 * `/v1/fetch`. Here are all of them. The sentences are ours.
 */
export const tinyfish = defineVendor({
  slug: 'tinyfish',
  api,
  readKey: ({ headers }) => headers['x-api-key'],
  routes: [
    { ...search, path: '/v1/search' },
    { ...search, path: '/' },
    { ...fetch, path: '/v1/fetch' },
    { ...fetch, path: '/' },
  ],
  refusal: (problems) => ({
    status: 400,
    message: 'The parameters are not valid',
    details: problems.map(({ path, message }) => ({ path, message })),
  }),
  write: ({ status, code, message, details }) =>
    jsonReply(status, { error: { code, message, details } }),
});
