import type { JsonObject } from '@trawl/contract';
import { parsedUrl } from '@trawl/contract/parsed-url';
import type { Measure, PageDocument } from '../dom/dom.ts';
import type { PageKind } from '../facts/page-kind.ts';
import { placesOf } from './sign-places.ts';

/** What is the same for all passages of a page. */
export const PAGE_SIGNS = [
  'page_kind',
  'page_type',
  'page_product',
  'page_objects',
  'address_length',
  'address_hyphens',
  'address_collection',
  'page_prices',
  'page_images',
  'page_links',
  'page_prose',
  'page_h2',
] as const;
const AT = placesOf(PAGE_SIGNS);

const KINDS: readonly PageKind[] = ['article', 'discussion', 'list', 'other'];
const OPEN_GRAPH_TYPES = ['', 'website', 'article', 'product', 'og:product'];
const PRICE = /[$€£¥₹]\s?\d|\d\s?(?:€|£|kr|zł|usd|eur|gbp)\b/giu;
const COLLECTION =
  /\/(?:collections?|categor(?:y|ies)|c|shop|browse|catalog|departments?|brands?|tags?|topics?)\b/;

export interface ReadPage {
  readonly document: PageDocument;
  readonly url: string;
  readonly kind: PageKind;
  /** Its structured data. */
  readonly objects: readonly JsonObject[];
  /** Of its body. */
  readonly whole: Measure;
}

/** @param texts of its passages */
export function pageSigns(page: ReadPage, texts: readonly string[]): readonly number[] {
  const { document, kind, whole, objects } = page;
  const types = objects.flatMap((object) => [object['@type']].flat());
  const path = pathOf(page.url);
  const last = path.split('/').filter(Boolean).at(-1) ?? '';
  const declared = document.findAll('meta[property="og:type"]')[0]?.getAttribute('content') ?? '';
  const isProduct = (type: unknown) => typeof type === 'string' && type.startsWith('Product');
  const prices = texts.reduce((sum, text) => sum + (text.match(PRICE)?.length ?? 0), 0);
  const signs: number[] = PAGE_SIGNS.map(() => 0);
  signs[AT.page_kind] = KINDS.indexOf(kind);
  signs[AT.page_type] = OPEN_GRAPH_TYPES.indexOf(declared.toLowerCase());
  signs[AT.page_product] = types.some(isProduct) ? 1 : 0;
  signs[AT.page_objects] = types.length;
  signs[AT.address_length] = last.length;
  signs[AT.address_hyphens] = last.match(/[-_]/g)?.length ?? 0;
  signs[AT.address_collection] = COLLECTION.test(path) ? 1 : 0;
  signs[AT.page_prices] = Math.log1p(prices);
  signs[AT.page_images] = Math.log1p(whole.media);
  signs[AT.page_links] = whole.linked / Math.max(1, whole.text);
  signs[AT.page_prose] = whole.prose / Math.max(1, whole.text);
  signs[AT.page_h2] = Math.log1p(document.body.querySelectorAll('h2').length);
  return signs;
}

function pathOf(url: string): string {
  return parsedUrl(url)?.pathname.toLowerCase() ?? '/';
}
