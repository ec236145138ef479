import { cutLine, type PageDocument } from '../dom/dom.ts';
import { firstTag, type MetaTags } from './meta-tags.ts';

/** Each is compared with the title. */
const HEADINGS_MAX = 50;
/** For a text with single spaces. */
const SEPARATOR = /\s[|–—·•»:-]\s|\s?[|»]\s?|:\s/;

/**
 * The page's title. The site's name is cut off only when the page shows the rest as its headline.
 */
export function titleOf(document: PageDocument, tags: MetaTags, headline: unknown): string | null {
  const headings = document
    .findAll('h1')
    .slice(0, HEADINGS_MAX)
    .map((element) => cutLine(element.textContent))
    .filter((line) => line !== '');
  const full = cutLine(document.findAll('title')[0]?.textContent ?? '');
  const shared = cutLine(firstTag(tags, 'og:title', 'twitter:title') ?? '');
  const named = typeof headline === 'string' ? cutLine(headline) : '';
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
  const whole = same(title);
  const ends = parts.map(same);
  return (
    headings.find(
      (heading) =>
        isStart(whole, same(heading)) && ends.some((part) => same(heading).endsWith(part)),
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
