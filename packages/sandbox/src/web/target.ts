import { imageOf, type Page } from '../content.ts';
import { articleOf, longArticleOf } from './article.ts';
import type { Block, Link } from './blocks.ts';
import { ODD_PAGES, type OddPage } from './oddities.ts';
import { pageOfUrl } from './page-of-url.ts';
import { readTargetUrl } from './target-url.ts';

/** What a fetch of a URL meets, whichever vendor fetches. */
export type Target =
  | {
      readonly kind: 'answered';
      readonly asked: string;
      readonly status: number;
      readonly page: WebPage;
    }
  | { readonly kind: 'failed'; readonly asked: string; readonly reason: FailureReason };

export type FailureReason = 'unknown-host' | 'timeout' | 'too-large' | 'unsupported' | 'invalid';

/** A page with all that is known of it. */
export interface WebPage {
  /** The seed of the page, for what a vendor makes of it. */
  readonly source: Page;
  readonly url: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly author: string | null;
  /** `YYYY-MM-DDTHH:MM:SS`, UTC. */
  readonly published: string | null;
  readonly language: string;
  readonly blocks: readonly Block[];
  readonly links: readonly Link[];
  readonly images: readonly { readonly alt: string; readonly url: string }[];
  readonly favicon: string;
  readonly contentType: string;
  /** Pages of a document; null for HTML. */
  readonly pageCount: number | null;
  /** The markup where the blocks do not tell it. */
  readonly body?: string;
}

const HTML = 'text/html; charset=utf-8';
/** Addresses inside somebody's network, which no vendor fetches. */
const INNER_HOST = /^(localhost|[\d.]+|\[.*\])$/;
const RESERVED_HOST = /(^|\.)example\.(com|org|net)$/;

/** Only the reserved domains exist; words of the path make a page odd. */
export function targetOf(asked: string): Target {
  const url = readTargetUrl(asked);
  if (!url || INNER_HOST.test(url.final.hostname)) {
    return { kind: 'failed', asked, reason: 'invalid' };
  }
  if (!RESERVED_HOST.test(url.final.hostname)) {
    return { kind: 'failed', asked, reason: 'unknown-host' };
  }
  const word = url.words.find((candidate) => Object.hasOwn(ODD_PAGES, candidate)) ?? '';
  const odd = Object.hasOwn(ODD_PAGES, word) ? ODD_PAGES[word] : undefined;
  if (odd?.failure !== undefined) return { kind: 'failed', asked, reason: odd.failure };
  const page = webPageOf(pageOfUrl(url.final), odd);
  return { kind: 'answered', asked, status: odd?.status ?? 200, page };
}

function webPageOf(source: Page, odd: OddPage | undefined): WebPage {
  const article = odd?.long === true ? longArticleOf(source) : articleOf(source);
  const blocks = odd?.blocks?.(article) ?? article;
  const title = odd?.title === undefined ? source.title : odd.title;
  // A notice in place of the article has neither its author nor its date.
  const isNotice = odd?.title !== undefined && odd.title !== null;
  return {
    source,
    url: source.url,
    title,
    description: isNotice ? null : `An article about ${source.topic} on ${source.site.name}.`,
    author: isNotice ? null : source.author,
    published: isNotice ? null : source.published,
    language: 'en',
    blocks,
    links: blocks.flatMap((block) => (block.kind === 'links' ? block.links : [])),
    images: blocks.flatMap((block) =>
      block.kind === 'image' ? [{ alt: block.alt, url: block.url }] : [],
    ),
    favicon: `https://${source.site.host}/favicon.ico`,
    contentType: odd?.pageCount === undefined ? HTML : 'application/pdf',
    pageCount: odd?.pageCount ?? null,
    ...(odd?.body === undefined ? {} : { body: odd.body }),
  };
}

/** The image a page is shared with. */
export function coverOf(page: WebPage): string {
  return imageOf(page.source, 'cover');
}
