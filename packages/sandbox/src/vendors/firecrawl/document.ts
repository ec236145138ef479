import { SANDBOX_NOW, sentencesOf } from '../../content.ts';
import { filledSchema } from '../../fill-schema.ts';
import { isObject, type JsonObject, numberAt, objectAt } from '../../json.ts';
import type { RowMembers } from '../../odd-rows.ts';
import { finishPage } from '../../rows.ts';
import { diceFor, digest, uuidFrom } from '../../seed.ts';
import type { VendorRequest } from '../../vendor.ts';
import { metaOf, pageDocument, pageHtml, pageMarkdown } from '../../web/forms.ts';
import { coverOf, type Target, type WebPage } from '../../web/target.ts';

type Answered = Extract<Target, { readonly kind: 'answered' }>;

const JSON_CREDITS = 4;
const REASONS: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  404: 'Not Found',
  410: 'Gone',
  500: 'Internal Server Error',
};

/** The asked forms of a page. One that the target answered with an error is a page like any other. */
export function documentOf(request: VendorRequest, target: Answered, body: JsonObject): unknown {
  const { page } = target;
  const formats = formatsOf(body);
  const has = (name: string) => formats.some(({ type }) => type === name);
  const structured = formats.find(({ type }) => type === 'json');
  const document = {
    ...(has('markdown') ? { markdown: pageMarkdown(page) } : {}),
    ...(has('html') ? { html: pageHtml(page) } : {}),
    ...(has('rawHtml') ? { rawHtml: page.pageCount === null ? pageDocument(page) : null } : {}),
    ...(has('links') ? { links: page.links.map(({ url }) => url) } : {}),
    ...(has('images') ? { images: page.images.map(({ url }) => url) } : {}),
    ...(has('summary') ? { summary: sentencesOf(page.source, 'summary', 2).join(' ') } : {}),
    ...(has('screenshot') ? { screenshot: screenshotOf(page) } : {}),
    ...(structured ? { json: structuredOf(page, structured) } : {}),
    metadata: metadataOf(request, target, body, structured !== undefined),
  };
  return finishPage(request, document, DOCUMENT_MEMBERS);
}

const DOCUMENT_MEMBERS: RowMembers = { title: 'markdown', url: 'metadata', snippets: [] };

/** Formats as objects, whichever way they were asked for. */
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

/** The page's own meta elements, several times over, and what is known of the scrape. */
function metadataOf(
  request: VendorRequest,
  { asked, status, page }: Answered,
  body: JsonObject,
  isStructured: boolean,
): JsonObject {
  const isFresh = numberAt(body, 'maxAge') === 0;
  const isCached = !isFresh && status === 200 && diceFor('firecrawl cache', page.url).chance(0.5);
  const pages = page.pageCount;
  return {
    ...metaOf(page),
    ...(page.title === null ? {} : { title: page.title, ogTitle: page.title }),
    ...(page.published === null ? {} : { publishedTime: `${page.published}Z` }),
    ogImage: coverOf(page),
    // a value that a page gives twice comes as a list
    ogSiteName: [page.source.site.name, page.source.site.name],
    language: page.language,
    favicon: page.favicon,
    sourceURL: asked,
    url: page.url,
    statusCode: status,
    ...(status === 200 ? {} : { error: REASONS[status] ?? 'Error' }),
    contentType: page.contentType,
    ...(pages === null ? {} : { numPages: pages, totalPages: pages }),
    scrapeId: uuidFrom(request.fingerprint),
    proxyUsed: 'basic',
    cacheState: isCached ? 'hit' : 'miss',
    ...(isCached ? { cachedAt: `${SANDBOX_NOW}.000Z` } : {}),
    creditsUsed: (pages ?? 1) + (isStructured ? JSON_CREDITS : 0),
  };
}
