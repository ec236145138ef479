import { defineVendor, listed } from '../../shell/declaration.ts';
import { filterOf, sitesIn } from '../../shell/filters.ts';
import { finishRows, rowsFound } from '../../shell/rows.ts';
import { combination, type Problem } from '../../shell/schema.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import type { JsonObject } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { filled } from '../../util/templates.ts';
import { agoText, imageOf, type Page, sentencesOf } from '../../web/pages.ts';
import { split, type TargetAnswer, targetsOf } from '../../web/target.ts';
import { pageDocument, pageHtml, pageMarkdown, type WebPage } from '../../web/web-page.ts';
import api from './api.json' with { type: 'json' };

/** Always a 200; each URL is in one of the two lists. */
function fetched(request: VendorRequest, options: JsonObject): JsonObject {
  const targets = targetsOf(request.faults, listed(options.urls));
  const { got, errors } = split(targets, api.targets, ({ asked: url, status }, error) => ({
    url,
    error,
    status,
  }));
  const rows = got.map((target) => fetchedRow(target, options));
  return { results: finishRows(request, rows, api.fetchMembers), errors };
}

function fetchedRow({ asked: url, page }: TargetAnswer, options: JsonObject): JsonObject {
  const urls = (items: readonly { readonly url: string }[]) => items.map((item) => item.url);
  return filled(api.fetchRow, {
    ...page,
    asked: url,
    published: page.published?.slice(0, 10) ?? null,
    format: options.format ?? 'markdown',
    text: textOf(page, options),
    links: options.links === true ? urls(page.links) : undefined,
    images: options.image_links === true ? urls(page.images) : undefined,
    metadata: options.page_metadata === true ? filled(api.pageMetadata, { ...page }) : undefined,
    latency: (4_000 + diceFor('tinyfish latency', page.url).below(9_000)) / 10,
  });
}

function textOf(page: WebPage, options: JsonObject): unknown {
  if (options.format === 'json') return { title: page.title, blocks: page.blocks };
  if (options.format !== 'html') return pageMarkdown(page);
  return options.include_html_head === true ? pageDocument(page) : pageHtml(page);
}

const SHORT_DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

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
    [!isPaper && query.has('pub_year_max'), 'pub_year_max', 'for papers only'],
  ];
  return rules.flatMap(([isBroken, name, text]) => (isBroken ? [combination(text, name)] : []));
}

/** One page of ten, whatever is requested. */
function search(request: VendorRequest): JsonObject {
  const query = request.query.get('query') ?? '';
  const page = Number(request.query.get('page') ?? 0);
  const domainType = request.query.get('domain_type') ?? 'web';
  const kind = domainType === 'news' ? 'news' : undefined;
  const hosts = (name: string) => request.query.get(name)?.split(',');
  const filter = filterOf({
    ...sitesIn(query),
    ...(request.query.has('include_domains') || request.query.has('exclude_domains')
      ? { include: hosts('include_domains'), exclude: hosts('exclude_domains'), isSoft: false }
      : {}),
    after: request.query.get('after_date') ?? undefined,
    before: request.query.get('before_date') ?? undefined,
  });
  const asked = { query, start: page * api.pageRows, count: api.pageRows, kind, filter };
  const hasImages = request.query.get('include_thumbnail') === 'true';
  const results = rowsFound(request, api, asked, (item, index) => ({
    ...rowOf(item, index + 1, domainType),
    ...(hasImages ? thumbnailOf(item) : {}),
  }));
  return { query, results, total_results: results.length, page };
}

/** Most rows have an image. */
function thumbnailOf(page: Page): JsonObject {
  const hasImage = diceFor('tinyfish thumbnail', page.topic, page.id).chance(0.8);
  return hasImage ? { thumbnail_url: imageOf(page, 'thumbnail') } : {};
}

/** News rows and some web rows have a date; papers have their own members. */
function rowOf(page: Page, position: number, domainType: string): JsonObject {
  const isNews = domainType === 'news';
  const hasDate = diceFor('tinyfish row', page.topic, page.id).chance(0.35);
  const isDated = isNews || (hasDate && domainType === 'web');
  const date = { days: 7, hours: '3 hours ago', date: SHORT_DATE };
  const row = filled(api.row, {
    ...page,
    position,
    snippet: sentencesOf(page, 'snippet', 2).join(' '),
    date: isDated ? agoText(page, date) : undefined,
    publisher: isNews ? page.site.name : undefined,
  });
  if (domainType !== 'research_paper') return row;
  // the names of these members are a guess: the documents only say that such members exist
  const citations = diceFor('tinyfish citations', page.topic, page.id).below(400);
  const year = Number(page.published.slice(0, 4));
  return { ...row, ...filled(api.paper, { ...page, year, citations }) };
}

const searchRoute = {
  ...api.search,
  check: (_asked: JsonObject, { query }: VendorRequest) => combinations(query),
  answer: search,
};

/**
 * https://docs.tinyfish.ai/fetch-api/reference. The reason `page_not_found` is known from users of
 * the service.
 */
const fetch = { ...api.fetch, answer: fetched };

/**
 * TinyFish. Search and fetch each have a host with the path `/`; a third host has them at
 * `/v1/search` and `/v1/fetch`. The sandbox serves all of these. The message texts are ours.
 */
export const tinyfish = defineVendor({
  api,
  routes: [searchRoute, fetch, { ...searchRoute, path: '/' }, { ...fetch, path: '/' }],
});
