import { STATUS_CODES } from 'node:http';
import { defineVendor, refuse, unsupported, type VendorFailure } from '../../shell/declaration.ts';
import { finishPage } from '../../shell/rows.ts';
import { problemsOf } from '../../shell/schema.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { type Incoming, isJson, jsonReply, textReply, type VendorReply } from '../../util/http.ts';
import { isObject, type JsonObject, numberAt, textAt, valueAt } from '../../util/json.ts';
import { markdownOf } from '../../web/blocks.ts';
import { onlyTargetOf, type TargetAnswer } from '../../web/target.ts';
import { decoded, readTargetUrl, urlText } from '../../web/target-url.ts';
import { metaOf, pageDocument, pageText, type WebPage } from '../../web/web-page.ts';
import api from './api.json' with { type: 'json' };
import { searchRoute } from './search.ts';

/**
 * The options of a page, given by headers, or by members of the body with the header's name in
 * camel case.
 */
type Options = Readonly<ReturnType<typeof optionsOf>>;

/** The answer is text, or JSON for a client that accepts only JSON. */
function optionsOf(request: VendorRequest) {
  const accept = request.headers.accept ?? '*/*';
  const format = option(request, 'x-return-format') ?? option(request, 'x-respond-with');
  const links = option(request, 'x-with-links-summary') ?? 'false';
  return {
    isJson: accept.includes('application/json') && !/text\/plain|text\/\*|\*\/\*/.test(accept),
    /** The parts of `X-Return-Format`. */
    formats: (format ?? 'content').split('+'),
    links: links === 'all' ? 'all' : links === 'true' ? 'map' : 'none',
    hasImages: option(request, 'x-with-images-summary') === 'true',
  };
}

/** Why the options are refused; undefined when they are fine. */
function refusalOf(request: VendorRequest, options: Options): string | undefined {
  const unknown = options.formats.find((format) => !api.formats.includes(format));
  if (unknown !== undefined) return `Invalid return format: ${unknown}`;
  const isMixed = options.formats.length > 1;
  if (isMixed && !options.isJson) return 'Formats can be combined in JSON only';
  const wrong = Object.entries(api.headers).find(([name, schema]) => {
    const value = option(request, name);
    return value !== undefined && problemsOf(schema, value).length > 0;
  });
  if (wrong) return `Invalid value of ${wrong[0]}`;
  return option(request, 'x-timeout') === '0' ? 'Invalid value of x-timeout' : undefined;
}

function option(request: VendorRequest, header: string): string | undefined {
  const body = request.method === 'POST' ? request.json() : undefined;
  const name = header.slice(2).replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
  const sent = request.headers[header] ?? valueAt(body, name) ?? undefined;
  if (sent === undefined) return undefined;
  return api.anyCase.includes(header) ? String(sent).toLowerCase() : String(sent);
}

/**
 * Text mode: lines about the page, then its markdown. Text and HTML are returned without these
 * lines.
 */
function pageAsText(request: VendorRequest, page: ReaderPage, options: Options): VendorReply {
  const [format = 'content'] = options.formats;
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'x-usage-tokens': String(page.usage.tokens),
  };
  if (format === 'screenshot' || format === 'pageshot') {
    const location = textAt(page, `${format}Url`) ?? '';
    return { status: 302, headers: { ...headers, location }, body: '' };
  }
  const bare = textAt(page, format === 'html' ? 'html' : 'text');
  const body = bare ?? withPreamble(page, options);
  const key = request.faults.echoKey === true ? (request.key ?? '') : '';
  return { status: 200, headers, body: bare === undefined ? body : `${body}${key}` };
}

function withPreamble(page: ReaderPage, options: Options): string {
  const published = textAt(page, 'publishedTime');
  const pages = numberAt(page, 'numPages');
  const optional = [
    ...(published === undefined ? [] : [`Published Time: ${published}`]),
    ...(textAt(page, 'warning')?.split('\n') ?? []).map((line) => `Warning: ${line}`),
    ...(pages === undefined ? [] : [`Number of Pages: ${pages}`]),
  ];
  const head = [`Title: ${page.title}`, `URL Source: ${page.url}`, ...optional].join('\n\n');
  const content = `${head}\n\nMarkdown Content:\n${textAt(page, 'content') ?? ''}\n`;
  const images = options.hasImages ? summary('Images:', page.images, '!') : '';
  const links = options.links === 'none' ? '' : summary('Links/Buttons:', page.links, '');
  return `${content}${images}${links}`;
}

function summary(heading: string, found: unknown, mark: string): string {
  const pairs = Array.isArray(found) ? found : Object.entries(isObject(found) ? found : {});
  const lines = pairs.filter(Array.isArray).map(([text, url]) => `- ${mark}[${text}](${url})`);
  const none = `This page does not seem to contain any ${mark === '' ? 'buttons/links' : 'images'}.`;
  return `\n${heading}\n${lines.length === 0 ? none : lines.join('\n')}\n`;
}

/** `data` of an answer; in text mode the same facts are lines. */
interface ReaderPage extends JsonObject {
  readonly usage: { readonly tokens: number };
}

/** A target's error page is read like any other page, with a warning. */
function pageOf(request: VendorRequest, target: TargetAnswer, options: Options): ReaderPage {
  const { asked, page } = target;
  const forms = formsOf(page, options.formats);
  const warning = warningsOf(target).join('\n');
  const tokens = Math.ceil(Object.values(forms).join('').length / api.charactersPerToken);
  const data = {
    title: page.title ?? '',
    description: page.description ?? '',
    url: asked,
    ...forms,
    publishedTime: page.published === null ? undefined : `${page.published}+00:00`,
    numPages: page.pageCount ?? undefined,
    links: options.links === 'none' ? undefined : linksOf(page, options),
    images: options.hasImages ? imagesOf(page) : undefined,
    warning: warning === '' ? undefined : warning,
    metadata: { lang: page.language, ...metaOf(page) },
    external: {
      canonical: { [page.url]: { rel: 'canonical' } },
      icon: { [page.favicon]: { rel: 'icon' } },
    },
  };
  const finished = finishPage(request, data, api.members);
  return { ...(isObject(finished) ? finished : {}), usage: { tokens } };
}

/** Images are numbered in the markdown. */
const imageLabel = (alt: string, index: number) => `Image ${index + 1}: ${alt}`;

function formsOf(page: WebPage, formats: readonly string[]): Readonly<Record<string, string>> {
  const has = (name: string) => formats.includes(name);
  const shot = 'https://screenshots.example.net/reader.png';
  return {
    ...(has('content') || has('markdown') ? { content: markdownOf(page.blocks, imageLabel) } : {}),
    ...(has('text') ? { text: pageText(page) } : {}),
    ...(has('html') ? { html: pageDocument(page) } : {}),
    ...(has('screenshot') ? { screenshotUrl: shot } : {}),
    ...(has('pageshot') ? { pageshotUrl: shot } : {}),
  };
}

/** A map from text to URL, or pairs of both when all links were requested. */
function linksOf(page: WebPage, { links }: Options): unknown {
  const pairs = page.links.map(({ text, url }) => [text, new URL(url, page.url).href]);
  return links === 'all' ? pairs : Object.fromEntries(pairs);
}

function imagesOf(page: WebPage): JsonObject {
  const pairs = page.images.map(({ alt, url }, index) => {
    return [imageLabel(alt, index), new URL(url, page.url).href];
  });
  return Object.fromEntries(pairs);
}

function warningsOf({ status }: TargetAnswer): readonly string[] {
  if (status === 200) return [];
  const reason = STATUS_CODES[status];
  const line = `Target URL returned error ${status}${reason === undefined ? '' : `: ${reason}`}`;
  return status === 403 ? [line, api.captchaWarning] : [line];
}

/** The target URL as written in the path; empty for `GET /`. */
function pathUrl({ path, search }: Incoming): string {
  return `${path.slice(1)}${search}`;
}

function read(request: VendorRequest, url: string | undefined): VendorReply {
  const { credential, headers, faults } = request;
  const invalid = (message: string) => refuse({ status: 400, message });
  if (credential === 'refused') return refuse({ status: 401 });
  if (request.method === 'POST' && !isJson(request)) return invalid('The body must be JSON');
  if (url === undefined || url === '') return invalid('url is required');
  if (!readTargetUrl(url)) return invalid('Invalid URL');
  if (headers.accept?.includes('text/event-stream')) {
    return unsupported('jina: the sandbox does not support event streams');
  }
  const options = optionsOf(request);
  const problem = refusalOf(request, options);
  if (problem !== undefined) return invalid(problem);
  if (credential === 'exhausted') return refuse({ status: 402 });
  const target = onlyTargetOf(faults, url);
  if (target.kind === 'failed') return refuse(api.targets[target.reason]);
  if (target.page.blocks.length === 0 && faults.rows !== 'empty') {
    return refuse({ status: 422, message: 'No content available for this URL' });
  }
  const page = pageOf(request, target, options);
  if (!options.isJson) return pageAsText(request, page, options);
  return jsonReply(200, { code: 200, status: 20000, data: page, meta: { usage: page.usage } });
}

/** JSON, or one sentence for a client that accepts only text. */
function write(failure: VendorFailure, { headers, faults }: VendorRequest): VendorReply {
  const { status: code, title: name, message, number: status = code * 100 } = failure;
  const readableMessage = `${name}: ${message}`;
  if (/^\s*text\/plain\s*$/i.test(headers.accept ?? '')) {
    return textReply(code, `${readableMessage}\n`);
  }
  const retryAfter = code === 429 ? faults.retryAfterSeconds : undefined;
  return jsonReply(code, { data: null, code, name, status, message, readableMessage, retryAfter });
}

/**
 * Jina's reader, for which a key is optional, and its search. Names and codes are the reader's own;
 * most message texts are ours.
 */
export const jina = defineVendor({
  api,
  readText: (request) =>
    textAt(request.json(), 'q') ?? (urlText(request.json()) || decoded(pathUrl(request))),
  routes: [
    searchRoute,
    { method: 'POST', path: '/', reply: (request) => read(request, textAt(request.json(), 'url')) },
    { method: 'GET', path: '/*', reply: (request) => read(request, pathUrl(request)) },
  ],
  write,
});
