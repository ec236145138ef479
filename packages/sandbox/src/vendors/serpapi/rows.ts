import type { JsonObject } from '../../util/json.ts';
import { diceFor, digest } from '../../util/seed.ts';
import { agoText, imageOf, linksOf, type Page, sentencesOf } from '../../web/pages.ts';

/** Rows: https://serpapi.com/organic-results */

const SHORT_DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

export const ROW = {
  title: 'title',
  url: 'link',
  date: 'date',
  image: { name: 'thumbnail' },
  snippets: [{ name: 'snippet' }],
};

/** A row of `organic_results`: all but its first three members come and go. */
export function organicRow(page: Page, position: number): JsonObject {
  const dice = diceFor('serpapi row', page.topic, page.id);
  const may = <T>(share: number, value: T): T | undefined =>
    dice.chance(share) ? value : undefined;
  const [snippet = ''] = sentencesOf(page, 'snippet', 1);
  return {
    position,
    title: page.title,
    link: page.url,
    redirect_link: `https://www.google.example.com/url?url=${page.url}`,
    displayed_link: displayedLink(page),
    thumbnail: may(0.5, picture(page, 'thumbnail')),
    favicon: may(0.45, picture(page, 'favicon')),
    date: may(0.35, dateOf(page)),
    author: may(0.1, page.author),
    snippet: may(0.95, snippet),
    snippet_highlighted_words: may(0.7, snippet.split(' ').slice(0, 2)),
    sitelinks: may(0.15, { inline: sitelinksOf(page) }),
    source: page.site.name,
  };
}

export function dateOf(page: Page): string {
  return agoText(page, { days: 7, hours: '5 hours ago', date: SHORT_DATE });
}

export function displayedLink(page: Page): string {
  const [folder = ''] = page.site.folder.split('/');
  return `https://${page.site.host} › ${folder}`;
}

/** The address of a picture in the vendor's archive. */
export function picture(page: Page, name: string): string {
  return `https://serpapi.example.com/searches/${digest(page.id).slice(0, 24)}/images/${digest(imageOf(page, name)).slice(0, 40)}.png`;
}

function sitelinksOf(page: Page): readonly JsonObject[] {
  return linksOf(page, 2).map((link, index) => ({ title: `Part ${index + 1}`, link }));
}
