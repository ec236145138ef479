import { STATUS_CODES } from 'node:http';
import { defineVendor, refuse } from '../../shell/declaration.ts';
import { dayOfAmerican, filterAt, filterOf } from '../../shell/filters.ts';
import { finishPage, rowsFound } from '../../shell/rows.ts';
import { type Check, combination, problemsOf, type Rules } from '../../shell/schema.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { isObject, type JsonObject, numberAt, objectAt, textAt } from '../../util/json.ts';
import { diceFor, digest, uuidFrom } from '../../util/seed.ts';
import { filled, filledSchema } from '../../util/templates.ts';
import { imageOf, type Page, SANDBOX_NOW, sentencesOf, textOf } from '../../web/pages.ts';
import { onlyTargetOf, type TargetAnswer } from '../../web/target.ts';
import { readTargetUrl } from '../../web/target-url.ts';
import { metaOf, pageDocument, pageHtml, pageMarkdown, type WebPage } from '../../web/web-page.ts';
import api from './api.json' with { type: 'json' };

/** The requested formats of a page. An error page of the target is treated like any other page. */
function documentOf(request: VendorRequest, target: TargetAnswer, body: JsonObject): unknown {
  const { page } = target;
  const formats = formatsOf(body);
  const structured = formats.find(({ type }) => type === 'json');
  const asked = <T>(name: string, make: () => T): T | undefined =>
    formats.some(({ type }) => type === name) ? make() : undefined;
  const document = {
    markdown: asked('markdown', () => pageMarkdown(page)),
    html: asked('html', () => pageHtml(page)),
    rawHtml: asked('rawHtml', () => (page.pageCount === null ? pageDocument(page) : null)),
    links: asked('links', () => page.links.map(({ url }) => url)),
    images: asked('images', () => page.images.map(({ url }) => url)),
    summary: asked('summary', () => sentencesOf(page.source, 'summary', 2).join(' ')),
    screenshot: asked('screenshot', () => screenshotOf(page)),
    json: structured ? structuredOf(page, structured) : undefined,
    metadata: metadataOf(request, target, body, structured !== undefined),
  };
  return finishPage(request, document, api.members);
}

/** The requested formats as objects, however they were written. */
function formatsOf(body: JsonObject): readonly JsonObject[] {
  const asked = Array.isArray(body.formats) ? body.formats : ['markdown'];
  return asked.map((format: unknown) => (isObject(format) ? format : { type: format }));
}

function screenshotOf(page: WebPage): string {
  return `https://screenshots.example.net/${digest('screenshot', page.url).slice(0, 24)}.png`;
}

function structuredOf(page: WebPage, format: JsonObject): JsonObject {
  const plain = sentencesOf(page.source, 'structured', 1).join(' ');
  const schema = objectAt(format, 'schema');
  return schema ? filledSchema(schema, plain) : { title: page.title, facts: [plain] };
}

/** The page's own meta elements, in several spellings, and facts about the scrape. */
function metadataOf(
  request: VendorRequest,
  { asked, status, page }: TargetAnswer,
  body: JsonObject,
  isStructured: boolean,
): JsonObject {
  const isFresh = numberAt(body, 'maxAge') === 0;
  const isCached = !isFresh && status === 200 && diceFor('firecrawl cache', page.url).chance(0.5);
  const values = {
    ...page,
    asked,
    status,
    title: page.title ?? undefined,
    published: page.published === null ? undefined : `${page.published}Z`,
    error: status === 200 ? undefined : (STATUS_CODES[status] ?? 'Error'),
    pages: page.pageCount ?? undefined,
    scrapeId: uuidFrom(request.fingerprint),
    cacheState: isCached ? 'hit' : 'miss',
    cachedAt: isCached ? `${SANDBOX_NOW}.000Z` : undefined,
    creditsUsed:
      (page.pageCount ?? 1) +
      (isStructured ? api.jsonCredits : 0) +
      (api.xHosts.includes(new URL(page.url).hostname) ? api.xCredits : 0),
  };
  return { ...metaOf(page), ...filled(api.metadata, values) };
}

/** A target that did not answer fails the whole call. */
function scraped(request: VendorRequest, asked: JsonObject): JsonObject {
  const target = onlyTargetOf(request.faults, textAt(asked, 'url') ?? '');
  if (target.kind === 'failed') return refuse(api.targets[target.reason]);
  return { success: true, data: documentOf(request, target, asked) };
}

/** Plain formats are requested by name, formats with options by an object. */
function formatProblems(...[value, path]: Parameters<Check>): ReturnType<Check> {
  const { name, plain, screenshot, json } = api.formats;
  const rules: Rules = { name: (type, at) => problemsOf(name, type, {}, at) };
  if (!isObject(value)) return problemsOf(name, value, {}, path);
  if (value.type === 'screenshot') return problemsOf(screenshot, value, {}, path);
  if (value.type !== 'json') return problemsOf(plain, value, rules, path);
  const problems = problemsOf(json, value, {}, path);
  const message = `${path.join('.')} needs a schema or a prompt`;
  return problems.length === 0 && value.schema === undefined && value.prompt === undefined
    ? [{ path, message, kind: 'invalid' }]
    : problems;
}

const TBS = /^cdr:1(?:,cd_min:([\d/]+))?(?:,cd_max:([\d/]+))?$/;

function webRow(page: Page, index: number, hasText: boolean): JsonObject {
  const dice = diceFor('firecrawl row', page.topic, page.id);
  const isRead = hasText && dice.chance(0.8);
  return {
    url: page.url,
    title: page.title,
    description: dice.chance(0.9) ? sentencesOf(page, 'highlight', 2).join(' ') : '',
    position: index + 1,
    markdown: isRead ? textOf(page) : undefined,
    metadata: isRead
      ? {
          publishedTime: `${page.published}Z`,
          ogImage: imageOf(page, 'cover'),
          favicon: `https://${page.site.host}/favicon.ico`,
          author: page.author,
          language: 'en',
          statusCode: 200,
        }
      : undefined,
  };
}

/** Web rows of a search; text costs a credit for each row. */
function searched(request: VendorRequest, asked: JsonObject): JsonObject {
  const hasText = isObject(asked.scrapeOptions);
  const count = numberAt(asked, 'limit') ?? 10;
  const [, min, max] = TBS.exec(textAt(asked, 'tbs') ?? '') ?? [];
  const filter = filterOf({
    ...filterAt(asked, { include: 'includeDomains', exclude: 'excludeDomains' }),
    after: dayOfAmerican(min),
    before: dayOfAmerican(max),
  });
  const wanted = { query: textAt(asked, 'query') ?? '', count, filter };
  const rowOf = (page: Page, index: number) => webRow(page, index, hasText);
  const web = rowsFound(request, api.searchMembers, wanted, rowOf);
  const creditsUsed = 2 * Math.ceil(Math.max(1, web.length) / 10) + (hasText ? web.length : 0);
  return { success: true, data: { web }, id: uuidFrom(request.fingerprint), creditsUsed };
}

/** A few searches and pages a day are free of a key. */
const isKeyless = ({ headers }: VendorRequest): boolean => headers.authorization === undefined;

/** Firecrawl: its routes for a page and for a search; most message texts are ours. */
export const firecrawl = defineVendor({
  api,
  routes: [
    {
      ...api.search,
      isOpen: isKeyless,
      answer: searched,
    },
    {
      ...api.scrape,
      isOpen: isKeyless,
      rules: { format: formatProblems },
      check: ({ url }) => (readTargetUrl(String(url)) ? [] : [combination('Invalid URL', 'url')]),
      answer: scraped,
    },
  ],
});
