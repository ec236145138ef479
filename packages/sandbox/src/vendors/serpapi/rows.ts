import { imageOf, linksOf, type Page, SANDBOX_NOW, sentencesOf } from '../../content.ts';
import type { JsonObject } from '../../json.ts';
import type { RowMembers } from '../../odd-rows.ts';
import { diceFor, digest } from '../../seed.ts';

/** Rows: https://serpapi.com/organic-results */

const DAY_MS = 86_400_000;
const RELATIVE_DAYS_MAX = 7;
const SHORT_DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

export const ROW_MEMBERS: RowMembers = {
  title: 'title',
  url: 'link',
  date: 'date',
  image: { name: 'thumbnail' },
  snippets: [{ name: 'snippet' }],
};

/** A row of `organic_results`: all but its first three members come and go. */
export function organicRow(page: Page, position: number): JsonObject {
  const dice = diceFor('serpapi row', page.topic, page.id);
  const may = (share: number, members: JsonObject): JsonObject =>
    dice.chance(share) ? members : {};
  const [snippet = ''] = sentencesOf(page, 'snippet', 1);
  return {
    position,
    title: page.title,
    link: page.url,
    redirect_link: `https://www.google.example.com/url?url=${page.url}`,
    displayed_link: displayedLink(page),
    ...may(0.5, { thumbnail: picture(page, 'thumbnail') }),
    ...may(0.45, { favicon: picture(page, 'favicon') }),
    ...may(0.35, { date: dateOf(page) }),
    ...may(0.1, { author: page.author }),
    ...may(0.95, { snippet }),
    ...may(0.7, { snippet_highlighted_words: snippet.split(' ').slice(0, 2) }),
    ...may(0.15, { sitelinks: { inline: sitelinksOf(page) } }),
    source: page.site.name,
  };
}

/** English text: relative for recent pages, a date for the rest. */
export function dateOf(page: Page): string {
  const published = Date.parse(`${page.published}Z`);
  const days = Math.floor((Date.parse(`${SANDBOX_NOW}Z`) - published) / DAY_MS);
  if (days === 0) return '5 hours ago';
  if (days < RELATIVE_DAYS_MAX) return days === 1 ? '1 day ago' : `${days} days ago`;
  return SHORT_DATE.format(published);
}

export function displayedLink(page: Page): string {
  const [folder = ''] = page.site.folder.split('/');
  return `https://${page.site.host} › ${folder}`;
}

/** Pictures lie in the vendor's archive. */
export function picture(page: Page, name: string): string {
  return `https://serpapi.example.com/searches/${digest(page.id).slice(0, 24)}/images/${digest(imageOf(page, name)).slice(0, 40)}.png`;
}

function sitelinksOf(page: Page): readonly JsonObject[] {
  return linksOf(page, 2).map((link, index) => ({ title: `Part ${index + 1}`, link }));
}
