import { lineOf, type PageDocument } from './dom.ts';
import { firstTag, type MetaTags } from './meta-tags.ts';

const SEPARATOR = /\s+[|–—·•»:-]\s+|\s*[|»]\s*|:\s+/;

/** The page's title as its author has it. A site's name is cut off only where the page itself shows the rest as its headline. */
export function titleOf(document: PageDocument, tags: MetaTags, headline: unknown): string | null {
  const headings = [...document.findAll('h1')]
    .map((element) => lineOf(element.textContent))
    .filter((line) => line !== '');
  const full = lineOf(document.findAll('title')[0]?.textContent ?? '');
  const shared = lineOf(firstTag(tags, 'og:title', 'twitter:title') ?? '');
  const named = typeof headline === 'string' ? lineOf(headline) : '';
  const best = named || shared || full;
  return withoutSite(best, headings) || headings[0] || null;
}

function withoutSite(title: string, headings: readonly string[]): string {
  const parts = title.split(SEPARATOR);
  if (parts.length < 2) return title;
  const same = (line: string) =>
    line
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  return (
    headings.find(
      (heading) =>
        isStart(same(title), same(heading)) &&
        parts.some((part) => same(heading).endsWith(same(part))),
    ) ?? title
  );
}

function isStart(title: string, heading: string): boolean {
  return (
    heading.length > 3 &&
    title !== heading &&
    (title.startsWith(`${heading} `) || title.endsWith(` ${heading}`))
  );
}
