import type { PageDocument } from './dom.ts';

/** An article is one text with much around it; of any other page, more is kept. */
export type PageKind = 'article' | 'other';

/** From here on a page's prose says where its text is. */
export const PROSE_OF: Readonly<Record<PageKind, number>> = { article: 120, other: 300 };

const ARTICLE_TYPE = /"@type"\s*:\s*\[?\s*"(?:\w*NewsArticle|BlogPosting)"/;

/** What the page says of itself. */
export function pageKind(document: PageDocument): PageKind {
  const type = document.findAll('meta[property="og:type"]')[0]?.getAttribute('content');
  if (
    type?.toLowerCase() === 'article' ||
    document.findAll('meta[property="article:published_time"]')[0]
  )
    return 'article';
  for (const script of document.findAll('script[type="application/ld+json"]')) {
    if (ARTICLE_TYPE.test(script.textContent)) return 'article';
  }
  return 'other';
}
