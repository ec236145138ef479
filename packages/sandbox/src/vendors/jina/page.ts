import { STATUS_CODES } from 'node:http';
import { finishPage } from '../../shell/rows.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { isObject, type JsonObject } from '../../util/json.ts';
import { markdownOf } from '../../web/blocks.ts';
import type { Answered } from '../../web/target.ts';
import { metaOf, pageDocument, pageText, type WebPage } from '../../web/web-page.ts';
import type { Options } from './options.ts';

/** `data` of an answer; in text mode the same things are lines. */
export interface ReaderPage extends JsonObject {
  readonly usage: { readonly tokens: number };
}

const CHARACTERS_PER_TOKEN = 4;
const ROW = {
  title: 'title',
  url: 'url',
  date: 'publishedTime',
  snippets: [{ name: 'content' }],
};
const CAPTCHA_WARNING =
  'This page maybe requiring CAPTCHA, please make sure you are authorized to access this page.';

/** A target's error page is read like any other, with a warning. */
export function pageOf(request: VendorRequest, target: Answered, options: Options): ReaderPage {
  const { asked, page } = target;
  const forms = formsOf(page, options.formats);
  const warning = warningsOf(target).join('\n');
  const tokens = Math.ceil(Object.values(forms).join('').length / CHARACTERS_PER_TOKEN);
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
  const finished = finishPage(request, data, ROW);
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
  const reason = STATUS_CODES[status];
  const line = `Target URL returned error ${status}${reason === undefined ? '' : `: ${reason}`}`;
  return status === 403 ? [line, CAPTCHA_WARNING] : [line];
}
