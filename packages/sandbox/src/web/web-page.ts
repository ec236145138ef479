import { type Block, elementsOf, escaped, markdownOf, type PageLink, plainOf } from './blocks.ts';
import type { Page } from './pages.ts';

/** A page with all its facts. */
export interface WebPage {
  /** The source of the page, which seeds the vendor's own values. */
  readonly source: Page;
  readonly url: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly author: string | null;
  /** `YYYY-MM-DDTHH:MM:SS`, UTC. */
  readonly published: string | null;
  readonly language: string;
  readonly blocks: readonly Block[];
  readonly links: readonly PageLink[];
  readonly images: readonly { readonly alt: string; readonly url: string }[];
  readonly favicon: string;
  /** The preview image of the page. */
  readonly cover: string;
  readonly contentType: string;
  /** Pages of a document; null for HTML. */
  readonly pageCount: number | null;
  /** The markup, if it differs from that of the blocks. */
  readonly body?: string | undefined;
}

/** Markdown with the title as a heading. */
export function pageMarkdown(page: WebPage): string {
  const body = markdownOf(page.blocks);
  return page.title === null || body === '' ? body : `# ${page.title}\n\n${body}\n`;
}

export function pageText(page: WebPage): string {
  const body = plainOf(page.blocks);
  return page.title === null || body === '' ? body : `${page.title}\n\n${body}\n`;
}

/** Only the title and the body. */
export function pageHtml(page: WebPage): string {
  const body = elementsOf(page.blocks);
  return page.title === null || body === '' ? body : `<h1>${escaped(page.title)}</h1>\n${body}`;
}

/** The page as its site sends it. */
export function pageDocument(page: WebPage): string {
  const head = [
    '<meta charset="utf-8">',
    page.title === null ? '' : `<title>${escaped(page.title)}</title>`,
    ...Object.entries(metaOf(page)).map(
      ([name, content]) => `<meta name="${name}" content="${escaped(content)}">`,
    ),
    `<link rel="canonical" href="${escaped(page.url)}">`,
    `<link rel="icon" href="${page.favicon}">`,
  ].join('');
  const main = page.body ?? `<main><article>${pageHtml(page)}</article></main>`;
  return `<!doctype html><html lang="${page.language}"><head>${head}</head><body><nav><a href="/">Home</a></nav>${main}<footer>${escaped(page.source.site.name)}</footer></body></html>`;
}

/** The page's meta elements. */
export function metaOf(page: WebPage): Readonly<Record<string, string>> {
  return {
    ...(page.description === null ? {} : { description: page.description }),
    ...(page.author === null ? {} : { author: page.author }),
    ...(page.published === null ? {} : { 'article:published_time': `${page.published}Z` }),
    ...(page.title === null ? {} : { 'og:title': page.title }),
    'og:image': page.cover,
    'og:site_name': page.source.site.name,
  };
}
