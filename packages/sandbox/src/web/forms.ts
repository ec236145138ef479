import { elementsOf, escaped, markdownOf, plainOf } from './blocks.ts';
import { coverOf, type WebPage } from './target.ts';

/** The forms in which a page can be given; an empty page has none of them. */

/** Markdown below the title as a heading. */
export function pageMarkdown(page: WebPage): string {
  const body = markdownOf(page.blocks);
  return page.title === null || body === '' ? body : `# ${page.title}\n\n${body}\n`;
}

export function pageText(page: WebPage): string {
  const body = plainOf(page.blocks);
  return page.title === null || body === '' ? body : `${page.title}\n\n${body}\n`;
}

/** The title and the body alone, cleaned of everything else. */
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

/** What stands in the page's meta elements. */
export function metaOf(page: WebPage): Readonly<Record<string, string>> {
  return {
    ...(page.description === null ? {} : { description: page.description }),
    ...(page.author === null ? {} : { author: page.author }),
    ...(page.published === null ? {} : { 'article:published_time': `${page.published}Z` }),
    ...(page.title === null ? {} : { 'og:title': page.title }),
    'og:image': coverOf(page),
    'og:site_name': page.source.site.name,
  };
}
