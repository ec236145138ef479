import { isObject, type JsonObject } from '../../json.ts';
import type { RowMembers } from '../../odd-rows.ts';
import { finishPage } from '../../rows.ts';
import type { VendorRequest } from '../../vendor.ts';
import { markdownOf } from '../../web/blocks.ts';
import { metaOf, pageDocument, pageText } from '../../web/forms.ts';
import type { Target, WebPage } from '../../web/target.ts';
import type { Options } from './options.ts';

type Answered = Extract<Target, { readonly kind: 'answered' }>;

/** `data` of an answer; in text mode the same things are lines. */
export interface ReaderPage extends JsonObject {
  readonly usage: { readonly tokens: number };
}

const CHARACTERS_PER_TOKEN = 4;
const REASONS: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  404: 'Not Found',
  410: 'Gone',
  500: 'Internal Server Error',
};
const CAPTCHA_WARNING =
  'This page maybe requiring CAPTCHA, please make sure you are authorized to access this page.';

/** A target's error page is read like any other, with a warning. */
export function pageOf(request: VendorRequest, target: Answered, options: Options): ReaderPage {
  const { asked, page } = target;
  const forms = formsOf(page, options.formats);
  const warning = warningsOf(target).join('\n');
  const tokens = Math.ceil(Object.values(forms).join('').length / CHARACTERS_PER_TOKEN);
  const told = {
    title: page.title ?? '',
    description: page.description ?? '',
    url: asked,
    ...forms,
    ...(page.published === null ? {} : { publishedTime: `${page.published}+00:00` }),
    ...(page.pageCount === null ? {} : { numPages: page.pageCount }),
    ...(options.links === 'none' ? {} : { links: linksOf(page, options) }),
    ...(options.hasImages ? { images: imagesOf(page) } : {}),
    ...(warning === '' ? {} : { warning }),
    metadata: { lang: page.language, ...metaOf(page) },
    external: externalOf(page),
  };
  const finished = finishPage(request, told, PAGE_MEMBERS);
  return { ...(isObject(finished) ? finished : {}), usage: { tokens } };
}

const PAGE_MEMBERS: RowMembers = {
  title: 'title',
  url: 'url',
  date: 'publishedTime',
  snippets: [{ name: 'content' }],
};

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

/** Text to address, or pairs of both when all of them were asked for. */
function linksOf(page: WebPage, { links }: Options): unknown {
  const pairs = page.links.map(({ text, url }) => [text, absolute(page, url)]);
  return links === 'all' ? pairs : Object.fromEntries(pairs);
}

function imagesOf(page: WebPage): JsonObject {
  return Object.fromEntries(
    page.images.map(({ alt, url }, index) => [imageLabel(alt, index), absolute(page, url)]),
  );
}

function absolute(page: WebPage, url: string): string {
  return new URL(url, page.url).href;
}

function warningsOf({ status }: Answered): readonly string[] {
  if (status === 200) return [];
  const reason = REASONS[status];
  const line = `Target URL returned error ${status}${reason === undefined ? '' : `: ${reason}`}`;
  return status === 403 ? [line, CAPTCHA_WARNING] : [line];
}

function externalOf(page: WebPage): JsonObject {
  return {
    canonical: { [page.url]: { rel: 'canonical' } },
    icon: { [page.favicon]: { rel: 'icon' } },
  };
}
