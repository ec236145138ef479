import { LIMITS } from '@trawl/contract/limits';
import { absoluteUrl } from '@trawl/contract/urls';
import type { PageDocument, PageElement } from '../dom/dom.ts';
import { imageAddress } from '../dom/images.ts';
import { firstTag, readMetaTags } from './meta-tags.ts';

const MAX_ADDRESSES = 2_000;

/** The base for the page's relative addresses. */
export function baseOf(document: PageDocument, url: string): string {
  const base = absoluteUrl(document.findAll('base[href]')[0]?.getAttribute('href'), url) ?? url;
  // every link of the page is resolved against it
  return base.length > LIMITS.urlCharacters ? url : base;
}

/** The targets of the page's links, each address once. */
export function linksOf(document: PageDocument, baseUrl: string): string[] {
  const outward = (element: PageElement): string | null => {
    const href = element.getAttribute('href')?.trim() ?? '';
    return href.startsWith('#') ? null : absoluteUrl(href, baseUrl);
  };
  return unique(document.findAll('a[href], area[href]'), outward);
}

export function imagesOf(document: PageDocument, baseUrl: string): string[] {
  return unique(document.findAll('img'), (image) => imageAddress(image, baseUrl));
}

/** Audio and video. */
export function mediaOf(document: PageDocument, baseUrl: string): string[] {
  const sources = document.findAll('video[src], audio[src], video source[src], audio source[src]');
  const found = unique(sources, (source) => absoluteUrl(source.getAttribute('src'), baseUrl));
  const tags = readMetaTags(document);
  for (const name of ['og:video:secure_url', 'og:video', 'og:audio:secure_url', 'og:audio']) {
    const address = absoluteUrl(firstTag(tags, name), baseUrl);
    if (address && !found.includes(address)) found.push(address);
  }
  return found;
}

function unique(
  elements: Iterable<PageElement>,
  addressOf: (element: PageElement) => string | null,
): string[] {
  const found = new Set<string>();
  for (const element of elements) {
    const address = addressOf(element);
    if (address) found.add(address);
    if (found.size >= MAX_ADDRESSES) break;
  }
  return [...found];
}
